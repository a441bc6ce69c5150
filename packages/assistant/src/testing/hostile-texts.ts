/**
 * Hostile texts: forty and more shapes of text that parsers and patterns find hard.
 */
import assert from "node:assert/strict";

/** The unit that each shape repeats: separators, brackets, marks, numbers, words of the grammars, and text that looks like code. */
const UNITS: Readonly<Record<string, string>> = {
  commas: "1,",
  rows: "AAPL,10,150.25\n",
  semicolons: "a;",
  sentences: "I like tea. ",
  questions: "why? ",
  likes: "I like ",
  names: "call me ",
  ands: "and ",
  lists: "I like a, b and c, ",
  leaders: "please remember that ",
  tails: "thanks please ",
  vietnamese: "tôi là không ",
  plainVietnamese: "toi thich co tuc ",
  quotes: '"',
  ticks: "```\n",
  apostrophes: "'’",
  openBrackets: "[",
  pairs: "[]",
  braces: "{",
  maps: "{a: ",
  parentheses: "(",
  dashes: "- ",
  colons: "a: ",
  indents: "\n ",
  anchors: "&a *a ",
  references: "{f1.1.1.1} ",
  halfReferences: "{f1",
  digits: "7",
  cards: "4111 1111 1111 1111 ",
  prices: "$1,234.56 ",
  percents: "-12.5% ",
  years: "2024-11-22 ",
  signs: "-+",
  minus: "1-",
  powers: "2^",
  dots: ".",
  links: "http://a.b/c ",
  table: "| 1 | 2 |\n",
  marks: "e\u0301\u0302",
  unseen: "\u200b\ufeffa",
  spaces: " ",
  hashes: "#",
  items: "human:\n- a\n",
  emoji: "👩‍👩‍👧‍👦",
};

/** A pattern that has read all repetitions fails here, and tries its other ways through them. */
const END = " x 1.";

const CHARS = 10_000;
const MAX_MS = 50;
const TRIES = 5;

/** Asserts that no text of 10,000 characters holds the event loop for 50 ms. */
export function assertBounded(read: (text: string) => unknown): void {
  for (const [shape, unit] of Object.entries(UNITS)) {
    const text = unit.repeat(Math.ceil(CHARS / unit.length)).slice(0, CHARS - END.length) + END;
    const ms = cpuMs(() => read(text));
    assert.ok(ms < MAX_MS, `${shape}: ${ms.toFixed(0)} ms`);
  }
}

/** The CPU time of this thread, the least of several tries if the first was long: other work only ever adds. */
function cpuMs(work: () => unknown): number {
  let least = Infinity;
  for (let tries = 0; tries < TRIES && least >= MAX_MS; tries += 1) {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}
