/**
 * Untrusted: text and addresses from news and the web, made safe to show: bounded, on one line, without characters
 * that nobody sees. What it says is never followed, and its numbers are never figures.
 */
import { findLinks } from "@baton/assistant";

/** On one line, without control, format or private characters, at most so many characters. */
export function toSafeText(text: string, maxChars: number): string {
  // a few more units than characters are enough: what is invisible is rarely more
  const line = text
    .slice(0, maxChars * 4)
    .replaceAll(/[\p{C}\p{Z}\s]+/gu, " ")
    .trim();
  const characters = Array.from(line);
  return characters.length <= maxChars ? line : `${characters.slice(0, maxChars - 1).join("")}…`;
}

const MAX_NAME = 160;
const PRICED = /[$€£¥₫%]|\d[.,]\d/u;

/** A name or a short note of a source: without addresses and without what looks like a figure. */
export function toSafeName(text: string, maxChars = MAX_NAME): string {
  const line = toSafeText(text, maxChars);
  const links = findLinks(line);
  if (links.length === 0 && !PRICED.test(line)) return line;
  const plain = links.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), line);
  const words = plain.split(" ").filter((word) => !(/\d/u.test(word) && PRICED.test(word)));
  return words.filter((word) => word !== "").join(" ");
}

const MAX_URL_CHARS = 2_000;
const MOMENT = /^\d{4}-\d\d-\d\d(?:T[\d:.]{5,15}(?:Z|[+-]\d\d:\d\d)?)?$/;

/** The address if it is one of the web's; without a name and password in it. */
export function toSafeUrl(text: string | undefined): string | undefined {
  if (text === undefined || text.length > MAX_URL_CHARS || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isWeb = url.protocol === "https:" || url.protocol === "http:";
  return isWeb && url.username === "" && url.password === "" ? url.href : undefined;
}

/** RFC 3339 or a day; undefined if it is neither. */
export function toSafeMoment(text: string | undefined): string | undefined {
  if (text === undefined || text.length > 40 || !MOMENT.test(text)) return undefined;
  return Number.isNaN(Date.parse(text)) ? undefined : text;
}
