/** Limits that servers share count as those of one server do, and do without what they share. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { SimulatedClock } from "@baton/core/testing";
import { openRedis, type Redis, redisRate } from "@baton/store/redis";
import { REDIS, startTestRedis, type TestRedis } from "@baton/store/redis/testing";
import { MemoryRateLimiter } from "./memory-rate-limiter.ts";
import { type RequestCounter, openRateLimiter, SharedRateLimiter, warnOnce } from "./shared-rate-limiter.ts";
import { testRateLimiter } from "./testing/rate-limit-suite.ts";

const LIMITS = { key: { requests: 3, windowSeconds: 60 }, global: { requests: 5, windowSeconds: 10 } };

let server: TestRedis;
let redis: Redis;
let count = 0;

before(async () => {
  server = await startTestRedis();
  redis = await openRedis(server.url);
});

after(async () => {
  await redis[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const late: RequestCounter = (windows, slots) => redisRate(redis)(windows, slots);

testRateLimiter(`shared (${REDIS})`, (limits, clock) => {
  const counting: RequestCounter = (windows, slots) => redisRate(redis, () => clock.monotonic())(windows, slots);
  return new SharedRateLimiter(`suite ${++count}`, limits, counting);
});

test(`shared (${REDIS}): it says what a server alone would say, request by request`, async () => {
  const clock = new SimulatedClock(5);
  const counting = redisRate(redis, () => clock.monotonic());
  const shared = new SharedRateLimiter("same", LIMITS, counting);
  const alone = new MemoryRateLimiter(LIMITS, clock);
  for (let step = 0; step < 300; step++) {
    await clock.advance(clock.random() * 3_000);
    const subjects = { key: clock.random() < 0.5 ? "a" : "b", global: "all" };
    const [one, other] = [await shared.take(subjects), await alone.take(subjects)];
    assert.deepEqual(one.limitStates, other.limitStates, `step ${step}`);
    if (clock.random() < 0.2) await Promise.all([one.giveBack(), other.giveBack()]);
  }
});

test(`shared (${REDIS}): two servers have one limit, and limits of another name are another's`, async () => {
  const [one, other] = [late, late].map((counting) => new SharedRateLimiter("both", LIMITS, counting));
  assert.ok(one && other);
  for (const limiter of [one, other, one]) assert.ok(!(await limiter.take({ key: "a" })).limitStates[0]?.isRefused);
  assert.ok((await other.take({ key: "a" })).limitStates[0]?.isRefused);
  const elsewhere = new SharedRateLimiter("elsewhere", LIMITS, late);
  assert.equal((await elsewhere.take({ key: "a" })).limitStates[0]?.remaining, 2);
  const [odd] = (await elsewhere.take({ key: '"],["a' })).limitStates;
  assert.equal(odd?.remaining, 2);
});

test("if counting together fails, the server counts alone, and says so once", async () => {
  const warnings: string[] = [];
  let isDown = true;
  const flaky: RequestCounter = async (windows) => {
    if (isDown) throw new Error("Redis cannot be used now (--redis)");
    return { windows: windows.map(() => ({ used: 0, resetMs: 9 })), giveBack: () => Promise.reject(new Error("gone")) };
  };
  const countRequest = warnOnce(flaky, (text) => warnings.push(text));
  const clock = new SimulatedClock(1);
  const limiters = ["a", "b"].map((name) => openRateLimiter(name, LIMITS, { clock, countRequest }));
  for (const limiter of limiters) {
    for (const left of [2, 1, 0]) assert.equal((await limiter.take({ key: "k" })).limitStates[0]?.remaining, left);
    assert.ok((await limiter.take({ key: "k" })).limitStates[0]?.isRefused);
  }
  assert.deepEqual(warnings, [
    "Redis cannot be used now (--redis); until it is back, this server counts only its own requests",
  ]);
  isDown = false;
  const taken = await limiters[0]?.take({ key: "k" });
  assert.equal(taken?.limitStates[0]?.resetMs, 9);
  await taken?.giveBack();
  assert.equal(warnings.length, 2);
  isDown = true;
  assert.ok((await limiters[0]?.take({ key: "k" }))?.limitStates[0]?.isRefused);
  assert.equal(warnings.length, 2);
});
