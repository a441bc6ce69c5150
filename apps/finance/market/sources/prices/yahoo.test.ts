import assert from "node:assert/strict";
import { test } from "node:test";
import { askFake } from "../testing/ask-fake.ts";
import type { Listing } from "../../port/listing.ts";
import { testFaults } from "../testing/fault-suite.ts";
import { yahooSource } from "./yahoo.ts";

const stock = (symbol: string, rest: Partial<Listing> = {}): Listing => ({
  symbol,
  name: symbol,
  exchange: "NASDAQ",
  type: "stock",
  currency: "USD",
  ...rest,
});
const AAPL = stock("AAPL");
const VNM = stock("VNM.VN", { exchange: "HOSE", currency: "VND" });

testFaults({
  name: "Yahoo's quote",
  open: yahooSource,
  ask: (source, scope) => source.quote?.({ listing: AAPL }, scope),
});
testFaults({
  name: "Yahoo's bars",
  open: yahooSource,
  ask: (source, scope) => source.bars?.({ listing: VNM, limit: 5 }, scope),
});

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

test("a day is dated by the exchange's own calendar, on either side of Greenwich", async () => {
  await using yahoo = await askFake("yahoo");
  for (const [listing, close] of [
    [AAPL, 287.24],
    [VNM, 187.74],
  ] as const) {
    const query = { listing, from: "2026-02-27", to: "2026-03-03" };
    const { data } = await yahoo.ask((source, scope) => source.bars?.(query, scope));
    assert.deepEqual(
      Array.from(data.t, (t) => new Date(t * 1_000).toISOString()),
      ["2026-02-27", "2026-03-02", "2026-03-03"].map((day) => `${day}T00:00:00.000Z`),
    );
    assert.equal(data.c[0], close);
  }
});

const HALTED = {
  chart: {
    error: null,
    result: [
      {
        meta: { symbol: "AAPL", currency: "USD", gmtoffset: -18_000, exchangeTimezoneName: "America/New_York" },
        timestamp: [2, 3, 4].map((day) => Date.UTC(2026, 2, day, 14, 30) / 1_000),
        indicators: {
          quote: [
            { open: [1, null, 3], high: [2, null, 4], low: [1, null, 2], close: [2, null, 3], volume: [9, null, 9] },
          ],
        },
      },
    ],
  },
};

test("a slot of nulls is left out and said, and the days after it keep their prices", async () => {
  await using yahoo = await askFake("yahoo", { body: HALTED });
  const query = { listing: AAPL, from: "2026-03-02", to: "2026-03-04" };
  const { data, provenance } = await yahoo.ask((source, scope) => source.bars?.(query, scope));
  assert.deepEqual(Array.from(data.c), [2, 3]);
  assert.match(provenance.note ?? "", /1 days without complete prices/);
  assert.equal(provenance.adjust, "split");
  assert.equal(provenance.as_of, "2026-03-04T21:00:00.000Z");
});

test("prices adjusted for dividends are scaled as a whole; prices without any adjustment are not offered", async () => {
  await using yahoo = await askFake("yahoo");
  const { data, provenance } = await yahoo.ask((source, scope) =>
    source.bars?.({ listing: AAPL, limit: 2, adjust: "split+dividend" }, scope),
  );
  assert.equal(data.c.at(-1), 267.91);
  assert.ok(Math.abs((data.h.at(-1) ?? 0) - 300.66 * (267.91 / 297.68)) < 1e-9);
  assert.equal(provenance.adjust, "split+dividend");
  await yahoo.fails((source, scope) => source.bars?.({ listing: AAPL, limit: 2, adjust: "none" }, scope), {
    kind: "no_data",
  });
});

test("columns of different lengths are an error, because they shift", async () => {
  const meta = { symbol: "AAPL", currency: "USD", gmtoffset: -18_000 };
  const quote = { open: [1, 1], high: [1, 1], low: [1, 1], close: [1], volume: [1, 1] };
  const result = { meta, timestamp: [1_772_500_000, 1_772_600_000], indicators: { quote: [quote] } };
  await using server = await askFake("yahoo", {
    answer: () => ({
      body: JSON.stringify({ chart: { result: [result], error: null } }),
    }),
  });
  await server.fails((source, scope) => source.bars?.({ listing: AAPL }, scope), {
    kind: "upstream",
    message: /different lengths/,
  });
});

test("bars within the day skip slots without trade; four hours are joined from the opening of each session", async () => {
  await using yahoo = await askFake("yahoo");
  const { data } = await yahoo.ask((source, scope) => source.intraday?.({ listing: AAPL, interval: "30min" }, scope));
  const last = Array.from(data.t.slice(-12), (t) => new Date(t * 1_000).toISOString().slice(11, 16));
  assert.deepEqual(last.slice(0, 3), ["14:30", "15:30", "16:00"]);
  assert.equal(yahoo.requests[0]?.query.get("interval"), "30m");
  const four = await yahoo.ask((source, scope) => source.intraday?.({ listing: VNM, interval: "4hour" }, scope));
  assert.deepEqual(
    Array.from(four.data.t.slice(-2), (t) => new Date(t * 1_000).toISOString()),
    ["2026-03-05T02:00:00.000Z", "2026-03-05T06:00:00.000Z"],
  );
  assert.match(four.provenance.note ?? "", /joined/);
});

test("dividends are those of the chart, newest first, dated at the exchange; none is an empty list", async () => {
  await using yahoo = await askFake("yahoo");
  const { data } = await yahoo.ask((source, scope) => source.dividends?.({ listing: AAPL, from: "2025-01-01" }, scope));
  assert.deepEqual(data, [
    { day: "2026-03-02", amount: 0.25, currency: "USD" },
    { day: "2025-03-03", amount: 0.25, currency: "USD" },
  ]);
  assert.equal(yahoo.requests[0]?.query.get("events"), "div|split");
  const none = await yahoo.ask((source, scope) => source.dividends?.({ listing: AAPL, from: "2026-03-03" }, scope));
  assert.deepEqual(none.data, []);
});

test("changes reach back ten years", async () => {
  await using yahoo = await askFake("yahoo");
  const { data } = await yahoo.ask((source, scope) => source.change?.({ listing: AAPL }, scope));
  assert.ok(Math.abs((data["10Y"] ?? 0) - (297.68 / 405.3 - 1) * 100) < 1e-9);
});

test("an unknown symbol is no data with the source's words; a window without days too", async () => {
  await using yahoo = await askFake("yahoo");
  await yahoo.fails((source, scope) => source.quote?.({ listing: stock("ZZZZ") }, scope), {
    kind: "no_data",
    message: /delisted/,
  });
  const early = { listing: AAPL, from: "2000-01-01", to: "2000-02-01" };
  await yahoo.fails((source, scope) => source.bars?.(early, scope), { kind: "no_data", message: /doesn't exist/ });
  const asked = yahoo.requests.length;
  const others = [
    stock("ACME", { exchange: "FICTIONAL" }),
    stock("BTCUSD", { exchange: "CRYPTO", type: "crypto" }),
    stock("../.."),
  ];
  for (const listing of others)
    await yahoo.fails((source, scope) => source.quote?.({ listing }, scope), { kind: "no_data" });
  assert.equal(yahoo.requests.length, asked);
});

test("an index of Vietnam has the ending of its market, and its currency is not compared", async () => {
  await using yahoo = await askFake("yahoo");
  const listing = stock("^VNINDEX", { exchange: "HOSE", type: "index", currency: "VND" });
  const { data } = await yahoo.ask((source, scope) => source.quote?.({ listing }, scope));
  assert.equal(data.price, 248.29);
});

test("prices in another currency or of another symbol are an error", async () => {
  let meta = { symbol: "AAPL", currency: "GBp", regularMarketPrice: 100 };
  await using server = await askFake("yahoo", {
    answer: () => ({
      body: JSON.stringify({ chart: { result: [{ meta, indicators: { quote: [{}] } }], error: null } }),
    }),
  });
  await server.fails((source, scope) => source.quote?.({ listing: AAPL }, scope), {
    kind: "upstream",
    message: /in GBp/,
  });
  meta = { symbol: "MSFT", currency: "USD", regularMarketPrice: 100 };
  await server.fails((source, scope) => source.quote?.({ listing: AAPL }, scope), {
    kind: "upstream",
    message: /another symbol/,
  });
});

test("requests are at least 0.6 seconds apart", async () => {
  await using yahoo = await askFake("yahoo");
  const start = yahoo.clock.monotonic();
  for (const symbol of ["AAPL", "MSFT", "NVDA"]) {
    await yahoo.ask((source, scope) => source.quote?.({ listing: stock(symbol) }, scope));
  }
  assert.equal(yahoo.waits.filter((wait) => wait === 600).length, 2);
  assert.ok(yahoo.clock.monotonic() - start >= 1_200);
});
