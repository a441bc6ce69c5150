import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { type CodePiece, highlight } from "./highlight.ts";

const LANGUAGES = ["bash", "json", "python", "sql", "ts", "js", "yaml"] as const;

const kindsOf = (pieces: readonly CodePiece[] = []): readonly string[] =>
  pieces.flatMap(({ kind }) => (kind === "" ? [] : [kind]));

test("highlighted code has the same characters, whatever it is", () => {
  const code = fc.oneof(fc.string(), fc.string({ unit: "grapheme" }), fc.stringMatching(/^[{}[\]"'`:#$\\/*\n a-z]*$/u));
  fc.assert(
    fc.property(code, fc.constantFrom(...LANGUAGES), (text, language) => {
      const pieces = highlight(text, language) ?? [];
      assert.equal(pieces.map(({ text: one }) => one).join(""), text);
    }),
  );
});

test("words of a language have their kind", () => {
  const kinds = kindsOf(highlight("name: 3 # three", "yaml"));
  assert.deepEqual(kinds, ["code-attr", "code-number", "code-comment"]);
  assert.ok(kindsOf(highlight("const one = 'two';", "js")).includes("code-keyword"));
});

test("a language that is not known is left alone", () => {
  assert.equal(highlight("x", "klingon"), undefined);
  assert.equal(highlight("x", "__proto__"), undefined);
  assert.equal(highlight("x", ""), undefined);
});

test("code that opens a thing in a thing without end is read", () => {
  for (const opening of ["${", "$(", "`${", "{", "f'{"]) {
    for (const language of LANGUAGES) {
      const code = opening.repeat(4_000);
      assert.equal((highlight(code, language) ?? []).map(({ text }) => text).join(""), code);
    }
  }
});
