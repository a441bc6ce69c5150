/**
 * Import wishes: a pasted table of holdings is read as a trial first; "yes, import it" after that writes them.
 */
import { toWords, type DirectoryWord } from "../../market/directory/words.ts";
import { call } from "../calls/chosen-call.ts";
import type { EarlierMessage } from "../situation.ts";
import { blank } from "./own-words.ts";
import { findTable, type PastedTable } from "./pasted-table.ts";
import type { ChangeWish } from "./wish.ts";

const IMPORT: ReadonlySet<string> = new Set(
  "import upload load nhap holdings holding portfolio positions broker danh muc luu save".split(" "),
);
const NEGATIVE: ReadonlySet<string> = new Set(
  "no not dont do never khong dung khoan cancel huy stop wait cho chua what why how gi sao which is are".split(" "),
);
const CONSENT: ReadonlySet<string> = new Set(
  "yes yep yeah y ok okay sure confirm confirmed correct right fine good proceed go agreed approve dung dong u uh vang da co xac chuan duoc nhat chac".split(
    " ",
  ),
);
const VERBS: ReadonlySet<string> = new Set("import save store apply nhap luu ghi them".split(" "));
const MAX_OWN_WORDS = 3;
const MAX_CONSENT_WORDS = 10;
/** A trial is looked for in so many of the user's messages before. */
const MAX_BACK = 3;

/** A table that is to be imported, or the consent to a trial before. */
export function importWish(question: string, history: readonly EarlierMessage[]): ChangeWish | undefined {
  const table = findTable(question);
  if (table !== undefined) return isImport(question, table) ? trial(table) : undefined;
  const words = toWords(question);
  const before = tableBefore(history);
  if (words.length > MAX_CONSENT_WORDS || !isConsent(words, before)) return undefined;
  return {
    start: 0,
    end: question.length,
    effect: "portfolio",
    listings: [],
    calls: [call("importHoldings", { ...(before === undefined ? {} : { csv: before.csv }), dry_run: false })],
  };
}

/** Whether the words beside a table ask for its import; a table of holdings alone says enough. */
function isImport(question: string, table: PastedTable): boolean {
  const own = toWords(blank(question, [table]));
  const isAsked = own.some(({ key }) => IMPORT.has(key)) && !blank(question, [table]).includes("?");
  if (own.some(({ key }) => key === "dont" || key === "not" || key === "khong" || key === "dung")) return false;
  return isAsked || (table.isHoldings && own.length <= MAX_OWN_WORDS);
}

const trial = ({ csv, start, end }: PastedTable): ChangeWish => ({
  start,
  end,
  effect: "portfolio",
  listings: [],
  calls: [call("importHoldings", { csv })],
});

/** "Yes", "import it", "đúng rồi, lưu đi": nothing but consent, after a table. */
function isConsent(words: readonly DirectoryWord[], before: PastedTable | undefined): boolean {
  const keys = words.map(({ key }) => key);
  if (keys.length === 0 || keys.some((key, at) => NEGATIVE.has(key) && !isHarmless(words, at))) return false;
  const isAgreed = CONSENT.has(keys[0] ?? "");
  const hasVerb = keys.some((key) => VERBS.has(key));
  if (before !== undefined) return isAgreed || hasVerb;
  return (
    keys.includes("import") && keys.some((key) => key === "it" || key === "them") && (isAgreed || keys[0] === "import")
  );
}

/** The newest table that the user asked to import. */
function tableBefore(history: readonly EarlierMessage[]): PastedTable | undefined {
  const said = history.filter(({ role }) => role === "user").slice(-MAX_BACK);
  const tables = said.flatMap(({ content }) => {
    const table = findTable(content);
    return table !== undefined && isImport(content, table) ? [table] : [];
  });
  return tables.at(-1);
}

/** "Đúng" agrees and "đừng" refuses; both are folded to the same word. "Do it" agrees. */
function isHarmless(words: readonly DirectoryWord[], at: number): boolean {
  const word = words[at];
  if (word?.key === "do") return words[at + 1]?.key === "it";
  if (word?.key === "dung") return word.raw.toLowerCase() !== "đừng";
  return false;
}
