import assert from "node:assert/strict";
import { test } from "node:test";
import { checkJson, findUnsupported, schemasAt } from "./json-schema.ts";
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

test("each keyword refuses what does not fit it, and takes what does", () => {
  const CASES: readonly (readonly [schema: Json, fitting: readonly Json[], other: Json, problem: string])[] = [
    [{ exclusiveMinimum: 0 }, [0.1, "x"], 0, "must be more than 0, is 0"],
    [{ exclusiveMaximum: 2 }, [1.9], 2, "must be less than 2, is 2"],
    [{ multipleOf: 0.1 }, [0.3, 4, -0.7, 1e300], 0.35, "must be a multiple of 0.1, is 0.35"],
    [{ format: "email" }, ["a@b.de", 7], "a", "must be a valid email"],
    [{ uniqueItems: true }, [[1, "1", [1], { a: 1 }]], [{ a: 1, b: 2 }, 1, { b: 2, a: 1 }], "2 is the same as item 0"],
    [{ prefixItems: [{ type: "string" }], items: false }, [[], ["a"]], ["a", 1], "1 is not allowed"],
    [{ prefixItems: [{ type: "string" }] }, [["a", 1]], [1], "0 must be string, not number"],
    [
      { propertyNames: { maxLength: 1 } },
      [{ a: 1 }],
      { ab: 1 },
      "ab has a name that must be at most 1 characters, is 2",
    ],
    [{ oneOf: [{ type: "number" }, { minimum: 5 }] }, [1, "x"], 7, "fits 2 of the alternatives, and must fit one"],
    [{ oneOf: [{ type: "null" }] }, [null], 7, "fits none of the alternatives"],
    [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1, 2], 3, "must be at most 2, is 3"],
    [{ not: { type: "null" } }, [1, "x"], null, "fits what it must not be"],
    [{ if: { minimum: 5 }, then: { maximum: 9 }, else: { const: 0 } }, [7, 0], 10, "must be at most 9, is 10"],
    [{ contains: { const: 1 }, maxContains: 1 }, [[1, 2]], [2], "must have at least 1 fitting items, has 0"],
    [{ maxProperties: 1 }, [{ a: 1 }], { a: 1, b: 2 }, "must be at most 1 fields, is 2"],
    [{ dependentRequired: { a: ["b"] } }, [{}, { a: 1, b: 1 }], { a: 1 }, "b is missing, and `a` needs it"],
    [
      { properties: { a: { type: "null" }, b: { $ref: "#/properties/a" } } },
      [{ b: null }],
      { b: 1 },
      "b must be null, not number",
    ],
    [{ patternProperties: { "^x": {} }, additionalProperties: false, $ref: "http://a/b" }, [{ y: 1 }], 1, ""],
  ];
  for (const [schema, fitting, other, problem] of CASES) {
    for (const value of fitting) assert.deepEqual(checkJson(schema, value), [], JSON.stringify([schema, value]));
    assert.equal(
      checkJson(schema, other)
        .map(({ path, message }) => `${path} ${message}`.trim())
        .join(),
      problem,
    );
  }
});

test("schemas with very many ways to check a value, and very wrong values, are bounded", () => {
  const ref = { $ref: "#/$defs/a" };
  for (const keyword of ["anyOf", "oneOf", "allOf"]) {
    const schema = { ...ref, $defs: { a: { [keyword]: [ref, ref] } } };
    assert.ok(checkJson(schema, 1).length > 0);
    assert.equal(schemasAt(schema, "x").schemas.length, 0);
  }
  const list = Array.from({ length: 200_000 }, () => 1);
  assert.deepEqual(checkJson({ items: { anyOf: [{ type: "string" }, { type: "number" }] } }, list), []);
  assert.equal(checkJson({ items: false }, list).length, 1_000);
});

test("a check may stop at a depth, also through references, and leave formats alone", () => {
  const list: Json = { properties: { next: { $ref: "#" } } };
  const nested = (levels: number): Json => (levels === 0 ? {} : { next: nested(levels - 1) });
  assert.deepEqual(checkJson(list, nested(20), { maxDepth: 64 }), []);
  assert.equal(checkJson(list, nested(40), { maxDepth: 64 })[0]?.message, "is nested too deeply");
  assert.deepEqual(checkJson({ format: "email" }, "x", { formats: "ignored" }), []);
});

test("every keyword and format that is not checked is found with its place", () => {
  const schema: Json = {
    properties: { pattern: { pattern: "^a" }, b: { oneOf: [{ format: "hostname" }] } },
    prefixItems: [{ items: { unevaluatedItems: {} } }],
    $defs: { d: { propertyNames: { format: "email", minimun: 1 } } },
  };
  assert.deepEqual(
    Array.from(findUnsupported(schema), ({ path, what }) => `${path.join(".")}: ${what}`),
    [
      "properties.pattern.pattern: the keyword `pattern`",
      "properties.b.oneOf.0.format: the format `hostname`",
      "$defs.d.propertyNames.minimun: the keyword `minimun`",
      "prefixItems.0.items.unevaluatedItems: the keyword `unevaluatedItems`",
    ],
  );
});
