/** Tiles fill the area, each as large as its weight, and none lies on another. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { layOutTiles } from "./treemap.ts";

const NEAR = 1e-6;

test("whatever the weights are, tiles are inside, apart, and as large as they should be", () => {
  const weights = fc.array(fc.double({ min: 0, max: 1e12, noNaN: true }), { maxLength: 30 });
  const property = fc.property(
    weights,
    fc.integer({ min: 1, max: 900 }),
    fc.integer({ min: 1, max: 900 }),
    (all, w, h) => {
      const tiles = layOutTiles(all, w, h);
      const sum = tiles.reduce((total, { index }) => total + (all[index] ?? 0), 0);
      for (const [at, { index, x, y, width, height }] of tiles.entries()) {
        const slack = NEAR * w * h;
        assert.ok(x >= -NEAR && y >= -NEAR && x + width <= w + slack && y + height <= h + slack);
        assert.ok(Math.abs(width * height - ((all[index] ?? 0) / sum) * w * h) <= slack);
        for (const other of tiles.slice(at + 1)) {
          const across = Math.min(x + width, other.x + other.width) - Math.max(x, other.x);
          const down = Math.min(y + height, other.y + other.height) - Math.max(y, other.y);
          assert.ok(Math.min(across, down) <= NEAR * Math.max(w, h));
        }
      }
    },
  );
  fc.assert(property, { numRuns: 200 });
});

test("nothing to show gives no tiles", () => {
  assert.deepEqual(layOutTiles([], 100, 100), []);
  assert.deepEqual(layOutTiles([0, 0], 100, 100), []);
});
