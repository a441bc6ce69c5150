/**
 * Codec: what is decoded is what was encoded.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { columnOf, decodeTable, encodeTable, type TableShape } from "./codec.ts";

test("a table comes back as it was, missing values and large amounts included", () => {
  const amount = fc.oneof(fc.integer({ min: -(2 ** 46), max: 2 ** 46 }), fc.constant(Number.NaN));
  const price = fc.integer({ min: 1, max: 10 ** 9 }).map((cents) => cents / 1e6);
  fc.assert(
    fc.property(fc.array(fc.tuple(amount, price, price), { maxLength: 50 }), (rows) => {
      const shape: TableShape = {
        name: "table",
        rows: rows.length,
        columns: [
          { name: "amount", scale: 0 },
          { name: "close", scale: 6, relativeTo: "delta" },
          { name: "open", scale: 6, relativeTo: "close" },
        ],
      };
      const columns = new Map([
        ["amount", Float64Array.from(rows, ([value]) => value)],
        ["close", Float64Array.from(rows, ([, value]) => value)],
        ["open", Float64Array.from(rows, ([, , value]) => value)],
      ]);
      const decoded = decodeTable(shape, encodeTable(shape, columns));
      for (const [name, column] of columns) assert.deepEqual([...columnOf(decoded, name)], [...column]);
    }),
  );
});

test("bytes that end too early are an error, not zeros", () => {
  const shape: TableShape = { name: "table", rows: 3, columns: [{ name: "a", scale: 0 }] };
  const bytes = encodeTable(shape, new Map([["a", Float64Array.of(1, 200, 3)]]));
  assert.throws(() => decodeTable(shape, bytes.subarray(0, -1)), { name: "RangeError" });
});
