/**
 * Learn: what a user's own message says of the user, by rules, in English and Vietnamese.
 *
 * Questions, quotations, suppositions and what is said of others teach nothing. Parts that sound personal and that no
 * rule reads are given back, for a model may read them.
 */
import type { Statement } from "../core/apply-statement.ts";
import { refuseMemory } from "../refuse/refuse-memory.ts";
import { type Clause, toClauses } from "./clause.ts";
import { ENGLISH } from "./english.ts";
import { readForgetting } from "./forgetting.ts";
import { splitList, textOf } from "./object.ts";
import { isWord } from "./pattern.ts";
import { toTaste } from "./phrasing.ts";
import { indexRules, readClause } from "./rule.ts";
import { toFirstPerson } from "./third-person.ts";
import { VIETNAMESE } from "./vietnamese.ts";

/** What a message teaches. */
export interface Learned {
  readonly statements: readonly Statement[];
  /** What sounds personal and was not understood. */
  readonly unread: readonly string[];
}

const RULES = indexRules([...ENGLISH, ...VIETNAMESE]);
const MAX_STATEMENTS = 12;
/** Said of one answer, not of all. */
const ONCE = ["this time", "just once", "for now", "this question", "this one", "lần này", "câu này", "lần này thôi"];
const SELF = ["i", "my", "tôi", "mình", "tớ", "tui"];
/** What is said of them is not said of the user. */
const OTHERS: ReadonlySet<string> = new Set(
  (
    "friend friends wife husband mother father mom dad mum parents brother sister son daughter kid kids child children boss " +
    "colleague colleagues neighbor neighbour uncle aunt cousin partner girlfriend boyfriend teacher advisor broker family"
  ).split(" "),
);
/** The first words of requests that are about the user. */
const ASKING = [
  "want to",
  "want a",
  "want the",
  "need",
  "would like",
  "would love",
  "would",
  "have a question",
  "am looking",
  "am asking",
  "am wondering",
  "wonder",
  "mean",
  "meant",
  "see",
  "like it",
  "like this",
  "like that",
  "like your",
  "like how",
  "asked",
  "said",
  "did",
  "can",
  "could",
  "should",
  "will",
  "muốn",
  "cần",
  "hỏi",
  "đang hỏi",
  "thấy",
  "nên",
  "có thể",
  "vừa hỏi",
];

/** What a user says of themselves in a message. */
export function learn(message: string): Learned {
  const statements: Statement[] = [];
  const unread: string[] = [];
  for (const { clause, read } of readAll(toClauses(message))) {
    if (read !== undefined) statements.push(...read);
    else if (isPersonal(clause) && refuseMemory(clause.text) === undefined) unread.push(clause.text);
  }
  const claimed = new Set(statements.map((one) => (one.kind === "claim" ? one.key : undefined)));
  // A correction says both: `I am not cautious, I am bold`.
  const allowed = statements.filter((one) =>
    one.kind === "claim" ? refuseMemory(one.text) === undefined : one.kind !== "denial" || !claimed.has(one.key),
  );
  return { statements: allowed.slice(0, MAX_STATEMENTS), unread };
}

/** What a text that is to be saved says of the user: as `learn`, also in the third person; all or nothing. */
export function readSaved(text: string): readonly Statement[] {
  const read = readAll(toClauses(text).map(toFirstPerson)).map((one) => one.read);
  return read.includes(undefined) ? [] : read.flatMap((one) => one ?? []);
}

type ReadClause = Readonly<{ clause: Clause; read: readonly Statement[] | undefined }>;

/** Reads each clause once; a list that goes on after a comma needs only the statement before it. */
function readAll(clauses: readonly Clause[]): readonly ReadClause[] {
  let before: Statement | undefined;
  return clauses.map((clause) => {
    const stated = readClause(clause, RULES) ?? readListed(clause, before);
    before = stated?.at(-1);
    const bare = clause.text.toLowerCase();
    if (ONCE.some((phrase) => bare.includes(phrase))) return { clause, read: [] };
    return { clause, read: readForgetting(clause) ?? stated };
  });
}

const MAX_LISTED_WORDS = 3;

/** `I like tea, milk and sugar`: what follows the comma belongs to the verb before it. */
function readListed(clause: Clause, read: Statement | undefined): readonly Statement[] | undefined {
  if (read === undefined || clause.isRequest) return undefined;
  const isTaste = read.kind === "claim" && read.key?.startsWith("taste:") === true;
  const language = read.kind === "claim" && /^(?:Thích|Không thích) /.test(read.text) ? "vi" : "en";
  const parts = splitList(clause.tokens, language);
  const hasAnd = clause.tokens.some((token) => ["and", "or", "và", "hoặc"].some((word) => isWord(token, word)));
  if (!isTaste || !hasAnd || parts.length === 0 || parts.some((part) => part.length > MAX_LISTED_WORDS))
    return undefined;
  const value = read.value === "dislike" ? "dislike" : "like";
  return parts.map((part) => toTaste(textOf(part, clause.text), value, language));
}

const MIN_PERSONAL_WORDS = 3;

function isPersonal({ tokens, isRequest }: Clause): boolean {
  const [first] = tokens;
  if (isRequest || first === undefined || tokens.length < MIN_PERSONAL_WORDS) return false;
  if (!SELF.some((word) => isWord(first, word)) || OTHERS.has(tokens[1]?.word ?? "")) return false;
  return !ASKING.some((phrase) =>
    phrase.split(" ").every((word, offset) => {
      const token = tokens[offset + 1];
      return token !== undefined && isWord(token, word);
    }),
  );
}
