import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew } from "../definitions/crew.ts";
import { Engine } from "../engine/engine.ts";
import { BatonError, type ErrorDetails } from "../words/error.ts";
import type { Settings } from "../definitions/limits.ts";
import type { Chunk, Model } from "../ports/model.ts";
import { collect, of } from "../testing/crew-runs.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";

const END = { type: "end", finish: "stop", usage: { inputTokens: 1, outputTokens: 1 } } as const;

/** A model that says something, fails so often, and then answers. */
function failing(times: number, details: ErrorDetails = {}): Model {
  return {
    name: "flaky",
    async *stream({ attempt }): AsyncGenerator<readonly Chunk[]> {
      yield [{ type: "text", text: attempt > times ? "The answer." : `Attempt ${attempt} ` }];
      if (attempt <= times) throw new BatonError("model", "503 overloaded", { retryable: true, ...details });
      yield [END];
    },
  };
}

const crewOf = (settings: Partial<Settings>) =>
  defineCrew({ name: "c", agents: [{ id: "a", isTerminal: true }], settings });

/** Runs one agent; chance always picks that share of the longest wait. */
async function run(model: Model, settings: Partial<Settings> = {}, chance?: number) {
  const clock = new SimulatedClock(1);
  if (chance !== undefined) clock.random = () => chance;
  await using engine = new Engine({ clock, model: () => model });
  const played = await clock.run(collect(engine.start(crewOf(settings), { input: "go" })));
  return { ...played, ms: clock.monotonic(), delays: of(played.events, "step.retried").map(({ delayMs }) => delayMs) };
}

test("waits between attempts double from model_backoff_min_millis to model_backoff_max_seconds", async () => {
  const settings = { modelAttempts: 7, modelRetryMinMs: 30, modelRetryMaxMs: 400 };
  const { outcome, delays, ms } = await run(failing(6), settings, 0.999_999);
  assert.equal(outcome, "done");
  assert.deepEqual(delays, [30, 60, 120, 240, 400, 400]);
  assert.equal(ms, 1_250);
});

test("each wait is picked by chance between half of its longest and the whole", async () => {
  const settings = { modelAttempts: 9, modelRetryMinMs: 1_000, modelRetryMaxMs: 8_000 };
  const { delays } = await run(failing(8), settings);
  const longest = [1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000, 8_000];
  assert.ok(
    delays.every((delayMs, at) => delayMs <= (longest[at] ?? 0) && delayMs >= (longest[at] ?? 0) / 2),
    delays.join(),
  );
  assert.equal(new Set(delays).size, delays.length);
  assert.deepEqual((await run(failing(2), settings, 0.5)).delays, [750, 1_500]);
});

test("eight tries with the default waits take between 25 s and 51 s, and a ninth is not made", async () => {
  const longest = await run(failing(7), {}, 0.999_999);
  assert.deepEqual([longest.outcome, longest.delays], ["done", [500, 1_000, 2_000, 4_000, 8_000, 16_000, 20_000]]);
  const shortest = await run(failing(7), {}, 0);
  assert.deepEqual([shortest.outcome, shortest.ms], ["done", 25_750]);
  const spent = await run(failing(8), {}, 0);
  assert.deepEqual([spent.outcome, spent.delays.length], ["failed", 7]);
});

/** A model that fails until its last try, and a backup that fails so often. */
function paired(times: number, asked: string[]): Model {
  const broken = new BatonError("model", "503 overloaded", { retryable: true });
  return {
    name: "pair",
    hasBackup: true,
    async *stream({ attempt, attempts, isBackup = false }): AsyncGenerator<readonly Chunk[]> {
      asked.push(`${isBackup ? "backup" : "first"} ${attempt}/${attempts}`);
      if (!isBackup && attempt < attempts) throw broken;
      if (!isBackup) yield [{ type: "backup" }];
      if ((isBackup ? attempt : 1) <= times) throw broken;
      yield [{ type: "text", text: "The backup's answer." }, END];
    },
  };
}

test("with a backup the first model has three tries, and the backup has its own", async () => {
  const asked: string[] = [];
  const { outcome, events } = await run(paired(3, asked), {}, 0.999_999);
  assert.equal(outcome, "done");
  assert.deepEqual(asked, ["first 1/3", "first 2/3", "first 3/3", "backup 2/8", "backup 3/8", "backup 4/8"]);
  assert.deepEqual(
    of(events, "step.retried").map(({ attempt, delayMs }) => [attempt, delayMs]),
    [
      [2, 500],
      [3, 1_000],
      [5, 500],
      [6, 1_000],
      [7, 2_000],
    ],
  );
  const spent: string[] = [];
  assert.equal((await run(paired(99, spent))).outcome, "failed");
  assert.equal(spent.length, 10, "three tries, the last of which was also the backup's first, and seven more");
  const few: string[] = [];
  await run(paired(99, few), { modelAttempts: 1 });
  assert.deepEqual(few, ["first 1/1"]);
});

test("a retry drops the text of the failed attempt", async () => {
  const { content, raw, events } = await run(failing(2));
  assert.deepEqual([content, raw], ["The answer.", "The answer."]);
  assert.deepEqual(
    of(events, "step.ended").map(({ text }) => text),
    ["The answer."],
  );
  assert.equal(of(events, "turn.ended")[0]?.text, "The answer.");
});

test("a run that is cancelled between two attempts keeps no text of the failed one", async () => {
  const clock = new SimulatedClock(1);
  await using engine = new Engine({ clock, model: () => failing(1, { retryAfterMs: 10_000 }) });
  const started = engine.start(crewOf({}), { input: "go" });
  await clock.advance(5_000);
  await clock.run(started.command({ type: "cancel" }));
  const { outcome, content } = await started.result;
  assert.deepEqual([outcome, content], ["cancelled", ""]);
});

test("a step fails at once if the provider asks to wait longer than the run has", async () => {
  const late = await run(failing(1, { retryAfterMs: 60_001 }), { timeoutMs: 60_000 });
  assert.deepEqual([late.outcome, late.error?.code, late.error?.message], ["failed", "model", "503 overloaded"]);
  assert.deepEqual([late.ms, late.delays], [0, []]);
  const timely = await run(failing(1, { retryAfterMs: 59_000 }), { timeoutMs: 60_000 });
  assert.deepEqual([timely.outcome, timely.ms, timely.delays], ["done", 59_000, [59_000]]);
});
