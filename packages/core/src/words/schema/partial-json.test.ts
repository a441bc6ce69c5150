import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { assertLinear } from "../../testing/growth.ts";
import { partialJson } from "./partial-json.ts";

test("half a value is what can be read of it", () => {
  const cases: readonly (readonly [string, unknown])[] = [
    ["", undefined],
    ["  {", {}],
    ['{"a', {}],
    ['{"a"', {}],
    ['{"a":', {}],
    ['{"a":"he', { a: "he" }],
    ['{"a":"he\\', { a: "he" }],
    ['{"a":"he\\u00', { a: "he" }],
    ['{"a":"he\\\\', { a: "he\\" }],
    ['{"a":1', {}],
    ['{"a":1,', { a: 1 }],
    ['{"a":tru', {}],
    ['{"a":true,"b":[1,2', { a: true, b: [1] }],
    ['{"a":true,"b":[1,{"c":"x"', { a: true, b: [1, { c: "x" }] }],
    ['["a","b', ["a", "b"]],
    ['{"a":1}', { a: 1 }],
    ["12", 12],
    ["nonsense", undefined],
  ];
  for (const [text, expected] of cases) assert.deepEqual(partialJson(text), expected, text);
});

test("every beginning of any value can be read, and the whole is the value", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
      const text = JSON.stringify(value);
      for (let end = 0; end < text.length; end++) partialJson(text.slice(0, end));
      assert.deepEqual(partialJson(text), JSON.parse(text));
    }),
    { numRuns: 200 },
  );
});

test("hostile text takes time in proportion to its length", () => {
  for (const unit of ["[", '{"a":', '"\\', "\\", '{"a', "1,", " "]) {
    assertLinear(20_000, (size) => {
      const text = `{"x":[${unit.repeat(size / unit.length)}`;
      return () => partialJson(text);
    });
  }
});
