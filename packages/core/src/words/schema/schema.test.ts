import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import type { Json } from "../json.ts";
import { toInput, type PlainInput, type StandardInput } from "./schema.ts";

/** A Standard Schema written by hand, whose validator the test chooses. */
function standard<T>(validate: StandardInput<T>["~standard"]["validate"]): StandardInput<T> {
  return {
    "~standard": { version: 1, vendor: "hand", validate, jsonSchema: { input: () => ({ type: "string" }) } },
  };
}

const plain = <T>(validate: PlainInput<T>["validate"]): PlainInput<T> => ({ jsonSchema: { type: "string" }, validate });

test("a zod schema gives its JSON Schema, and fills in defaults", async () => {
  const schema = z.object({ symbol: z.string(), period: z.int().min(2).default(20) });
  const input = toInput(schema, "getSMA");
  const { value }: { value: { symbol: string; period: number } } = accepted(await input.validate({ symbol: "FPT" }));
  assert.deepEqual(value, { symbol: "FPT", period: 20 });
  assert.deepEqual(input.jsonSchema, {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {
      symbol: { type: "string" },
      period: { type: "integer", minimum: 2, maximum: Number.MAX_SAFE_INTEGER, default: 20 },
    },
    required: ["symbol"],
  });
});

test("what a schema coerces and transforms is what is accepted", async () => {
  const input = toInput(
    z.object({ n: z.coerce.number() }).transform(({ n }) => n + 1),
    "t",
  );
  const { value }: { value: number } = accepted(await input.validate({ n: "41" }));
  assert.equal(value, 42);
});

test("every issue is named with its path", async () => {
  const schema = z.object({ a: z.object({ b: z.array(z.number()) }), c: z.string() });
  const parsed = await toInput(schema, "t").validate({ a: { b: ["x"] } });
  assert.deepEqual(
    refused(parsed).map(({ path }) => path),
    ["a.b.0", "c"],
  );
});

test("a schema that answers at once is not waited for", () => {
  assert.ok(!(toInput(z.object({}), "t").validate({}) instanceof Promise));
  assert.ok(
    !(
      toInput(
        plain(() => ({ ok: true, value: 1 })),
        "t",
      ).validate({}) instanceof Promise
    ),
  );
});

test("a schema that answers later is waited for", async () => {
  const even = z.number().refine(async (n) => Promise.resolve(n % 2 === 0), "odd");
  const input = toInput(even, "t");
  assert.equal(accepted(await input.validate(2)).value, 2);
  assert.deepEqual(refused(await input.validate(3)), [{ path: "", message: "odd" }]);
});

test("paths of a hand-written Standard Schema may be keys or segments", async () => {
  const schema = standard<string>(() => ({
    issues: [{ message: "no", path: ["a", { key: 0 }, Symbol("s")] }, { message: "bad" }],
  }));
  assert.deepEqual(refused(await toInput(schema, "t").validate(1)), [
    { path: "a.0.Symbol(s)", message: "no" },
    { path: "", message: "bad" },
  ]);
});

test("a JSON Schema with a function needs no library", async () => {
  const validate = (value: Json) =>
    typeof value === "string"
      ? ({ ok: true, value: value.length } as const)
      : ({ ok: false, issues: [{ path: "", message: "not text" }] } as const);
  const input = toInput(plain<number>(validate), "t");
  const { value }: { value: number } = accepted(await input.validate("four"));
  assert.equal(value, 4);
  assert.deepEqual(refused(await input.validate(4)), [{ path: "", message: "not text" }]);
});

test("the JSON Schema is a frozen copy", () => {
  const given = { type: "object", properties: { a: { enum: ["x"] } } };
  const { jsonSchema } = toInput({ jsonSchema: given, validate: () => ({ ok: true, value: 1 }) }, "t");
  given.properties.a.enum.push("y");
  assert.deepEqual(jsonSchema, { type: "object", properties: { a: { enum: ["x"] } } });
  const isFrozen = (value: unknown): boolean =>
    typeof value !== "object" || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozen));
  assert.ok(isFrozen(jsonSchema));
  assert.ok(!Object.isFrozen(given));
});

test("a schema that gives no JSON Schema is refused, and the tool is named", () => {
  const wrong = { code: "invalid", message: /tool "clock"/ };
  assert.throws(() => toInput({ jsonSchema: [], validate: () => ({ ok: true, value: 1 }) }, "clock"), wrong);
  const old = { "~standard": { version: 1, vendor: "old", validate: () => ({ value: 1 }) } };
  for (const untyped of [old, {}, null, undefined, "string"]) {
    assert.throws(() => Reflect.apply(toInput, undefined, [untyped, "clock"]), wrong);
  }
});

function accepted<T>(parsed: { ok: true; value: T } | { ok: false }): { value: T } {
  assert.ok(parsed.ok);
  return parsed;
}

function refused<I>(parsed: { ok: true } | { ok: false; issues: I }): I {
  assert.ok(!parsed.ok);
  return parsed.issues;
}
