import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { cutStart, cutToWidth, displayWidth } from "./width.ts";

test("ideographs and pictures take two cells, accents and joiners none of their own", () => {
  const widths = ["abc", "日本", "한글", "Ngân", "Nga\u0302n", "👩‍👩‍👧", "🇻🇳", "❤️", "\u200b", "ｆ", "…"].map(displayWidth);
  assert.deepEqual(widths, [3, 4, 4, 4, 4, 2, 2, 2, 0, 2, 1]);
});

test("a text that fits is left alone, and one that does not ends in …", () => {
  assert.equal(cutToWidth("hello", 5), "hello");
  assert.equal(cutToWidth("hello!", 5), "hell…");
  assert.equal(cutToWidth("日本語", 5), "日本…");
  assert.equal(cutToWidth("日本語", 4), "日…");
  assert.equal(cutStart("hello!", 5), "…llo!");
  assert.equal(cutStart("日本語", 4), "…語");
});

test("a cut never leaves more cells than there are, and never parts a letter from its accent", () => {
  const letters = fc.constantFrom("a", "e\u0323\u0302", "日", "👩‍👧", " ", "[", "\u0301");
  fc.assert(
    fc.property(fc.array(letters), fc.integer({ min: 1, max: 12 }), (parts, width) => {
      const text = parts.join("");
      for (const cut of [cutToWidth(text, width), cutStart(text, width)]) {
        assert.ok(displayWidth(cut) <= width, `${JSON.stringify(cut)} in ${width}`);
        assert.ok(cut === text || cut.includes("…"));
      }
    }),
  );
});
