/** A suspended call: it waits for people or for a time, at no cost, and goes on with what it kept, in any process. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import type { Crew } from "../definitions/definition.ts";
import { suspend, type SuspendOptions } from "../definitions/suspend.ts";
import { type CallContext, defineTool, type ToolDefinition } from "../definitions/tool.ts";
import type { Run } from "../handle/run-handle.ts";
import { MemoryLog } from "../ports/memory-log.ts";
import { scriptModel } from "../ports/script.ts";
import { of } from "../testing/crew-runs.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";
import { ToolError } from "../words/error.ts";
import type { RunEvent } from "../words/event.ts";
import { fold } from "../words/fold.ts";
import type { Json } from "../words/json.ts";
import { Engine } from "../engine/engine.ts";

type Work = (context: CallContext) => unknown;

const tool = (run: Work, more: Partial<ToolDefinition<unknown>> = {}) =>
  defineTool({
    name: "Wait",
    description: "Waits.",
    effect: "read",
    input: z.any(),
    run: (_, own) => run(own),
    ...more,
  });

const crewOf = (waiting: ReturnType<typeof tool>, more: Partial<Parameters<typeof defineCrew>[0]> = {}): Crew =>
  defineCrew({
    name: "w",
    agents: [{ id: "a", tools: ["Wait"], isTerminal: true }],
    tools: [waiting],
    permissions: { Wait: "allow" },
    settings: { retryMinMs: 0, retryMaxMs: 0 },
    ...more,
  });

const model = () => scriptModel({ a: [{ call: [{ tool: "Wait" }] }, { say: "Done." }] });

/** An engine on what a process has left. */
const engineOf = (clock?: SimulatedClock, left: readonly RunEvent[] = []) =>
  new Engine({
    model,
    ...(clock === undefined ? {} : { clock }),
    log: (time, observer) => {
      const log = new MemoryLog(time, observer);
      for (const event of left) log.open("r").append(event, event.lane);
      return log;
    },
  });

const eventsOf = async (run: Run) => Array.fromAsync(run.events());

const form = { name: "size", kind: "input", text: "Which size?", schema: { type: "integer" } } as const;

/** Asks for a number, then for the consent of an operator, and gives both. */
const asking: Work = ({ kept, answers }) => {
  if (kept === undefined) return suspend({ keep: [], questions: [form] });
  if (Array.isArray(kept) && kept.length === 0) {
    const consent = { name: "consent", kind: "approval", text: "Really?", who: "operator", args: { size: 3 } } as const;
    return suspend({ keep: [answers?.["size"] ?? null], questions: [consent] });
  }
  return { kept, consent: answers?.["consent"] ?? null };
};

test("a tool asks for input and for a consent, and is run again with what it kept and the answers", async () => {
  await using engine = engineOf();
  const crew = crewOf(tool(asking, { effect: "irreversible" }));
  let run = engine.start(crew, { input: "x", id: "r" });
  const first = await run.result;
  assert.equal(first.outcome, "paused");
  assert.deepEqual(
    first.questions.map(({ question, kind, text, call, tool: name }) => [question, kind, text, call, name]),
    [["1.1.1/size", "input", "Which size?", "1.1.1", "Wait"]],
  );
  await assert.rejects(
    run.command({ type: "answer", question: "1.1.1/size", value: "big" }),
    /the answer to 1\.1\.1\/size does not fit/,
  );
  ({ run } = await run.command({ type: "answer", question: "1.1.1/size", value: 3, as: "user" }));
  const [second] = (await run.result).questions;
  assert.deepEqual(
    [second?.question, second?.who, second?.schema],
    ["1.1.1/consent", "operator", { enum: ["allow", "deny"] }],
  );
  await assert.rejects(run.command({ type: "answer", question: "1.1.1/consent", value: "allow", as: "user" }), {
    code: "forbidden",
  });
  ({ run } = await run.command({ type: "answer", question: "1.1.1/consent", value: "allow" }));
  assert.equal((await run.result).outcome, "done");
  const events = await eventsOf(run);
  assert.deepEqual(of(events, "call.ended")[0]?.output, { kept: [3], consent: "allow" });
  assert.deepEqual(
    of(events, "call.suspended").map(({ round, keep }) => [round, keep]),
    [
      [1, []],
      [2, [3]],
    ],
  );
  const types = events.map(({ type }) => type);
  assert.ok(types.indexOf("call.suspended") < types.indexOf("question.opened"));
  assert.equal(of(events, "effect.intended").length, 1);
});

/** Lives a run to its end; whoever is asked answers. */
async function live(crew: Crew, answer: (name: string) => Json, left: readonly RunEvent[] = []) {
  const clock = new SimulatedClock(1);
  await using engine = engineOf(clock, left);
  const work = async () => {
    let run =
      left.length === 0 ? engine.start(crew, { input: "x", id: "r" }) : engine.adopt(crew, { id: "r", events: left });
    for (let result = await run.result; result.outcome === "paused"; result = await run.result) {
      const [open] = result.questions;
      const question = open?.question ?? "";
      ({ run } = await run.command({ type: "answer", question, value: answer(question.split("/").at(-1) ?? "") }));
    }
    return eventsOf(run);
  };
  return await clock.run(work());
}

test("a run that is interrupted after any event goes on with what its call kept, and nobody is asked in doubt", async () => {
  const crew = crewOf(tool(asking, { effect: "irreversible" }));
  const answer = (name: string) => (name === "size" ? 3 : name === "consent" ? "allow" : "again");
  const whole = await live(crew, answer);
  for (let seq = 1; seq < whole.length; seq++) {
    const events = await live(crew, answer, whole.slice(0, seq));
    const at = `after event ${seq}, ${whole[seq - 1]?.type}`;
    assert.deepEqual(of(events, "call.ended"), [{ ...of(events, "call.ended")[0] }], at);
    assert.deepEqual(of(events, "call.ended")[0]?.output, of(whole, "call.ended")[0]?.output, at);
    const doubts = of(events, "question.opened").filter(({ kind }) => kind === "doubt");
    const hasKept = whole.slice(0, seq).some(({ type }) => type === "call.suspended");
    const wasBegun = whole.slice(0, seq).some(({ type }) => type === "effect.intended");
    assert.equal(doubts.length, !hasKept && wasBegun ? 1 : 0, at);
    assert.equal(of(events, "question.answered").filter(({ question }) => question.endsWith("size")).length, 1, at);
  }
});

/** Polls so many times, and counts. */
function polling(times: number, more: Partial<SuspendOptions> = {}) {
  let polls = 0;
  const run: Work = ({ kept }) => {
    polls++;
    return kept !== undefined && polls > times ? { polls } : suspend({ keep: { task: 7 }, afterMs: 1_000, ...more });
  };
  return { run, polls: () => polls };
}

test("a call that is polled for an hour uses up no time limit, and is in the log once", async () => {
  const clock = new SimulatedClock(1);
  await using engine = engineOf(clock);
  const { run: work, polls } = polling(3_600);
  const crew = crewOf(tool(work, { effect: "irreversible" }), { settings: { timeoutMs: 60_000 } });
  const run = engine.start(crew, { input: "x", id: "r" });
  const startedAt = clock.now();
  assert.equal((await clock.run(run.result)).outcome, "done");
  assert.equal(polls(), 3_601);
  assert.ok(clock.now() - startedAt >= 3_600_000);
  const events = await eventsOf(run);
  assert.equal(of(events, "call.suspended").length, 1);
  assert.equal(of(events, "effect.intended").length, 1);
  assert.equal(of(events, "run.paused").length, 0);
  assert.ok(events.length < 20, `${events.length} events`);
});

test("time that others work while a call waits still counts", async () => {
  const clock = new SimulatedClock(1);
  const { run: work } = polling(1_000);
  const slow = defineTool({
    name: "Slow",
    description: "Takes 20 s.",
    effect: "read",
    input: z.any(),
    run: (_, { scope }) => scope.sleep(20_000),
  });
  const crew = defineCrew({
    name: "w",
    agents: [{ id: "a", tools: ["Wait", "Slow"], isTerminal: true }],
    tools: [tool(work), slow],
    settings: { timeoutMs: 10_000 },
  });
  await using engine = new Engine({
    clock,
    model: () => scriptModel({ a: [{ call: [{ tool: "Wait" }, { tool: "Slow" }] }, { say: "Done." }] }),
  });
  const run = engine.start(crew, { input: "x" });
  await clock.run(run.result);
  assert.deepEqual(
    of(await eventsOf(run), "call.ended").map(({ tool: name, error }) => [name, error?.kind]),
    [
      ["Slow", "timeout"],
      ["Wait", undefined],
    ],
  );
});

test("after a crash polling goes on where the log ends, and the time that was waited counts for no limit", async () => {
  const { run: work } = polling(5);
  const crew = crewOf(tool(work, { effect: "irreversible" }), { settings: { timeoutMs: 5_000 } });
  const clock = new SimulatedClock(1);
  await using first = engineOf(clock);
  const run = first.start(crew, { input: "x", id: "r" });
  await clock.run(run.result);
  const events = await eventsOf(run);
  const at = events.findIndex(({ type }) => type === "call.suspended");
  const late = events.slice(0, at + 1).map((event) => ({ ...event, at: event.at }));
  const again = polling(2);
  const later = new SimulatedClock(2);
  await later.advance(3_600_000);
  await using engine = engineOf(later, late);
  const result = await later.run(
    engine.adopt(crewOf(tool(again.run, { effect: "irreversible" })), { id: "r", events: late }).result,
  );
  assert.equal(result.outcome, "done");
  assert.equal(again.polls(), 3);
});

test("a question whose time is over is closed, and the tool goes on without its answer", async () => {
  const clock = new SimulatedClock(1);
  await using engine = engineOf(clock);
  const crew = crewOf(
    tool(({ kept, answers }) =>
      kept === undefined ? suspend({ keep: 1, questions: [form], afterMs: 5_000 }) : { answers: answers ?? null },
    ),
  );
  const late = engine.start(crew, { input: "x", id: "r" });
  assert.equal((await clock.run(late.result)).outcome, "done");
  const events = await eventsOf(late);
  assert.deepEqual(of(events, "call.ended")[0]?.output, { answers: {} });
  assert.equal(of(events, "question.closed").length, 1);
  assert.equal(fold(events).questions.size, 0);
  const early = engine.start(crew, { input: "x", id: "s" });
  await clock.advance(1_000);
  await clock.run(early.command({ type: "answer", question: "1.1.1/size", value: 4 }));
  await clock.run(early.result);
  const [, ended] = [0, of(await eventsOf(early), "call.ended")[0]];
  assert.deepEqual(ended?.output, { answers: { size: 4 } });
  assert.equal(clock.pending, 0);
});

test("a question with the same name may be asked again, and has its own answer in each round", async () => {
  const crew = crewOf(
    tool(({ kept, answers }) => {
      const sizes = typeof kept === "string" ? kept + JSON.stringify(answers?.["size"]) : "";
      return sizes.length === 3 ? sizes : suspend({ keep: sizes, questions: [form] });
    }),
  );
  let given = 0;
  const whole = await live(crew, () => ++given);
  assert.deepEqual(of(whole, "call.ended")[0]?.output, "123");
  for (let seq = 1; seq < whole.length; seq++) {
    const before = of(whole.slice(0, seq), "question.answered").length;
    given = before;
    const events = await live(crew, () => ++given, whole.slice(0, seq));
    assert.deepEqual(of(events, "call.ended")[0]?.output, "123", `after event ${seq}`);
  }
});

for (const how of ["run, paused", "run, polling", "call, paused", "call, polling"] as const) {
  test(`a suspended call that is cancelled gives back what it holds, once (${how})`, async () => {
    const clock = new SimulatedClock(1);
    await using engine = engineOf(clock);
    const released: Json[] = [];
    const options = how.endsWith("paused") ? { questions: [form] } : { afterMs: 30_000 };
    const crew = crewOf(
      tool(() => suspend({ keep: { task: 7 }, ...options }), {
        effect: "irreversible",
        release: (kept, { key }) => released.push({ kept, key }),
      }),
    );
    const run = engine.start(crew, { input: "x", id: "r" });
    await clock.advance(10_000);
    assert.deepEqual(released, []);
    const part = how.startsWith("call") ? { call: "1.1.1" } : {};
    await clock.run(run.command({ type: "cancel", ...part }));
    const { outcome } = await clock.run(run.result);
    assert.equal(outcome, how.startsWith("call") ? "done" : "cancelled");
    assert.deepEqual(released, [{ kept: { task: 7 }, key: "r/1.1.1" }]);
    assert.equal(fold(await eventsOf(run)).questions.size, 0);
    assert.equal(clock.pending, 0);
  });
}

test("a release that hangs has 2 seconds, and a run that is left releases nothing", async () => {
  const clock = new SimulatedClock(1);
  const engine = engineOf(clock);
  let released = 0;
  const release = () => {
    released++;
    return new Promise(() => undefined);
  };
  const crew = crewOf(tool(() => suspend({ keep: 1, afterMs: 1_000 }), { release }));
  engine.start(crew, { input: "x", id: "s" });
  await clock.advance(10);
  await clock.run(engine.leave("s"));
  assert.equal(released, 0);
  const run = engine.start(crew, { input: "x", id: "r" });
  await clock.advance(10);
  const at = clock.now();
  await clock.run(run.command({ type: "cancel" }));
  assert.equal((await clock.run(run.result)).outcome, "cancelled");
  assert.equal(released, 1);
  assert.ok(clock.now() - at < 3_000);
  assert.match(of(await eventsOf(run), "warning.raised")[0]?.text ?? "", /its release failed/);
  await clock.run(engine[Symbol.asyncDispose]());
});

test("members of a group wait side by side, for people and for a time, and none is cut by the time of the group", async () => {
  const clock = new SimulatedClock(1);
  let polls = 0;
  const poll = tool(({ kept }) =>
    kept !== undefined && ++polls > 200 ? "polled" : suspend({ keep: 1, afterMs: 1_000 }),
  );
  const ask = tool(({ answers }) => answers?.["size"] ?? suspend({ keep: 1, questions: [form] }), { name: "Ask" });
  const crew = defineCrew({
    name: "w",
    entry: "team",
    agents: [
      { id: "a", tools: ["Wait"] },
      { id: "b", tools: ["Ask"] },
    ],
    tools: [poll, ask],
    groups: { team: { agents: ["a", "b"], timeoutMs: 10_000 } },
  });
  await using engine = new Engine({
    clock,
    model: () =>
      scriptModel({
        a: [{ call: [{ tool: "Wait" }] }, { say: "A." }],
        b: [{ call: [{ tool: "Ask" }] }, { say: "B." }],
      }),
  });
  const run = engine.start(crew, { input: "x", id: "r" });
  await clock.advance(60_000);
  const { outcome, questions } = await clock.run(run.result);
  assert.equal(outcome, "paused");
  assert.equal(polls, 201);
  const { run: last } = await clock.run(
    run.command({ type: "answer", question: questions[0]?.question ?? "", value: 5 }),
  );
  assert.equal((await clock.run(last.result)).outcome, "done");
  assert.deepEqual(
    of(await eventsOf(last), "call.ended").map(({ output }) => output),
    ["polled", 5],
  );
});

test("what a round sets or notes counts only if the call ends with it", async () => {
  const crew = crewOf(
    tool(({ kept, state, note }) => {
      state.set(`k${JSON.stringify(kept)}`, 1);
      note("seen", kept ?? null);
      return kept === undefined ? suspend({ keep: 1, afterMs: 100 }) : "done";
    }),
  );
  const view = fold(await live(crew, () => 1));
  assert.deepEqual([...view.values.keys()], ["k1"]);
  assert.equal(view.notes.length, 1);
});

test("an error of the kind unavailable is tried again in any round of an irreversible call", async () => {
  let tries = 0;
  const crew = crewOf(
    tool(
      ({ kept }) => {
        if (kept === undefined) return suspend({ keep: 1, afterMs: 100 });
        if (++tries < 3) throw new ToolError("unavailable", "not reached");
        return "done";
      },
      { effect: "irreversible" },
    ),
  );
  const events = await live(crew, () => 1);
  assert.equal(of(events, "call.ended")[0]?.output, "done");
  assert.equal(of(events, "call.retried").length, 2);
});
