import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@baton/core";
import { parseJson } from "@baton/core/util";
import { z } from "zod";
import { isClosableSchema, isObjectSchema, isStrictSchema, toModelSchema } from "./output-schema.ts";

const closed = (properties: { readonly [name: string]: Json }, required = Object.keys(properties)): Json => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const text = { type: "string" };

test("a schema is strict only if every object in it is closed and all of it required", () => {
  assert.ok(isStrictSchema(undefined));
  assert.ok(isStrictSchema(closed({ a: { type: "array", items: closed({ b: text }) }, c: { anyOf: [text] } })));
  assert.ok(!isStrictSchema(closed({ a: text, b: text }, ["a"])));
  assert.ok(!isStrictSchema({ type: "object", properties: { a: text }, required: ["a"] }));
  assert.ok(!isStrictSchema(closed({ a: { anyOf: [{ type: "object", properties: {} }] } })));
  assert.ok(!isStrictSchema({ type: ["object", "null"] }));
});

test("a schema is not strict if a part of it says no type or limits the length of a text, also in a definition", () => {
  const withDef = (def: Json): Json => ({ $ref: "#/$defs/a", $defs: { a: def } });
  assert.ok(isStrictSchema(withDef({ type: "string", enum: ["x"] })));
  assert.ok(!isStrictSchema(withDef({ enum: ["x"] })));
  assert.ok(!isStrictSchema(withDef({ type: "string", maxLength: 4 })));
  assert.ok(!isStrictSchema(closed({ a: {} })));
  assert.ok(isStrictSchema(closed({ maxLength: text })), "a property may have any name");
});

test("a schema can be closed if no object in it has names of its own choice and few may be left out", () => {
  const optional = (count: number): Json =>
    closed(Object.fromEntries([...Array(count).keys()].map((n) => [n, text])), []);
  assert.ok(isClosableSchema({ type: "object", properties: { a: text } }));
  assert.ok(isClosableSchema(optional(10)));
  assert.ok(!isClosableSchema(optional(11)));
  assert.ok(!isClosableSchema({ type: "object" }));
  assert.ok(!isClosableSchema(closed({ a: { type: "object", additionalProperties: text } })));
  assert.ok(!isClosableSchema(closed({ a: { type: "array", items: { type: "object" } } })));
});

test("a schema that may refer to itself cannot be closed, and a definition counts as often as it is used", () => {
  const using = (ref: string, def: Json): Json => ({
    type: "object",
    properties: { a: { $ref: ref }, b: { $ref: ref } },
    required: ["a", "b"],
    $defs: { part: def },
  });
  assert.ok(isClosableSchema(using("#/$defs/part", closed({ x: text }))));
  assert.ok(!isClosableSchema(using("#/$defs/part", { type: "array", items: { $ref: "#/$defs/part" } })));
  assert.ok(!isClosableSchema(using("#", text)));
  const six = Object.fromEntries("abcdef".split("").map((name) => [name, text]));
  assert.ok(!isClosableSchema(using("#/$defs/part", closed(six, []))));
});

test("only a schema of type object is one of an object", () => {
  assert.ok(isObjectSchema({ type: "object" }));
  for (const schema of [undefined, null, {}, { type: "array" }, { anyOf: [{ type: "object" }] }]) {
    assert.ok(!isObjectSchema(schema));
  }
});

test("a model is not sent what tells it nothing", () => {
  const schema = z.object({
    mail: z.email(),
    count: z.int(),
    few: z.int().max(3),
    code: z.string().regex(/^a/),
    pattern: z.string(),
    more: z.array(z.union([z.uuid(), z.int()])),
  });
  const given = parseJson(JSON.stringify(z.toJSONSchema(schema))) ?? assert.fail();
  assert.deepEqual(
    toModelSchema(given),
    closed({
      mail: { type: "string", format: "email" },
      count: { type: "integer" },
      few: { type: "integer", maximum: 3 },
      code: { type: "string", pattern: "^a" },
      pattern: text,
      more: { type: "array", items: { anyOf: [{ type: "string", format: "uuid" }, { type: "integer" }] } },
    }),
  );
});
