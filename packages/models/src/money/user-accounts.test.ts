import assert from "node:assert/strict";
import { test } from "node:test";
import { type Crew, defineCrew, type Prompt } from "@baton/core";
import { Scope, type Settings } from "@baton/core/ports";
import { SimulatedClock } from "@baton/core/testing";
import { MemoryLedger } from "@baton/store";
import { fakeModel, hear, type Heard, toPrompt } from "../testing/harness.ts";
import { CallQueue } from "./call-queue.ts";
import { withLedger } from "./metered-model.ts";
import type { PlanLimits, PlanOf } from "./user-accounts.ts";

const ANN = { tenant: "acme", user: "ann" };
const BOB = { tenant: "acme", user: "bob" };
const EVE = { tenant: "evil", user: "ann" };
const DAY_MS = 86_400_000;

const toCrew = (settings: Partial<Settings> = {}, name = "shop"): Crew =>
  defineCrew({ name, agents: [{ id: "clerk" }], settings });

/** Crews whose calls use 20 tokens each, counted in one ledger. */
function meterCrews(planOf?: PlanOf) {
  const clock = new SimulatedClock(1);
  const ledger = new MemoryLedger(clock);
  const queue = new CallQueue();
  const primary = fakeModel("acme/x", () => ({
    chunks: [{ type: "end", finish: "stop", usage: { inputTokens: 10, outputTokens: 10 } }],
  }));
  const call = (crew: Crew, owner: Partial<Prompt> = {}): Promise<Heard> => {
    const agent = crew.agents.get("clerk");
    assert.ok(agent);
    const model = withLedger({ primary }, { ledger, agent, crew, planOf, isNews: () => false, queue });
    // A call that would have to wait is refused, because the run ends first.
    const scope = Scope.root({ clock }).child({ name: "run", timeoutMs: 1 });
    return hear(model, toPrompt({ maxTokens: 10, ...owner }), scope);
  };
  return { clock, call };
}

/** Counts the calls that succeed before one is refused, and returns the reason of the refusal. */
async function countCalls(call: () => Promise<Heard>): Promise<readonly [number, string | undefined]> {
  for (let count = 0; count < 100; count++) {
    const { error } = await call();
    if (error !== undefined) return [count, error.message.split("may take, and ").at(-1)];
  }
  return [100, undefined];
}

test("a limit for one user stops that user alone, and the message names the user", async () => {
  const { call, clock } = meterCrews();
  const crew = toCrew({ maxCallsPerUserPerMinute: 3 });
  assert.deepEqual(await countCalls(() => call(crew, EVE)), [
    3,
    '3 of 3 calls are made (max_calls_per_user_per_minute of user "ann" of tenant "evil" in crew shop)',
  ]);
  // Another user of the same tenant, and a user of the same name at another one.
  assert.equal((await countCalls(() => call(crew, BOB)))[0], 3);
  assert.equal((await countCalls(() => call(crew, ANN)))[0], 3);
  await clock.advance(60_000);
  assert.equal((await call(crew, EVE)).error, undefined);
});

test("owners whose names contain the words of an account's id do not share it", async () => {
  const { call } = meterCrews();
  const crew = toCrew({ maxCallsPerUserPerMinute: 1 });
  const one = { tenant: 'b" in crew shop', user: "a" };
  const other = { tenant: "b", user: 'a" of tenant "b' };
  for (const owner of [one, other, { tenant: "b", user: "a" }]) {
    assert.equal((await countCalls(() => call(crew, owner)))[0], 1, JSON.stringify(owner));
  }
});

test("if the server has keys and nothing is set, one user has a fifth of the crew's day", async () => {
  const { call, clock } = meterCrews(() => ({ plan: "free" }));
  const crew = toCrew({ maxCallsPerDay: 20, maxCallsPerMinute: 1_000 });
  assert.deepEqual(await countCalls(() => call(crew, EVE)), [
    4,
    '4 of 4 calls are made (max_calls_per_user_per_day of user "ann" of tenant "evil" in crew shop)',
  ]);
  assert.equal((await call(crew, ANN)).error, undefined);
  await clock.advance(DAY_MS);
  assert.equal((await call(crew, EVE)).error, undefined);
  const tokens = toCrew({ maxTokensPerDay: 500, maxTokensPerCall: 10 }, "tokens");
  const [count, why] = await countCalls(() => call(tokens, EVE));
  assert.ok(count >= 1 && count <= 5, String(count));
  assert.match(why ?? "", /of 100 tokens are used \(max_tokens_per_user_per_day of user "ann" of tenant "evil"/);
});

test("without keys there is no share: a user may use all that the crew has", async () => {
  const { call } = meterCrews();
  const crew = toCrew({ maxCallsPerDay: 20, maxCallsPerMinute: 1_000 });
  assert.deepEqual(await countCalls(() => call(crew)), [
    20,
    "20 of 20 calls are made (max_calls_per_day of crew shop)",
  ]);
});

test("a plan's limits count over all crews, are chosen for the user, and replace the share", async () => {
  const plans: Record<string, PlanLimits> = {
    ann: { plan: "premium", maxCallsPerUserPerMinute: 8 },
    bob: { plan: "free", maxCallsPerUserPerMinute: 2 },
  };
  const { call } = meterCrews(({ user }) => plans[user]);
  const shop = toCrew({ maxCallsPerDay: 20, maxCallsPerMinute: 1_000 });
  const desk = toCrew({}, "desk");
  assert.equal((await call(desk, BOB)).error, undefined);
  assert.deepEqual(await countCalls(() => call(shop, BOB)), [
    1,
    '2 of 2 calls are made (plans.free.max_calls_per_user_per_minute of user "bob" of tenant "acme")',
  ]);
  assert.equal((await countCalls(() => call(shop, ANN)))[0], 8);
});

test("a plan may limit all users of a tenant together", async () => {
  const { call } = meterCrews(() => ({ plan: "free", maxCallsPerTenantPerMinute: 3 }));
  const crew = toCrew();
  assert.equal((await call(crew, BOB)).error, undefined);
  assert.deepEqual(await countCalls(() => call(crew, ANN)), [
    2,
    '3 of 3 calls are made (plans.free.max_calls_per_tenant_per_minute of tenant "acme")',
  ]);
  assert.equal((await call(crew, EVE)).error, undefined);
});

test("with block_on_quota_exceed: false a user's limit only warns, and a plan's still refuses", async () => {
  const crew = toCrew({ blockOnQuotaExceed: false, maxCallsPerUserPerMinute: 1 });
  const { call } = meterCrews();
  const { chunks } = await call(crew, ANN);
  const warnings = chunks.flatMap((chunk) => (chunk.type === "warning" ? [chunk.text] : []));
  assert.match(warnings.join(), /^1 of 1 calls are made \(max_calls_per_user_per_minute of user "ann"/);
  assert.equal((await call(crew, ANN)).error, undefined);
  const planned = meterCrews(() => ({ plan: "free", maxCallsPerUserPerMinute: 1 }));
  await planned.call(crew, ANN);
  assert.equal((await planned.call(crew, ANN)).error?.code, "limit");
});

test("calls of script and offline do not count for a user", async () => {
  const clock = new SimulatedClock(1);
  const crew = toCrew({ maxCallsPerUserPerMinute: 1 });
  const agent = crew.agents.get("clerk");
  assert.ok(agent);
  const primary = fakeModel("offline", () => ({
    chunks: [{ type: "end", finish: "stop", usage: { inputTokens: 1, outputTokens: 1 } }],
  }));
  const counting = { ledger: new MemoryLedger(clock), queue: new CallQueue(), isNews: () => false };
  const model = withLedger({ primary }, { ...counting, agent, crew });
  for (let count = 0; count < 3; count++) assert.equal((await hear(model, toPrompt(ANN))).error, undefined);
});
