import assert from "node:assert/strict";
import { test } from "node:test";
import { BAD_CASES } from "./bad-cases.ts";
import { tryBad } from "./bad-track.ts";

test("there are at least 40 cases, of every kind", () => {
  assert.ok(BAD_CASES.length >= 40);
  const kinds = new Set(BAD_CASES.map(({ id }) => id.split("-")[0]));
  assert.equal(kinds.size, 14);
});

for (const end of ["flagged", "corrected", "refused"] as const) {
  test(`the first case that must be ${end} is`, async () => {
    const bad = BAD_CASES.find(({ ends }) => ends === end);
    assert.ok(bad);
    const tried = await tryBad(bad);
    assert.deepEqual([tried.end, tried.isCaught], [end, true], tried.observed.text);
  });
}
