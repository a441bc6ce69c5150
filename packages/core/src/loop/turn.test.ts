import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import type { AgentDefinition } from "../definitions/agent.ts";
import { defineCrew } from "../definitions/crew.ts";
import type { Settings } from "../definitions/limits.ts";
import { Engine } from "../engine/engine.ts";
import { BatonError } from "../words/error.ts";
import type { RunEvent } from "../words/event.ts";
import { fold } from "../words/fold.ts";
import type { Chunk, Model, Prompt } from "../ports/model.ts";
import { type ScriptEntry, scriptModel } from "../ports/script.ts";
import { collect, of, play } from "../testing/crew-runs.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";
import { defineTool } from "../definitions/tool.ts";

let looks = 0;
const look = defineTool({
  name: "Look",
  description: "Looks.",
  effect: "read",
  input: z.looseObject({}),
  run: ({ fresh, size }) => (fresh === true ? ++looks : "x".repeat(Number(size ?? 1))),
});

const crewOf = (agent: Partial<AgentDefinition> = {}, settings: Partial<Settings> = {}) =>
  defineCrew({
    name: "c",
    agents: [{ id: "a", tools: ["Look"], isTerminal: true, ...agent }],
    tools: [look],
    settings,
  });

const warnings = (events: readonly RunEvent[]) => of(events, "warning.raised").map(({ text }) => text);
const END = { type: "end", finish: "stop", usage: { inputTokens: 1, outputTokens: 1 } } as const;

/** A model that plays a script and keeps what it was given. */
function spy(entries: readonly ScriptEntry[]) {
  const prompts: Prompt[] = [];
  const script = scriptModel({ a: entries });
  const model: Model = {
    ...script,
    stream(prompt, scope) {
      prompts.push(prompt);
      return script.stream(prompt, scope);
    },
  };
  return { model, prompts };
}

test("an empty reply is a warning, is asked for once more, and does not join the history", async () => {
  const { outcome, content, events } = await play(crewOf(), { a: [{ say: " " }, { say: "Hello." }] });
  assert.deepEqual([outcome, content], ["done", "Hello."]);
  assert.deepEqual(warnings(events), ["the model of a gave an empty reply; it is called again"]);
  assert.deepEqual(
    fold(events).history.map(({ content: text }) => text),
    ["hello", "Hello."],
  );
});

test("a reply that is empty twice fails the run with empty_reply", async () => {
  const { outcome, error, events } = await play(crewOf(), { a: [{ say: "" }] });
  assert.deepEqual([outcome, error?.code], ["failed", "empty_reply"]);
  assert.equal(of(events, "step.ended").length, 2);
});

test("two empty replies with an answer's tools between them are asked for again each time", async () => {
  const call = { call: [{ tool: "Look" }] };
  const { outcome, events } = await play(crewOf(), { a: [{ say: "" }, call, { say: "" }, { say: "ok" }] });
  assert.equal(outcome, "done");
  assert.equal(warnings(events).length, 2);
});

test("the same call with the same result for the third time is a warning, and the next model call has no tools", async () => {
  const call = { call: [{ tool: "Look", args: { b: 1, a: 2 } }] };
  const turned = { call: [{ tool: "Look", args: { a: 2, b: 1 } }] };
  const { model, prompts } = spy([call, turned, call, call, { say: "I give up." }]);
  await using engine = new Engine({ model: () => model });
  const { outcome, content, events } = await collect(engine.start(crewOf(), { input: "x" }));
  assert.deepEqual([outcome, content], ["done", "I give up."]);
  assert.deepEqual(
    prompts.map(({ tools }) => tools.length),
    [1, 1, 1, 0],
  );
  assert.deepEqual(warnings(events), [
    "a called Look 3 times with the same arguments and result; it must now answer without tools (max_repeated_calls)",
  ]);
});

test("calls that differ in arguments or results are not a loop, and max_repeated_calls 0 counts none", async () => {
  const fresh = { call: [{ tool: "Look", args: { fresh: true } }] };
  const same = { call: [{ tool: "Look" }] };
  const differing = await play(crewOf(), { a: [fresh, fresh, fresh, fresh, { say: "ok" }] });
  assert.deepEqual(warnings(differing.events), []);
  const off = await play(crewOf({}, { maxRepeatedCalls: 0 }), { a: [same, same, same, same, { say: "ok" }] });
  assert.deepEqual(warnings(off.events), []);
});

test("an agent's own max_rounds goes before the crew's", async () => {
  const fresh = { call: [{ tool: "Look", args: { fresh: true } }] };
  const { events } = await play(crewOf({ maxSteps: 2 }), { a: [fresh, fresh, { say: "ok" }] });
  assert.equal(of(events, "step.ended").length, 2);
  assert.equal(of(events, "limit.reached")[0]?.value, 2);
});

test("a tool choice holds until a tool has run in the turn; none switches tools off", async () => {
  const call = { call: [{ tool: "Look" }] };
  const choices = async (toolChoice: string) => {
    const { model, prompts } = spy([call, { say: "ok" }]);
    await using engine = new Engine({ model: () => model });
    await engine.start(crewOf({ toolChoice }), { input: "x" }).result;
    return prompts.map((prompt) => [prompt.toolChoice, prompt.isUncalled, prompt.tools.length]);
  };
  assert.deepEqual(await choices("auto"), [
    [undefined, true, 1],
    [undefined, undefined, 1],
  ]);
  assert.deepEqual(await choices("required"), [
    ["required", true, 1],
    [undefined, undefined, 1],
  ]);
  assert.deepEqual(await choices("Look"), [
    [{ tool: "Look" }, true, 1],
    [undefined, undefined, 1],
  ]);
  assert.deepEqual(await choices("none"), [[undefined, undefined, 0]]);
});

test("without parallel tool calls the provider is asked for one, and the calls of a reply run one after the other", async () => {
  const order: string[] = [];
  const slow = defineTool({
    name: "Look",
    description: "Looks.",
    effect: "read",
    input: z.looseObject({}),
    run: async (_, { call, scope }) => {
      order.push(`> ${call}`);
      await scope.sleep(5);
      order.push(`< ${call}`);
    },
  });
  const crew = defineCrew({
    name: "c",
    agents: [{ id: "a", tools: ["Look"], isTerminal: true, parallelToolCalls: false }],
    tools: [slow],
  });
  const { model, prompts } = spy([{ call: [{ tool: "Look" }, { tool: "Look" }] }, { say: "ok" }]);
  const clock = new SimulatedClock(1);
  await using engine = new Engine({ clock, model: () => model });
  await clock.run(engine.start(crew, { input: "x" }).result);
  assert.deepEqual(order, ["> 1.1.1", "< 1.1.1", "> 1.1.2", "< 1.1.2"]);
  assert.equal(prompts[0]?.parallelCalls, false);
});

test("output that the model does not read whole is a warning that names the tool and the setting", async () => {
  const call = { call: [{ tool: "Look", args: { size: 20_000 } }] };
  const { events } = await play(crewOf(), { a: [call, { say: "ok" }] });
  assert.deepEqual(warnings(events), ["Look gave 20,000 characters; the model reads 16,000 (max_tool_output_chars)"]);
});

test("a reply that the limit on tokens cut is a warning that names the setting", async () => {
  const cut: Model = {
    name: "cut",
    async *stream(): AsyncGenerator<readonly Chunk[]> {
      yield [
        { type: "text", text: "and so" },
        { ...END, finish: "length" },
      ];
    },
  };
  await using engine = new Engine({ model: () => cut });
  const told = async (agent: Partial<AgentDefinition>) =>
    warnings((await collect(engine.start(crewOf(agent), { input: "x" }))).events);
  assert.deepEqual(await told({}), ["the reply of a was cut after 8000 tokens (max_tokens_per_call)"]);
  assert.deepEqual(await told({ maxTokens: 90 }), ["the reply of a was cut after 90 tokens (max_tokens)"]);
});

test("a model is told how much it may write, also where nobody said so", async () => {
  const { model, prompts } = spy([{ say: "ok" }]);
  await using engine = new Engine({ model: () => model });
  for (const agent of [{}, { maxTokens: 9_000 }, { maxTokens: 10 }, { costLimits: { maxTokensPerCall: 70 } }]) {
    await engine.start(crewOf(agent), { input: "x" }).result;
  }
  assert.deepEqual(
    prompts.map(({ maxTokens }) => maxTokens),
    [8_000, 8_000, 10, 70],
  );
});

test("a model may end the run with its reply, whatever the routing says", async () => {
  const crew = defineCrew({ name: "c", agents: [{ id: "a" }, { id: "b" }], defaults: { a: "b" } });
  const { outcome, agent, events } = await play(crew, { a: [{ say: "That is all.", end: true }], b: [{ say: "no" }] });
  assert.deepEqual([outcome, agent], ["done", "a"]);
  assert.equal(of(events, "handoff.made").length, 0);
});

test("a cancelled run keeps what was said so far", async () => {
  const clock = new SimulatedClock(1);
  const entries = [{ say: "one two three [NEXT] four", delayMs: 10 }];
  const crew = defineCrew({
    name: "c",
    agents: [{ id: "a" }],
    signals: { a: [{ signal: "[NEXT]", target: "" }] },
  });
  await using engine = new Engine({ clock, model: () => scriptModel({ a: entries }) });
  const run = engine.start(crew, { input: "x" });
  await clock.advance(45);
  await clock.run(run.command({ type: "cancel" }));
  const { outcome, content, raw } = await run.result;
  assert.deepEqual([outcome, content, raw], ["cancelled", "one two three", "one two three [NEXT]"]);
  const events = await Array.fromAsync(run.events());
  assert.equal(of(events, "turn.ended")[0]?.content, "one two three");
  assert.ok(!fold(events).history.some(({ role }) => role === "assistant"));
});

test("a run that is cut after commentary has no answer, whoever cuts it", async () => {
  const patient = defineTool({
    name: "Look",
    description: "Looks.",
    effect: "read",
    input: z.object({}),
    run: (_, { scope }) => scope.sleep(1_000),
  });
  const crew = defineCrew({
    name: "c",
    agents: [{ id: "a", tools: ["Look"], isTerminal: true }],
    tools: [patient],
    signals: { a: [{ signal: "[LOOK]", target: "" }] },
  });
  const entries = [
    { say: "Let me see. [LOOK]", call: [{ tool: "Look" }] },
    { say: "Found it.", delayMs: 1_000 },
  ];
  // While the tool works, and while the model has not begun to answer.
  for (const cutMs of [500, 1_500]) {
    for (const expected of ["cancelled", "limit"] as const) {
      const clock = new SimulatedClock(1);
      await using engine = new Engine({ clock, model: () => scriptModel({ a: entries }) });
      const limits = expected === "limit" ? { timeoutMs: cutMs } : {};
      const run = engine.start(crew, { input: "x", limits });
      await clock.advance(cutMs);
      if (expected === "cancelled") await clock.run(run.command({ type: "cancel" }));
      const { outcome, content, raw } = await clock.run(run.result);
      assert.deepEqual([outcome, content, raw], [expected, "", ""], `${cutMs} ms`);
    }
  }
});

test("a model call is tried eight times with growing pauses, and no sooner than the provider asks", async () => {
  const clock = new SimulatedClock(1);
  const failing = (retryAfterMs?: number): Model => ({
    name: "down",
    async *stream({ attempt }): AsyncGenerator<readonly Chunk[]> {
      yield [];
      const details = attempt === 1 && retryAfterMs !== undefined ? { retryAfterMs } : {};
      throw new BatonError("model", "503", { retryable: true, ...details });
    },
  });
  const run = async (model: Model, settings: Partial<Settings> = {}) => {
    await using engine = new Engine({ clock, model: () => model });
    const { events, outcome } = await clock.run(collect(engine.start(crewOf({}, settings), { input: "x" })));
    assert.equal(outcome, "failed");
    return of(events, "step.retried").map(({ delayMs }) => delayMs);
  };
  const delays = await run(failing());
  assert.equal(delays.length, 7);
  for (const [at, delayMs] of delays.entries()) assert.ok(delayMs <= 500 * 2 ** at, `${delayMs} ms`);
  assert.ok(Math.max(...delays) > 100, `${delays.join()} ms would be over at once`);
  assert.equal((await run(failing(20_000)))[0], 20_000);
  assert.equal((await run(failing(), { modelAttempts: 2 })).length, 1);
});

test("a model is told which try this is, of how many the crew allows", async () => {
  for (const modelAttempts of [1, 2, 5]) {
    const clock = new SimulatedClock(1);
    const tries: (readonly number[])[] = [];
    const down: Model = {
      name: "down",
      async *stream({ attempt, attempts }): AsyncGenerator<readonly Chunk[]> {
        tries.push([attempt, attempts]);
        yield [];
        throw new BatonError("model", "503", { retryable: true });
      },
    };
    await using engine = new Engine({ clock, model: () => down });
    await clock.run(engine.start(crewOf({}, { modelAttempts }), { input: "x" }).result);
    assert.deepEqual(
      tries,
      Array.from({ length: modelAttempts }, (_, index) => [index + 1, modelAttempts]),
    );
  }
});

test("a model cannot end a run as cancelled or out of time", async () => {
  for (const code of ["cancelled", "timeout"] as const) {
    const liar: Model = {
      name: "liar",
      async *stream(): AsyncGenerator<readonly Chunk[]> {
        yield [];
        throw new BatonError(code, "I am done");
      },
    };
    await using engine = new Engine({ model: () => liar });
    const { outcome, error } = await engine.start(crewOf(), { input: "x" }).result;
    assert.deepEqual([outcome, error?.code], ["failed", "model"]);
  }
});

test("others' tool calls and results are shown as text where the crew shares them", async () => {
  for (const sharedToolResults of [false, true]) {
    const seen: string[] = [];
    const script = scriptModel({ a: [{ call: [{ tool: "Look" }] }, { say: "Found it." }], b: [{ say: "ok" }] });
    const model: Model = {
      ...script,
      stream(prompt, scope) {
        if (prompt.agent === "b") seen.push(...prompt.messages.map(({ content }) => content));
        return script.stream(prompt, scope);
      },
    };
    const crew = defineCrew({
      name: "c",
      agents: [
        { id: "a", tools: ["Look"] },
        { id: "b", isTerminal: true },
      ],
      tools: [look],
      defaults: { a: "b" },
      settings: { sharedToolResults },
    });
    await using engine = new Engine({ model: () => model });
    await engine.start(crew, { input: "x" }).result;
    assert.deepEqual(seen, ["x", ...(sharedToolResults ? ["[a]\nLook({})\nLook → x"] : []), "[a] Found it."]);
  }
});

test("the messages of a prompt stay as they were given", async () => {
  const prompts: Prompt[] = [];
  const inner = scriptModel({ a: [{ say: "one" }] });
  const model: Model = {
    name: "keeping",
    stream(prompt, scope) {
      prompts.push(prompt);
      return inner.stream(prompt, scope);
    },
  };
  await using engine = new Engine({ model: () => model });
  await engine.start(defineCrew({ name: "x", agents: [{ id: "a" }] }), { input: "hello" }).result;
  assert.deepEqual(prompts[0]?.messages, [{ role: "user", content: "hello" }]);
});
