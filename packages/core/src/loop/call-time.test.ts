/** The time of a call: what stops a hook or a validator, which setting a late tool is told, what an approval costs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import { Engine } from "../engine/engine.ts";
import { ToolError } from "../words/error.ts";
import type { RunEvent } from "../words/event.ts";
import type { Settings } from "../definitions/limits.ts";
import { type ScriptEntry, scriptModel } from "../ports/script.ts";
import { of, type Replies } from "../testing/crew-runs.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";
import { type CallContext, defineTool, type Tool, type ToolDefinition } from "../definitions/tool.ts";

type Crew = ReturnType<typeof defineCrew>;

const GRACE_MS = 100;

const never = <T>(): Promise<T> => new Promise(() => {});
const calling = (...tools: readonly string[]): ScriptEntry => ({ call: tools.map((tool) => ({ tool })) });

const make = (name: string, parts: Partial<ToolDefinition<object>> = {}): Tool =>
  defineTool({ name, description: name, effect: "read", input: z.object({}), run: () => "ran", ...parts });

const hooked = make("Hooked", { permission: () => never() });
const validated = make("Validated", { input: { jsonSchema: { type: "object" }, validate: () => never() } });

const crewOf = (tools: readonly Tool[], settings: Partial<Settings> = {}): Crew =>
  defineCrew({
    name: "c",
    agents: [{ id: "a", tools: tools.map(({ name }) => name), isTerminal: true }],
    tools,
    permissions: { "*": "allow" },
    settings,
  });

/** A run in simulated time, and what it has said so far. */
function start(crew: Crew, replies: Replies) {
  const clock = new SimulatedClock(1);
  const events: RunEvent[] = [];
  const engine = new Engine({
    clock,
    model: () => scriptModel(replies),
    observe: (event) => {
      events.push(event);
    },
  });
  const run = engine.start(crew, { input: "go" });
  return { clock, run, events };
}

/** Returns the end of each call of a run that gets no commands. */
async function ends(crew: Crew, ...tools: readonly string[]) {
  const { clock, run, events } = start(crew, { a: [calling(...tools), { say: "ok" }] });
  const { outcome } = await clock.run(run.result);
  assert.equal(outcome, "done");
  return of(events, "call.ended");
}

test("a cancel of one call stops its hook or its validator, and the run goes on at once", async () => {
  for (const tool of [hooked, validated]) {
    const { clock, run, events } = start(crewOf([tool]), { a: [calling(tool.name), { say: "ok" }] });
    await clock.advance(10);
    await clock.run(run.command({ type: "cancel", call: "1.1.1" }));
    const { outcome, content } = await clock.run(run.result);
    assert.deepEqual([outcome, content], ["done", "ok"], tool.name);
    const [ended] = of(events, "call.ended");
    assert.deepEqual([ended?.error?.code, ended?.error?.kind], ["tool", "cancelled"], tool.name);
    assert.ok(clock.monotonic() <= 10 + GRACE_MS, `${tool.name}: ${clock.monotonic()} ms`);
  }
});

test("a hook or a validator that never answers ends with the reply's time, and the run goes on", async () => {
  for (const tool of [hooked, validated]) {
    const { clock, run, events } = start(crewOf([tool], { toolSequenceTimeoutMs: 5_000 }), {
      a: [calling(tool.name), { say: "ok" }],
    });
    const { outcome, content } = await clock.run(run.result);
    assert.deepEqual([outcome, content], ["done", "ok"], tool.name);
    const message = "the tool calls of one reply took longer than 5 s (tool_result_timeout_seconds)";
    assert.deepEqual(of(events, "call.ended")[0]?.error, { code: "tool", kind: "timeout", message }, tool.name);
    assert.ok(clock.monotonic() <= 5_000 + GRACE_MS, `${tool.name}: ${clock.monotonic()} ms`);
  }
});

test("a late tool of the run's own line is told timeout_seconds, or tool_result_timeout_seconds if that is shorter", async () => {
  const hang = make("Hang", { effect: "irreversible", timeoutMs: 3_600_000, run: () => never() });
  for (const [settings, expected] of [
    [{ timeoutMs: 10_000 }, "9.5 s (timeout_seconds)"],
    [{ timeoutMs: 10_000, toolSequenceTimeoutMs: 10_001 }, "9.5 s (timeout_seconds)"],
    [{ timeoutMs: 10_000, toolSequenceTimeoutMs: 9_000 }, "8.5 s (tool_result_timeout_seconds)"],
  ] as const) {
    const [ended] = await ends(crewOf([hang], settings), "Hang");
    assert.equal(ended?.error?.message, `Hang took longer than ${expected}`);
  }
});

test("a tool has at least 100 ms, whatever its timeoutMs says", async () => {
  const sleep = (name: string, ms: number) =>
    make(name, { timeoutMs: 20, effect: "irreversible", run: (_, { scope }) => scope.sleep(ms).then(() => "slept") });
  const tools = [sleep("Book", 90), sleep("Hang", 200)];
  const [quick, slow] = await ends(crewOf(tools), "Book", "Hang");
  assert.deepEqual(
    [quick?.output, slow?.error?.message],
    ["slept", "Hang took longer than 0.1 s (the tool's timeoutMs)"],
  );
});

test("a tool that says it had not begun is tried again, though what it does cannot be undone", async () => {
  for (const [details, attempts] of [
    [{ isUnstarted: true }, 2],
    [{}, 1],
  ] as const) {
    const book = make("Book", {
      effect: "irreversible",
      run: (_, { attempt }) => {
        if (attempt === 1) throw new ToolError("network", "no connection", details);
        return "booked";
      },
    });
    const [ended] = await ends(crewOf([book]), "Book");
    assert.deepEqual([ended?.attempts, ended?.output], attempts === 2 ? [2, "booked"] : [1, undefined]);
  }
});

test("in a group, waiting for an approval costs a call no time, and raises no warning that time is short", async () => {
  const pay = make("Pay", {
    effect: "irreversible",
    run: (_, { scope }) => scope.sleep(8_000).then(() => "paid"),
  });
  const crew = defineCrew({
    name: "g",
    entry: "team",
    agents: [{ id: "a", tools: ["Pay"] }, { id: "b" }],
    tools: [pay],
    groups: { team: { agents: ["a", "b"], timeoutMs: 200_000 } },
    settings: { toolSequenceTimeoutMs: 10_000 },
  });
  const { clock, run, events } = start(crew, {
    a: [calling("Pay"), { say: "A" }],
    b: [{ say: "B", delayMs: 100_000 }],
  });
  await clock.advance(50_000);
  const question = of(events, "question.opened")[0]?.question ?? "";
  await run.command({ type: "answer", question, value: "allow" });
  const { outcome, content } = await clock.run(run.result);
  assert.deepEqual([outcome, content], ["done", "[a] A\n\n[b] B"]);
  assert.deepEqual(
    of(events, "call.ended").map(({ output }) => output),
    ["paid"],
  );
  assert.deepEqual([of(events, "run.paused"), of(events, "warning.raised")], [[], []]);
});

test("a tool's time covers all attempts of a call and the waits between them, or each attempt", async () => {
  const late = { kind: "timeout", message: "Slow took longer than 1 s (the tool's timeoutMs)" };
  const times = async (run: NonNullable<ToolDefinition<object>["run"]>, parts: Partial<ToolDefinition<object>>) => {
    const tool = make("Slow", { run, timeoutMs: 1_000, ...parts });
    const { clock, run: started, events } = start(crewOf([tool]), { a: [calling("Slow"), { say: "ok" }] });
    await clock.run(started.result);
    const [ended] = of(events, "call.ended");
    const { kind, message } = ended?.error ?? {};
    return { attempts: ended?.attempts, error: { kind, message }, ms: clock.monotonic() };
  };
  const failing = async (_: object, { scope }: CallContext) => {
    await scope.sleep(450);
    throw new ToolError("temporary", "not now");
  };
  const stuck = (_: object, { scope }: CallContext) => scope.sleep(60_000);
  for (const run of [failing, stuck]) {
    const { attempts, error, ms } = await times(run, {});
    assert.deepEqual([attempts, error], [run === stuck ? 1 : 3, late]);
    assert.ok(ms >= 1_000 && ms <= 1_200, `${ms} ms`);
  }
  const each = await times(stuck, { timeoutCovers: "attempt" });
  assert.deepEqual([each.attempts, each.error], [3, late]);
  assert.ok(each.ms >= 3_000, `${each.ms} ms`);
  const byCrew = start(crewOf([make("Slow", { run: stuck })], { toolTimeoutMs: 1_000, toolTimeoutCovers: "attempt" }), {
    a: [calling("Slow"), { say: "ok" }],
  });
  await byCrew.clock.run(byCrew.run.result);
  assert.equal(of(byCrew.events, "call.ended")[0]?.attempts, 3);
});
