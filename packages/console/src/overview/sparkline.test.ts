import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { sparklinePath } from "./sparkline.ts";

const SIZE = { width: 100, height: 20 };

test("the largest value touches the top, and where there is nothing there is no column", () => {
  assert.equal(sparklinePath([0, 10, 5, undefined], SIZE), "M37.5 20V0M62.5 20V10");
  assert.equal(sparklinePath([0, 0], SIZE), "");
  assert.equal(sparklinePath([], SIZE), "");
});

test("every point is inside the drawing", () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.double({ min: 0, max: 1e12, noNaN: true }), { nil: undefined })), (values) => {
      const numbers = sparklinePath(values, SIZE).match(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/g) ?? [];
      assert.ok(numbers.every((number) => Number(number) >= 0 && Number(number) <= 100));
      assert.ok(!sparklinePath(values, SIZE).includes("NaN"));
    }),
  );
});
