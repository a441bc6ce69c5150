import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { toPath } from "./sparkline.ts";

const SIZE = { width: 100, height: 20 };

test("the largest value touches the top, zero the bottom, and a missing one is a gap", () => {
  assert.equal(toPath([0, 10, 5], SIZE), "M0 20h0L50 0L100 10");
  assert.equal(toPath([1, undefined, 1], SIZE), "M0 0h0M100 0h0");
  assert.equal(toPath([0, 0], SIZE), "M0 20h0L100 20");
  assert.equal(toPath([], SIZE), "");
});

test("every point is inside the drawing", () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.double({ min: 0, max: 1e12, noNaN: true }), { nil: undefined })), (values) => {
      const numbers = toPath(values, SIZE).match(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/g) ?? [];
      assert.ok(numbers.every((number) => Number(number) >= 0 && Number(number) <= 100));
      assert.ok(!toPath(values, SIZE).includes("NaN"));
    }),
  );
});
