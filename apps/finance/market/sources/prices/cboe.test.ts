import assert from "node:assert/strict";
import { test } from "node:test";
import type { Listing } from "../../port/listing.ts";
import { FakeCboe } from "../../testing/fake-cboe.ts";
import { barOf } from "../../testing/fake-prices.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { cboeSource } from "./cboe.ts";
import { testFaults } from "../testing/fault-suite.ts";
import { NOW, scopeAt } from "../testing/scope-at.ts";

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
  const { scope } = scopeAt();
  await using _ = scope;
  await using cboe = await FakeCboe.start({ now: () => NOW });
  const { data, provenance } =
    (await cboeSource({ baseUrl: cboe.url }).quote?.({ listing: AAPL }, scope)) ?? assert.fail();
  const [today, before] = [barOf("AAPL", "2026-03-05"), barOf("AAPL", "2026-03-04")];
  assert.deepEqual(
    [data.price, data.open, data.dayHigh, data.previousClose],
    [today.close, today.open, today.high, before.close],
  );
  assert.ok(Math.abs((data.change ?? 0) - (today.close - before.close)) < 0.006);
  assert.ok(Math.abs((data.changePercent ?? 0) - (today.close / before.close - 1) * 100) < 0.001);
  const { kind, delay_s, unofficial, as_of, source } = provenance;
  assert.deepEqual([source, kind, delay_s, unofficial], ["cboe", "delayed", 900, true]);
  assert.equal(as_of, "2026-03-05T20:14:59.000Z");
});

test("before the opening a price of 0 is no price: the last close stands, and what is 0 is absent", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using cboe = await FakeCboe.start({ now: () => NOW, session: "pre" });
  const source = cboeSource({ baseUrl: cboe.url });
  const { data, provenance } = (await source.quote?.({ listing: AAPL }, scope)) ?? assert.fail();
  assert.equal(data.price, barOf("AAPL", "2026-03-04").close);
  assert.deepEqual([data.open, data.dayHigh, data.dayLow], [undefined, undefined, undefined]);
  // The time of the answer is UTC.
  assert.equal(provenance.as_of, "2026-03-05T20:30:00.000Z");
  await assert.rejects(async () => source.intraday?.({ listing: AAPL, interval: "1min" }, scope), { kind: "no_data" });
});

for (const [listing, file] of [
  [index("^GSPC"), "_SPX"],
  [index("^VIX"), "_VIX"],
  [stock("BRK-B", { exchange: "NYSE" }), "BRK.B"],
  [stock("SPY", { exchange: "AMEX", type: "etf" }), "SPY"],
] as const) {
  test(`${listing.symbol} is the file ${file}`, async () => {
    const { scope } = scopeAt();
    await using _ = scope;
    await using cboe = await FakeCboe.start({ now: () => NOW });
    const { data } = (await cboeSource({ baseUrl: cboe.url }).quote?.({ listing }, scope)) ?? assert.fail();
    assert.equal(data.price, barOf(file, "2026-03-05").close);
    assert.equal(cboe.requests[0]?.path, `/api/global/delayed_quotes/quotes/${file}.json`);
    assert.equal(data.volume === undefined, listing.type === "index");
  });
}

test("daily bars are numbers though the source sends strings, end the day before, and keep a window or a count", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using cboe = await FakeCboe.start({ now: () => NOW });
  const source = cboeSource({ baseUrl: cboe.url });
  const { data, provenance } = (await source.bars?.({ listing: AAPL, limit: 30 }, scope)) ?? assert.fail();
  assert.equal(data.t.length, 30);
  assert.equal(data.t.at(-1), Date.parse("2026-03-04T00:00:00Z") / 1_000);
  assert.equal(data.c.at(-1), barOf("AAPL", "2026-03-04").close);
  assert.equal(provenance.as_of, "2026-03-04T21:00:00.000Z");
  assert.deepEqual([provenance.unofficial, provenance.adjust], [true, undefined]);
  assert.match(provenance.note ?? "", /does not say how its prices are adjusted/);
  const window = { listing: AAPL, from: "2025-07-01", to: "2025-07-06" };
  const july = (await source.bars?.(window, scope)) ?? assert.fail();
  assert.equal(july.data.t.length, 4);
  assert.equal(july.provenance.as_of, "2025-07-04T20:00:00.000Z");
  const all = (await source.bars?.({ listing: AAPL }, scope)) ?? assert.fail();
  assert.equal(all.data.t[0], Date.parse("2015-01-05T00:00:00Z") / 1_000, "a day without an opening is left out");
  assert.match(all.provenance.note ?? "", /1 days without complete prices/);
});

test("an index with the current day alone has no history", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using cboe = await FakeCboe.start({ now: () => NOW });
  const source = cboeSource({ baseUrl: cboe.url });
  await assert.rejects(async () => source.bars?.({ listing: index("^NDX"), limit: 100 }, scope), { kind: "no_data" });
  assert.ok(((await source.quote?.({ listing: index("^NDX") }, scope))?.data.price ?? 0) > 0);
});

test("changes are from closes: a day, five days, and a year to the same day", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using cboe = await FakeCboe.start({ now: () => NOW });
  const { data } = (await cboeSource({ baseUrl: cboe.url }).change?.({ listing: AAPL }, scope)) ?? assert.fail();
  const close = (day: string) => barOf("AAPL", day).close;
  const percent = (from: string) => (close("2026-03-04") / close(from) - 1) * 100;
  assert.ok(Math.abs((data["1D"] ?? 0) - percent("2026-03-03")) < 1e-9);
  assert.ok(Math.abs((data["5D"] ?? 0) - percent("2026-02-25")) < 1e-9);
  assert.ok(Math.abs((data["1Y"] ?? 0) - percent("2025-03-04")) < 1e-9);
  assert.ok(Math.abs((data.YTD ?? 0) - percent("2025-12-31")) < 1e-9);
  assert.deepEqual(Object.keys(data).length, 10);
});

test("minutes are New York's; longer bars are joined from them, counted from half past nine", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using cboe = await FakeCboe.start({ now: () => Date.parse("2026-03-05T21:30:00Z") });
  const source = cboeSource({ baseUrl: cboe.url });
  const minutes = (await source.intraday?.({ listing: AAPL, interval: "1min" }, scope)) ?? assert.fail();
  assert.equal(minutes.data.t.length, 388, "the minute without a trade is left out");
  assert.equal(minutes.data.t[0], Date.parse("2026-03-05T14:32:00Z") / 1_000);
  const hours = (await source.intraday?.({ listing: AAPL, interval: "1hour" }, scope)) ?? assert.fail();
  assert.deepEqual(
    Array.from(hours.data.t, (t) => new Date(t * 1_000).toISOString().slice(11, 16)),
    ["14:30", "15:30", "16:30", "17:30", "18:30", "19:30", "20:30"],
  );
  const { close } = barOf("AAPL", "2026-03-05");
  const near = (value: number | undefined, wanted: number) => assert.ok(Math.abs((value ?? 0) - wanted) < 0.006);
  near(hours.data.o[0], close + 0.01);
  near(hours.data.c[0], close + 0.58);
  near(hours.data.h[0], close + 0.6);
  assert.equal(hours.data.v[1], 6_000);
});

test("minutes with a zone are taken by it, and those that would lie ahead of the answer are UTC", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  let datetime = "2026-03-05T10:00:00-05:00";
  const price = { open: 1, high: 1, low: 1, close: 1 };
  await using server = await FakeServer.start(() => ({
    body: JSON.stringify({ timestamp: "2026-03-05 20:30:00", data: [{ datetime, price }] }),
  }));
  const source = cboeSource({ baseUrl: server.url });
  const first = async () => (await source.intraday?.({ listing: AAPL, interval: "1min" }, scope))?.data.t[0];
  assert.equal(await first(), Date.parse("2026-03-05T15:00:00Z") / 1_000);
  datetime = "2026-03-05T20:10:00";
  assert.equal(await first(), Date.parse("2026-03-05T20:10:00Z") / 1_000);
  datetime = "2026-03-05T15:10:00";
  assert.equal(await first(), Date.parse("2026-03-05T20:10:00Z") / 1_000);
});

test("the overview has five indices; those that fail are named, and none at all is the error", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using cboe = await FakeCboe.start({ now: () => NOW });
  const { data } = (await cboeSource({ baseUrl: cboe.url }).overview?.({}, scope)) ?? assert.fail();
  assert.deepEqual(
    data.indices.map(({ listing }) => listing.symbol),
    ["^GSPC", "^DJI", "^NDX", "^RUT", "^VIX"],
  );
  const quote = { symbol: "^SPX", current_price: 6_000, price_change_percent: 0.5 };
  await using half = await FakeServer.start(({ path }) =>
    path.includes("_SPX") ? { body: JSON.stringify({ data: quote }) } : { status: 404, body: "" },
  );
  const some = (await cboeSource({ baseUrl: half.url }).overview?.({}, scope)) ?? assert.fail();
  assert.equal(some.data.indices.length, 1);
  assert.match(some.provenance.note ?? "", /without \^DJI, \^NDX, \^RUT, \^VIX/);
  await using none = await FakeServer.start(() => ({ status: 404, body: "" }));
  await assert.rejects(async () => cboeSource({ baseUrl: none.url }).overview?.({}, scope), { kind: "no_data" });
});

test("a file that does not exist is no data; what is not American is not asked for", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using cboe = await FakeCboe.start({ now: () => NOW });
  const source = cboeSource({ baseUrl: cboe.url });
  await assert.rejects(async () => source.quote?.({ listing: stock("ZZZZ") }, scope), { kind: "no_data" });
  assert.equal(cboe.requests.length, 1);
  const others = [
    stock("VNM.VN", { exchange: "HOSE", currency: "VND" }),
    stock("ACME", { exchange: "FICTIONAL" }),
    stock("BTCUSD", { exchange: "CRYPTO", type: "crypto" }),
    stock("../x"),
    { ...index("^VNINDEX"), exchange: "HOSE", currency: "VND" },
  ];
  for (const listing of others)
    await assert.rejects(async () => source.quote?.({ listing }, scope), { kind: "no_data" });
  const adjusted = { listing: AAPL, adjust: "split+dividend" } as const;
  await assert.rejects(async () => source.bars?.(adjusted, scope), { kind: "no_data" });
  assert.equal(cboe.requests.length, 1);
});

test("a quote of another symbol is an error, not a price", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  const body = JSON.stringify({ timestamp: "2026-03-05 20:30:00", data: { symbol: "MSFT", current_price: 5 } });
  await using server = await FakeServer.start(() => ({ body }));
  await assert.rejects(async () => cboeSource({ baseUrl: server.url }).quote?.({ listing: AAPL }, scope), {
    kind: "upstream",
    message: /another symbol/,
  });
});
