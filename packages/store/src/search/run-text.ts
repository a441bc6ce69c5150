/**
 * Run text: what a run is searched by, field by field, as folded words.
 *
 * Databases keep these words and find rows by them. Which fields a search was found in is decided here, so that all
 * databases say the same.
 */
import { BatonError } from "@baton/core";
import { toWords } from "../documents/folded-text.ts";
import type { Change, RunRecord } from "../record.ts";
import { toShortId } from "../run-id.ts";
import { RUN_TEXT_FIELDS, type RunTextField } from "./run-text-fields.ts";

/** The words of each field, separated by spaces. */
export type RunText = Readonly<Record<RunTextField, string>>;

/** Characters of one field that are searched. */
const MAX_FIELD_CHARS = 32_768;
const MAX_SEARCH_WORDS = 32;

/** One condition of a search: words that follow each other. */
export interface SearchTerm {
  readonly words: readonly string[];
  /** Whether the last word may be the beginning of one. */
  readonly isPrefix: boolean;
}

/** The words of a run. `answer` is the last text of an agent, `title` that of its session. */
export function toRunText(record: RunRecord, { answer = "", title = "" }: Partial<RunTextSource>): RunText {
  const { id, input, agent, requestId = "", session = "", error, agents = [], tools = [] } = record;
  return {
    input: fold(input),
    answer: fold(answer),
    agent: fold([agent, ...agents.map(({ name }) => name)].join(" ")),
    tool: fold(tools.map(({ name }) => name).join(" ")),
    request_id: fold(`${requestId} req-${toShortId(id)} ${id}`),
    session_id: fold(session),
    title: fold(title),
    error: fold(error?.message ?? ""),
  };
}

/** Whether a change has texts that are searched: those of a new run, and of one that pauses or ends. */
export function isTextNew({ creates, run }: Pick<Change, "creates" | "run">): boolean {
  return creates === true || run?.status === "paused" || run?.status === "ended";
}

/** Texts of a run that its record does not have. */
export interface RunTextSource {
  readonly answer: string | undefined;
  readonly title: string | undefined;
}

/** The text as words. */
export function fold(text: string): string {
  return toWords(text.slice(0, MAX_FIELD_CHARS)).join(" ");
}

/**
 * The conditions of a search, all of which must hold: its words, and its phrases in quotation marks. The last word is a
 * prefix, unless it ends a phrase. A search without words has no conditions.
 */
export function parseRunSearch(text: string): readonly SearchTerm[] {
  const parts = text.split('"');
  const terms = parts.flatMap((part, index): SearchTerm[] => {
    const words = toWords(part);
    if (words.length === 0) return [];
    const isLast = index === parts.length - 1;
    if (index % 2 === 1) return [{ words, isPrefix: isLast }];
    return words.map((word, place) => ({ words: [word], isPrefix: isLast && place === words.length - 1 }));
  });
  const count = terms.reduce((sum, { words }) => sum + words.length, 0);
  if (count <= MAX_SEARCH_WORDS) return terms;
  throw new BatonError("invalid", `the search has ${count} words; at most ${MAX_SEARCH_WORDS} are possible`);
}

/** The fields in which at least one condition holds. */
export function findMatchedFields(
  textOf: (field: RunTextField) => string,
  terms: readonly SearchTerm[],
): readonly RunTextField[] {
  return RUN_TEXT_FIELDS.filter((field) => {
    const words = ` ${textOf(field)} `;
    return terms.some((term) => words.includes(toPhrase(term)));
  });
}

/** The words of a condition as they stand in a field between spaces. */
export function toPhrase({ words, isPrefix }: SearchTerm): string {
  return ` ${words.join(" ")}${isPrefix ? "" : " "}`;
}
