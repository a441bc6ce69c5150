import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import type { AgentDefinition } from "./agent.ts";
import { defineCrew } from "./crew.ts";
import { defineState } from "./define-state.ts";
import { defineTool } from "./tool.ts";
import type { Json } from "../words/json.ts";
import { defineProgram } from "../ports/program.ts";
import { of, play } from "../testing/crew-runs.ts";
import { toolContext } from "../testing/tool-context.ts";

const Intent = z.object({ kind: z.enum(["ask", "buy"]), score: z.number().default(1) });

const state = defineState({
  intent: Intent,
  symbols: z.array(z.string()).default([]),
  since: z.coerce.date(),
  size: z.string().transform((text) => text.length),
});

const valuesOf = (values: Readonly<Record<string, Json>>) => ({ values: new Map(Object.entries(values)) });

test("a value is parsed when it is read; without one there is the default, else undefined", () => {
  const intent: { kind: "ask" | "buy"; score: number } | undefined = state.get(
    valuesOf({ intent: { kind: "ask" } }),
    "intent",
  );
  const symbols: string[] = state.get(valuesOf({}), "symbols");
  const size: number | undefined = state.get(valuesOf({ size: "four" }), "size");
  const since: Date | undefined = state.get(valuesOf({ since: "2026-01-02" }), "since");
  assert.deepEqual([intent, symbols, size], [{ kind: "ask", score: 1 }, [], 4]);
  assert.equal(since?.toISOString(), "2026-01-02T00:00:00.000Z");
  assert.equal(state.get(valuesOf({}), "intent"), undefined);
  assert.throws(() => state.get(valuesOf({ intent: { kind: "sell" } }), "intent"), {
    code: "invalid",
    message: /^state "intent" does not fit: kind: /,
  });
});

test("a value that does not fit is not set, and one that fits is JSON that is read back as it was", () => {
  const context = toolContext()();
  const refuse = (set: () => void, message: RegExp) => assert.throws(set, { code: "invalid", message });
  // @ts-expect-error the compiler refuses it too
  refuse(() => state.set(context, "intent", { kind: "sell" }), /does not fit/);
  // @ts-expect-error there is no such key
  refuse(() => state.set(context, "intend", {}), /there is no state "intend"; did you mean "intent"\?/);
  assert.deepEqual([...context.state.entries()], []);
  state.set(context, "intent", { kind: "buy" });
  state.set(context, "since", new Date(0));
  state.set(context, "size", "four");
  assert.deepEqual(Object.fromEntries(context.state.entries()), {
    intent: { kind: "buy", score: 1 },
    since: "1970-01-01T00:00:00.000Z",
    size: "four",
  });
  assert.deepEqual(
    [state.get(context, "intent"), state.get(context, "since"), state.get(context, "size")],
    [{ kind: "buy", score: 1 }, new Date(0), 4],
  );
  assert.deepEqual(state.toSet({ symbols: ["FPT"], size: "one" }), { symbols: ["FPT"], size: "one" });
  // @ts-expect-error a number is not a list
  refuse(() => state.toSet({ symbols: 1 }), /state "symbols" does not fit/);
});

test("a schema that needs time, or a value that JSON cannot hold, is refused", () => {
  const odd = defineState({ slow: z.string().refine(async () => true), when: z.date() });
  assert.throws(() => odd.get(valuesOf({ slow: "x" }), "slow"), { code: "invalid" });
  assert.throws(() => odd.toSet({ when: new Date(0) }), { code: "invalid", message: /cannot be kept as JSON/ });
});

test("tools and programs of a run share it", async () => {
  const save = defineTool({
    name: "Save",
    description: "Saves.",
    effect: "read",
    input: z.object({}),
    run: (_, context) => {
      state.set(context, "intent", { kind: "buy" });
      return "saved";
    },
  });
  const crew = defineCrew({
    name: "typed",
    state,
    agents: [
      { id: "a", tools: ["Save"], handoffTargets: ["p"] },
      {
        id: "p",
        model: { name: "code/p" },
        systemPrompt: "{{state.intent.kind}} {{state.options.x}}",
        isTerminal: true,
      },
    ],
    tools: [save],
    programs: {
      p: defineProgram((prompt) => ({
        say: `${state.get(prompt, "intent")?.score} ${prompt.system}`,
        set: state.toSet({ symbols: ["FPT"] }),
      })),
    },
  });
  const { content, events } = await play(
    crew,
    { a: [{ call: [{ tool: "Save" }] }, { say: "next" }] },
    { options: { x: 7 } },
  );
  assert.equal(content, "1 buy 7");
  assert.deepEqual(of(events, "step.ended").at(-1)?.set, { symbols: ["FPT"] });
});

test("a crew that types its state names no other key", () => {
  const tool = defineTool({ name: "T", description: "T", effect: "read", input: z.object({}), run: () => 1 });
  const define = (agent: Partial<AgentDefinition>, typed = true) =>
    defineCrew({ name: "c", tools: [tool], agents: [{ id: "a", ...agent }], ...(typed ? { state } : {}) });
  const fine = "{{state.intent}} {{state.intent.kind}} {{state.sym*}} {{state.options.a}} {{name}} {{other}}";
  define({ systemPrompt: fine, tools: [{ name: "T", if: "options.x" }], toolSearch: { if: "size" } });
  define({ systemPrompt: "{{state.anything}}" }, false);
  for (const [agent, message] of [
    [
      { systemPrompt: "{{state.intents}}" },
      /agents\.0\.systemPrompt: there is no state `intents`; did you mean `intent`\?/,
    ],
    [{ systemPrompt: "{{state.zz*}}" }, /there is no state `zz\*`/],
    [{ tools: [{ name: "T", if: "premium" }] }, /agents\.0\.tools\.0\.if: there is no state `premium`; add it/],
    [{ tools: ["T"], offers: [{ name: "T", if: "premium" }] }, /agents\.0\.offers\.0\.if/],
    [{ toolSearch: { if: "many" } }, /agents\.0\.toolSearch\.if/],
  ] as const) {
    assert.throws(() => define(agent), { code: "invalid", message });
  }
});
