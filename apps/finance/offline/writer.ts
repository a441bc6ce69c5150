/**
 * Writer: an answer from facts, as Markdown, by rules.
 *
 * The first sentence answers, and says if data is simulated; every figure is a reference to a fact; the last line says
 * that no language model wrote it and of which day the data is.
 */
import type { Language } from "../intent/intent.ts";
import { toTitle } from "./metric-names.ts";
import { toMissing } from "./missing.ts";
import { factsOf, type Section, toName, toNames } from "./section.ts";
import { topicsOf } from "./topics/topics.ts";
import type { SeenCall, View } from "./view.ts";
import { wordsOf } from "./words.ts";

/** An answer in the pieces it is streamed in. */
export function writeAnswer(view: View): readonly string[] {
  const sections = toSections(view);
  const missing = toMissing(view).map((line) => `${line}.`);
  const used = view.calls.filter(({ status }) => status === "ok");
  const shown = sections.flatMap(({ facts }) => facts);
  const footer = toFooter(view.language, newestDay(shown.length > 0 ? shown : used));
  const [first, ...others] = sections;
  if (first === undefined) return toPieces([...(missing.length > 0 ? missing : [notUnderstood(view)]), footer]);
  const opening = toTitle(toPrefix(view, sections) + first.lead);
  const isSingle = others.length === 0;
  const rest = isSingle ? first.body : sections.flatMap((section) => toHeaded(section, section === first));
  const closing = missing.length === 0 ? [] : [missing.join("\n\n")];
  return toPieces([opening, ...rest, ...closing, footer]);
}

const toPieces = (blocks: readonly string[]): readonly string[] =>
  blocks.filter((block) => block !== "").map((block, index) => (index === 0 ? block : `\n\n${block}`));

/** The first section's lead is the answer's first sentence already. */
function toHeaded({ title, lead, body }: Section, isFirst: boolean): readonly string[] {
  return [`### ${title}`, ...(isFirst ? [] : [toTitle(lead)]), ...body];
}

function toSections(view: View): readonly Section[] {
  const calls = view.calls.filter(({ status }) => status === "ok");
  return topicsOf(view).flatMap(({ tools, write }) => {
    const own = calls.filter(({ tool }) => tools.has(tool));
    const section = own.length === 0 ? undefined : write(view, own);
    return section === undefined ? [] : [section];
  });
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

/** The last line. */
export function toFooter(language: Language, day?: string): string {
  const words = wordsOf(language);
  return `_${words.footer}${day === undefined ? "" : ` · ${words.dataOf(day)}`}_`;
}

function newestDay(dated: readonly Readonly<{ as_of?: string | undefined }>[]): string | undefined {
  const days = dated.flatMap(({ as_of }) => (as_of === undefined ? [] : [as_of.slice(0, 10)]));
  return days.toSorted().at(-1);
}

const UNCLEAR = {
  en: (names: string) => `I did not understand what you want to know${names === "" ? "" : ` about ${names}`}.`,
  vi: (names: string) => `Tôi chưa hiểu bạn muốn biết điều gì${names === "" ? "" : ` về ${names}`}.`,
} as const;

function notUnderstood(view: View): string {
  const symbols = view.intent?.validated_symbols ?? [];
  const [only = ""] = symbols;
  return UNCLEAR[view.language](symbols.length === 1 ? toName(view, only) : toNames(view, symbols));
}

/** The symbols that an answer is about. */
export function answeredSymbols({ intent, calls }: View): readonly string[] {
  const asked = intent?.validated_symbols ?? [];
  return asked.length > 0 ? asked : [...new Set(factsOf(calls).map(({ symbol }) => symbol))].slice(0, 3);
}

/** A call with data. */
export const isAnswered = ({ status }: SeenCall): boolean => status === "ok";
