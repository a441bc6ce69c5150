/** The keys of two values are in the order of the values. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import * as fc from "fast-check";
import { toSortKey } from "./sort-key.ts";

const SEEDED = { seed: 13, numRuns: 2_000 };
const signOf = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

test("keys of numbers are in the order of the numbers", () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  const property = fc.property(number, number, (one, other) => {
    const order = one < other ? -1 : Number(one > other);
    assert.equal(signOf(toSortKey(one), toSortKey(other)), order);
  });
  fc.assert(property, SEEDED);
  assert.equal(toSortKey(-0), toSortKey(0));
});

test("keys of texts are in the order of their bytes, after all numbers, and one for each text", () => {
  const text = fc.string({ unit: "binary", maxLength: 6 });
  const property = fc.property(text, text, fc.double({ noNaN: true }), (one, other, number) => {
    const order = Buffer.compare(Buffer.from(one), Buffer.from(other));
    assert.equal(signOf(toSortKey(one), toSortKey(other)), order);
    assert.equal(toSortKey(one) === toSortKey(other), one === other);
    assert.ok(toSortKey(number) < toSortKey(one));
  });
  fc.assert(property, SEEDED);
});
