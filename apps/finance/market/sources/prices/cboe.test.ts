import assert from "node:assert/strict";
import { test } from "node:test";
import { askFake } from "../testing/ask-fake.ts";
import type { Listing } from "../../port/listing.ts";
import type { Reply } from "../../testing/fake-server.ts";
import { cboeSource } from "./cboe.ts";
import { testFaults } from "../testing/fault-suite.ts";

const stock = (symbol: string, rest: Partial<Listing> = {}): Listing => ({
  symbol,
  name: symbol,
  exchange: "NASDAQ",
  type: "stock",
  currency: "USD",
  ...rest,
});
const index = (symbol: string): Listing => stock(symbol, { exchange: "INDEX", type: "index" });
const AAPL = stock("AAPL");

for (const [name, ask] of [
  ["quote", "quote"],
  ["history", "bars"],
] as const) {
  testFaults({
    name: `Cboe's ${name}`,
    open: cboeSource,
    ask: (source, scope) => source[ask]?.({ listing: AAPL }, scope),
  });
}
testFaults({
  name: "Cboe's minutes",
  open: cboeSource,
  ask: (source, scope) => source.intraday?.({ listing: AAPL, interval: "1min" }, scope),
});

test("a quote is delayed, unofficial, and dated by its last trade in New York", async () => {
  await using cboe = await askFake("cboe");
  const { data, provenance } = await cboe.ask((source, scope) => source.quote?.({ listing: AAPL }, scope));
  assert.deepEqual([data.price, data.open, data.dayHigh, data.previousClose], [297.68, 294.81, 300.66, 294.33]);
  assert.ok(Math.abs((data.change ?? 0) - (297.68 - 294.33)) < 0.006);
  assert.ok(Math.abs((data.changePercent ?? 0) - (297.68 / 294.33 - 1) * 100) < 0.001);
  const { kind, delay_s, unofficial, as_of, source } = provenance;
  assert.deepEqual([source, kind, delay_s, unofficial], ["cboe", "delayed", 900, true]);
  assert.equal(as_of, "2026-03-05T20:14:59.000Z");
});

const bodyOf = (data: unknown): Reply => ({ body: JSON.stringify({ timestamp: "2026-03-05 20:30:00", data }) });
const NOTHING = { open: 0, high: 0, low: 0, close: 0, volume: 0 };
const BEFORE_OPENING: Readonly<Record<"quote" | "minutes", Reply>> = {
  quote: bodyOf({ symbol: "AAPL", current_price: 0, ...NOTHING, close: 231.5, last_trade_time: null }),
  minutes: bodyOf([]),
};

test("before the opening a price of 0 is no price: the last close stands, and what is 0 is absent", async () => {
  await using cboe = await askFake("cboe", {
    answer: ({ path }) => BEFORE_OPENING[path.includes("/charts/") ? "minutes" : "quote"],
  });
  const { data, provenance } = await cboe.ask((source, scope) => source.quote?.({ listing: AAPL }, scope));
  assert.equal(data.price, 231.5);
  assert.deepEqual([data.open, data.dayHigh, data.dayLow], [undefined, undefined, undefined]);
  // The time of the answer is UTC.
  assert.equal(provenance.as_of, "2026-03-05T20:30:00.000Z");
  await cboe.fails((source, scope) => source.intraday?.({ listing: AAPL, interval: "1min" }, scope), {
    kind: "no_data",
  });
});

for (const [listing, file, price] of [
  [index("^GSPC"), "_SPX", 189],
  [index("^VIX"), "_VIX", 82.61],
  [stock("BRK-B", { exchange: "NYSE" }), "BRK.B", 238.2],
  [stock("SPY", { exchange: "AMEX", type: "etf" }), "SPY", 158.51],
] as const) {
  test(`${listing.symbol} is the file ${file}`, async () => {
    await using cboe = await askFake("cboe");
    const { data } = await cboe.ask((source, scope) => source.quote?.({ listing }, scope));
    assert.equal(data.price, price);
    assert.equal(cboe.requests[0]?.path, `/api/global/delayed_quotes/quotes/${file}.json`);
    assert.equal(data.volume === undefined, listing.type === "index");
  });
}

test("daily bars are numbers though the source sends strings, end the day before, and keep a window or a count", async () => {
  await using cboe = await askFake("cboe");
  const { data, provenance } = await cboe.ask((source, scope) => source.bars?.({ listing: AAPL, limit: 30 }, scope));
  assert.equal(data.t.length, 30);
  assert.equal(data.t.at(-1), Date.parse("2026-03-04T00:00:00Z") / 1_000);
  assert.equal(data.c.at(-1), 294.33);
  assert.equal(provenance.as_of, "2026-03-04T21:00:00.000Z");
  assert.deepEqual([provenance.unofficial, provenance.adjust], [true, undefined]);
  assert.match(provenance.note ?? "", /does not say how its prices are adjusted/);
  const window = { listing: AAPL, from: "2025-07-01", to: "2025-07-06" };
  const july = await cboe.ask((source, scope) => source.bars?.(window, scope));
  assert.equal(july.data.t.length, 4);
  assert.equal(july.provenance.as_of, "2025-07-04T20:00:00.000Z");
  const all = await cboe.ask((source, scope) => source.bars?.({ listing: AAPL }, scope));
  assert.equal(all.data.t[0], Date.parse("2015-01-05T00:00:00Z") / 1_000, "a day without an opening is left out");
  assert.match(all.provenance.note ?? "", /1 days without complete prices/);
});

test("an index with the current day alone has no history", async () => {
  await using cboe = await askFake("cboe");
  await cboe.fails((source, scope) => source.bars?.({ listing: index("^NDX"), limit: 100 }, scope), {
    kind: "no_data",
  });
  const { data } = await cboe.ask((source, scope) => source.quote?.({ listing: index("^NDX") }, scope));
  assert.ok(data.price > 0);
});

test("changes are from closes: a day, five days, and a year to the same day", async () => {
  await using cboe = await askFake("cboe");
  const { data } = await cboe.ask((source, scope) => source.change?.({ listing: AAPL }, scope));
  const spans = { "1D": 292.92, "5D": 288.81, "1Y": 379.45, YTD: 294.39 };
  for (const [span, before] of Object.entries(spans)) {
    const found = Object.entries(data).find(([name]) => name === span)?.[1] ?? 0;
    assert.ok(Math.abs(found - (294.33 / before - 1) * 100) < 1e-9, span);
  }
  assert.deepEqual(Object.keys(data).length, 10);
});

test("minutes are New York's; longer bars are joined from them, counted from half past nine", async () => {
  await using cboe = await askFake("cboe");
  const minutes = await cboe.ask((source, scope) => source.intraday?.({ listing: AAPL, interval: "1min" }, scope));
  assert.equal(minutes.data.t.length, 388, "the minute without a trade is left out");
  assert.equal(minutes.data.t[0], Date.parse("2026-03-05T14:32:00Z") / 1_000);
  const hours = await cboe.ask((source, scope) => source.intraday?.({ listing: AAPL, interval: "1hour" }, scope));
  assert.deepEqual(
    Array.from(hours.data.t, (t) => new Date(t * 1_000).toISOString().slice(11, 16)),
    ["14:30", "15:30", "16:30", "17:30", "18:30", "19:30", "20:30"],
  );
  const close = 297.68;
  const near = (value: number | undefined, wanted: number) => assert.ok(Math.abs((value ?? 0) - wanted) < 0.006);
  near(hours.data.o[0], close + 0.01);
  near(hours.data.c[0], close + 0.58);
  near(hours.data.h[0], close + 0.6);
  assert.equal(hours.data.v[1], 6_000);
});

test("minutes with a zone are taken by it, and those that would lie ahead of the answer are UTC", async () => {
  let datetime = "2026-03-05T10:00:00-05:00";
  const price = { open: 1, high: 1, low: 1, close: 1 };
  await using server = await askFake("cboe", { answer: () => bodyOf([{ datetime, price }]) });
  const first = async () =>
    (await server.ask((source, scope) => source.intraday?.({ listing: AAPL, interval: "1min" }, scope))).data.t[0];
  assert.equal(await first(), Date.parse("2026-03-05T15:00:00Z") / 1_000);
  datetime = "2026-03-05T20:10:00";
  assert.equal(await first(), Date.parse("2026-03-05T20:10:00Z") / 1_000);
  datetime = "2026-03-05T15:10:00";
  assert.equal(await first(), Date.parse("2026-03-05T20:10:00Z") / 1_000);
});

test("the overview has five indices; those that fail are named, and none at all is the error", async () => {
  await using cboe = await askFake("cboe");
  const { data } = await cboe.ask((source, scope) => source.overview?.({}, scope));
  assert.deepEqual(
    data.indices.map(({ listing }) => listing.symbol),
    ["^GSPC", "^DJI", "^NDX", "^RUT", "^VIX"],
  );
  const quote = { symbol: "^SPX", current_price: 6_000, price_change_percent: 0.5 };
  await using half = await askFake("cboe", {
    answer: ({ path }) =>
      path.includes("_SPX") ? { body: JSON.stringify({ data: quote }) } : { status: 404, body: "" },
  });
  const some = await half.ask((source, scope) => source.overview?.({}, scope));
  assert.equal(some.data.indices.length, 1);
  assert.match(some.provenance.note ?? "", /without \^DJI, \^NDX, \^RUT, \^VIX/);
  await using none = await askFake("cboe", { answer: () => ({ status: 404, body: "" }) });
  await none.fails((source, scope) => source.overview?.({}, scope), { kind: "no_data" });
});

test("a file that does not exist is no data; what is not American is not asked for", async () => {
  await using cboe = await askFake("cboe");
  await cboe.fails((source, scope) => source.quote?.({ listing: stock("ZZZZ") }, scope), { kind: "no_data" });
  assert.equal(cboe.requests.length, 1);
  const others = [
    stock("VNM.VN", { exchange: "HOSE", currency: "VND" }),
    stock("ACME", { exchange: "FICTIONAL" }),
    stock("BTCUSD", { exchange: "CRYPTO", type: "crypto" }),
    stock("../x"),
    { ...index("^VNINDEX"), exchange: "HOSE", currency: "VND" },
  ];
  for (const listing of others)
    await cboe.fails((source, scope) => source.quote?.({ listing }, scope), { kind: "no_data" });
  const adjusted = { listing: AAPL, adjust: "split+dividend" } as const;
  await cboe.fails((source, scope) => source.bars?.(adjusted, scope), { kind: "no_data" });
  assert.equal(cboe.requests.length, 1);
});

test("a quote of another symbol is an error, not a price", async () => {
  await using server = await askFake("cboe", { answer: () => bodyOf({ symbol: "MSFT", current_price: 5 }) });
  await server.fails((source, scope) => source.quote?.({ listing: AAPL }, scope), {
    kind: "upstream",
    message: /another symbol/,
  });
});
