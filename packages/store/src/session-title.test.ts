import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { toSessionTitle } from "./session-title.ts";

test("a title is the input in one line", () => {
  assert.equal(toSessionTitle("  My teapot\n\n arrived\tbroken  "), "My teapot arrived broken");
  assert.equal(toSessionTitle(" \n\t"), undefined);
  assert.equal(toSessionTitle(""), undefined);
  assert.equal(toSessionTitle(`${" ".repeat(5_000)}late`), "late");
});

test("a long input is shortened at a whole character", () => {
  assert.equal(toSessionTitle("x".repeat(120)), "x".repeat(120));
  assert.equal(toSessionTitle("🎼".repeat(121)), `${"🎼".repeat(119)}…`);
});

test("a title is never longer than 120 characters and has no line break", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 3_000, unit: "grapheme" }), (text) => {
      const title = toSessionTitle(text) ?? "x";
      assert.ok(Array.from(title).length <= 120 && title.trim() === title && !/\s\s|\n/u.test(title));
    }),
  );
});
