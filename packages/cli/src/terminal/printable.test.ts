import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { toOneLine, toPrintable } from "./printable.ts";

test("escape sequences are made visible and cannot act", () => {
  assert.equal(toPrintable("\u001b[31mred\u001b[0m\u0007"), "␛[31mred␛[0m␇");
  assert.equal(toPrintable("\u009b2J\u007f"), "\ufffd2J␡");
});

test("text cannot reverse the direction of writing or be half a character", () => {
  assert.equal(toPrintable("a\u202etxt.exe\u2069\ud800"), "a\ufffdtxt.exe\ufffd\ufffd");
});

test("line ends of every kind are line feeds, and a tab is spaces", () => {
  assert.equal(toPrintable("a\r\nb\rc\u2028d\te"), "a\nb\nc\nd    e");
});

test("nothing that comes out can control a terminal, whatever goes in", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      assert.doesNotMatch(toPrintable(text), /[[\p{Control}\p{Bidi_Control}\p{Surrogate}]--[\n]]/v);
      assert.doesNotMatch(toOneLine(text), /\n/);
    }),
  );
});
