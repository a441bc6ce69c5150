import assert from "node:assert/strict";
import { test } from "node:test";
import { type AgentDefinition, BatonError, defineCrew, type Model } from "@baton/core";
import { Scope, type Settings } from "@baton/core/ports";
import { SimulatedClock } from "@baton/core/testing";
import { modelError } from "../providers/failure.ts";
import { fakeModel, hear, type Heard, say, toPrompt } from "../testing/harness.ts";
import { withBackup } from "./backup.ts";
import { ModelTraffic } from "./model-traffic.ts";

const broken = modelError("a", "overloaded");
const warnings = ({ chunks }: Heard): readonly string[] =>
  chunks.flatMap((chunk) => (chunk.type === "warning" ? [chunk.text] : []));

interface World {
  readonly settings?: Partial<Settings>;
  readonly errorLimits?: NonNullable<AgentDefinition["errorLimits"]>;
  readonly hasBackup?: boolean;
}

/** A model that fails until it is told otherwise, behind its breaker. */
function breakable({ settings = {}, errorLimits, hasBackup = false }: World = {}) {
  const clock = new SimulatedClock(1);
  const root = Scope.root({ clock });
  const traffic = new ModelTraffic(clock);
  const state: { error: BatonError | undefined; asked: number } = { error: broken, asked: 0 };
  const model = fakeModel("a", () => {
    state.asked += 1;
    return state.error === undefined ? { chunks: say("well") } : { error: state.error };
  });
  const crew = defineCrew({
    name: "shop",
    agents: [{ id: "clerk", ...(errorLimits && { errorLimits }) }, { id: "other" }],
    settings,
  });
  const guard = (id: string): Model => {
    const agent = crew.agents.get(id);
    assert.ok(agent);
    return traffic.guard({ model, id: "a", caller: { agent, crew }, hasBackup });
  };
  const begin = (agent = "clerk", timeoutMs = 300_000): Promise<Heard> =>
    hear(guard(agent), toPrompt(), root.child({ name: "step", timeoutMs }));
  // The clock goes on for a call that waits although it should not, so that its test fails instead of waiting for ever.
  const call = (agent?: string, timeoutMs?: number): Promise<Heard> => clock.run(begin(agent, timeoutMs));
  const fail = async (times: number): Promise<void> => {
    for (let count = 0; count < times; count++) await call();
  };
  const isOpen = (): boolean | undefined => traffic.breakers().get("a");
  return Object.assign(state, { clock, begin, call, fail, isOpen, guard });
}

test("errors in a row open the breaker for 2 s, and each failed test doubles that, up to 60 s", async () => {
  const world = breakable({ hasBackup: true });
  await world.fail(4);
  assert.equal(world.isOpen(), false);
  assert.deepEqual(warnings(await world.call()), ["a failed 5 times in a row; it is not called for 2 s"]);
  for (const [count, openS] of [2, 4, 8, 16, 32, 60, 60].entries()) {
    assert.equal(world.isOpen(), true, `${openS} s`);
    await world.clock.advance(openS * 1_000 - 1);
    assert.equal((await world.call()).error?.message, broken.message);
    assert.equal(world.asked, 5 + count, "it is not called before its time");
    await world.clock.advance(1);
    await world.call();
    assert.equal(world.asked, 6 + count);
  }
});

test("one success closes the breaker, and the time begins at 2 s again", async () => {
  const world = breakable({ hasBackup: true });
  await world.fail(5);
  await world.clock.advance(2_000);
  await world.call();
  await world.clock.advance(4_000);
  world.error = undefined;
  assert.equal((await world.call()).text, "well");
  assert.equal(world.isOpen(), false);
  world.error = broken;
  await world.fail(4);
  assert.equal(world.isOpen(), false);
  assert.match(warnings(await world.call()).join(), /not called for 2 s/);
});

test("calls wait while it is open, one goes as a test, and its success lets all others go", async () => {
  const world = breakable();
  await world.fail(5);
  const waiting = Promise.all([1, 2, 3].map(() => world.begin()));
  await world.clock.advance(1_999);
  assert.equal(world.asked, 5);
  world.error = undefined;
  const heard = await world.clock.run(waiting);
  assert.deepEqual(
    heard.map(({ text }) => text),
    ["well", "well", "well"],
  );
  assert.equal(world.clock.monotonic(), 2_000);
  assert.deepEqual(heard[0]?.chunks[0], { type: "restart", reason: broken.message, delayMs: 2_000 });
});

test("a call that waits goes on waiting after a failed test, and is told of once", async () => {
  const world = breakable();
  await world.fail(5);
  const [tested, other] = [world.begin(), world.begin()];
  await world.clock.advance(2_000);
  assert.equal((await tested).error, broken);
  world.error = undefined;
  const { text, chunks } = await world.clock.run(other);
  assert.deepEqual([text, world.clock.monotonic(), world.asked], ["well", 6_000, 7]);
  assert.equal(chunks.filter(({ type }) => type === "restart").length, 1);
});

test("a call whose run ends before the breaker does fails at once with the provider's last error", async () => {
  const world = breakable();
  await world.fail(5);
  const { error } = await world.call("clerk", 2_000);
  assert.deepEqual([error?.message, error?.retryable, world.asked], [broken.message, false, 5]);
});

test("while it is open a call takes the backup at once", async () => {
  const world = breakable({ hasBackup: true });
  await world.fail(5);
  const pair = withBackup(
    world.guard("clerk"),
    fakeModel("b", () => ({ chunks: say("from b") })),
  );
  assert.equal((await world.clock.run(hear(pair, toPrompt()))).text, "from b");
  assert.deepEqual([world.asked, world.clock.monotonic()], [5, 0]);
});

test("a test that is left decides nothing, and the next call is one", async () => {
  const world = breakable();
  await world.fail(5);
  await world.clock.advance(2_000);
  world.error = new BatonError("cancelled", "enough");
  await world.call();
  assert.equal(world.isOpen(), false);
  world.error = undefined;
  assert.equal((await world.call()).text, "well");
});

test("refused keys, prompts, content and too many requests do not count; silence that the engine ended does", async () => {
  for (const kind of ["auth", "quota", "rate", "filter", "context", "request"] as const) {
    const world = breakable();
    world.error = modelError("a", kind);
    await world.fail(9);
    assert.deepEqual([world.asked, world.isOpen()], [9, false], kind);
  }
  const world = breakable();
  world.error = new BatonError("model", "the model sent nothing for 60 s (model_idle_seconds)", { retryable: true });
  await world.fail(5);
  assert.equal(world.isOpen(), true);
});

test("errors an hour or a day open it for 60 s at a time, and never for the rest of the hour", async () => {
  for (const settings of [{ maxErrorsPerHour: 2 }, { maxErrorsPerDay: 2 }]) {
    const world = breakable({ settings: { ...settings, maxConsecutiveErrors: 0 }, hasBackup: true });
    await world.fail(2);
    assert.equal(world.isOpen(), true);
    await world.clock.advance(60_000);
    world.error = undefined;
    assert.equal((await world.call()).text, "well");
    assert.equal(world.isOpen(), false);
    world.error = broken;
    assert.match(warnings(await world.call()).join(), /it is not called for 60 s/);
    await world.clock.advance(60_000);
    assert.equal(world.isOpen(), false);
  }
});

test("an agent's error limits open a breaker of that agent alone", async () => {
  const world = breakable({ errorLimits: { maxConsecutive: 1 }, hasBackup: true });
  await world.fail(1);
  await world.call();
  assert.equal(world.asked, 1, "the agent does not call");
  world.error = undefined;
  assert.equal((await world.call("other")).text, "well");
  const daily = breakable({ errorLimits: { maxPerDay: 1 }, hasBackup: true });
  assert.match(warnings(await daily.call()).join(), /had 1 errors today; it is not called for 60 s/);
});

test("with block_on_quota_exceed or block_on_error_exceed false, errors are only warned about", async () => {
  const world = breakable({ settings: { blockOnQuotaExceed: false }, errorLimits: { maxConsecutive: 3 } });
  const told: string[] = [];
  for (let count = 0; count < 7; count++) told.push(...warnings(await world.call()));
  assert.deepEqual(told, ["a failed 3 times in a row", "a failed 5 times in a row"]);
  assert.deepEqual([world.asked, world.isOpen()], [7, false]);
  const own = breakable({ errorLimits: { maxConsecutive: 1, blockOnErrorExceed: false } });
  await own.fail(4);
  assert.equal(own.asked, 4);
});
