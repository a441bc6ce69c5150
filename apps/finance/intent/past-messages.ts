/**
 * Past messages: a conversation as the user had it, and what an answer names.
 *
 * An answer names only what it writes as `Name (SYMBOL)` or as the head of a table's column: other words of it may be
 * tickers by chance (`%B`, `EMA`, `FMP_API_KEY`).
 */
import { withoutImageTexts } from "@baton/assistant";
import type { IndexedDirectory } from "../market/directory/directory.ts";
import { isJargon } from "../market/directory/plain-words.ts";
import { toWords } from "../market/directory/words.ts";
import type { Listing } from "../market/port/listing.ts";
import { isLexiconWord } from "./reading.ts";
import type { EarlierMessage } from "./situation.ts";

/** Replies of other agents come as a user's messages that start so. */
const FROM_AGENT = /^\[([a-z_]{1,40})\] /;
/** Agents whose replies the user reads. */
const ANSWERS: ReadonlySet<string> = new Set(["writer", "direct", "clarify"]);

/** The user's messages and the answers to them; what agents wrote for the crew is left out. */
export function toSpoken(messages: readonly EarlierMessage[]): readonly EarlierMessage[] {
  return messages.flatMap(({ role, content }) => {
    if (role === "assistant") return [{ role, content }];
    const from = role === "user" ? FROM_AGENT.exec(content) : null;
    if (from === null) return role === "user" ? [{ role, content: withoutImageTexts(content) }] : [];
    return ANSWERS.has(from[1] ?? "") ? [{ role: "assistant", content: content.slice(from[0].length) }] : [];
  });
}

const MAX_ANSWER = 3_000;

/** The listings that an answer names. */
export function namedInAnswer(directory: IndexedDirectory, answer: string): readonly Listing[] {
  const text = answer.slice(0, MAX_ANSWER);
  const found = [...inParentheses(directory, text), ...inTableHeads(directory, text)];
  return [...new Map(found.map((listing) => [listing.symbol, listing])).values()];
}

const IN_PARENTHESES = /\(([\^A-Z0-9][A-Z0-9.-]{0,14})\)/g;
/** A name stands within so many characters before its symbol. */
const NAME_REACH = 60;

/** `Apple Inc. (AAPL)`; not `relative strength (RSI)`. */
function inParentheses(directory: IndexedDirectory, text: string): readonly Listing[] {
  return Array.from(text.matchAll(IN_PARENTHESES)).flatMap(({ index, 1: symbol = "" }) => {
    const listing = directory.get(symbol);
    const name = new Set(
      toWords(listing?.name ?? "").flatMap(({ key }, at) => (at === 0 || key.length > 4 ? [key] : [])),
    );
    const before = toWords(text.slice(Math.max(0, index - NAME_REACH), index));
    return listing !== undefined && before.some(({ key }) => name.has(key)) ? [listing] : [];
  });
}

const RULE = /^[\s|:-]+$/;

function inTableHeads(directory: IndexedDirectory, text: string): readonly Listing[] {
  const lines = text.split("\n");
  const heads = lines.filter((line, at) => line.includes("|") && isRule(lines[at + 1] ?? ""));
  return heads.flatMap((line) => line.split("|").flatMap((cell) => headOf(directory, cell.trim())));
}

const isRule = (line: string): boolean => line.includes("-") && RULE.test(line);

/** A head that is a symbol and no word that figures are called by. */
function headOf(directory: IndexedDirectory, cell: string): readonly Listing[] {
  const key = cell.toLowerCase();
  if (!/^[\^A-Z0-9][A-Z0-9.-]{0,14}$/.test(cell) || isJargon(key) || isLexiconWord(key)) return [];
  const listing = directory.get(cell);
  return listing === undefined ? [] : [listing];
}
