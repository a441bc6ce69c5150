/**
 * Text: the rules for what people and their programs write, the same on every route, as schemas.
 *
 * Text that came through is well-formed Unicode without control characters but TAB and LF; CRLF has become LF.
 * Lengths are counted in characters (code points), positions from 1.
 */
import type { Json } from "@baton/core";
import { z } from "zod";

/** The longest query, in characters. */
const MAX_QUERY_CHARS = 10_000;

/** The longest message of a history, in bytes of UTF-8. */
export const MAX_MESSAGE_BYTES = 100 * 1_024;

/** The longest history. */
const MAX_HISTORY_MESSAGES = 1_000;

/** A longer text that cannot fit is refused unread: reading it takes time. */
const MAX_SCANNED = 1_048_576;

/** Rules for a text. */
interface TextRule {
  readonly minChars?: number;
  readonly maxChars?: number;
  readonly maxBytes?: number;
}

/** A text by such a rule. */
export function text({ minChars = 0, maxChars = Infinity, maxBytes = Infinity }: TextRule) {
  const described = {
    ...(minChars > 0 && { minLength: minChars }),
    ...(maxChars < Infinity && { maxLength: maxChars }),
  };
  return z
    .string()
    .meta(described)
    .transform((input, context) => {
      const complain = (message: string) => context.addIssue({ code: "custom", message });
      if (input.length > MAX_SCANNED && input.length / 2 > Math.min(maxChars, maxBytes)) {
        complain(`has more than ${count(MAX_SCANNED / 2, "character")}, which is too long`);
        return z.NEVER;
      }
      const { chars, problem } = scan(input);
      const clean = input.replaceAll("\r\n", "\n");
      if (problem !== undefined) complain(problem);
      if (chars < minChars) complain(minChars === 1 ? "is empty" : `is shorter than ${count(minChars, "character")}`);
      else if (problem === undefined && minChars > 0 && clean.trim() === "") complain("has only spaces");
      if (chars > maxChars) complain(`has ${count(chars, "character")}, at most ${count(maxChars)} are allowed`);
      const bytes = maxBytes === Infinity ? 0 : Buffer.byteLength(clean);
      if (bytes > maxBytes) complain(`has ${count(bytes, "byte")} of UTF-8, at most ${count(maxBytes)} are allowed`);
      return clean;
    });
}

/** A user's message. */
export const QUERY = text({ minChars: 1, maxChars: MAX_QUERY_CHARS });

/** A user's message beside images: it may be empty. */
export const CAPTION = text({ maxChars: MAX_QUERY_CHARS });

/** Names of runs, sessions, crews and agents. */
export const ID = z
  .string()
  .regex(/^[a-zA-Z0-9_-]{1,128}$/, "must be 1 to 128 of the characters a-z, A-Z, 0-9, _ and -");

/** The name of a model. */
export const MODEL = z.string().min(1).max(256);

/** The conversation before this request. */
export const HISTORY = boundedArray(
  z.object({ role: z.enum(["user", "assistant", "system"]), content: text({ maxBytes: MAX_MESSAGE_BYTES }) }),
  MAX_HISTORY_MESSAGES,
);

/** A list whose items are only looked at once it is short enough: a million wrong ones would be a million findings. */
export function boundedArray<Item extends z.ZodType>(item: Item, max: number) {
  const message = `has more than ${count(max, "item")}`;
  return z.preprocess((value, context) => {
    if (!Array.isArray(value) || value.length <= max) return value;
    context.addIssue({ code: "too_big", origin: "array", maximum: max, inclusive: true, input: value, message });
    return z.NEVER;
  }, z.array(item).max(max));
}

/** Any JSON value, all of whose texts and keys follow the rules. */
export const VALUE = z.unknown().transform((value, context): Json => {
  if (isClean(value)) return value;
  context.addIssue({ code: "custom", message: findProblem(value) ?? "" });
  return z.NEVER;
});

/** The largest `options` of a run, as JSON. */
const MAX_OPTIONS_KB = 16;

/** Options of a run, for its agents and tools. */
export const OPTIONS = VALUE.refine((value) => toKb(value) <= MAX_OPTIONS_KB, {
  error: ({ input }) => `is ${Math.ceil(toKb(input))} KB of JSON, at most ${MAX_OPTIONS_KB} KB are allowed`,
}).meta({ description: `JSON of at most ${MAX_OPTIONS_KB} KB` });

function toKb(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value)) / 1_024;
}

function isClean(value: unknown): value is Json {
  return findProblem(value) === undefined;
}

function findProblem(value: unknown): string | undefined {
  if (typeof value === "string") return scan(value).problem;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : "a number is too large";
  if (typeof value === "boolean" || value === null) return undefined;
  if (typeof value !== "object") return "is missing";
  for (const [key, part] of Object.entries(value)) {
    const found = findProblem(key) ?? findProblem(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Scanned {
  readonly chars: number;
  /** The first character that is not allowed. */
  readonly problem: string | undefined;
}

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;

function scan(input: string): Scanned {
  let chars = 0;
  let problem: string | undefined;
  for (let index = 0; index < input.length; index++) {
    const code = input.charCodeAt(index);
    chars++;
    const isPair = isPairAt(input, index, code);
    if (isPair) index++;
    else if (problem === undefined && isForbidden(code))
      problem = `${nameOf(code)} at character ${chars} is not allowed`;
  }
  return { chars, problem };
}

/** CRLF, and the two halves of a character beyond U+FFFF, count as one. */
function isPairAt(input: string, index: number, code: number): boolean {
  const next = input.charCodeAt(index + 1);
  if (code === CR) return next === LF;
  return code >= 0xd800 && code <= 0xdbff && next >= 0xdc00 && next <= 0xdfff;
}

function isForbidden(code: number): boolean {
  if (code < 0x20) return code !== TAB && code !== LF;
  return (code >= 0x7f && code <= 0x9f) || (code >= 0xd800 && code <= 0xdfff);
}

function nameOf(code: number): string {
  const point = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  if (code === 0) return `NUL (${point})`;
  if (code === CR) return `a carriage return (${point}) without a line feed`;
  return code >= 0xd800 ? `half a surrogate pair (${point})` : `the control character ${point}`;
}

function count(amount: number, noun = ""): string {
  const number = amount.toLocaleString("en-US");
  return noun === "" ? number : `${number} ${noun}${amount === 1 ? "" : "s"}`;
}
