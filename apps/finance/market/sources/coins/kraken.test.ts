import assert from "node:assert/strict";
import { test } from "node:test";
import { coin } from "../testing/listings.ts";
import { askFake, type Failure } from "../testing/ask-fake.ts";

test("an error with status 200 is an error: an unknown pair is no data, a failure is not, a limit is throttled", async () => {
  await using kraken = await askFake("kraken", { allowed: 2 });
  const fails = (symbol: string, expected: Failure) =>
    kraken.fails((source, scope) => source.coinPrice?.({ listing: coin(symbol) }, scope), expected);
  await fails("NOPEUSD", { kind: "no_data" });
  await fails("ZZBUSYUSD", { kind: "upstream", message: /EService:Unavailable/ });
  await fails("BTCUSD", { kind: "throttled", message: /Rate limit exceeded/ });
  await fails("BTCUSD", { kind: "throttled" });
  assert.equal(kraken.requests.length, 3);
  assert.equal(kraken.source.stats(kraken.clock.now()).breaker, "open");
});
