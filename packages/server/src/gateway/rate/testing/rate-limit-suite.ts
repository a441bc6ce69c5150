/**
 * Rate limit suite: what every implementation of the port `RateLimiter` must do.
 *
 * `make` gives a limiter with these limits on a clock.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedClock } from "@baton/core/testing";
import { checkLimitStates, type RequestRateLimiter, type RequestRateLimits, toRateHeaders } from "../rate-limit.ts";

const MINUTE = { requests: 10, windowSeconds: 60 };

/** Makes a limiter in which nothing is counted yet. */
export type MakeLimiter = (limits: RequestRateLimits, clock: SimulatedClock) => RequestRateLimiter;

async function isLetIn(limiter: RequestRateLimiter, key: string): Promise<boolean> {
  return (await limiter.take({ key })).limitStates.every(({ isRefused }) => !isRefused);
}

/** Runs the suite against one implementation. */
export function testRateLimiter(name: string, make: MakeLimiter): void {
  testWindows(name, make);
  testTaking(name, make);
}

function testWindows(name: string, make: MakeLimiter): void {
  test(`${name}: as many as the quota are let in, and again once they have left the window`, async () => {
    const clock = new SimulatedClock(1);
    const limiter = make({ key: MINUTE }, clock);
    for (let index = 0; index < 10; index++) assert.ok(await isLetIn(limiter, "a"));
    assert.ok(!(await isLetIn(limiter, "a")));
    assert.ok(await isLetIn(limiter, "b"));
    await clock.advance(59_999);
    assert.ok(!(await isLetIn(limiter, "a")));
    await clock.advance(3_001);
    for (let index = 0; index < 10; index++) assert.ok(await isLetIn(limiter, "a"));
    assert.ok(!(await isLetIn(limiter, "a")));
  });

  test(`${name}: no stretch as long as the window ever has more than the quota, and what can be used comes back`, async () => {
    const clock = new SimulatedClock(7);
    const limiter = make({ key: MINUTE }, clock);
    const times: number[] = [];
    for (let step = 0; step < 3_000; step++) {
      await clock.advance(clock.random() * 4_000);
      const now = clock.monotonic();
      const inWindow = times.filter((at) => at > now - 60_000).length;
      const inLonger = times.filter((at) => at > now - 63_000).length;
      const isIn = await isLetIn(limiter, "a");
      if (isIn) times.push(now);
      assert.ok(!isIn || inWindow < 10);
      assert.ok(isIn || inLonger >= 10);
    }
    assert.ok(times.length > 500);
  });

  test(`${name}: a client that waits as long as Retry-After says is let in`, async () => {
    const clock = new SimulatedClock(3);
    const limiter = make({ key: { requests: 3, windowSeconds: 7 } }, clock);
    for (let round = 0; round < 200; round++) {
      await clock.advance(clock.random() * 3_000);
      const [state] = (await limiter.take({ key: "a" })).limitStates;
      if (state?.isRefused !== true) continue;
      assert.ok(state.resetMs > 0 && state.resetMs <= 7_000);
      await clock.advance(Math.max(0, state.resetMs - 400));
      await clock.advance(401);
      assert.ok(await isLetIn(limiter, "a"));
    }
  });
}

function testTaking(name: string, make: MakeLimiter): void {
  test(`${name}: one limit that refuses costs the others nothing`, async () => {
    const limiter = make({ key: MINUTE, global: { requests: 2, windowSeconds: 60 } }, new SimulatedClock(1));
    await limiter.take({ key: "a", global: "all" });
    await limiter.take({ key: "a", global: "all" });
    const [key, global] = (await limiter.take({ key: "a", global: "all" })).limitStates;
    assert.deepEqual([key?.remaining, key?.isRefused], [8, false]);
    assert.deepEqual([global?.remaining, global?.isRefused], [0, true]);
  });

  test(`${name}: a request that is given back costs nothing, however long it was held`, async () => {
    const clock = new SimulatedClock(1);
    const limiter = make({ key: { requests: 2, windowSeconds: 60 } }, clock);
    const first = await limiter.take({ key: "a" });
    await clock.advance(10_000);
    await limiter.take({ key: "a" });
    assert.ok(!(await isLetIn(limiter, "a")));
    await first.giveBack();
    await first.giveBack();
    assert.equal((await limiter.take({ key: "a" })).limitStates[0]?.remaining, 0);
    assert.ok(!(await isLetIn(limiter, "a")));
    await clock.advance(60_000);
    await first.giveBack();
    assert.equal((await limiter.take({ key: "a" })).limitStates[0]?.remaining, 1);
  });

  test(`${name}: the headers have the form of the IETF's draft`, async () => {
    const clock = new SimulatedClock(1);
    const limiter = make({ key: MINUTE, session: { requests: 1, windowSeconds: 3_600 } }, clock);
    await clock.advance(600_000);
    assert.deepEqual(toRateHeaders((await limiter.take({ key: "a", session: "s" })).limitStates), {
      "RateLimit-Policy": '"key";q=10;w=60, "session";q=1;w=3600',
      RateLimit: '"key";r=9;t=60, "session";r=0;t=3600',
    });
    assert.deepEqual(toRateHeaders([]), {});
  });

  test(`${name}: a refusal says how long to wait`, async () => {
    const limiter = make({ key: { requests: 1, windowSeconds: 10 } }, new SimulatedClock(1));
    checkLimitStates((await limiter.take({ key: "a" })).limitStates);
    const { limitStates } = await limiter.take({ key: "a" });
    assert.throws(() => checkLimitStates(limitStates), {
      status: 429,
      code: "rate_limited",
      headers: { "Retry-After": "10" },
    });
  });

  test(`${name}: a quota that cannot be is refused when the server starts`, async () => {
    for (const requests of [0, -1, 1.5, Number.NaN]) {
      assert.throws(() => make({ key: { requests, windowSeconds: 60 } }, new SimulatedClock(1)), {
        code: "invalid",
      });
    }
  });
}
