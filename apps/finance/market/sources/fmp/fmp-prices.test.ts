import assert from "node:assert/strict";
import { test } from "node:test";
import { stock } from "../testing/listings.ts";
import { askFake } from "../testing/ask-fake.ts";

const AAPL = stock("AAPL");

test("a quote has the price, its ranges and the company's profile, dated by the exchange and marked as delayed", async () => {
  await using fmp = await askFake("fmp", { at: Date.parse("2026-03-05T22:00:00Z") });
  const { data, provenance } = await fmp.ask((source, scope) => source.quote?.({ listing: AAPL }, scope));
  assert.deepEqual([data.price, data.previousClose], [297.68, 294.33]);
  assert.deepEqual(
    [data.dayLow, data.dayHigh, data.sector, data.averageVolume],
    [291.86, 300.66, "Technology", 5_500_000.25],
  );
  assert.equal(provenance.as_of, "2026-03-05T21:00:00.000Z");
  assert.deepEqual([provenance.kind, provenance.source, provenance.delay_s], ["delayed", "fmp", 900]);
  assert.equal(provenance.url, `${fmp.server.url}/quote?symbol=AAPL`);
});

test("the key goes in a header and nowhere else", async () => {
  await using fmp = await askFake("fmp", { key: "secret" });
  const answer = await fmp.ask((source, scope) => source.quote?.({ listing: AAPL }, scope));
  assert.equal(fmp.requests[0]?.headers["apikey"], "secret");
  assert.doesNotMatch(
    JSON.stringify([answer, fmp.source.stats(0), fmp.requests.map(({ query }) => [...query])]),
    /secret/,
  );
});
