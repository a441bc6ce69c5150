import assert from "node:assert/strict";
import { test } from "node:test";
import { askFake } from "../testing/ask-fake.ts";

const CPI = { series: "CPI", country: "US" };

test("no more than 25 requests leave in a day, whatever is asked", async () => {
  await using bls = await askFake("bls", { allowed: 1_000 });
  const kinds = new Set<string>();
  for (let call = 0; call < 60; call++) {
    await bls.source
      .series?.(CPI, bls.scope)
      .catch((error: unknown) => kinds.add(error instanceof Error ? error.message : ""));
  }
  assert.ok(bls.requests.length <= 25, `${bls.requests.length} requests`);
  assert.deepEqual([...kinds], ["too many requests to bls at once"]);
});

test("the limit of the day comes with status 200 and leaves the service alone until the next day", async () => {
  await using bls = await askFake("bls", { allowed: 0 });
  const retryAt = Date.parse("2026-03-06T00:00:00Z");
  for (let call = 0; call < 3; call++) {
    await bls.fails((source, scope) => source.series?.(CPI, scope), { kind: "throttled", details: { retryAt } });
  }
  assert.equal(bls.requests.length, 1);
  assert.equal(bls.source.stats(bls.clock.now()).breaker, "open");
});
