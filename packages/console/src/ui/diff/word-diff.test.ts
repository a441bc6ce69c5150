import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { diffWords } from "./word-diff.ts";

const show = (before: string, after: string): string =>
  diffWords(before, after)
    .map(({ kind, text }) => (kind === "same" ? text : kind === "added" ? `{+${text}+}` : `[-${text}-]`))
    .join("");

test("words that came and went are told from those that stayed", () => {
  assert.equal(
    show("Answer in two sentences.", "Answer in one sentence."),
    "Answer in [-two sentences-]{+one sentence+}.",
  );
  assert.equal(show("same", "same"), "same");
  assert.equal(show("", "new"), "{+new+}");
  assert.equal(show("a b c", "a c"), "a [-b -]c");
});

test("both texts can be read from the parts", () => {
  const text = fc
    .array(fc.constantFrom("a", "b", " ", ".", "é", "\n"), { maxLength: 40 })
    .map((parts) => parts.join(""));
  const property = fc.property(text, text, (before, after) => {
    const parts = diffWords(before, after);
    const read = (without: string): string =>
      parts.flatMap(({ kind, text: part }) => (kind === without ? [] : part)).join("");
    assert.equal(read("added"), before);
    assert.equal(read("removed"), after);
  });
  fc.assert(property);
});

test("long texts with nothing in common are one replacement", () => {
  const lines = (word: string): string => Array.from({ length: 4_000 }, (_, at) => `${word} ${at}`).join("\n");
  assert.deepEqual(
    diffWords(lines("one"), lines("other")).map(({ kind }) => kind),
    ["removed", "added"],
  );
});
