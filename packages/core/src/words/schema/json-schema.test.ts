import assert from "node:assert/strict";
import { test } from "node:test";
import { checkJson } from "./json-schema.ts";
import { type Json, parseJson } from "../json.ts";

const PERSON: Json = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 1, maxLength: 3 },
    age: { type: "integer", minimum: 0, maximum: 150 },
    role: { enum: ["boss", "clerk", null] },
    friends: { type: "array", items: { $ref: "#/$defs/friend" }, maxItems: 2 },
    pet: { anyOf: [{ type: "null" }, { type: "object", required: ["kind"] }] },
    kind: { const: { a: 1, b: [2] } },
  },
  required: ["name"],
  additionalProperties: false,
  $defs: { friend: { type: "object", properties: { since: { type: ["number", "string"] } }, required: ["since"] } },
};

test("what fits has no issues", () => {
  const fitting: readonly Json[] = [
    { name: "Ann" },
    { name: "语👍", age: 0, role: null, friends: [{ since: 1 }, { since: "ever" }], pet: null, kind: { b: [2], a: 1 } },
    { name: "A", pet: { kind: "cat", more: 1 } },
  ];
  for (const value of fitting) assert.deepEqual(checkJson(PERSON, value), [], JSON.stringify(value));
  assert.deepEqual(checkJson({}, [1, "x", null]), []);
  assert.deepEqual(checkJson(true, 1), []);
});

test("every way in which a value does not fit is told with its place", () => {
  const value = {
    name: "Anna",
    age: 1.5,
    role: "chef",
    friends: [{}, 1, { since: 2 }],
    pet: {},
    kind: { a: 1 },
    extra: 1,
  };
  assert.deepEqual(
    checkJson(PERSON, value).map(({ path, message }) => `${path} ${message}`),
    [
      "name must be at most 3 characters, is 4",
      "age must be integer, not number",
      'role must be one of "boss", "clerk", null',
      "friends must be at most 2 items, is 3",
      "friends.0.since is missing",
      "friends.1 must be object, not number",
      "pet fits none of the alternatives",
      'kind must be {"a":1,"b":[2]}',
      "extra is not allowed",
    ],
  );
  assert.equal(checkJson(PERSON, "x")[0]?.message, "must be object, not string");
  assert.equal(checkJson({ enum: ["a"] }, "b").length, 1);
});

test("names that an object has by itself are no properties", () => {
  assert.equal(checkJson({ type: "object", required: ["constructor"] }, {})[0]?.path, "constructor");
  assert.deepEqual(checkJson({ properties: {}, additionalProperties: true }, { toString: 1 }), []);
});

test("a schema that refers to itself comes to an end", () => {
  const list: Json = { $ref: "#/$defs/list", $defs: { list: { anyOf: [{ type: "null" }, { $ref: "#/$defs/list" }] } } };
  assert.ok(checkJson(list, 1).length > 0);
  const deep = parseJson(`${'{"next":'.repeat(500)}null${"}".repeat(500)}`);
  const node: Json = {
    $ref: "#/$defs/node",
    $defs: { node: { type: ["object", "null"], properties: { next: { $ref: "#/$defs/node" } } } },
  };
  assert.ok(checkJson(node, deep ?? null).length > 0);
});
