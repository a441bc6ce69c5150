import assert from "node:assert/strict";
import { test } from "node:test";
import { stock } from "../testing/listings.ts";
import { askFake } from "../testing/ask-fake.ts";

const AAPL = stock("AAPL");
const VNM = stock("VNM.VN", { exchange: "HOSE", currency: "VND" });

for (const [listing, price, before, high] of [
  [AAPL, 297.68, 294.33, 300.66],
  [VNM, 191.63, 193.53, 193.55],
] as const) {
  test(`a quote of ${listing.symbol} comes from the chart of one day, with the close of the day before`, async () => {
    await using yahoo = await askFake("yahoo");
    const { data, provenance } = await yahoo.ask((source, scope) => source.quote?.({ listing }, scope));
    assert.deepEqual([data.price, data.previousClose], [price, before]);
    assert.ok(Math.abs((data.changePercent ?? 0) - (price / before - 1) * 100) < 1e-9);
    assert.deepEqual([data.yearHigh, data.yearLow, data.dayHigh], [999, 1, high]);
    assert.deepEqual([provenance.source, provenance.unofficial, provenance.kind], ["yahoo", true, "delayed"]);
    assert.match(provenance.note ?? "", /personal use/);
    assert.match(yahoo.requests[0]?.headers["user-agent"] ?? "", /^Mozilla\/5\.0/);
  });
}

test("requests are at least 0.6 seconds apart", async () => {
  await using yahoo = await askFake("yahoo");
  const start = yahoo.clock.monotonic();
  for (const symbol of ["AAPL", "MSFT", "NVDA"]) {
    await yahoo.ask((source, scope) => source.quote?.({ listing: stock(symbol) }, scope));
  }
  assert.equal(yahoo.waits.filter((wait) => wait === 600).length, 2);
  assert.ok(yahoo.clock.monotonic() - start >= 1_200);
});
