import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_RECORDED_CALLS } from "../ports/call-log.ts";
import * as z from "zod";
import { SystemClock } from "../lifetimes/clock.ts";
import { noDocuments } from "../ports/document.ts";
import { Scope } from "../lifetimes/scope.ts";
import { defineTool, limited, type CallContext, type Prepared, type ToolDefinition } from "./tool.ts";

type Equal<A, B> = 0 extends A & 1 ? false : [A, B] extends [B, A] ? true : false;

const add: ToolDefinition<{ a: number; b: number }> = {
  name: "add",
  description: "Adds two numbers.",
  effect: "read",
  input: z.object({ a: z.number(), b: z.number().default(1) }),
  run: ({ a, b }) => a + b,
};

const context: CallContext = {
  key: "r/1.1.1",
  scope: Scope.root({ clock: new SystemClock() }),
  run: "r",
  call: "1.1.1",
  attempt: 1,
  messages: [],
  state: { get: () => undefined, set: () => undefined, entries: () => [] },
  documents: noDocuments("none here"),
  ...NO_RECORDED_CALLS,
  progress: () => undefined,
  note: () => undefined,
};

function bound(prepared: Prepared): (context: CallContext) => unknown {
  assert.ok(prepared.ok);
  return prepared.run;
}

test("run gets the parsed input, typed by its schema, and the context", async () => {
  const tool = defineTool({
    name: "sma",
    description: "Simple moving average.",
    effect: "read",
    input: z.object({ symbol: z.string().transform((text) => text.length), period: z.int().default(20) }),
    run: (input, { key }) => {
      const isTyped: Equal<typeof input, { symbol: number; period: number }> = true;
      return { ...input, key, isTyped };
    },
  });
  const run = bound(await tool.prepare({ symbol: "FPT" }));
  assert.deepEqual(run(context), { symbol: 3, period: 20, key: "r/1.1.1", isTyped: true });
});

test("run of a JSON Schema with a function is typed by the function", async () => {
  const tool = defineTool({
    name: "length",
    description: "Length of a text.",
    effect: "read",
    input: {
      jsonSchema: { type: "string" },
      validate: (value) =>
        typeof value === "string"
          ? { ok: true, value: { text: value } }
          : { ok: false, issues: [{ path: "", message: "not text" }] },
    },
    run: (input) => {
      const isTyped: Equal<typeof input, { text: string }> = true;
      return isTyped && input.text.length;
    },
  });
  assert.equal(bound(await tool.prepare("four"))(context), 4);
  assert.deepEqual(await tool.prepare(4), { ok: false, issues: [{ path: "", message: "not text" }] });
});

test("input that does not fit never reaches run", async () => {
  const tool = defineTool({ ...add, run: () => assert.fail("run was called") });
  const prepared = await tool.prepare({ a: "one" });
  assert.deepEqual(prepared.ok ? [] : prepared.issues.map(({ path }) => path), ["a"]);
});

test("a schema that answers at once makes the tool ready at once, one that waits later", async () => {
  assert.ok(!(defineTool(add).prepare({ a: 1 }) instanceof Promise));
  const slow = z.object({ a: z.number(), b: z.number() }).refine(async () => Promise.resolve(true));
  const prepared = defineTool({ ...add, input: slow }).prepare({ a: 1, b: 2 });
  assert.ok(prepared instanceof Promise);
  assert.equal(bound(await prepared)(context), 3);
});

test("calls may overlap unless their effect cannot be undone or the tool says otherwise", () => {
  assert.equal(defineTool(add).concurrency, "parallel");
  assert.equal(defineTool({ ...add, effect: "irreversible" }).concurrency, "sequential");
  assert.deepEqual(defineTool({ ...add, concurrency: limited(2) }).concurrency, { limited: 2 });
});

test("a tool is frozen, and holds only what was defined", () => {
  const tool = defineTool(add);
  assert.ok(Object.isFrozen(tool));
  assert.ok(Object.isFrozen(tool.inputSchema));
  assert.ok(!("timeoutMs" in tool) && !("permission" in tool));
  assert.equal(defineTool({ ...add, timeoutMs: 50 }).timeoutMs, 50);
});

test("a definition that cannot work is refused", () => {
  const bad: readonly object[] = [
    ...["", "a b", "a.b", "ä", "a\n", "x".repeat(65), undefined].map((name) => ({ name })),
    ...[0, -1, 1.5, Number.NaN].map((n) => ({ concurrency: limited(n) })),
    ...[0, -1, Infinity, Number.NaN].map((timeoutMs) => ({ timeoutMs })),
    { effect: undefined },
    { effect: "write" },
    { isolation: "treads" },
    { description: undefined },
    { run: "run" },
    { input: undefined },
  ];
  for (const fields of bad) {
    assert.throws(() => defineTool({ ...add, ...fields }), { code: "invalid" }, JSON.stringify(fields));
  }
});
