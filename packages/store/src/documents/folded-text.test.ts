/** Text is folded the same way whatever it is, and a query finds what a reader would call the same words. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { countMatches, foldText, toWordQuery, toWords } from "./folded-text.ts";

const SEEDED = { seed: 13, numRuns: 500 };
/** Beyond it no character has a case or is composed of others. */
const LAST = 0x2_ffff;
const text = fc.string({ unit: "grapheme", maxLength: 60 });

test("Vietnamese and other marks are dropped, and letters are in lower case", () => {
  const cases = {
    "Đồng Việt Nam": "dong viet nam",
    "NGHÌN TỶ ĐÔ-LA": "nghin ty do-la",
    "Crème Brûlée, İstanbul": "creme brulee, istanbul",
    "ΟΔΟΣ οδός": "οδοσ οδοσ",
  };
  for (const [before, after] of Object.entries(cases)) assert.equal(foldText(before), after);
});

test("no character is folded further by folding again", () => {
  for (let code = 0; code <= LAST; code++) {
    const once = foldText(String.fromCodePoint(code));
    assert.equal(foldText(once), once, code.toString(16));
  }
});

test("composed and decomposed text have the same words, in upper and in lower case", () => {
  const property = fc.property(text, (one) => {
    const words = toWords(one);
    assert.deepEqual(toWords(one.normalize("NFC")), words);
    assert.deepEqual(toWords(one.normalize("NFD")), words);
    assert.deepEqual(toWords(foldText(one)), words);
  });
  fc.assert(property, SEEDED);
});

test("words are letters and digits only, of at most 64 characters, with no half of a pair", () => {
  assert.deepEqual(toWords("AT&T's 10-K_2024\u0000(e)"), ["at", "t", "s", "10", "k", "2024", "e"]);
  const long = `${"a".repeat(63)}${"𝒳".repeat(40)}`;
  assert.deepEqual(toWords(long), [`${"a".repeat(63)}𝒳`]);
  const property = fc.property(fc.string({ unit: "binary", maxLength: 60 }), (one) => {
    for (const word of toWords(one)) assert.match(word, /^[\p{L}\p{N}]{1,64}$/u);
  });
  fc.assert(property, SEEDED);
});

test("a text is found by any of its words in any order, the last one cut short", () => {
  const places = fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 64 }));
  const property = fc.property(text, places, (one, [first, last, cut]) => {
    const words = toWords(one);
    const [all, part] = [words[first % words.length], words[last % words.length]];
    if (all === undefined || part === undefined) return;
    const query = toWordQuery(`${all} ${Array.from(part).slice(0, cut).join("")}`);
    assert.ok(query !== undefined && countMatches(words, query) !== undefined);
  });
  fc.assert(property, SEEDED);
});

test("a text is not found by a word that it does not have, nor by the beginning of one before the last", () => {
  const words = toWords("the price of gold");
  const cases: readonly [text: string, counts: readonly number[] | undefined][] = [
    ["gold price", [1, 1]],
    ["the of p", [1, 1, 1]],
    ["pri gold", undefined],
    ["gold silver", undefined],
    ["old", undefined],
  ];
  for (const [query, counts] of cases) {
    const wanted = toWordQuery(query);
    assert.deepEqual(wanted && countMatches(words, wanted), counts, query);
  }
  assert.equal(toWordQuery(" … "), undefined);
});
