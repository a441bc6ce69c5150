import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { backoffMs } from "./retry.ts";

const almostOne = () => 1 - 2 ** -32;

test("the ceiling of the wait doubles from the least to the most", () => {
  const limits = { minMs: 100, maxMs: 5_000, leastShare: 0 };
  const ceilings = [1, 2, 3, 4, 5, 6, 7, 8].map((attempt) => backoffMs(attempt, limits, almostOne));
  assert.deepEqual(ceilings, [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
});

test("chance picks anywhere below the ceiling", () => {
  const limits = { minMs: 100, maxMs: 5_000, leastShare: 0 };
  assert.equal(
    backoffMs(3, limits, () => 0),
    0,
  );
  assert.equal(
    backoffMs(3, limits, () => 0.25),
    100,
  );
});

test("a share of the ceiling is always waited", () => {
  const limits = { minMs: 500, maxMs: 20_000, leastShare: 0.5 };
  const waits = [0, 0.5, 1 - 2 ** -32].map((chance) => backoffMs(2, limits, () => chance));
  assert.deepEqual(waits, [500, 750, 1_000]);
});

test("the wait is a whole number between nothing and the most, whatever the attempt", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.record({ minMs: fc.nat(10_000), maxMs: fc.nat(100_000), leastShare: fc.constantFrom(0, 0.5, 1) }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (attempt, limits, chance) => {
        const waitMs = backoffMs(attempt, limits, () => chance);
        assert.ok(Number.isInteger(waitMs) && waitMs >= 0 && waitMs <= limits.maxMs, String(waitMs));
      },
    ),
  );
});
