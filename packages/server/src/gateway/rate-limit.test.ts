import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedClock } from "@baton/core/testing";
import { checkStandings, RateLimiter, toRateHeaders } from "./rate-limit.ts";

const MINUTE = { requests: 10, windowSeconds: 60 };

function isLetIn(limiter: RateLimiter, key: string): boolean {
  return limiter.take({ key }).standings.every(({ isRefused }) => !isRefused);
}

test("as many as the quota are let in, and again once they have left the window", async () => {
  const clock = new SimulatedClock(1);
  const limiter = new RateLimiter({ key: MINUTE }, clock);
  for (let index = 0; index < 10; index++) assert.ok(isLetIn(limiter, "a"));
  assert.ok(!isLetIn(limiter, "a"));
  assert.ok(isLetIn(limiter, "b"));
  await clock.advance(59_999);
  assert.ok(!isLetIn(limiter, "a"));
  await clock.advance(3_001);
  for (let index = 0; index < 10; index++) assert.ok(isLetIn(limiter, "a"));
  assert.ok(!isLetIn(limiter, "a"));
});

test("no stretch as long as the window ever has more than the quota, and what can be used comes back", async () => {
  const clock = new SimulatedClock(7);
  const limiter = new RateLimiter({ key: MINUTE }, clock);
  const times: number[] = [];
  for (let step = 0; step < 3_000; step++) {
    await clock.advance(clock.random() * 4_000);
    const now = clock.monotonic();
    const inWindow = times.filter((at) => at > now - 60_000).length;
    const inLonger = times.filter((at) => at > now - 63_000).length;
    const isIn = isLetIn(limiter, "a");
    if (isIn) times.push(now);
    assert.ok(!isIn || inWindow < 10);
    assert.ok(isIn || inLonger >= 10);
  }
  assert.ok(times.length > 500);
});

test("whoever waits as long as Retry-After says is let in", async () => {
  const clock = new SimulatedClock(3);
  const limiter = new RateLimiter({ key: { requests: 3, windowSeconds: 7 } }, clock);
  for (let round = 0; round < 200; round++) {
    await clock.advance(clock.random() * 3_000);
    const [standing] = limiter.take({ key: "a" }).standings;
    if (standing?.isRefused !== true) continue;
    assert.ok(standing.resetMs > 0 && standing.resetMs <= 7_000);
    await clock.advance(Math.max(0, standing.resetMs - 400));
    await clock.advance(401);
    assert.ok(isLetIn(limiter, "a"));
  }
});

test("one limit that refuses costs the others nothing", () => {
  const limiter = new RateLimiter({ key: MINUTE, global: { requests: 2, windowSeconds: 60 } }, new SimulatedClock(1));
  limiter.take({ key: "a", global: "all" });
  limiter.take({ key: "a", global: "all" });
  const [key, global] = limiter.take({ key: "a", global: "all" }).standings;
  assert.deepEqual([key?.remaining, key?.isRefused], [8, false]);
  assert.deepEqual([global?.remaining, global?.isRefused], [0, true]);
});

test("a request that is given back costs nothing, however long it was held", async () => {
  const clock = new SimulatedClock(1);
  const limiter = new RateLimiter({ key: { requests: 2, windowSeconds: 60 } }, clock);
  const first = limiter.take({ key: "a" });
  await clock.advance(10_000);
  limiter.take({ key: "a" });
  assert.ok(!isLetIn(limiter, "a"));
  first.giveBack();
  first.giveBack();
  assert.equal(limiter.take({ key: "a" }).standings[0]?.remaining, 0);
  assert.ok(!isLetIn(limiter, "a"));
  await clock.advance(60_000);
  first.giveBack();
  assert.equal(limiter.take({ key: "a" }).standings[0]?.remaining, 1);
});

test("the headers have the form of the IETF's draft", async () => {
  const clock = new SimulatedClock(1);
  const limiter = new RateLimiter({ key: MINUTE, session: { requests: 1, windowSeconds: 3_600 } }, clock);
  await clock.advance(600_000);
  assert.deepEqual(toRateHeaders(limiter.take({ key: "a", session: "s" }).standings), {
    "RateLimit-Policy": '"key";q=10;w=60, "session";q=1;w=3600',
    RateLimit: '"key";r=9;t=60, "session";r=0;t=3600',
  });
  assert.deepEqual(toRateHeaders([]), {});
});

test("a refusal says how long to wait", () => {
  const limiter = new RateLimiter({ key: { requests: 1, windowSeconds: 10 } }, new SimulatedClock(1));
  checkStandings(limiter.take({ key: "a" }).standings);
  assert.throws(() => checkStandings(limiter.take({ key: "a" }).standings), {
    status: 429,
    code: "rate_limited",
    headers: { "Retry-After": "10" },
  });
});

test("whoever was quiet longest is forgotten, and a crowd of sessions displaces no key", () => {
  const limiter = new RateLimiter({ session: MINUTE, key: MINUTE }, new SimulatedClock(1));
  limiter.take({ key: "a" });
  limiter.take({ session: "busy" });
  for (let index = 0; index < 30_000; index++) {
    limiter.take({ session: `s${index}` });
    if (index % 9_000 === 0) limiter.take({ session: "busy" });
  }
  assert.equal(limiter.size, 10_001);
  assert.equal(limiter.take({ key: "a" }).standings[0]?.remaining, 8);
  assert.equal(limiter.take({ session: "busy" }).standings[0]?.remaining, 4);
  assert.equal(limiter.take({ session: "s29999" }).standings[0]?.remaining, 8);
  assert.equal(limiter.take({ session: "s0" }).standings[0]?.remaining, 9);
});

test("a quota that cannot be is refused when the server starts", () => {
  for (const requests of [0, -1, 1.5, Number.NaN]) {
    assert.throws(() => new RateLimiter({ key: { requests, windowSeconds: 60 } }, new SimulatedClock(1)), {
      code: "invalid",
    });
  }
});
