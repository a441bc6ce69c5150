/**
 * Own words: whether what a tool is called with is made of what the user wrote, and not of what a model has read.
 */
import type { Json, Permission, Tool } from "@baton/core";
import type { AskingContext } from "@baton/core/ports";
import { lookInto } from "@baton/core/util";
import { assistantState } from "../run-state.ts";
import { languageOfText } from "../grounding/answer-language.ts";
import { scanNumbers } from "../grounding/number-scan.ts";
import { withoutImageTexts } from "../context/image-text.ts";
import { toWords } from "../search/words.ts";

/** A text may be put into other words, but most of them are the user's. */
const OWN_SHARE = 0.6;

/** Options of `withOwnWords`. */
export interface OwnWords {
  readonly from: readonly string[];
  /** Words that count as the user's: names of what the question is about. */
  readonly namesOf?: (state: AskingContext["state"]) => readonly string[];
  /** A message without what the user only quotes or pastes; by default all of it is the user's. */
  readonly ownOf?: OwnOf;
}

/** Gives what of a message is the user's own. */
export type OwnOf = (message: string) => string;

/** The tool, which is denied on words that are not the user's. */
export function withOwnWords(tool: Tool, { from, namesOf, ownOf }: OwnWords): Tool {
  return Object.freeze<Tool>({
    ...tool,
    permission: async (args, context): Promise<Permission> => {
      const own = ownTexts(context, ownOf);
      const names = namesOf?.(context.state) ?? [];
      const known = names.length === 0 ? own : own.map((text) => [text, ...names].join(" "));
      const foreign = from.find((name) => !isOwn(withoutYears(lookInto(args, name)), known));
      if (foreign === undefined) return (await tool.permission?.(args, context)) ?? { decision: "allow" };
      return { decision: "deny", reason: `\`${foreign}\` is not what the user asks about: use the user's words` };
    },
  });
}

const YEAR = /\b(?:19|20)\d\d\b/g;

/** A search may name the year. */
const withoutYears = (value: Json | undefined): Json | undefined =>
  typeof value === "string" ? value.replaceAll(YEAR, " ").trim() : value;

/** Returns the user's texts: the question, and the messages before it. */
export function ownTexts(
  { state, messages }: Pick<AskingContext, "state" | "messages">,
  ownOf: OwnOf = (message) => message,
): readonly string[] {
  const said = messages.flatMap(({ role, content }) => (role === "user" ? [content] : []));
  return [assistantState.get({ state }, "question"), ...said].map((text) => ownOf(withoutImageTexts(text)));
}

/** Whether a value is made of the user's words and numbers. */
export function isOwn(value: Json | undefined, own: readonly string[]): boolean {
  return isMadeOf(value, own.map(readOwn));
}

/** One of the user's texts: its words, and the sizes of its numbers. */
interface OwnText {
  readonly text: string;
  readonly stems: ReadonlySet<string>;
  readonly sizes: ReadonlySet<number>;
  readonly scales: readonly number[];
}

const THOUSAND = 1_000;

/**
 * In either way of writing numbers, whatever the sign: a fall of 20 % is -20. In Vietnamese prices are said in thousands.
 */
function readOwn(text: string): OwnText {
  const tokens = [...scanNumbers(text, "en"), ...scanNumbers(text, "vi")];
  const sizes = new Set(tokens.flatMap(({ value, digits }) => [Math.abs(value), Number(digits)]));
  const scales = languageOfText(text) === "vi" ? [1, THOUSAND] : [1];
  return { text, stems: new Set(toWords(text).map(({ stem }) => stem)), sizes, scales };
}

const hasNumber = (value: number, { sizes, scales }: OwnText): boolean =>
  scales.some((scale) => sizes.has(Math.abs(value) / scale));

function isMadeOf(value: Json | undefined, own: readonly OwnText[]): boolean {
  if (value === undefined || value === null || typeof value === "boolean") return true;
  if (typeof value === "number") return own.some((text) => hasNumber(value, text));
  if (typeof value === "string") return hasText(value, own);
  const parts: readonly (Json | undefined)[] = Object.values(value);
  return parts.every((part) => isMadeOf(part, own));
}

/** One message has the text, or most of its words; every number of it is the user's. */
function hasText(text: string, own: readonly OwnText[]): boolean {
  const trimmed = text.trim();
  if (own.some((one) => one.text.includes(trimmed))) return true;
  const words = toWords(text);
  if (!scanNumbers(text, "en").every(({ value }) => isMadeOf(value, own))) return false;
  return own.some(({ stems }) => {
    const found = words.filter(({ stem }) => stems.has(stem)).length;
    return words.length > 0 && found / words.length >= OWN_SHARE;
  });
}
