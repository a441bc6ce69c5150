/** A reply is bounded in its calls, its length and its silence, whatever a model sends. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import type { AgentDefinition } from "../definitions/agent.ts";
import { BatonError } from "../words/error.ts";
import { defineCrew } from "../definitions/crew.ts";
import type { Settings } from "../definitions/limits.ts";
import { defineTool } from "../definitions/tool.ts";
import { Engine } from "../engine/engine.ts";
import type { Chunk, Model } from "../ports/model.ts";
import { defineProgram } from "../ports/program.ts";
import { collect, of } from "../testing/crew-runs.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";

const END = { type: "end", finish: "stop", usage: { inputTokens: 1, outputTokens: 1 } } as const;

const ping = defineTool({
  name: "Ping",
  description: "Answers.",
  effect: "read",
  input: z.object({}),
  run: () => "pong",
});

async function run(model: Model, settings: Partial<Settings> = {}, agent: Partial<AgentDefinition> = {}) {
  const clock = new SimulatedClock(1);
  clock.random = () => 0;
  const crew = defineCrew({
    name: "c",
    agents: [{ id: "a", tools: ["Ping"], isTerminal: true, ...agent }],
    tools: [ping],
    settings,
    programs: { p: model },
  });
  await using engine = new Engine({ clock, model: () => model });
  const played = await clock.run(collect(engine.start(crew, { input: "go" })));
  return { ...played, ms: clock.monotonic(), pending: clock.pending };
}

const toModel = (stream: Model["stream"]): Model => ({ name: "test", stream });

/** Asks for that many calls, then answers. */
const caller = (count: number): Model =>
  toModel(async function* ({ isUncalled }) {
    const calls = Array.from({ length: count }, (): Chunk => ({ type: "call", tool: "Ping", args: "{}" }));
    yield isUncalled === true ? [...calls, END] : [{ type: "text", text: "done" }, END];
  });

test("of more than max_calls_per_reply calls the others are not made, and the model is told so once", async () => {
  const { events, history, outcome } = await run(caller(10_000), { maxCallsPerReply: 3 });
  assert.equal(outcome, "done");
  assert.deepEqual(
    of(events, "call.ended").map(({ call, output, error }) => [call, output, error?.kind]),
    [
      ["1.1.1", "pong", undefined],
      ["1.1.2", "pong", undefined],
      ["1.1.3", "pong", undefined],
      ["1.1.4", undefined, "permanent"],
    ].toSorted((one, other) => Number(one[1] === "pong") - Number(other[1] === "pong")),
  );
  assert.equal(history.filter(({ role }) => role === "tool").length, 4);
  assert.match(history[5]?.content ?? "", /at most 3 calls of one reply are made \(max_calls_per_reply\)/);
  assert.deepEqual(
    of(events, "warning.raised").map(({ text }) => text),
    ["a asked for 10,000 calls in one reply; 3 are made (max_calls_per_reply)"],
  );
});

test("by default 128 calls of a reply are made, and as many as are allowed make no warning", async () => {
  const { events } = await run(caller(200));
  assert.equal(of(events, "call.ended").filter(({ output }) => output === "pong").length, 128);
  const fine = await run(caller(3), { maxCallsPerReply: 3 });
  assert.deepEqual(of(fine.events, "warning.raised"), []);
});

/** Says that many characters, a kilobyte at a time, and notes how much was taken. */
function talker(chars: number, type: "text" | "reasoning" | "args" = "text") {
  const taken = { chars: 0, isClosed: false };
  const model = toModel(async function* () {
    try {
      for (; taken.chars < chars; taken.chars += 1_024) {
        const text = "x".repeat(1_024);
        yield [type === "args" ? { type, index: 1, tool: "Ping", text } : { type, text }];
      }
      yield [{ type: "text", text: "end" }, END];
    } finally {
      taken.isClosed = true;
    }
  });
  return { model, taken };
}

test("a reply is read to 8 characters a token, at least 64 KB and at most 4 MB, and is then output_too_long", async () => {
  for (const [maxTokensPerCall, most] of [
    [100, 65_536],
    [20_000, 160_000],
    [10_000_000, 4_194_304],
  ] as const) {
    const settings = { maxTokensPerCall, maxContextTokens: 20_000_000 };
    const fits = Math.floor(most / 1_024) * 1_024 - 1_024;
    assert.equal((await run(talker(fits).model, settings)).outcome, "done");
    const { model, taken } = talker(Infinity);
    const { outcome, error, events } = await run(model, settings);
    assert.deepEqual([outcome, error?.code, of(events, "step.retried").length], ["failed", "output_too_long", 0]);
    const { inputTokens = 0, outputTokens = 0 } = of(events, "step.ended")[0]?.usage ?? {};
    assert.ok(inputTokens > 0 && outputTokens * 4 > 65_536, "what was read is paid");
    assert.ok(taken.isClosed && taken.chars <= most && taken.chars > most - 2_048, `${taken.chars} of ${most}`);
  }
});

test("reasoning and arguments count too, a program's reply does not, and one huge chunk is not kept", async () => {
  for (const type of ["reasoning", "args"] as const) {
    assert.equal((await run(talker(Infinity, type).model)).error?.code, "output_too_long");
  }
  const huge = await run(
    toModel(async function* () {
      yield [{ type: "text", text: "x".repeat(5_000_000) }, END];
    }),
  );
  assert.deepEqual([huge.error?.code, of(huge.events, "text.delta").length], ["output_too_long", 0]);
  const program = await run(
    defineProgram(() => ({ say: "x".repeat(70_000) })),
    {},
    { model: { name: "code/p" } },
  );
  assert.equal(program.outcome, "done");
});

/** Says a word, is silent for that long, and ends. */
const silent = (ms: number, isFirst = true): Model =>
  toModel(async function* (_, scope) {
    if (!isFirst) yield [{ type: "text", text: "Well, " }];
    await scope.sleep(ms);
    yield [{ type: "text", text: "yes." }, END];
  });

test("a stream that sends nothing for model_idle_seconds is a timeout, which is retried", async () => {
  for (const isFirst of [true, false]) {
    assert.equal((await run(silent(59_999, isFirst))).outcome, "done");
    const { outcome, error, events, ms, pending } = await run(silent(60_001, isFirst), { modelAttempts: 2 });
    assert.deepEqual([outcome, error?.code, ms, pending], ["failed", "model", 120_250, 0]);
    assert.equal(error?.message, "the model of a sent nothing for 60 s (model_idle_seconds)");
    assert.equal(of(events, "step.retried").length, 1);
  }
  assert.equal((await run(silent(9_000), { modelIdleMs: 5_000, modelAttempts: 1 })).outcome, "failed");
});

test("the silence of a call that waits for a cap does not count, and is told of in the log", async () => {
  const waiting = toModel(async function* (_, scope) {
    yield [{ type: "waiting", limit: "max_calls_per_minute", delayMs: 150_000 }];
    await scope.sleep(150_000);
    yield [];
    await scope.sleep(59_999);
    yield [{ type: "text", text: "At last." }, END];
  });
  const { outcome, events, ms } = await run(waiting, { modelAttempts: 1 });
  assert.deepEqual([outcome, ms], ["done", 209_999]);
  const told = of(events, "limit.waiting").map(({ limit, delayMs, agent, of: step }) => [limit, delayMs, agent, step]);
  assert.deepEqual(told, [["max_calls_per_minute", 150_000, "a", "1.1"]]);
  const stuck = toModel(async function* (_, scope) {
    yield [{ type: "restart", reason: "503 overloaded", delayMs: 100_000 }];
    await scope.sleep(100_000);
    yield [];
    await scope.sleep(60_001);
    yield [END];
  });
  const late = await run(stuck, { modelAttempts: 1 });
  assert.deepEqual([late.outcome, late.ms], ["failed", 160_000]);
  assert.deepEqual(of(late.events, "step.retried")[0]?.delayMs, 100_000);
});

test("a model that waits in its second attempt, as for a breaker, tells of the second attempt", async () => {
  let attempts = 0;
  const waiting = toModel(async function* () {
    if (++attempts === 1) throw new BatonError("model", "overloaded", { retryable: true });
    yield [{ type: "restart", reason: "the breaker is open", delayMs: 1_000 }];
    yield [{ type: "text", text: "done" }, END];
  });
  const { events } = await run(waiting);
  assert.deepEqual(
    of(events, "step.retried").map(({ attempt }) => attempt),
    [2, 2],
  );
});

test("each chunk, an empty one too, is a sign of life; a model may take longer to begin; a program is not timed", async () => {
  const slow = toModel(async function* (_, scope) {
    for (let count = 0; count < 4; count++) {
      await scope.sleep(50_000);
      yield count === 1 ? [] : [{ type: "text", text: "." }];
    }
    yield [END];
  });
  assert.equal((await run(slow)).outcome, "done");
  assert.equal((await run({ ...silent(250_000), maxStartMs: 280_000 })).outcome, "done");
  assert.equal((await run({ ...silent(250_000, false), maxStartMs: 280_000 }, { modelAttempts: 1 })).outcome, "failed");
  const program = defineProgram(async (_, scope) => {
    await scope.sleep(200_000);
    return { say: "done" };
  });
  assert.equal((await run(program, {}, { model: { name: "code/p" } })).outcome, "done");
});

test("a model that ignores its abort is left behind, and what it sends later is dropped", async () => {
  const late = Promise.withResolvers<void>();
  const stubborn = toModel(async function* ({ attempt }) {
    if (attempt === 1) await late.promise;
    yield [{ type: "text", text: `attempt ${attempt}` }, END];
  });
  const { content, events } = await run(stubborn);
  late.resolve();
  assert.equal(content, "attempt 2");
  assert.deepEqual(
    of(events, "text.delta").map(({ text }) => text),
    ["attempt 2"],
  );
});
