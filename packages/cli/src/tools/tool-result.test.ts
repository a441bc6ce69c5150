import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { endOfJson, parseResult, toSchemaText } from "./tool-result.ts";

const CITY = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

test("a result that fits is the value itself, with the spaces in its texts", () => {
  assert.deepEqual(parseResult(' {"city":  "a  =  b"} ', CITY), { ok: true, value: { city: "a  =  b" } });
  assert.deepEqual(parseResult("null", {}), { ok: true, value: null });
});

test("an invalid result has a reason", () => {
  const wrong: [string, RegExp][] = [
    ["Hanoi", /^the result is not valid JSON: Unexpected token 'H'/],
    ['{"city": "Hanoi"', /^the result is not valid JSON: /],
    ["", /^the result is not valid JSON: Unexpected end of JSON input$/],
    [`${"[".repeat(5_000)}${"]".repeat(5_000)}`, /^the result is not valid JSON: it is nested too deeply$/],
    ["{}", /^the result does not match the schema: city is missing$/],
    ["7", /^the result does not match the schema: must be object, not number$/],
  ];
  for (const [text, expected] of wrong) {
    const read = parseResult(text, CITY);
    assert.match(read.ok ? "" : read.why, expected);
  }
});

test("the end of a JSON value is found for any value and any text after it", () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom("", " ", "\n1.1.1=allow", ' "more" }'), (json, after) => {
      const text = JSON.stringify(JSON.parse(json), undefined, 2);
      assert.equal(endOfJson(`${text}${after}`), text.length);
    }),
  );
});

test("a schema is shown without the name of its dialect, and one that allows everything is not shown", () => {
  assert.equal(toSchemaText({ $schema: "https://json-schema.org", type: "number" }), '{"type":"number"}');
  assert.equal(toSchemaText({ $schema: "https://json-schema.org" }), undefined);
});
