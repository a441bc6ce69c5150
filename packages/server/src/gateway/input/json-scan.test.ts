import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear } from "@baton/core/testing";
import { array, assert as check, constantFrom, jsonValue, property } from "fast-check";
import { scanJson } from "./json-scan.ts";

const TWICE = "is given more than once";

test("a key that comes twice in its object is named by its path", () => {
  assert.deepEqual(scanJson('{"a":1,"b":[{"c":1},{"c":1,"c":2}],"a":2}'), [
    { field: "b.1.c", message: TWICE },
    { field: "a", message: TWICE },
  ]);
});

test("the same key written in another way is the same key", () => {
  assert.deepEqual(scanJson('{"a":1,"\\u0061":2}'), [{ field: "a", message: TWICE }]);
  assert.deepEqual(scanJson('{"__proto__":1 , "__proto__" :2}'), [{ field: "__proto__", message: TWICE }]);
});

test("what only looks like a key is none", () => {
  for (const text of [
    '{"a":"a","b":"a"}',
    '{"a":"\\"a\\":"}',
    '["a","a"]',
    '{"a":{"a":1},"b":{"a":1}}',
    '{"a":"x,{[","b":1}',
  ]) {
    assert.deepEqual(scanJson(text), []);
  }
});

test("64 levels are read, 65 are not", () => {
  assert.deepEqual(scanJson("[".repeat(64) + "]".repeat(64)), []);
  assert.deepEqual(scanJson('{"a":'.repeat(64) + "1" + "}".repeat(64)), []);
  assert.deepEqual(scanJson("[".repeat(65)), [{ field: "0.0.0.0.…", message: "is nested deeper than 64 levels" }]);
});

test("nothing is found in what JSON.stringify writes", () => {
  check(
    property(jsonValue({ maxDepth: 6 }), (value) => {
      assert.deepEqual(scanJson(JSON.stringify(value, undefined, 1)), []);
    }),
  );
});

test("any text is scanned to its end without an error", () => {
  check(
    property(array(constantFrom("{", "}", "[", "]", '"', ",", ":", "\\", " ", "a")), (parts) => {
      assert.ok(Array.isArray(scanJson(parts.join(""))));
    }),
  );
});

test("work grows with the text only", () => {
  const hostile: readonly ((size: number) => string)[] = [
    (size) => '"\\'.repeat(size),
    (size) => '{"a" '.repeat(60) + '"a" '.repeat(size),
    (size) => `{${'"a":1,'.repeat(size)}`,
    (size) => `{"${"\\u0061".repeat(size)}":1}`,
    (size) => `{${Array.from({ length: size }, (_, index) => `"${index}":1`).join(",")}}`,
    (size) => "[]".repeat(size),
    (size) => `{"a"${" ".repeat(size)}`,
    (size) => `["a"${" ".repeat(size)}`,
  ];
  for (const toText of hostile) {
    assertLinear(20_000, (size) => {
      const text = toText(size);
      return () => scanJson(text);
    });
  }
});

test("too many keys or items end the scan, wherever they are", () => {
  const keys = Array.from({ length: 10_001 }, (_, index) => `"k${index}":0`);
  assert.deepEqual(scanJson(`{${keys.slice(1).join(",")}}`), []);
  assert.deepEqual(scanJson(`[{${keys.slice(5_000).join(",")}},{${keys.slice(0, 5_000).join(",")}}]`), [
    { field: "", message: "has more than 10,000 keys" },
  ]);
  assert.deepEqual(scanJson(`[${"0,".repeat(100_000)}0]`), []);
  assert.deepEqual(scanJson(`[${"0,".repeat(100_001)}0]`), [
    { field: "", message: "has more than 100,000 list items" },
  ]);
  assert.deepEqual(scanJson(JSON.stringify({ a: '\\"', "\\": 1, b: "\\\\" })), []);
});
