import assert from "node:assert/strict";
import { test } from "node:test";
import { Scope, SystemClock } from "@baton/core/ports";
import type { Listing } from "../../port/listing.ts";
import { FakeFmp } from "../../testing/fmp/fake-fmp.ts";
import { barOf, barsOf } from "../../testing/fake-prices.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { fmpSource } from "./fmp.ts";

const TODAY = "2026-03-06"; // a Friday
const listing = (symbol: string, more: Partial<Listing> = {}): Listing => ({
  symbol,
  name: symbol,
  exchange: "NASDAQ",
  type: "stock",
  currency: "USD",
  ...more,
});
const AAPL = listing("AAPL");
const newScope = () => Scope.root({ clock: new SystemClock() });
const rowsServer = (rows: unknown) => FakeServer.start(() => ({ body: JSON.stringify(rows) }));

/** A source over one fixed answer. */
const over = (server: FakeServer) => fmpSource({ key: "k", baseUrl: server.url });

async function start() {
  const fmp = await FakeFmp.start({ today: TODAY, key: "secret" });
  return { fmp, source: fmpSource({ key: "secret", baseUrl: fmp.url }) };
}

test("a price of nothing or less is not known", async () => {
  await using scope = newScope();
  for (const price of [0, -5]) {
    await using server = await rowsServer([{ symbol: "AAPL", price, companyName: "Apple", exchange: "NASDAQ" }]);
    const source = over(server);
    await assert.rejects(async () => source.quote?.({ listing: AAPL }, scope), { kind: "no_data" });
    await assert.rejects(async () => source.screener?.({ limit: 5 }, scope), { kind: "no_data" });
  }
});

test("a quote has the price, its ranges and the company's profile, dated by the exchange and marked as delayed", async () => {
  await using scope = newScope();
  const { fmp, source } = await start();
  await using _fmp = fmp;
  const { data, provenance } = (await source.quote?.({ listing: AAPL }, scope)) ?? assert.fail();
  const bar = barOf("AAPL", TODAY);
  assert.equal(data.price, bar.close);
  assert.equal(data.previousClose, barOf("AAPL", "2026-03-05").close);
  assert.deepEqual(
    [data.dayLow, data.dayHigh, data.sector, data.averageVolume],
    [bar.low, bar.high, "Technology", 5_500_000.25],
  );
  assert.equal(provenance.as_of, "2026-03-06T21:00:00.000Z");
  assert.deepEqual([provenance.kind, provenance.source, provenance.delay_s], ["delayed", "fmp", 900]);
  assert.equal(provenance.url, `${fmp.url}/quote?symbol=AAPL`);
});

test("a quote of the price alone is one request, and an index is asked for with its sign encoded", async () => {
  await using scope = newScope();
  const { fmp, source } = await start();
  await using _fmp = fmp;
  const { provenance } = (await source.quote?.({ listing: listing("^GSPC"), detail: "price" }, scope)) ?? assert.fail();
  assert.equal(fmp.requests.length, 1);
  assert.ok(provenance.url?.endsWith("/quote?symbol=%5EGSPC"));
  assert.equal(fmp.requests[0]?.query.get("symbol"), "^GSPC");
});

test("the key goes in a header and nowhere else", async () => {
  await using scope = newScope();
  const { fmp, source } = await start();
  await using _fmp = fmp;
  const answer = await source.quote?.({ listing: AAPL }, scope);
  assert.equal(fmp.requests[0]?.headers["apikey"], "secret");
  assert.doesNotMatch(JSON.stringify([answer, source.stats(0), fmp.requests.map(({ query }) => [...query])]), /secret/);
});

test("unknown values are absent, never 0, and a quote without a price is no quote", async () => {
  await using scope = newScope();
  await using server = await rowsServer([
    { symbol: "X", price: 5, change: null, changePercentage: "", volume: 7.25, marketCap: null, timestamp: null },
  ]);
  const { data, provenance } =
    (await over(server).quote?.({ listing: listing("X"), detail: "price" }, scope)) ?? assert.fail();
  assert.deepEqual(data, { price: 5, volume: 7.25 });
  assert.equal(provenance.as_of, provenance.fetched_at);
  await using fmp = await FakeFmp.start({ today: TODAY });
  const source = fmpSource({ key: "k", baseUrl: fmp.url });
  await assert.rejects(async () => source.quote?.({ listing: listing("ZZNULL") }, scope), {
    name: "MarketError",
    kind: "no_data",
  });
});

test("a timestamp is in seconds, and one in milliseconds is not taken for a year far away", async () => {
  await using scope = newScope();
  for (const timestamp of [1_700_000_000, 1_700_000_000_000]) {
    await using server = await rowsServer([{ symbol: "X", price: 5, timestamp }]);
    const answer = await over(server).quote?.({ listing: listing("X"), detail: "price" }, scope);
    assert.equal(answer?.provenance.as_of, "2023-11-14T22:13:20.000Z");
  }
});

test("an answer about another symbol or in another currency is an error, not a price", async () => {
  await using scope = newScope();
  await using server = await rowsServer([{ symbol: "MSFT", price: 5 }]);
  await assert.rejects(async () => over(server).quote?.({ listing: AAPL, detail: "price" }, scope), {
    kind: "upstream",
    message: /another symbol/,
  });
  const { fmp, source } = await start();
  await using _fmp = fmp;
  await assert.rejects(async () => source.quote?.({ listing: listing("VOD", { currency: "GBp" }) }, scope), {
    kind: "upstream",
    message: /USD.*GBp/,
  });
});

test("a quote stands without a profile", async () => {
  await using scope = newScope();
  await using server = await FakeServer.start(({ path }) =>
    path === "/quote" ? { body: '[{"symbol":"AAPL","price":5}]' } : { body: "[]" },
  );
  const answer = await over(server).quote?.({ listing: AAPL }, scope);
  assert.deepEqual(answer?.data, { price: 5 });
});

test("the change is percent by span", async () => {
  await using scope = newScope();
  await using server = await rowsServer([{ symbol: "AAPL", "1D": 1.5, "5D": null, ytd: -2, "10Y": 900, max: 1e6 }]);
  const answer = await over(server).change?.({ listing: AAPL }, scope);
  assert.deepEqual(answer?.data, { "1D": 1.5, YTD: -2, "10Y": 900 });
});

test("daily bars come oldest first, from the endpoint of their adjustment", async () => {
  await using scope = newScope();
  const { fmp, source } = await start();
  await using _fmp = fmp;
  const window = { listing: AAPL, from: "2026-02-02", to: "2026-02-06" };
  const expected = barsOf("AAPL", window.from, window.to).map(({ close }) => close);
  for (const [adjust, path, factor] of [
    [undefined, "full", 1],
    ["none", "non-split-adjusted", 2],
    ["split", "full", 1],
    ["split+dividend", "dividend-adjusted", 0.5],
  ] as const) {
    const query = adjust === undefined ? window : { ...window, adjust };
    const { data, provenance } = (await source.bars?.(query, scope)) ?? assert.fail();
    assert.deepEqual(
      [...data.c],
      expected.map((close) => close * factor),
    );
    assert.equal(data.t[0], Date.parse("2026-02-02T00:00:00Z") / 1_000);
    assert.equal(data.t.length, 5);
    assert.ok(provenance.url?.includes(`/historical-price-eod/${path}?`));
    assert.equal(provenance.adjust, adjust ?? "split");
    assert.equal(provenance.as_of, "2026-02-06T21:00:00.000Z");
  }
});

test("without a window the newest bars are given, also of what trades rarely", async () => {
  await using scope = newScope();
  const days = ["2015-01-05", "2020-01-06", "2026-01-05"];
  await using server = await FakeServer.start(({ query }) => {
    const rows = days
      .filter((day) => day >= (query.get("from") ?? ""))
      .map((date) => ({ symbol: "X", date, open: 1, high: 1, low: 1, close: 1, volume: 1 }));
    return { body: JSON.stringify(rows.toReversed()) };
  });
  const ask = async (to: string) =>
    (await over(server).bars?.({ listing: listing("X"), limit: 2, to }, scope)) ?? assert.fail();
  const { data } = await ask("2026-01-06");
  assert.deepEqual(
    [...data.t],
    ["2020-01-06", "2026-01-05"].map((day) => Date.parse(day) / 1_000),
  );
  const { fmp, source } = await start();
  await using _fmp = fmp;
  const newest = await source.bars?.({ listing: AAPL, to: TODAY, limit: 250 }, scope);
  assert.equal(newest?.data.t.length, 250);
  assert.equal(newest?.data.c.at(-1), barOf("AAPL", TODAY).close);
  assert.equal(fmp.requests.length, 1);
});

test("an incomplete bar is left out and said to be; an index needs no volume", async () => {
  await using scope = newScope();
  const row = { symbol: "X", open: 1, high: 2, low: 0.5, close: 1.5 };
  await using server = await rowsServer([
    { ...row, date: "2026-01-07", volume: null },
    { ...row, date: "2026-01-06", close: null, volume: 5 },
    { ...row, date: "2026-01-05", volume: 20201922.82733 },
    { ...row, date: "2026-01-05", close: 9, volume: 1 },
  ]);
  const { data, provenance } =
    (await over(server).bars?.({ listing: listing("X"), from: "2026-01-01" }, scope)) ?? assert.fail();
  assert.deepEqual([[...data.c], [...data.v]], [[1.5], [20201922.82733]]);
  assert.match(provenance.note ?? "", /2 incomplete/);
  const index = await over(server).bars?.({ listing: listing("X", { type: "index" }), from: "2026-01-01" }, scope);
  assert.deepEqual([...(index?.data.v ?? [])], [20201922.82733, 0]);
});

test("bars within the day are in New York's time, summer and winter", async () => {
  await using scope = newScope();
  const row = { open: 1, high: 2, low: 0.5, close: 1.5, volume: 10 };
  await using server = await rowsServer([
    { ...row, date: "2025-07-01 09:30:00" },
    { ...row, date: "2025-01-02 15:55:00" },
  ]);
  const { data, provenance } =
    (await over(server).intraday?.({ listing: AAPL, interval: "5min" }, scope)) ?? assert.fail();
  assert.deepEqual(
    [...data.t],
    ["2025-01-02T20:55:00Z", "2025-07-01T13:30:00Z"].map((time) => Date.parse(time) / 1_000),
  );
  assert.equal(provenance.as_of, "2025-07-01T13:30:00.000Z");
  assert.ok(provenance.url?.includes("/historical-chart/5min?symbol=AAPL"));
});
