import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedClock } from "@baton/core/testing";
import { MemoryRateLimiter } from "./memory-rate-limiter.ts";
import { testRateLimiter } from "./testing/rate-limit-suite.ts";

const MINUTE = { requests: 10, windowSeconds: 60 };

testRateLimiter("in process", (limits, clock) => new MemoryRateLimiter(limits, clock));

test("the subject that was quiet longest is forgotten, and a crowd of sessions displaces no key", async () => {
  const limiter = new MemoryRateLimiter({ session: MINUTE, key: MINUTE }, new SimulatedClock(1));
  await limiter.take({ key: "a" });
  await limiter.take({ session: "busy" });
  for (let index = 0; index < 30_000; index++) {
    await limiter.take({ session: `s${index}` });
    if (index % 9_000 === 0) await limiter.take({ session: "busy" });
  }
  assert.equal(limiter.size, 10_001);
  assert.equal((await limiter.take({ key: "a" })).limitStates[0]?.remaining, 8);
  assert.equal((await limiter.take({ session: "busy" })).limitStates[0]?.remaining, 4);
  assert.equal((await limiter.take({ session: "s29999" })).limitStates[0]?.remaining, 8);
  assert.equal((await limiter.take({ session: "s0" })).limitStates[0]?.remaining, 9);
});
