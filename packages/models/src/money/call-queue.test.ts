import assert from "node:assert/strict";
import { test } from "node:test";
import { BatonError, defineCrew, type Model, type Prompt } from "@baton/core";
import { type Ledger, Scope, type Settings } from "@baton/core/ports";
import { SimulatedClock } from "@baton/core/testing";
import { MemoryLedger } from "@baton/store";
import { fakeModel, hear, type Heard, say, toPrompt } from "../testing/harness.ts";
import { CallQueue } from "./call-queue.ts";
import { withLedger } from "./metered-model.ts";
import type { PlanOf } from "./user-accounts.ts";

/** Crews of one clerk whose calls are counted in one ledger; `made` has the user and the time of every call. */
function openShop(settings: Partial<Settings>, planOf?: PlanOf) {
  const clock = new SimulatedClock(1);
  const root = Scope.root({ clock });
  const counted = new MemoryLedger(clock);
  /** While it is there, the ledger answers nothing. */
  const slow: { ledger?: Promise<void> } = {};
  const ledger: Ledger = {
    reserve: async (accounts, worst) => {
      await slow.ledger;
      return counted.reserve(accounts, worst);
    },
  };
  const made: string[] = [];
  const primary = fakeModel("acme/x", ({ user, run }) => {
    made.push(`${user} ${run} at ${clock.monotonic() / 1_000} s`);
    return { chunks: say("word") };
  });
  const crew = defineCrew({ name: "shop", agents: [{ id: "clerk" }], settings });
  const agent = crew.agents.get("clerk");
  assert.ok(agent);
  const queue = new CallQueue();
  const model: Model = withLedger({ primary }, { ledger, queue, agent, crew, planOf, isNews: () => false });
  const call = async (prompt: Partial<Prompt> = {}, timeoutMs = 600_000): Promise<Heard> => {
    await using scope = root.child({ name: "run", timeoutMs });
    return await hear(model, toPrompt({ tenant: "acme", user: "ann", ...prompt }), scope);
  };
  return { clock, root, model, call, made, slow };
}

const waitsOf = ({ chunks }: Heard) => chunks.filter((chunk) => chunk.type === "waiting");

test("calls over a cap wait for the next window in order of arrival, and say so once", async () => {
  const { clock, call, made } = openShop({ maxCallsPerMinute: 2 });
  await clock.advance(10_000);
  const heard = await clock.run(Promise.all(["1", "2", "3", "4", "5"].map((run) => call({ run }))));
  assert.deepEqual(made, ["ann 1 at 10 s", "ann 2 at 10 s", "ann 3 at 60 s", "ann 4 at 60 s", "ann 5 at 120 s"]);
  assert.deepEqual(
    heard.map((one) => waitsOf(one).map(({ limit, delayMs }) => `${limit} ${delayMs / 1_000} s`)),
    [[], [], ["max_calls_per_minute 50 s"], ["max_calls_per_minute 50 s"], ["max_calls_per_minute 110 s"]],
  );
  assert.equal(clock.pending, 0);
});

test("a new call does not overtake those that wait, and goes at once when none does", async () => {
  const { clock, call, made } = openShop({ maxCallsPerMinute: 1 });
  const first = Promise.all([call({ run: "1" }), call({ run: "2" })]);
  await clock.advance(60_000);
  await first;
  await clock.advance(59_999);
  const third = call({ run: "3" });
  await clock.advance(1);
  await third;
  await clock.advance(60_000);
  await call({ run: "4" });
  assert.deepEqual(made, ["ann 1 at 0 s", "ann 2 at 60 s", "ann 3 at 120 s", "ann 4 at 180 s"]);
});

test("a call that comes in the first moment of a window does not take the place of one that has waited", async () => {
  const { clock, call, made } = openShop({ maxCallsPerMinute: 1 });
  await call({ run: "1" });
  const late: Promise<Heard>[] = [];
  clock.after(60_000, () => late.push(call({ run: "3" })));
  const second = call({ run: "2" });
  await clock.advance(60_000);
  await second;
  await clock.run(Promise.all(late));
  assert.deepEqual(made, ["ann 1 at 0 s", "ann 2 at 60 s", "ann 3 at 120 s"]);
});

test("users are served by turns", async () => {
  const { clock, call, made } = openShop({ maxCallsPerMinute: 1 });
  const asked = ["1", "2", "3", "4"].map((run) => call({ run }));
  asked.push(call({ user: "bob", run: "5" }), call({ user: "bob", run: "6" }));
  await clock.run(Promise.all(asked));
  assert.deepEqual(
    made.map((line) => line.split(" at ")[0]),
    ["ann 1", "ann 2", "bob 5", "ann 3", "bob 6", "ann 4"],
  );
});

test("a call whose room comes later than the run's end is refused at once, by its place in the line", async () => {
  const { clock, call, made } = openShop({ maxCallsPerMinute: 1 });
  await clock.advance(30_000);
  const heard = [await call(), await call({}, 30_000)];
  assert.deepEqual(
    heard.map(({ error }) => error?.limit),
    [undefined, { name: "max_calls_per_minute", value: 1 }],
  );
  assert.match(
    heard[1]?.error?.message ?? "",
    /longer than the run may take, and 1 of 1 calls are made \(max_calls_per_minute of crew shop\)$/,
  );
  const second = call({}, 30_001);
  // There is room for one in 30 s and for the next in 90 s.
  assert.equal((await call({}, 90_000)).error?.code, "limit");
  const third = call({}, 90_001);
  await clock.run(Promise.all([second, third]));
  assert.deepEqual([made.length, clock.monotonic()], [3, 120_000]);
});

test("a call that others delay beyond its run's end is refused as soon as that is known", async () => {
  const { clock, call } = openShop({ maxCallsPerMinute: 1 });
  await call();
  const first = call();
  const second = call({}, 120_001);
  const bob = call({ user: "bob" });
  await clock.advance(60_000);
  await first;
  assert.equal((await second).error?.code, "limit");
  assert.equal(clock.monotonic(), 60_000);
  await clock.run(bob);
  assert.equal(clock.monotonic(), 120_000);
});

test("a call waits for the cap whose room comes last, and is refused at once if that is too late", async () => {
  const { clock, call } = openShop({ maxCallsPerMinute: 1, maxCallsPerHour: 1 });
  await call({}, 10_000_000);
  const heard = await clock.run(call({}, 10_000_000));
  assert.deepEqual(
    waitsOf(heard).map(({ limit }) => limit),
    ["max_calls_per_hour"],
  );
  assert.deepEqual([heard.text, clock.monotonic()], ["word", 3_600_000]);
  const late = await clock.run(call({}, 600_000));
  assert.deepEqual([late.error?.limit?.name, waitsOf(late)], ["max_calls_per_hour", []]);
  assert.equal(clock.monotonic(), 3_600_000);
});

test("one user's own cap delays no other user", async () => {
  const { clock, call, made } = openShop({ maxCallsPerUserPerMinute: 1 });
  const asked = Promise.all([call({ run: "1" }), call({ run: "2" }), call({ user: "bob", run: "3" })]);
  const heard = await clock.run(asked);
  assert.deepEqual(made, ["ann 1 at 0 s", "bob 3 at 0 s", "ann 2 at 60 s"]);
  assert.deepEqual(waitsOf(heard[1]), [{ type: "waiting", limit: "max_calls_per_user_per_minute", delayMs: 60_000 }]);
});

test("a cap of a plan waits as well; one of no calls at all refuses", async () => {
  const plan = openShop({}, () => ({ plan: "free", maxCallsPerUserPerMinute: 1 }));
  await plan.call();
  const heard = await plan.clock.run(plan.call());
  assert.equal(waitsOf(heard)[0]?.limit, "plans.free.max_calls_per_user_per_minute");
  const none = openShop({}, () => ({ plan: "none", maxCallsPerUserPerMinute: 0 }));
  assert.equal((await none.call()).error?.code, "limit");
});

test("a cap on tokens refuses a call that has waited", async () => {
  const { clock, call } = openShop({ maxCallsPerMinute: 1, maxTokensPerUserPerDay: 1_000 });
  await call({ maxTokens: 100 });
  const { error } = await clock.run(call({ maxTokens: 1_000 }));
  assert.equal(error?.limit?.name, "max_tokens_per_user_per_day");
});

test("cancelled calls leave the line, and the others go", async () => {
  const { clock, root, model, call, made } = openShop({ maxCallsPerMinute: 1 });
  await call({ run: "1" });
  const scope = root.child({ name: "cancelled" });
  const cancelled = hear(model, toPrompt({ run: "2" }), scope);
  const left = model.stream(toPrompt({ run: "3" }), root)[Symbol.asyncIterator]();
  await left.next();
  const last = call({ run: "4" });
  await clock.advance(1_000);
  await scope.cancel(new BatonError("cancelled", "enough"));
  await left.return?.();
  assert.equal((await cancelled).error?.code, "cancelled");
  await clock.run(last);
  assert.deepEqual(made, ["ann 1 at 0 s", "ann 4 at 60 s"]);
  assert.equal(clock.pending, 0);
});

test("a call that is cancelled while the ledger is asked for it passes its turn on", async () => {
  const { clock, root, model, call, made, slow } = openShop({ maxCallsPerMinute: 1 });
  await call({ run: "1" });
  const scope = root.child({ name: "cancelled" });
  const cancelled = hear(model, toPrompt({ tenant: "acme", user: "ann", run: "2" }), scope);
  const last = call({ run: "3" });
  await clock.advance(59_000);
  const answer = Promise.withResolvers<void>();
  slow.ledger = answer.promise;
  await clock.advance(1_000);
  const stopping = scope.cancel(new BatonError("cancelled", "enough"));
  delete slow.ledger;
  answer.resolve();
  await clock.run(stopping);
  assert.equal((await cancelled).error?.code, "cancelled");
  await clock.run(last);
  // The ledger has counted the cancelled call.
  assert.deepEqual(made, ["ann 1 at 0 s", "ann 3 at 120 s"]);
  assert.equal(clock.pending, 0);
});
