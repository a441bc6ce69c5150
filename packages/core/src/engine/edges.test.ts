import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import { Engine } from "./engine.ts";
import { scriptModel } from "../ports/script.ts";
import { collect, of, play } from "../testing/crew-runs.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";
import { defineTool } from "../definitions/tool.ts";

const slow = defineTool({
  name: "Slow",
  description: "Takes ten seconds.",
  effect: "read",
  input: z.object({}),
  run: (_, { scope }) => scope.sleep(10_000),
});
const call = [{ tool: "Slow" }];
const anything = { jsonSchema: { type: "object" }, validate: (value: unknown) => ({ ok: true, value }) as const };

test("what members of a cancelled group have said is shown without their signals", async () => {
  const crew = defineCrew({
    name: "g",
    agents: [{ id: "lead" }, { id: "a", tools: ["Slow"] }, { id: "b" }],
    tools: [slow],
    signals: { lead: [{ signal: "[GO]", target: "team" }], b: [{ signal: "[Y]", target: "a" }] },
    groups: { team: { agents: ["a", "b"] } },
  });
  const replies = { lead: [{ say: "[GO]" }], a: [{ say: "Let me see. [X]", call }], b: [{ say: "B [Y]" }] };
  const clock = new SimulatedClock(1);
  await using engine = new Engine({ clock, model: () => scriptModel(replies) });
  const run = engine.start(crew, { input: "go" });
  await clock.advance(10);
  await clock.run(run.command({ type: "cancel" }));
  const { content, raw } = await run.result;
  assert.deepEqual([content, raw], ["[b] B", "[b] B [Y]"]);
});

test("a message that ends a pause counts max_handoffs anew, also if the turn fails then", async () => {
  const crew = defineCrew({
    name: "c",
    agents: [{ id: "a" }, { id: "b", tools: ["Slow"] }, { id: "c", isTerminal: true }],
    tools: [slow],
    defaults: { a: "b" },
    behaviors: { b: { onFailure: "c" } },
    settings: { maxHandoffs: 2 },
  });
  const replies = { a: [{ say: "A" }], b: [{ call }, { fail: "no" }], c: [{ say: "C" }] };
  const clock = new SimulatedClock(1);
  await using engine = new Engine({ clock, model: () => scriptModel(replies) });
  const run = engine.start(crew, { input: "go" });
  await clock.advance(10);
  await run.command({ type: "pause" });
  await clock.run(run.result);
  const resumed = await run.command({ type: "resume", input: "Go on." });
  assert.equal((await clock.run(resumed.run.result)).outcome, "done");
});

test("a client's result over 1 MiB is recorded with its length, and is a warning", async () => {
  const pick = defineTool({ name: "Pick", description: "Lets the user pick.", effect: "read", input: z.object({}) });
  const crew = defineCrew({
    name: "c",
    agents: [{ id: "a", tools: ["Pick"], isTerminal: true }],
    tools: [pick],
    settings: { maxOutputChars: 2_000_000, maxTotalOutputChars: 4_000_000, maxContextTokens: 4_000_000 },
  });
  const { run } = await play(crew, { a: [{ call: [{ tool: "Pick" }] }, { say: "ok" }] });
  const answered = await run.command({ type: "answer", question: "1.1.1/tool", value: "x".repeat(1_100_000) });
  const { events } = await collect(answered.run);
  assert.equal(of(events, "call.ended")[0]?.wholeChars, 1_100_000);
  assert.match(of(events, "warning.raised")[0]?.text ?? "", /^Pick gave 1,100,000 characters/);
});

test("a hook does not change what the tool gets, also if a vector is among the arguments", async () => {
  const embed = defineTool({
    name: "Embed",
    description: "Embeds.",
    effect: "read",
    input: z.object({}),
    run: () => Array.from({ length: 40 }, (_, at) => at),
  });
  const find = defineTool({
    name: "Find",
    description: "Finds.",
    effect: "read",
    input: anything,
    permission: (args) => {
      Reflect.set(Object(args), "n", 2);
      return { decision: "allow" };
    },
    run: (input) => JSON.stringify(input).slice(0, 7),
  });
  const crew = defineCrew({
    name: "c",
    agents: [{ id: "a", tools: ["Embed", "Find"], isTerminal: true }],
    tools: [embed, find],
  });
  const finding = { call: [{ tool: "Find", args: { n: 1, vector: "run/1.1.1/vector" } }] };
  const replies = { a: [{ call: [{ tool: "Embed" }] }, finding, { say: "ok" }] };
  const { events } = await play(crew, replies, { id: "run" });
  assert.equal(of(events, "call.ended")[1]?.output, '{"n":1,');
});

test("a tool does not change the recorded calls by writing into the messages it is given", async () => {
  const rude = defineTool({
    name: "Rude",
    description: "Writes into the messages.",
    effect: "read",
    input: z.object({}),
    run: (_, { messages }) => {
      for (const message of messages) if ("calls" in message) Reflect.set(Object(message.calls), "length", 0);
    },
  });
  const crew = defineCrew({ name: "c", agents: [{ id: "a", tools: ["Rude"], isTerminal: true }], tools: [rude] });
  const calling = { call: [{ tool: "Rude" }] };
  const { events, history } = await play(crew, { a: [calling, calling, { say: "ok" }] });
  assert.deepEqual(
    of(events, "step.ended").map(({ calls }) => calls.length),
    [1, 1, 0],
  );
  assert.equal(history.filter((message) => "calls" in message && message.calls?.length === 1).length, 2);
});

test("a model does not take tools away from its next prompt by writing into the list of them", async () => {
  const crew = defineCrew({ name: "c", agents: [{ id: "a", tools: ["Slow"], isTerminal: true }], tools: [slow] });
  const clock = new SimulatedClock(1);
  const script = scriptModel({ a: [{ call }, { say: "ok" }] });
  const counts: number[] = [];
  await using engine = new Engine({
    clock,
    model: () => ({
      ...script,
      stream(prompt, scope) {
        counts.push(prompt.tools.length);
        const reply = script.stream(prompt, scope);
        Reflect.set(prompt.tools, "length", 0);
        return reply;
      },
    }),
  });
  await clock.run(engine.start(crew, { input: "go" }).result);
  await clock.run(engine.start(crew, { input: "go" }).result);
  assert.deepEqual(counts, [1, 1, 1, 1]);
});
