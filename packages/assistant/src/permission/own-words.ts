/**
 * Own words: whether what a tool is called with is made of what the user wrote, and not of what a model has read.
 *
 * Numbers count in any way of writing them (60k, 2 tỷ, 1.5 lakh, ten); a text counts if most of its words are the user's.
 */
import type { Json } from "@baton/core";
import { scanNumbers } from "../grounding/number-scan.ts";
import { toWords } from "../search/words.ts";
import { ownText } from "./own-text.ts";
import { spelledIn } from "./spelled-number.ts";

/** A text may be put into other words, but most of them are the user's. */
const OWN_SHARE = 0.6;

/** Whether a value is made of the words and numbers of a message. */
export function isOwn(value: Json | undefined, message: string): boolean {
  return isMadeOf(value, readMessage(message));
}

interface Message {
  readonly text: string;
  readonly sizes: ReadonlySet<number>;
}

function readMessage(message: string): Message {
  return { text: ownText(message), sizes: new Set(sizesIn(message)) };
}

/** The size of every number that the user wrote in a message, whatever the sign: a fall of 20 % is -20. */
export function sizesIn(message: string): readonly number[] {
  const text = ownText(message);
  const written = scanNumbers(text).flatMap(({ readings }) => readings.map(({ value }) => toSize(value)));
  return [...written, ...spelledIn(text)];
}

/** Numbers are compared without what binary fractions add. */
export const toSize = (value: number): number => Number(Math.abs(value).toPrecision(12));

function isMadeOf(value: Json | undefined, message: Message): boolean {
  if (value === undefined || value === null || typeof value === "boolean") return true;
  if (typeof value === "number") return message.sizes.has(toSize(value));
  if (typeof value === "string") return hasText(value, message);
  const parts: readonly (Json | undefined)[] = Object.values(value);
  return parts.every((part) => isMadeOf(part, message));
}

/** The message has the text, or most of its words; every number of it is the user's. */
function hasText(text: string, message: Message): boolean {
  const trimmed = text.trim();
  if (message.text.toLowerCase().includes(trimmed.toLowerCase())) return true;
  const numbers = scanNumbers(text).every(({ readings }) => readings.some(({ value }) => isMadeOf(value, message)));
  return numbers && shareOfWords(text, message.text) >= OWN_SHARE;
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** The share of a text's words that another text has; pairs of letters in scripts that leave no blanks. */
export function shareOfWords(text: string, other: string): number {
  const units = toUnits(text);
  if (units.length === 0) return 0;
  const known = new Set(toUnits(other));
  return units.filter((unit) => known.has(unit)).length / units.length;
}

function toUnits(text: string): readonly string[] {
  return toWords(text).flatMap(({ text: word, stem }) => {
    if (!UNSPACED.test(word)) return [stem];
    const letters = Array.from(word);
    return letters.length === 1 ? letters : letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
  });
}
