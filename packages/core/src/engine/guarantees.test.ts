import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import type { CrewDefinition } from "../definitions/definition.ts";
import { Engine } from "./engine.ts";
import { fold } from "../words/fold.ts";
import type { Model } from "../ports/model.ts";
import { scriptModel } from "../ports/script.ts";
import { collect, of, play, type Replies } from "../testing/crew-runs.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";
import { type CallContext, defineTool, type Permission, type Tool } from "../definitions/tool.ts";

const done: string[] = [];
const tool = (name: string, more: Partial<Tool> & { work?: (context: CallContext) => unknown } = {}): Tool =>
  defineTool({
    name,
    description: name,
    effect: more.effect ?? "read",
    input: z.any(),
    run: (_, context) => {
      done.push(name);
      return more.work?.(context);
    },
    ...(more.concurrency === undefined ? {} : { concurrency: more.concurrency }),
    ...(more.permission === undefined ? {} : { permission: more.permission }),
  });

const crewOf = (tools: readonly Tool[], more: Partial<CrewDefinition> = {}) =>
  defineCrew({
    name: "t",
    agents: [{ id: "a", tools: tools.map(({ name }) => name), isTerminal: true }],
    tools,
    ...more,
  });

const calling = (...names: string[]): Replies => ({
  a: [{ call: names.map((name) => ({ tool: name })) }, { say: "ok" }],
});

test("a tool that tells its progress after one of two approvals is not taken for a diverged run", async () => {
  const pay = tool("Pay", { effect: "irreversible", work: ({ progress }) => progress("half") });
  const first = await play(crewOf([pay]), calling("Pay", "Pay"));
  const { run } = await first.run.command({ type: "answer", question: "1.1.1", value: "allow" });
  const { events } = await collect(run);
  assert.deepEqual(
    of(events, "call.ended").map(({ call, error }) => [call, error]),
    [["1.1.1", undefined]],
  );
  assert.equal(of(events, "call.progressed").length, 1);
});

test("sequential calls keep their order whatever the order of the answers", async () => {
  done.length = 0;
  const create = tool("Create", { effect: "irreversible" });
  const write = tool("Write", { concurrency: "sequential" });
  const first = await play(crewOf([create, write]), calling("Create", "Write", "Create"));
  assert.deepEqual([first.outcome, done], ["paused", []]);
  assert.deepEqual(
    first.questions.map(({ question }) => question),
    ["1.1.1", "1.1.3"],
  );
  const second = await first.run.command({ type: "answer", question: "1.1.3", value: "allow" });
  assert.deepEqual([(await second.run.result).outcome, done], ["paused", []]);
  const third = await first.run.command({ type: "answer", question: "1.1.1", value: "allow" });
  assert.deepEqual([(await third.run.result).outcome, done], ["done", ["Create", "Write", "Create"]]);
});

test("a run cut off in a group that ends it is not done, even if a member had answered", async () => {
  const clock = new SimulatedClock(1);
  const crew = defineCrew({
    name: "g",
    entry: "team",
    agents: [{ id: "a" }, { id: "b" }],
    groups: { team: { agents: ["a", "b"] } },
    settings: { timeoutMs: 1_000 },
  });
  const model = scriptModel({ a: [{ say: "A" }], b: [{ say: "B", delayMs: 9_000 }] });
  await using engine = new Engine({ clock, model: () => model });
  assert.equal((await clock.run(engine.start(crew, { input: "x" }).result)).outcome, "limit");
  const second = engine.start(crew, { input: "x" });
  await clock.advance(10);
  await clock.run(second.command({ type: "cancel" }));
  assert.equal((await second.result).outcome, "cancelled");
});

test("a cancel at any event of a run that is about to pause is not lost", async () => {
  const crew = defineCrew({ name: "w", agents: [{ id: "a" }], behaviors: { a: { waitForSignal: true } } });
  for (const type of ["step.started", "step.ended", "turn.ended"] as const) {
    const commands: Promise<unknown>[] = [];
    const engine: Engine = new Engine({
      model: () => scriptModel({ a: [{ say: "Yes?" }] }),
      observe: (event) => {
        if (event.type === type) commands.push(engine.command(event.run, { type: "cancel" }));
      },
    });
    const run = engine.start(crew, { input: "x", id: "r" });
    await run.result;
    await Promise.all(commands);
    assert.equal((await engine.run("r")?.result)?.outcome, "cancelled", type);
  }
});

test("reading at or past the end of an ended or paused run ends", async () => {
  const { run, events } = await play(crewOf([]), { a: [{ say: "ok" }] });
  assert.deepEqual(await Array.fromAsync(run.events({ after: events.length })), []);
  assert.deepEqual(await Array.fromAsync(run.events({ after: events.length + 5 })), []);
  await using engine = new Engine({ model: () => scriptModel({ a: [{ say: "one two", delayMs: 5 }] }) });
  assert.deepEqual(await Array.fromAsync(engine.start(crewOf([]), { input: "x" }).events({ after: 1_000 })), []);
});

test("a validator that never settles is cut with the calls of its reply", async () => {
  const clock = new SimulatedClock(1);
  const stuck = defineTool({
    name: "Stuck",
    description: "Never knows.",
    effect: "read",
    input: { jsonSchema: {}, validate: () => new Promise<never>(() => {}) },
    run: () => "never",
  });
  const engine = new Engine({ clock, model: () => scriptModel(calling("Stuck")) });
  const { outcome } = await clock.run(engine.start(crewOf([stuck]), { input: "x" }).result);
  assert.equal(outcome, "done");
});

/** A crew's tools come from files whose types may be unchecked. */
const isPermission = (said: unknown): said is Permission => said !== done;

test("a permission hook that says nothing clear refuses the call", async () => {
  const said: unknown[] = [undefined, null, "deny", { decision: "maybe" }, { decision: "transform", args: 1n }];
  for (const answer of said) {
    done.length = 0;
    const permission = () => (isPermission(answer) ? answer : assert.fail());
    const { events, outcome } = await play(crewOf([tool("Guarded", { permission })]), calling("Guarded"));
    assert.deepEqual([outcome, done], ["done", []]);
    assert.equal(of(events, "call.ended")[0]?.error?.kind, "permission");
  }
});

test("the crew's ask is asked even where the hook allows, with the arguments the hook made", async () => {
  const got: unknown[] = [];
  const guarded = defineTool({
    name: "Guarded",
    description: "Guarded.",
    effect: "read",
    input: z.looseObject({}),
    permission: () => ({ decision: "transform", args: { safe: true } }),
    run: (args) => got.push(args),
  });
  const crew = crewOf([guarded], { permissions: { Guarded: "ask" } });
  const { run, outcome, questions } = await play(crew, calling("Guarded"));
  assert.equal(outcome, "paused");
  assert.deepEqual(questions[0]?.args, { safe: true });
  const { run: after } = await run.command({ type: "answer", question: "1.1.1", value: "allow" });
  assert.equal((await after.result).outcome, "done");
  assert.deepEqual(got, [{ safe: true }]);
});

test("a model whose token count breaks ends the turn, and disturbs no other member", async () => {
  const broken: Model = {
    ...scriptModel({ a: [{ say: "A" }] }),
    countTokens: () => {
      throw new Error("no tokenizer");
    },
  };
  const fine = scriptModel({ b: [{ say: "B" }] });
  const crew = defineCrew({
    name: "g",
    entry: "team",
    agents: [{ id: "a" }, { id: "b" }],
    groups: { team: { agents: ["a", "b"] } },
  });
  await using engine = new Engine({ model: ({ id }) => (id === "a" ? broken : fine) });
  const { events, outcome } = await collect(engine.start(crew, { input: "x" }));
  assert.equal(outcome, "done");
  assert.equal(of(events, "turn.ended").length, 2);
  assert.deepEqual(
    of(events, "group.ended")[0]?.results.map(({ text, error }) => text ?? error?.message),
    ["no tokenizer", "B"],
  );
});

test("what a call set last is seen after a pause as without one, also null", async () => {
  const clock = new SimulatedClock(1);
  const set = (name: string, ms: number) =>
    tool(name, {
      work: async ({ state, scope }) => {
        await scope.sleep(ms);
        state.set("x", name);
      },
    });
  const clear = tool("Clear", {
    work: ({ state }) => {
      state.set("x", null);
      return state.get("x");
    },
  });
  const get = tool("Get", { work: ({ state }) => state.get("x") });
  const pay = tool("Pay", { effect: "irreversible" });
  const crew = crewOf([set("Slow", 20), set("Fast", 10), pay, get, clear]);
  const model = scriptModel({
    a: [
      { call: [{ tool: "Slow" }, { tool: "Fast" }, { tool: "Pay" }] },
      { call: [{ tool: "Get" }] },
      { call: [{ tool: "Clear" }] },
      { say: "ok" },
    ],
  });
  await using engine = new Engine({ clock, model: () => model });
  const first = engine.start(crew, { input: "x" });
  await clock.run(first.result);
  const { run } = await first.command({ type: "answer", question: "1.1.3", value: "allow" });
  const { events } = await clock.run(collect(run));
  const outputs = new Map(of(events, "call.ended").map((event) => [event.tool, event.output]));
  assert.deepEqual([outputs.get("Get"), outputs.get("Clear")], ["Slow", null]);
  assert.equal(fold(events).values.get("x"), null);
});

test("neither the caller's history nor a tool's view of it can change what was recorded", async () => {
  const history = [{ role: "user", content: "before" } as const];
  const meddler = tool("Meddler", {
    work: ({ messages }) => Reflect.apply(Array.prototype.push, messages, ["forged"]),
  });
  const { events } = await play(crewOf([meddler]), calling("Meddler"), { history });
  history.push({ role: "user", content: "before" });
  assert.equal(of(events, "run.started")[0]?.history.length, 1);
  assert.ok(!JSON.stringify(fold(events).history).includes("forged"));
});

test("waiting for an answer costs no time, but the time before it counts", async () => {
  const clock = new SimulatedClock(1);
  const pay = tool("Pay", { effect: "irreversible", work: ({ scope }) => scope.sleep(4_000) });
  const crew = crewOf([pay], { settings: { timeoutMs: 10_000 } });
  const again = { call: [{ tool: "Pay" }] };
  await using engine = new Engine({
    clock,
    model: () => scriptModel({ a: [again, again, again, { say: "ok", delayMs: 3_000 }] }),
  });
  let run = engine.start(crew, { input: "x" });
  for (let result = await clock.run(run.result); result.outcome === "paused"; result = await clock.run(run.result)) {
    await clock.advance(60_000);
    run = (await run.command({ type: "answer", question: result.questions[0]?.question ?? "", value: "allow" })).run;
  }
  const { outcome, error } = await run.result;
  assert.deepEqual([outcome, error?.limit?.name], ["limit", "timeout_seconds"]);
  // Two payments of 4 s fit into 10 s, a third does not; the minutes between them do not count.
  assert.equal(of(await Array.fromAsync(run.events()), "question.answered").length, 3);
});

test("the run's time starts anew with a message", async () => {
  const clock = new SimulatedClock(1);
  const crew = defineCrew({
    name: "w",
    agents: [{ id: "a" }],
    behaviors: { a: { waitForSignal: true } },
    settings: { timeoutMs: 10_000 },
  });
  const slow = { say: "one two three", delayMs: 2_000 };
  await using engine = new Engine({ clock, model: () => scriptModel({ a: [slow, slow, slow] }) });
  const first = engine.start(crew, { input: "x" });
  assert.equal((await clock.run(first.result)).outcome, "paused");
  const second = await clock.run(engine.resume(first.id, "more").result);
  assert.equal(second.outcome, "paused");
  const third = engine.resume(first.id, "more");
  await clock.advance(1_000);
  await third.command({ type: "say", text: "hurry" });
  assert.equal((await clock.run(third.result)).outcome, "paused");
});

test("a paused run's message is checked", async () => {
  const waits = defineCrew({ name: "w", agents: [{ id: "a" }], behaviors: { a: { waitForSignal: true } } });
  await using engine = new Engine({ model: () => scriptModel({ a: [{ say: "Yes?" }] }) });
  const run = engine.start(waits, { input: "x" });
  await run.result;
  assert.throws(() => engine.resume(run.id, " "), { code: "invalid" });
  assert.throws(() => engine.resume(run.id, "x".repeat(50_000)), { code: "invalid" });
  assert.throws(() => engine.start(waits, { input: "y", limits: { timeoutMs: Number.NaN } }), { code: "invalid" });
});

test("an observer that throws does not reach the run", async () => {
  await using engine = new Engine({
    model: () => scriptModel({ a: [{ say: "ok" }] }),
    observe: () => {
      throw new Error("metrics are down");
    },
  });
  assert.equal((await engine.start(crewOf([]), { input: "x" }).result).outcome, "done");
});

test("what a model says after its end is not heard", async () => {
  const usage = { inputTokens: 1, outputTokens: 1 };
  const end = { type: "end", finish: "stop", usage } as const;
  const streams: Record<string, Model["stream"]> = {
    async *twice() {
      yield [{ type: "text", text: "ok" }, end, end];
    },
    async *late() {
      yield [{ type: "text", text: "ok" }, end];
      yield [{ type: "text", text: " and more" }];
    },
  };
  for (const [name, stream] of Object.entries(streams)) {
    await using engine = new Engine({ model: () => ({ name, stream }) });
    const { outcome, content } = await engine.start(crewOf([]), { input: "x" }).result;
    assert.deepEqual([outcome, content], ["done", "ok"], name);
  }
});

test("the note in a trimmed history counts all that was left out, and each message is counted once", async () => {
  const notes: string[] = [];
  const counted = new Map<unknown, number>();
  const script = scriptModel({
    a: [...Array.from({ length: 8 }, () => ({ call: [{ tool: "Look" }] })), { say: "ok" }],
  });
  const model: Model = {
    name: "spy",
    countTokens: (message) => {
      counted.set(message, (counted.get(message) ?? 0) + 1);
      return 10;
    },
    stream: (prompt, scope) => {
      notes.push(prompt.messages.find(({ content }) => content.includes("left out"))?.content ?? "");
      return script.stream(prompt, scope);
    },
  };
  const crew = crewOf([tool("Look")], { settings: { maxContextTokens: 120, maxRepeatedCalls: 0 } });
  await using engine = new Engine({ model: () => model });
  const { events } = await collect(engine.start(crew, { input: "x" }));
  const leftOut = notes.filter((note) => note !== "").map((note) => Number.parseInt(note.slice(1), 10));
  assert.ok(leftOut.length > 2 && leftOut.every((count, at) => at === 0 || count >= (leftOut[at - 1] ?? 0)));
  // The input, eight calls with their results, and the answer; the last prompt shows all but what was left out.
  assert.equal(fold(events).history.length, 18);
  assert.ok(Math.max(...counted.values()) === 1);
});

test("a call's arguments can be followed while the model writes them", async () => {
  const end = { type: "end", finish: "calls", usage: { inputTokens: 1, outputTokens: 1 } } as const;
  const script = scriptModel({ a: [{ say: "ok" }] });
  const model: Model = {
    name: "m",
    stream: (prompt, scope) =>
      prompt.messages.length > 1
        ? script.stream(prompt, scope)
        : (async function* () {
            yield [{ type: "args", index: 1, tool: "Look", text: "{" } as const];
            yield [{ type: "args", index: 1, tool: "Look", text: "}" } as const];
            yield [{ type: "call", tool: "Look", args: "{}" } as const, end];
          })(),
  };
  await using engine = new Engine({ model: () => model });
  const { events } = await collect(engine.start(crewOf([tool("Look")]), { input: "x" }));
  assert.deepEqual(
    of(events, "args.delta").map(({ call, text }) => [call, text]),
    [
      ["1.1.1", "{"],
      ["1.1.1", "}"],
    ],
  );
  assert.equal(of(events, "call.started")[0]?.call, "1.1.1");
});

test("several who ask a reader for its next event at once get one each, in order", async () => {
  const { run, events } = await play(crewOf([]), { a: [{ say: "one two three" }] });
  const reader = run.events();
  const results = await Promise.all(Array.from({ length: events.length + 2 }, () => reader.next()));
  const seen = results.flatMap((result) => (result.done === true ? [] : result.value));
  assert.deepEqual(seen, events);
});
