import assert from "node:assert/strict";
import { test } from "node:test";
import { type Chunk, type Crew, defineCrew, Engine, fold, type Model, type RunLimits } from "@baton/core";
import type { Usage } from "@baton/core/ports";
import { collect, of, SimulatedClock } from "@baton/core/testing";
import { MemoryLedger } from "@baton/store";
import * as fc from "fast-check";
import { modelError } from "../providers/failure.ts";
import { ModelRegistry } from "../choice/model-registry.ts";

/** The behavior of the test's model in one call. */
interface Deed {
  readonly delayMs: number;
  /** Share of the tokens it may write that it does write. */
  readonly share: number;
  readonly ends: "well" | "retryable" | "broken" | "early";
}

/** A model that takes as long, writes as much and fails as it is told, and tells what it really used. */
function worker(name: string, deeds: Iterator<Deed, Deed>, used: Usage[]): Model {
  return {
    name,
    async *stream({ messages, maxTokens = 0 }, scope): AsyncGenerator<readonly Chunk[]> {
      const { delayMs, share, ends } = deeds.next().value;
      const inputTokens = messages.reduce((sum, { content }) => sum + Math.ceil(content.length / 4), 0);
      const usage = { inputTokens, outputTokens: Math.floor(maxTokens * share) };
      await scope.sleep(delayMs);
      used.push(ends === "well" ? usage : { inputTokens, outputTokens: ends === "early" ? 0 : 1 });
      if (ends === "early") throw modelError(name, "timeout");
      yield [{ type: "text", text: "go" }];
      await scope.sleep(delayMs);
      if (ends !== "well") throw modelError(name, "malformed", { retryable: ends === "retryable" });
      yield [{ type: "end", finish: "stop", usage }];
    },
  };
}

/** Three to a team, and one who waits for their answers. */
function toCrew(agent: { readonly backup?: { readonly name: string } } = {}): Crew {
  const costLimits = { inputTokenPricePerMillion: 100, outputTokenPricePerMillion: 200, maxTokensPerCall: 100 };
  return defineCrew({
    name: "team",
    agents: ["a", "b", "c", "boss"].map((id) => ({
      id,
      costLimits,
      isTerminal: id === "boss",
      // The last prompt is the longest, so that it is the one that does not fit.
      ...(id === "boss" ? { systemPrompt: "Sum up what they say. ".repeat(40) } : {}),
      ...agent,
    })),
    groups: { all: { agents: ["a", "b", "c"], nextAgent: "boss" } },
    entry: "all",
    settings: { retryMinMs: 1, retryMaxMs: 2 },
  });
}

/** Runs the team under these limits, in simulated time. */
async function play(crew: Crew, limits: RunLimits, deeds: Iterator<Deed, Deed>) {
  const clock = new SimulatedClock(1);
  const used: Usage[] = [];
  const own = new Map([["acme/x", worker("acme/x", deeds, used)]]);
  const models = new ModelRegistry({ models: own, clock, ledger: new MemoryLedger(clock) });
  const engine = new Engine({
    clock,
    model: (agent, whole) => models.forAgent({ model: { name: "acme/x" }, caller: { agent, crew: whole } }),
  });
  const run = engine.start(crew, { input: "Go on then.", limits });
  const result = await clock.run(collect(run));
  const tokens = used.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0);
  const usd = used.reduce((sum, usage) => sum + (usage.inputTokens * 100 + usage.outputTokens * 200) / 1e6, 0);
  return { ...result, tokens, usd, calls: used.length };
}

const deed: fc.Arbitrary<Deed> = fc.record({
  delayMs: fc.integer({ min: 0, max: 20 }),
  share: fc.integer({ min: 0, max: 100 }).map((pct) => pct / 100),
  ends: fc.constantFrom("well", "well", "well", "retryable", "broken", "early"),
});

test("members of a group that share a run's limits never spend more together, whatever they do and when", async () => {
  const limits = fc.record({
    maxTokens: fc.integer({ min: 0, max: 800 }),
    maxUsd: fc.integer({ min: 0, max: 150 }).map((mills) => mills / 1_000),
  });
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(limits, fc.infiniteStream(deed), async (caps, deeds) => {
      const { tokens, usd, outcome } = await play(toCrew(), caps, toIterator(deeds));
      seen.add(outcome);
      assert.ok(tokens <= caps.maxTokens, `${tokens} of ${caps.maxTokens} tokens`);
      assert.ok(usd <= caps.maxUsd + 1e-9, `${usd} of ${caps.maxUsd} dollars`);
    }),
    { numRuns: 300, endOnFailure: true },
  );
  assert.ok(seen.has("limit") && seen.has("done"), [...seen].join());
});

function* toIterator(deeds: Iterable<Deed>): Generator<Deed, Deed> {
  yield* deeds;
  return QUICK;
}

const QUICK: Deed = { delayMs: 1, share: 1, ends: "well" };
function* always(): Generator<Deed, Deed> {
  for (;;) yield QUICK;
}

test("a run that comes to its cap ends with outcome limit, and the log names the cap", async () => {
  const { outcome, events, error, calls } = await play(toCrew(), { maxTokens: 520 }, always());
  assert.equal(outcome, "limit");
  assert.equal(calls, 3);
  assert.deepEqual(
    of(events, "limit.reached").map(({ limit, value, agent }) => ({ limit, value, agent })),
    [{ limit: "max_tokens", value: 520, agent: "boss" }],
  );
  assert.deepEqual(error?.limit, { name: "max_tokens", value: 520 });
  assert.match(of(events, "warning.raised").at(-1)?.text ?? "", /max_tokens of run/);
});

test("a group goes on with the members whose calls fit, and a group of none stops at the limit", async () => {
  const some = await play(toCrew(), { maxTokens: 400 }, always());
  assert.deepEqual(
    of(some.events, "group.ended")[0]?.results.map(({ error }) => error?.code),
    [undefined, undefined, "limit"],
  );
  const none = await play(toCrew(), { maxTokens: 50 }, always());
  assert.deepEqual([none.outcome, none.calls], ["limit", 0]);
  assert.equal(of(none.events, "limit.reached")[0]?.limit, "max_tokens");
});

test("what each step cost is in the log, and the fold of it is what the run cost", async () => {
  const { events, usd } = await play(toCrew(), {}, always());
  assert.ok(of(events, "step.ended").every(({ costUsd = 0 }) => costUsd > 0.02));
  assert.ok(Math.abs(fold(events).costUsd - usd) < 1e-9);
});

test("a step that the backup made names it", async () => {
  const crew = toCrew({ backup: { name: "offline" } });
  const clock = new SimulatedClock(1);
  const own = new Map([["acme/x", worker("acme/x", always(), [])]]);
  const models = new ModelRegistry({ models: own, clock, ledger: new MemoryLedger(clock) });
  const engine = new Engine({
    clock,
    model: (agent) => models.forAgent({ model: { name: "acme/x" }, backup: agent.backup, caller: { agent, crew } }),
  });
  const { events, outcome } = await clock.run(collect(engine.start(crew, { input: "Go.", limits: { maxUsd: 0 } })));
  assert.equal(outcome, "done");
  assert.deepEqual(new Set(of(events, "step.ended").map(({ model }) => model)), new Set(["offline"]));
});
