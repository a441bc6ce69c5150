import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { openPack } from "../pack/pack.ts";
import { findMentions, type ListingMention } from "./mention.ts";
import { VIETNAMESE } from "./testing/sentences-vi.ts";
import { ENGLISH } from "./testing/sentences.ts";
import { openPackDirectory } from "./pack-directory.ts";

const directory = openPackDirectory(openPack());

const meaning = ({ listing, candidates }: ListingMention) =>
  listing?.symbol ?? candidates.map(({ symbol }) => symbol).join("|");
const named = (text: string) => findMentions(directory, text).map(meaning).join(" ");

for (const [language, table] of [
  ["English", ENGLISH],
  ["Vietnamese", VIETNAMESE],
] as const) {
  const lines = table.split("\n").filter((line) => line !== "");
  test(`${lines.length} sentences in ${language} name what they name and nothing else`, () => {
    const wrong: string[] = [];
    for (const line of lines) {
      const at = line.indexOf(" =>");
      const text = line.slice(0, at);
      const expected = line.slice(at + 3).trim();
      if (named(text) !== expected) wrong.push(`${text} => ${named(text)} instead of ${expected}`);
    }
    assert.deepEqual(wrong, []);
  });
}

test("words that are tickers count in lower case only beside stock or ticker", () => {
  for (const word of [
    "all",
    "it",
    "on",
    "now",
    "are",
    "so",
    "for",
    "has",
    "can",
    "or",
    "be",
    "by",
    "see",
    "go",
    "any",
  ]) {
    assert.equal(named(`please tell me ${word} about that thing`), "", word);
    assert.equal(named(`how is ${word} going`), "", word);
  }
  for (const word of ["all", "it", "on", "now", "cat", "cost"]) {
    assert.equal(named(`the ticker ${word}`), word.toUpperCase());
    assert.equal(named(`tell me about ${word} stock`), word.toUpperCase());
    assert.equal(named(`$${word}`), word.toUpperCase());
    assert.equal(named(`what is ${word.toUpperCase()} worth?`), word.toUpperCase());
  }
});

test("a mention says where it stands, how it was found and what it may mean", () => {
  const text = "Is Apple's stock better than brk.b, microsft or VNM?";
  const mentions = findMentions(directory, text);
  assert.deepEqual(
    mentions.map((mention) => [mention.text, mention.by, meaning(mention)]),
    [
      ["Apple", "alias", "AAPL"],
      ["brk.b", "symbol", "BRK-B"],
      ["microsft", "typo", "MSFT"],
      ["VNM", "symbol", "VNM|VNM.VN"],
    ],
  );
  for (const mention of mentions) assert.equal(text.slice(mention.start, mention.end), mention.text);
});

test("the symbol of every well-known listing is found in a sentence, in capitals and after a dollar sign", () => {
  for (const { symbol } of [...directory.listings()].slice(0, 600)) {
    const found = directory.symbols.find(symbol).map(({ listing }) => listing.symbol);
    assert.ok(
      findMentions(directory, `news about $${symbol} please`)[0]?.candidates.some((one) => found.includes(one.symbol)),
      symbol,
    );
  }
});

test("decomposed diacritics mean the same as composed ones", () => {
  assert.equal(named("cổ phiếu Hòa Phát".normalize("NFD")), "HPG.VN");
});

test("mentions lie in the text, in order, without overlapping, whatever the text is", () => {
  const pieces = fc.constantFrom(
    "Apple",
    "$",
    "^",
    "BTC",
    "/",
    "USDT",
    ".",
    "VN",
    " ",
    "-",
    "é",
    "😀",
    "\ud800",
    "'s",
    "&",
    "AAPL",
    "hoà",
    "phát",
    "of",
    "0",
    "\n",
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(text, (written) => {
      let before = 0;
      for (const { start, end, text: slice, candidates } of findMentions(directory, written)) {
        assert.ok(start >= before && end > start && end <= written.length);
        assert.equal(slice, written.slice(start, end));
        assert.ok(candidates.length > 0);
        before = end;
      }
    }),
    { numRuns: 500 },
  );
});

test("work grows with the text, not with its square", () => {
  for (const piece of ["first ", "american ", "a", "$", "a.", "bank of ", "microsfot ", "'s", "A/", "đ", "&a"]) {
    const steps = (times: number) => countWords(piece.repeat(times));
    assert.ok(steps(2000) <= steps(1000) * 2 + 1000, piece);
  }
});

test("a short ticker may have a possessive", () => {
  assert.equal(named("GE's price and F's margin"), "GE F");
  assert.equal(named("what is BRK.B's price"), "BRK-B");
});

test("averages, scores and hasty spellings are not tickers", () => {
  for (const text of [
    "the 200 DMA",
    "Altman Z",
    "a Z score",
    "wat is the price",
    "giv me a list",
    "what is a P/E ratio",
  ])
    assert.equal(named(text), "", text);
});

/** Counts the lookups in the indices for one text. */
function countWords(text: string): number {
  let asked = 0;
  const counted = <T>(answer: T): T => {
    asked++;
    return answer;
  };
  const { symbols, names, typos } = directory;
  findMentions(
    {
      ...directory,
      symbols: { ...symbols, find: (spelling) => counted(symbols.find(spelling)) },
      names: {
        ...names,
        exact: (key) => counted(names.exact(key)),
        beginning: (key) => counted(names.beginning(key)),
      },
      typos: { nearest: (key) => counted(typos.nearest(key)) },
    },
    text,
  );
  return asked;
}
