/**
 * Writer: an answer from facts, as Markdown, by rules.
 *
 * The first sentence answers, and says if data is simulated; every figure is a reference to a fact; the last line says
 * that no language model wrote it and of which day the data is.
 */
import { asksForAdvice } from "./words/advice.ts";
import { toPlainText } from "./words/markdown.ts";
import { toTitle } from "./words/metric-names.ts";
import { toMissing } from "./missing.ts";
import { likesShort } from "./words/preferences.ts";
import { factsOf, type Section, toName } from "./section.ts";
import { topicsOf } from "./topics/topics.ts";
import { toUnclear } from "./unclear.ts";
import type { SeenCall, View } from "./view.ts";
import { toFooter, wordsOf } from "./words/words.ts";

/** Sections under one heading; without a heading they stand for themselves. */
interface Part {
  readonly heading?: string;
  readonly sections: readonly Section[];
}

/** An answer in the pieces it is streamed in. */
export function writeAnswer(view: View): readonly string[] {
  const used = view.calls.filter(({ status }) => status === "ok");
  const parts = (view.isReport ? toReport(view, used) : [{ sections: toSections(view, used) }]).filter(
    ({ sections }) => sections.length > 0,
  );
  const sections = parts.flatMap((part) => part.sections);
  const missing = toMissing(view).map((line) => `${line}.`);
  const shown = sections.flatMap(({ facts }) => facts);
  const footer = toFooter(
    view.language,
    newestDay(shown.length > 0 ? shown : used.filter(({ tool }) => !KEPT_TOOL.test(tool))),
  );
  const [first] = sections;
  const started = toStarted(view);
  if (first === undefined) return toPieces([...started, ...(missing.length > 0 ? missing : toUnclear(view)), footer]);
  const opening = toTitle(toPrefix(view, sections) + first.lead);
  const rest = sections.length === 1 ? shorten(view, first.body) : parts.flatMap((part) => toBlocks(part, first));
  const advice = asksForAdvice(view.question) ? [wordsOf(view.language).noAdvice] : [];
  return toPieces([...started, opening, ...rest, ...advice, missing.join("\n\n"), footer]);
}

/** What an alert says comes first; a schedule that was late says so. */
function toStarted({ fired, missed, language }: View): readonly string[] {
  const words = wordsOf(language);
  const told = fired === undefined ? "" : toTitle(toPlainText(fired)).replace(/[.!]*$/, ".");
  return [told, missed === 0 ? "" : missed === 1 ? words.missedOne : words.missedMany(toCounted(missed, language))];
}

const COUNTED = {
  en: ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"],
  vi: ["hai", "ba", "bốn", "năm", "sáu", "bảy", "tám", "chín", "mười"],
} as const;

/** A small number in words: it is a count, not a figure of the market. */
const toCounted = (count: number, language: View["language"]): string =>
  COUNTED[language][count - 2] ?? wordsOf(language).many;

/** Users who like it short get the answer and its first table. */
const shorten = (view: View, body: readonly string[]): readonly string[] =>
  likesShort(view) ? body.slice(0, 1) : body;

const toPieces = (blocks: readonly string[]): readonly string[] =>
  blocks.filter((block) => block !== "").map((block, index) => (index === 0 ? block : `\n\n${block}`));

/** Sections with their headings; the first one's lead is the answer's first sentence already. */
function toBlocks({ heading, sections }: Part, first: Section): readonly string[] {
  const blocks = sections.flatMap((section) => {
    const told = [section === first ? "" : toTitle(section.lead), ...section.body].filter((block) => block !== "");
    return told.length === 0 ? [] : [`### ${section.title}`, ...told];
  });
  return heading === undefined ? blocks : [`## ${heading}`, ...blocks];
}

function toSections(view: View, calls: readonly SeenCall[]): readonly Section[] {
  return topicsOf(view).flatMap(({ tools, write }) => {
    const own = calls.filter(({ tool }) => tools.has(tool));
    const section = own.length === 0 ? undefined : write(view, own);
    return section === undefined ? [] : [section];
  });
}

/** A report goes company by company; what is about several, or none, comes after them. */
function toReport(view: View, calls: readonly SeenCall[]): readonly Part[] {
  const symbols = view.intent?.validated_symbols ?? [];
  const isAbout = ({ symbols: own }: SeenCall, symbol: string) => own.length === 1 && own[0] === symbol;
  const companies = symbols.map((symbol) => ({
    heading: toName(view, symbol),
    sections: toSections(
      view,
      calls.filter((call) => isAbout(call, symbol)),
    ),
  }));
  const others = calls.filter((call) => !symbols.some((symbol) => isAbout(call, symbol)));
  const rest = { heading: wordsOf(view.language).overall, sections: toSections(view, others) };
  return companies.every(({ sections }) => sections.length === 0)
    ? [{ sections: rest.sections }]
    : [...companies, rest];
}

/** Says that data is simulated, all of it or a part. */
function toPrefix({ calls, language }: View, sections: readonly Section[]): string {
  const words = wordsOf(language);
  const shown = sections.flatMap(({ facts }) => facts);
  const withoutFacts = calls.filter(({ status, facts }) => status === "ok" && facts.length === 0);
  const kinds = [...shown, ...withoutFacts].flatMap(({ kind }) => (kind === undefined ? [] : [kind]));
  const simulated = kinds.filter((kind) => kind === "synthetic").length;
  if (simulated === 0) return "";
  return simulated === kinds.length ? words.simulated : words.partlySimulated;
}

/** Tools of what is kept for the user. */
const KEPT_TOOL = /^(?:set|save|recall|searchMemory|import|list|remove|getPortfolio$)/;

/** What the user said is of no market day. */
const OWN: ReadonlySet<string> = new Set(["portfolio", "watch"]);

function newestDay(dated: readonly Readonly<{ as_of?: string | undefined; source?: string }>[]): string | undefined {
  const sourced = dated.filter(({ source }) => source === undefined || !OWN.has(source));
  const days = sourced.flatMap(({ as_of }) => (as_of === undefined ? [] : [as_of.slice(0, 10)]));
  return days.toSorted().at(-1);
}

/** The symbols that an answer is about. */
export function answeredSymbols({ intent, calls }: View): readonly string[] {
  const asked = intent?.validated_symbols ?? [];
  const named = [...new Set(factsOf(calls).map(({ symbol }) => symbol))].filter((symbol) =>
    /^[A-Z^][\w.^-]*$/.test(symbol),
  );
  return asked.length > 0 ? asked : named.filter((symbol) => symbol !== "US" && symbol !== "FICTIONAL").slice(0, 3);
}
