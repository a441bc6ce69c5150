import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { parse } from "./body.ts";
import { Problem } from "../problem.ts";

function problemsOf(schema: z.ZodType, value: unknown): readonly string[] {
  try {
    parse(schema, value);
    return [];
  } catch (error) {
    assert.ok(error instanceof Problem);
    return error.problems.map(({ field, message }) => `${field}: ${message}`);
  }
}

test("each finding says what is wanted and what was sent", () => {
  const table = [
    [z.string(), undefined, "is missing"],
    [z.string(), 12, "must be a text, not 12"],
    [z.string(), null, "must be a text, not null"],
    [z.number(), "12", 'must be a number, not "12"'],
    [z.number(), Infinity, "is a number that is too large"],
    [z.coerce.number(), "a", "must be a number"],
    [z.int(), 1.5, "must be a whole number, not 1.5"],
    [z.boolean(), "yes", 'must be true or false, not "yes"'],
    [z.boolean(), "y".repeat(1_000), "must be true or false, not a long text"],
    [z.array(z.string()), {}, "must be a list, not an object"],
    [z.array(z.string()), undefined, "is missing"],
    [z.object({}), [], "must be an object, not a list"],
    [z.record(z.string(), z.string()), true, "must be an object, not true"],
    [z.enum(["a", "b", "c"]), "d", 'must be a, b or c, not "d"'],
    [z.enum(["a", "b"]), undefined, "is missing: it must be a or b"],
    [z.literal("a"), 1, "must be a, not 1"],
    [z.number().min(1), 0, "must be at least 1"],
    [z.number().max(9), 10, "must be at most 9"],
    [z.int(), 2 ** 60, "must be at most 9007199254740991"],
    [z.string().min(2), "a", "must have at least 2 characters"],
    [z.string().max(2), "abc", "has more than 2 characters"],
    [z.array(z.string()).max(1), ["a", "b"], "has more than 1 items"],
    [z.number().multipleOf(5), 4, "must be a multiple of 5"],
    [z.email(), "a", "must have the format email"],
    [z.strictObject({}), { a: 1, b: 2 }, "has unknown fields: a, b"],
    [z.string().refine(() => false), "a", "cannot be used"],
    [z.string().refine(() => false, "is odd"), "a", "is odd"],
  ] as const;
  for (const [schema, value, message] of table) assert.deepEqual(problemsOf(schema, value), [`: ${message}`]);
});

const PART = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.enum(["image", "file"]), url: z.string() }),
]);
const CONTENT = z.object({ content: z.union([z.string().max(3), z.array(PART), z.null()]) });

test("of several kinds that a value may be of, the nearest says what is wrong", () => {
  assert.deepEqual(problemsOf(CONTENT, {}), ["content: is missing"]);
  assert.deepEqual(problemsOf(CONTENT, { content: 1 }), ["content: must be a text, a list or null, not 1"]);
  assert.deepEqual(problemsOf(CONTENT, { content: "long" }), ["content: has more than 3 characters"]);
  assert.deepEqual(problemsOf(CONTENT, { content: [{ type: "text" }, { type: "file", url: 1 }] }), [
    "content.0.text: is missing",
    "content.1.url: must be a text, not 1",
  ]);
});

test("a kind that is not there is told which there are", () => {
  const kinds = "must be text, image or file";
  assert.deepEqual(problemsOf(CONTENT, { content: [{ type: "audio" }] }), [`content.0.type: ${kinds}, not "audio"`]);
  assert.deepEqual(problemsOf(CONTENT, { content: [{}] }), [`content.0.type: is missing: it ${kinds}`]);
  assert.deepEqual(problemsOf(CONTENT, { content: ["text"] }), ['content.0: must be an object, not "text"']);
});
