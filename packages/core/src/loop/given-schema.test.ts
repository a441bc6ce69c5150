/** The schema that was given decides: what it refines, transforms and fills in holds, and its output type is the result's. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import { defineTool } from "../definitions/tool.ts";
import { Engine } from "../engine/engine.ts";
import { scriptModel } from "../ports/script.ts";
import { of, play } from "../testing/crew-runs.ts";

test("refine, transform and default are its own, and the log keeps what it parsed", async () => {
  const output = z.object({
    a: z.string().transform((text) => text.length),
    b: z.string().refine((text) => text.length > 3, "too short"),
    c: z.string().default("filled"),
  });
  const crew = defineCrew({ name: "t", agents: [{ id: "a", output, isTerminal: true }] });
  await using engine = new Engine({
    model: () => scriptModel({ a: [{ say: '{"a":"hello","b":"x"}' }, { say: '{"a":"hello","b":"long"}' }] }),
  });
  const result = await engine.start(crew, { input: "x" }).result;
  const length: number | undefined = result.output?.a;
  assert.deepEqual([result.outcome, result.output, length], ["done", { a: 5, b: "long", c: "filled" }, 5]);
  assert.match(result.warnings[0]?.text ?? "", /too short/);
});

test("an asynchronous schema is waited for, and one that throws refuses", async () => {
  const late = z.object({ a: z.string().refine(async (text) => (await Promise.resolve(text)) === "yes", "not yes") });
  const crew = defineCrew({ name: "t", agents: [{ id: "a", output: late, isTerminal: true }] });
  const { outcome, output, events } = await play(crew, { a: [{ say: '{"a":"no"}' }, { say: '{"a":"yes"}' }] });
  assert.deepEqual([outcome, output, of(events, "step.ended").length], ["done", { a: "yes" }, 2]);
});

test("a date is parsed in the result, and the log has what the model wrote", async () => {
  const crew = defineCrew({
    name: "t",
    agents: [{ id: "a", output: z.object({ at: z.coerce.date() }), isTerminal: true }],
  });
  await using engine = new Engine({ model: () => scriptModel({ a: [{ say: '{"at":"2026-01-02T00:00:00Z"}' }] }) });
  const run = engine.start(crew, { input: "x" });
  const { output } = await run.result;
  assert.equal(output?.at.getTime(), Date.UTC(2026, 0, 2));
  const events = await Array.fromAsync(run.events());
  assert.deepEqual(of(events, "turn.ended")[0]?.output, { at: "2026-01-02T00:00:00Z" });
});

const CASES: Readonly<Record<string, z.ZodType>> = {
  email: z.email(),
  url: z.url(),
  uuid: z.uuid(),
  date: z.iso.date(),
  datetime: z.iso.datetime(),
  regex: z.string().regex(/^a/),
  positive: z.number().positive(),
  multipleOf: z.number().multipleOf(5),
  tuple: z.tuple([z.string(), z.number()]),
  record: z.record(z.string(), z.number()),
  union: z.discriminatedUnion("t", [z.object({ t: z.literal("a") }), z.object({ t: z.literal("b"), y: z.number() })]),
  coerceDate: z.coerce.date(),
  transform: z.string().transform((text) => text.length),
  set: z.set(z.string()),
  intersection: z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })),
  stringbool: z.stringbool(),
  template: z.templateLiteral(["a", z.number()]),
};

for (const [name, schema] of Object.entries(CASES)) {
  test(`${name} may be an output and an input of a tool`, () => {
    defineCrew({ name: "x", agents: [{ id: "a", isTerminal: true, output: z.object({ field: schema }) }] });
    defineTool({ name: "T", description: "T.", effect: "read", input: z.object({ field: schema }), run: () => 1 });
  });
}
