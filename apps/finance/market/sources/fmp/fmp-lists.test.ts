import assert from "node:assert/strict";
import { test } from "node:test";
import { askFake } from "../testing/ask-fake.ts";
import { SimulatedClock } from "@baton/core/testing";
import type { Listing } from "../../port/listing.ts";

const NVDA: Listing = { symbol: "NVDA", name: "NVIDIA", exchange: "NASDAQ", type: "stock", currency: "USD" };

test("movers leave penny stocks out and have their change in percent", async () => {
  await using fmp = await askFake("fmp", { directory: { get: (symbol) => (symbol === "NVDA" ? NVDA : undefined) } });
  for (const [list, path, sign] of [
    ["gainers", "/biggest-gainers", 1],
    ["losers", "/biggest-losers", -1],
    ["active", "/most-actives", 1],
  ] as const) {
    const { data } = await fmp.ask((source, scope) => source.movers?.({ list, limit: 5 }, scope));
    assert.equal(fmp.requests.at(-1)?.path, path);
    assert.equal(data.length, 5);
    assert.ok(data.every(({ price, changePercent = 0 }) => price >= 1 && Math.sign(changePercent) === sign));
    assert.equal(data.find(({ listing }) => listing.symbol === "NVDA")?.listing, NVDA);
    assert.equal(data[0]?.listing.currency, "USD");
  }
});

test("the screener is asked with the filters that are given, and leaves out what has no known currency", async () => {
  await using fmp = await askFake("fmp");
  const { data } = await fmp.ask((source, scope) =>
    source.screener?.({ priceMoreThan: 150, marketCapMoreThan: 1e9, limit: 3 }, scope),
  );
  assert.ok(data.rows.length === 3 && data.rows.every(({ price }) => price > 150));
  assert.deepEqual(Object.fromEntries(fmp.requests[0]?.query ?? []), {
    isActivelyTrading: "true",
    limit: "3",
    marketCapMoreThan: "1000000000",
    priceMoreThan: "150",
  });
  await using server = await askFake("fmp", {
    body: [
      {
        symbol: "SPY",
        companyName: "S&P",
        price: 500,
        lastAnnualDividend: 5,
        exchangeShortName: "AMEX",
        isEtf: true,
        beta: null,
        volume: 1.5,
      },
      { symbol: "VOD.L", companyName: "Vodafone", price: 70, exchangeShortName: "LSE" },
    ],
  });
  const screened = await server.ask((source, scope) => source.screener?.({ limit: 10 }, scope));
  assert.deepEqual(screened.data.rows, [
    {
      listing: { symbol: "SPY", name: "S&P", exchange: "AMEX", type: "etf", currency: "USD" },
      price: 500,
      volume: 1.5,
      dividendYieldPercent: 1,
    },
  ]);
  assert.match(screened.provenance.note ?? "", /1 listings/);
});

test("sectors of the last day that has any are given if no day is asked for", async () => {
  const clock = new SimulatedClock(1); // starts on Wednesday 2025-01-01, still Tuesday in New York
  const answers = new Map([
    [
      "2024-12-30",
      [
        { date: "2024-12-30", sector: "Energy", exchange: "NASDAQ", averageChange: 1 },
        { date: "2024-12-30", sector: "Energy", exchange: "NYSE", averageChange: 2 },
        { date: "2024-12-30", sector: "Utilities", exchange: "NYSE", averageChange: null },
      ],
    ],
  ]);
  await using server = await askFake("fmp", {
    clock,
    answer: ({ query }) => ({
      body: JSON.stringify(answers.get(query.get("date") ?? "") ?? []),
    }),
  });
  const { data, provenance } = await server.ask((source, scope) => source.sectors?.({}, scope));
  assert.deepEqual(data, [{ sector: "Energy", changePercent: 1.5 }]);
  assert.equal(provenance.as_of, "2024-12-30T21:00:00.000Z");
  assert.match(provenance.note ?? "", /NASDAQ and NYSE/);
  assert.deepEqual(
    server.requests.map(({ query }) => query.get("date")),
    ["2024-12-31", "2024-12-30"],
  );
  await server.fails((source, scope) => source.sectors?.({ day: "2024-12-25" }, scope), { kind: "no_data" });
});

test("constituents have the directory's listing", async () => {
  await using fmp = await askFake("fmp", { directory: { get: (symbol) => (symbol === "NVDA" ? NVDA : undefined) } });
  const { data } = await fmp.ask((source, scope) => source.constituents?.({ index: "dowjones", limit: 4 }, scope));
  assert.equal(data.length, 4);
  assert.equal(data[2]?.listing, NVDA);
  assert.equal(fmp.requests[0]?.path, "/dowjones-constituent");
});

test("the overview has the five indices, and says which one is missing", async () => {
  await using fmp = await askFake("fmp");
  const whole = await fmp.ask((source, scope) => source.overview?.({}, scope));
  assert.deepEqual(
    whole.data.indices.map(({ listing }) => listing.symbol),
    ["^GSPC", "^DJI", "^IXIC", "^RUT", "^VIX"],
  );
  await using server = await askFake("fmp", {
    answer: ({ query }) => {
      const symbol = query.get("symbol");
      return { body: symbol === "^RUT" ? "[]" : JSON.stringify([{ symbol, price: 10, changePercentage: 1 }]) };
    },
  });
  const part = await server.ask((source, scope) => source.overview?.({}, scope));
  assert.equal(part.data.indices.length, 4);
  assert.match(part.provenance.note ?? "", /\^RUT/);
  await using empty = await askFake("fmp", { body: [] });
  await empty.fails((source, scope) => source.overview?.({}, scope), { kind: "no_data" });
});

test("news goes to the endpoint of its subject, in New York's time, as bounded text with a link of the web only", async () => {
  await using fmp = await askFake("fmp");
  await fmp.ask((source, scope) => source.news?.({ about: "stock", listing: NVDA, limit: 3, page: 1 }, scope));
  await fmp.ask((source, scope) => source.news?.({ about: "stock", limit: 3, page: 0 }, scope));
  await fmp.ask((source, scope) =>
    source.news?.({ about: "crypto", listing: { ...NVDA, symbol: "BTCUSD" }, limit: 3, page: 0 }, scope),
  );
  await fmp.ask((source, scope) => source.news?.({ about: "crypto", limit: 3, page: 0 }, scope));
  const general = await fmp.ask((source, scope) => source.news?.({ about: "general", limit: 3, page: 0 }, scope));
  assert.deepEqual(
    fmp.requests.map(({ path }) => path),
    ["/news/stock", "/news/stock-latest", "/news/crypto", "/news/crypto-latest", "/news/general-latest"],
  );
  assert.deepEqual(
    general.data.map(({ symbols }) => symbols),
    [[], [], []],
  );
  await using server = await askFake("fmp", {
    body: [
      {
        symbol: "NVDA",
        publishedDate: "2025-07-01 09:30:00",
        publisher: "",
        site: "a.com",
        title: ` x\u0000\n\u202Ey ${"z".repeat(900)}`,
        text: null,
        url: "javascript:alert(1)",
      },
      { symbol: "NVDA", publishedDate: "2025-07-01 09:30:00", title: null },
      { symbol: "NVDA", publishedDate: "soon", title: "no date" },
      { symbol: "AAPL", publishedDate: "2025-07-01 09:30:00", title: "of another company" },
    ],
  });
  const odd = await server.ask((source, scope) =>
    source.news?.({ about: "stock", listing: NVDA, limit: 9, page: 0 }, scope),
  );
  const [item, ...rest] = odd.data;
  assert.equal(rest.length, 0);
  assert.match(item?.title ?? "", /^x y z+…$/);
  assert.deepEqual(
    [item?.source, item?.publishedAt, item?.url, item?.text],
    ["a.com", "2025-07-01T13:30:00.000Z", undefined, undefined],
  );
});

test("the calendar has no values for what is to come, and filters by country and impact", async () => {
  await using fmp = await askFake("fmp");
  const { data } = await fmp.ask((source, scope) => source.calendar?.({ from: "2026-03-01", to: "2026-03-20" }, scope));
  assert.equal(data.length, 20);
  assert.deepEqual([data.at(0)?.actual, data.at(-1)?.actual], [3.2, undefined]);
  assert.equal(data[0]?.at, "2026-03-01T13:30:00.000Z");
  assert.ok(data.every(({ impact, unit }) => impact !== undefined || unit !== ""));
  const filtered = await fmp.ask((source, scope) =>
    source.calendar?.({ from: "2026-03-01", to: "2026-03-20", country: "us", impact: "high" }, scope),
  );
  assert.ok(filtered !== undefined && filtered.data.length > 0);
  assert.ok(filtered.data.every(({ country, impact }) => country === "US" && impact === "High"));
});

test("a calendar of more than 90 days is asked for in parts", async () => {
  await using fmp = await askFake("fmp");
  const { data } = await fmp.ask((source, scope) => source.calendar?.({ from: "2026-01-01", to: "2026-06-30" }, scope));
  assert.equal(data.length, 181);
  assert.equal(fmp.requests.length, 3);
});
