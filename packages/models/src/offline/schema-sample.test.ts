import assert from "node:assert/strict";
import { test } from "node:test";
import { parseJson } from "@baton/core/util";
import { z } from "zod";
import { sampleOf } from "./schema-sample.ts";

const Tree: z.ZodType = z.object({
  name: z.string(),
  get children() {
    return z.array(Tree).max(2);
  },
});

const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  date: z.iso.date(),
  datetime: z.iso.datetime(),
  email: z.email(),
  url: z.url(),
  uuid: z.uuid(),
  uuid7: z.uuidv4(),
  positive: z.number().positive(),
  negative: z.int().negative(),
  between: z.number().gt(0.2).lt(0.3),
  multiple: z.number().multipleOf(5).min(7),
  most: z.int().max(-3),
  short: z.string().max(3),
  long: z.string().min(300),
  emoji: z.string().min(4).max(4),
  tuple: z.tuple([z.string(), z.number()]),
  rest: z.tuple([z.string()], z.int()),
  nonempty: z.array(z.enum(["a", "b"])).min(2),
  record: z.record(z.string(), z.number()),
  both: z.intersection(z.object({ a: z.string() }), z.object({ b: z.email() })),
  either: z.union([z.email(), z.number()]),
  one: z.xor([z.object({ a: z.string() }), z.object({ b: z.string() })]),
  tagged: z.discriminatedUnion("t", [z.object({ t: z.literal("x"), n: z.int() }), z.object({ t: z.literal("y") })]),
  nullable: z.iso.date().nullable(),
  nested: z.object({ a: z.object({ b: z.array(z.object({ c: z.email() })).min(1) }) }),
  literal: z.literal([3, 4]),
  tree: Tree,
};

for (const [name, schema] of Object.entries(SCHEMAS)) {
  test(`a sample of ${name} is valid`, () => {
    const given = parseJson(JSON.stringify(z.toJSONSchema(schema, { io: "input" }))) ?? assert.fail();
    for (const text of ["hello", "", "🍵🍵🍵🍵🍵"]) schema.parse(sampleOf(given, text));
  });
}

test("items that must differ do, and a schema without a type is read by its keywords", () => {
  const set = (items: z.core.JSONSchema.BaseSchema) =>
    sampleOf({ type: "array", uniqueItems: true, minItems: 3, items: parseJson(JSON.stringify(items)) ?? {} }, "tea");
  assert.deepEqual(set({ type: "string" }), ["tea", "1 tea", "2 tea"]);
  assert.deepEqual(set({ type: "integer", minimum: 4 }), [4, 5, 6]);
  assert.deepEqual(set({ enum: ["a", "b", "c"] }), ["a", "b", "c"]);
  assert.equal(sampleOf({ minimum: 3 }, ""), 3);
  assert.equal(sampleOf({ format: "date" }, ""), "2000-01-01");
  assert.deepEqual(sampleOf({ prefixItems: [{ const: 1 }, { type: "boolean" }] }, ""), [1, false]);
});

test("a schema that contains itself ends", () => {
  const self = { $defs: { a: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" };
  assert.deepEqual(sampleOf(self, ""), {});
  const all = { $defs: { a: { allOf: [{ $ref: "#/$defs/a" }] } }, $ref: "#/$defs/a" };
  assert.deepEqual(sampleOf(all, ""), {});
  const wide = {
    $defs: { a: { anyOf: Array.from({ length: 50 }, () => ({ $ref: "#/$defs/a" })) } },
    $ref: "#/$defs/a",
  };
  assert.equal(sampleOf(wide, ""), null);
});
