/** A log reads as it was written, or reading throws `damaged`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { toBatch, toLines } from "./batch.ts";

test("a row is believed only as it was written, under its run and in its place", () => {
  const row = toBatch("a", 3, ["3", "4"]);
  assert.deepEqual(toLines("a", 2, [row]), ["3", "4"]);
  assert.deepEqual(toLines("a", 3, [row]), ["4"]);
  for (const changed of [
    { ...row, body: "3\n5" },
    { ...row, body: "3" },
    { ...row, first: 2, last: 3 },
    { ...row, checksum: row.checksum + 1 },
    { ...toBatch("b", 3, ["3", "4"]), run: "a" },
    toBatch("b", 3, ["3", "4"]),
  ])
    assert.throws(() => toLines("a", 2, [changed]), { code: "damaged" }, JSON.stringify(changed));
});

test("rows that do not follow each other, or begin too late, are damage", () => {
  const [first, second, third] = [toBatch("a", 1, ["1"]), toBatch("a", 2, ["2"]), toBatch("a", 3, ["3"])];
  assert.deepEqual(toLines("a", 0, [first, second, third]), ["1", "2", "3"]);
  assert.throws(() => toLines("a", 0, [first, third]), { code: "damaged", message: /event 2 is missing/ });
  assert.throws(() => toLines("a", 0, [second, third]), { code: "damaged", message: /event 1 is missing/ });
});
