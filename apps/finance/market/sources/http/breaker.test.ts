import assert from "node:assert/strict";
import { test } from "node:test";
import { SourceBreaker } from "./breaker.ts";

/** A breaker that is half open at 10 s. */
function openBreaker(): SourceBreaker {
  const breaker = new SourceBreaker();
  for (let failure = 0; failure < 5; failure++) breaker.fail(0);
  assert.equal(breaker.state(9_999), "open");
  return breaker;
}

test("one probe goes at a time; one that is withdrawn lets the next go, each time", () => {
  const breaker = openBreaker();
  for (let probes = 0; probes < 3; probes++) {
    assert.deepEqual(breaker.enter(10_000), { may: true, isProbe: true });
    assert.equal(breaker.enter(10_000).may, false);
    breaker.withdraw();
  }
  breaker.enter(10_000);
  breaker.succeed();
  assert.deepEqual([breaker.state(10_000), breaker.enter(10_000)], ["closed", { may: true, isProbe: false }]);
});

test("a probe that fails opens it for longer each time, and a success begins anew", () => {
  const breaker = openBreaker();
  const waits: number[] = [];
  let now = 10_000;
  for (let probes = 0; probes < 4; probes++) {
    breaker.enter(now);
    breaker.fail(now);
    const until = breaker.retryAt(now) ?? assert.fail();
    waits.push(until - now);
    now = until;
  }
  assert.deepEqual(waits, [30_000, 60_000, 300_000, 300_000]);
  breaker.enter(now);
  breaker.succeed();
  for (let failure = 0; failure < 4; failure++) breaker.fail(now);
  assert.equal(breaker.state(now), "closed");
  breaker.fail(now);
  assert.equal(breaker.retryAt(now), now + 10_000);
});
