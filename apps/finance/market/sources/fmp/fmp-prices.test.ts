import assert from "node:assert/strict";
import { test } from "node:test";
import { askFake } from "../testing/ask-fake.ts";
import type { Listing } from "../../port/listing.ts";

const listing = (symbol: string, more: Partial<Listing> = {}): Listing => ({
  symbol,
  name: symbol,
  exchange: "NASDAQ",
  type: "stock",
  currency: "USD",
  ...more,
});
const AAPL = listing("AAPL");

test("a price of nothing or less is not known", async () => {
  for (const price of [0, -5]) {
    await using server = await askFake("fmp", {
      body: [{ symbol: "AAPL", price, companyName: "Apple", exchange: "NASDAQ" }],
    });
    await server.fails((source, scope) => source.quote?.({ listing: AAPL }, scope), { kind: "no_data" });
    await server.fails((source, scope) => source.screener?.({ limit: 5 }, scope), { kind: "no_data" });
  }
});

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

test("a quote of the price alone is one request, and an index is asked for with its sign encoded", async () => {
  await using fmp = await askFake("fmp", { key: "secret" });
  const { provenance } = await fmp.ask((source, scope) =>
    source.quote?.({ listing: listing("^GSPC"), detail: "price" }, scope),
  );
  assert.equal(fmp.requests.length, 1);
  assert.ok(provenance.url?.endsWith("/quote?symbol=%5EGSPC"));
  assert.equal(fmp.requests[0]?.query.get("symbol"), "^GSPC");
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

test("unknown values are absent, never 0, and a quote without a price is no quote", async () => {
  await using server = await askFake("fmp", {
    body: [
      { symbol: "X", price: 5, change: null, changePercentage: "", volume: 7.25, marketCap: null, timestamp: null },
    ],
  });
  const { data, provenance } = await server.ask((source, scope) =>
    source.quote?.({ listing: listing("X"), detail: "price" }, scope),
  );
  assert.deepEqual(data, { price: 5, volume: 7.25 });
  assert.equal(provenance.as_of, provenance.fetched_at);
  await using fmp = await askFake("fmp");
  await fmp.fails((source, scope) => source.quote?.({ listing: listing("ZZNULL") }, scope), {
    kind: "no_data",
  });
});

test("a timestamp is in seconds, and one in milliseconds is not taken for a year far away", async () => {
  for (const timestamp of [1_700_000_000, 1_700_000_000_000]) {
    await using server = await askFake("fmp", { body: [{ symbol: "X", price: 5, timestamp }] });
    const answer = await server.ask((source, scope) =>
      source.quote?.({ listing: listing("X"), detail: "price" }, scope),
    );
    assert.equal(answer.provenance.as_of, "2023-11-14T22:13:20.000Z");
  }
});

test("an answer about another symbol or in another currency is an error, not a price", async () => {
  await using server = await askFake("fmp", { body: [{ symbol: "MSFT", price: 5 }] });
  await server.fails((source, scope) => source.quote?.({ listing: AAPL, detail: "price" }, scope), {
    kind: "upstream",
    message: /another symbol/,
  });
  await using fmp = await askFake("fmp");
  await fmp.fails((source, scope) => source.quote?.({ listing: listing("VOD", { currency: "GBp" }) }, scope), {
    kind: "upstream",
    message: /USD.*GBp/,
  });
});

test("a quote stands without a profile", async () => {
  await using server = await askFake("fmp", {
    answer: ({ path }) => (path === "/quote" ? { body: '[{"symbol":"AAPL","price":5}]' } : { body: "[]" }),
  });
  const answer = await server.ask((source, scope) => source.quote?.({ listing: AAPL }, scope));
  assert.deepEqual(answer.data, { price: 5 });
});

test("the change is percent by span", async () => {
  await using server = await askFake("fmp", {
    body: [{ symbol: "AAPL", "1D": 1.5, "5D": null, ytd: -2, "10Y": 900, max: 1e6 }],
  });
  const answer = await server.ask((source, scope) => source.change?.({ listing: AAPL }, scope));
  assert.deepEqual(answer.data, { "1D": 1.5, YTD: -2, "10Y": 900 });
});

test("daily bars come oldest first, from the endpoint of their adjustment", async () => {
  await using fmp = await askFake("fmp", { key: "secret" });
  const window = { listing: AAPL, from: "2026-02-02", to: "2026-02-06" };
  const expected = [279.79, 276.65, 273.67, 280.02, 277.53];
  for (const [adjust, path, factor] of [
    [undefined, "full", 1],
    ["none", "non-split-adjusted", 2],
    ["split", "full", 1],
    ["split+dividend", "dividend-adjusted", 0.5],
  ] as const) {
    const query = adjust === undefined ? window : { ...window, adjust };
    const { data, provenance } = await fmp.ask((source, scope) => source.bars?.(query, scope));
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
  const days = ["2015-01-05", "2020-01-06", "2026-01-05"];
  await using server = await askFake("fmp", {
    answer: ({ query }) => {
      const rows = days
        .filter((day) => day >= (query.get("from") ?? ""))
        .map((date) => ({ symbol: "X", date, open: 1, high: 1, low: 1, close: 1, volume: 1 }));
      return { body: JSON.stringify(rows.toReversed()) };
    },
  });
  const rare = { listing: listing("X"), limit: 2, to: "2026-01-06" };
  const { data } = await server.ask((source, scope) => source.bars?.(rare, scope));
  assert.deepEqual(
    [...data.t],
    ["2020-01-06", "2026-01-05"].map((day) => Date.parse(day) / 1_000),
  );
  await using fmp = await askFake("fmp", { key: "secret" });
  const query = { listing: AAPL, to: "2026-03-05", limit: 250 };
  const newest = await fmp.ask((source, scope) => source.bars?.(query, scope));
  assert.equal(newest.data.t.length, 250);
  assert.equal(newest.data.c.at(-1), 297.68);
  assert.equal(fmp.requests.length, 1);
});

test("an incomplete bar is left out and said to be; an index needs no volume", async () => {
  const row = { symbol: "X", open: 1, high: 2, low: 0.5, close: 1.5 };
  await using server = await askFake("fmp", {
    body: [
      { ...row, date: "2026-01-07", volume: null },
      { ...row, date: "2026-01-06", close: null, volume: 5 },
      { ...row, date: "2026-01-05", volume: 20201922.82733 },
      { ...row, date: "2026-01-05", close: 9, volume: 1 },
    ],
  });
  const { data, provenance } = await server.ask((source, scope) =>
    source.bars?.({ listing: listing("X"), from: "2026-01-01" }, scope),
  );
  assert.deepEqual([[...data.c], [...data.v]], [[1.5], [20201922.82733]]);
  assert.match(provenance.note ?? "", /2 incomplete/);
  const index = await server.ask((source, scope) =>
    source.bars?.({ listing: listing("X", { type: "index" }), from: "2026-01-01" }, scope),
  );
  assert.deepEqual([...(index.data.v ?? [])], [20201922.82733, 0]);
});

test("bars within the day are in New York's time, summer and winter", async () => {
  const row = { open: 1, high: 2, low: 0.5, close: 1.5, volume: 10 };
  await using server = await askFake("fmp", {
    body: [
      { ...row, date: "2025-07-01 09:30:00" },
      { ...row, date: "2025-01-02 15:55:00" },
    ],
  });
  const { data, provenance } = await server.ask((source, scope) =>
    source.intraday?.({ listing: AAPL, interval: "5min" }, scope),
  );
  assert.deepEqual(
    [...data.t],
    ["2025-01-02T20:55:00Z", "2025-07-01T13:30:00Z"].map((time) => Date.parse(time) / 1_000),
  );
  assert.equal(provenance.as_of, "2025-07-01T13:30:00.000Z");
  assert.ok(provenance.url?.includes("/historical-chart/5min?symbol=AAPL"));
});
