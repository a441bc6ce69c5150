import assert from "node:assert/strict";
import { test } from "node:test";
import type { Listing } from "../../port/listing.ts";
import { barOf, cents } from "../../testing/fake-prices.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { FakeYahoo } from "../../testing/fake-yahoo.ts";
import { testFaults } from "../testing/fault-suite.ts";
import { NOW, scopeAt } from "../testing/scope-at.ts";
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

for (const listing of [AAPL, VNM]) {
  test(`a quote of ${listing.symbol} comes from the chart of one day, with the close of the day before`, async () => {
    const { scope } = scopeAt();
    await using _ = scope;
    await using yahoo = await FakeYahoo.start({ now: () => NOW });
    const { data, provenance } =
      (await yahooSource({ baseUrl: yahoo.url }).quote?.({ listing }, scope)) ?? assert.fail();
    const [today, before] = [barOf(listing.symbol, "2026-03-05"), barOf(listing.symbol, "2026-03-04")];
    assert.deepEqual([data.price, data.previousClose], [today.close, before.close]);
    assert.ok(Math.abs((data.changePercent ?? 0) - (today.close / before.close - 1) * 100) < 1e-9);
    assert.deepEqual([data.yearHigh, data.yearLow, data.dayHigh], [999, 1, today.high]);
    assert.deepEqual([provenance.source, provenance.unofficial, provenance.kind], ["yahoo", true, "delayed"]);
    assert.match(provenance.note ?? "", /personal use/);
    assert.match(yahoo.requests[0]?.headers["user-agent"] ?? "", /^Mozilla\/5\.0/);
  });
}

test("a day is dated by the exchange's own calendar, on either side of Greenwich", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using yahoo = await FakeYahoo.start({ now: () => NOW });
  const source = yahooSource({ baseUrl: yahoo.url });
  for (const listing of [AAPL, VNM]) {
    const query = { listing, from: "2026-02-27", to: "2026-03-03" };
    const { data } = (await source.bars?.(query, scope)) ?? assert.fail();
    assert.deepEqual(
      Array.from(data.t, (t) => new Date(t * 1_000).toISOString()),
      ["2026-02-27", "2026-03-02", "2026-03-03"].map((day) => `${day}T00:00:00.000Z`),
    );
    assert.equal(data.c[0], barOf(listing.symbol, "2026-02-27").close);
  }
});

test("a slot of nulls is left out and said, and the days after it keep their prices", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using yahoo = await FakeYahoo.start({ now: () => NOW, halted: "2026-03-03" });
  const query = { listing: AAPL, from: "2026-03-02", to: "2026-03-04" };
  const { data, provenance } = (await yahooSource({ baseUrl: yahoo.url }).bars?.(query, scope)) ?? assert.fail();
  assert.deepEqual(Array.from(data.c), [barOf("AAPL", "2026-03-02").close, barOf("AAPL", "2026-03-04").close]);
  assert.match(provenance.note ?? "", /1 days without complete prices/);
  assert.equal(provenance.adjust, "split");
  assert.equal(provenance.as_of, "2026-03-04T21:00:00.000Z");
});

test("prices adjusted for dividends are scaled as a whole; prices without any adjustment are not offered", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using yahoo = await FakeYahoo.start({ now: () => NOW });
  const source = yahooSource({ baseUrl: yahoo.url });
  const { data, provenance } =
    (await source.bars?.({ listing: AAPL, limit: 2, adjust: "split+dividend" }, scope)) ?? assert.fail();
  const { close, high } = barOf("AAPL", "2026-03-05");
  assert.equal(data.c.at(-1), cents(close * 0.9));
  assert.ok(Math.abs((data.h.at(-1) ?? 0) - high * (cents(close * 0.9) / close)) < 1e-9);
  assert.equal(provenance.adjust, "split+dividend");
  await assert.rejects(async () => source.bars?.({ listing: AAPL, limit: 2, adjust: "none" }, scope), {
    kind: "no_data",
  });
});

test("columns of different lengths are an error, because they shift", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  const meta = { symbol: "AAPL", currency: "USD", gmtoffset: -18_000 };
  const quote = { open: [1, 1], high: [1, 1], low: [1, 1], close: [1], volume: [1, 1] };
  const result = { meta, timestamp: [1_772_500_000, 1_772_600_000], indicators: { quote: [quote] } };
  await using server = await FakeServer.start(() => ({
    body: JSON.stringify({ chart: { result: [result], error: null } }),
  }));
  await assert.rejects(async () => yahooSource({ baseUrl: server.url }).bars?.({ listing: AAPL }, scope), {
    kind: "upstream",
    message: /different lengths/,
  });
});

test("bars within the day skip slots without trade; four hours are joined from the opening of each session", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using yahoo = await FakeYahoo.start({ now: () => NOW });
  const source = yahooSource({ baseUrl: yahoo.url });
  const { data } = (await source.intraday?.({ listing: AAPL, interval: "30min" }, scope)) ?? assert.fail();
  const last = Array.from(data.t.slice(-12), (t) => new Date(t * 1_000).toISOString().slice(11, 16));
  assert.deepEqual(last.slice(0, 3), ["14:30", "15:30", "16:00"]);
  assert.equal(yahoo.requests[0]?.query.get("interval"), "30m");
  const four = (await source.intraday?.({ listing: VNM, interval: "4hour" }, scope)) ?? assert.fail();
  assert.deepEqual(
    Array.from(four.data.t.slice(-2), (t) => new Date(t * 1_000).toISOString()),
    ["2026-03-05T02:00:00.000Z", "2026-03-05T06:00:00.000Z"],
  );
  assert.match(four.provenance.note ?? "", /joined/);
});

test("dividends are those of the chart, newest first, dated at the exchange; none is an empty list", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using yahoo = await FakeYahoo.start({ now: () => NOW });
  const source = yahooSource({ baseUrl: yahoo.url });
  const { data } = (await source.dividends?.({ listing: AAPL, from: "2025-01-01" }, scope)) ?? assert.fail();
  assert.deepEqual(data, [
    { day: "2026-03-02", amount: 0.25, currency: "USD" },
    { day: "2025-03-03", amount: 0.25, currency: "USD" },
  ]);
  assert.equal(yahoo.requests[0]?.query.get("events"), "div|split");
  const none = (await source.dividends?.({ listing: AAPL, from: "2026-03-03" }, scope)) ?? assert.fail();
  assert.deepEqual(none.data, []);
});

test("changes reach back ten years", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using yahoo = await FakeYahoo.start({ now: () => NOW });
  const { data } = (await yahooSource({ baseUrl: yahoo.url }).change?.({ listing: AAPL }, scope)) ?? assert.fail();
  const close = (day: string) => barOf("AAPL", day).close;
  assert.ok(Math.abs((data["10Y"] ?? 0) - (close("2026-03-05") / close("2016-03-04") - 1) * 100) < 1e-9);
});

test("an unknown symbol is no data with the source's words; a window without days too", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using yahoo = await FakeYahoo.start({ now: () => NOW });
  const source = yahooSource({ baseUrl: yahoo.url });
  await assert.rejects(async () => source.quote?.({ listing: stock("ZZZZ") }, scope), {
    kind: "no_data",
    message: /delisted/,
  });
  const early = { listing: AAPL, from: "2000-01-01", to: "2000-02-01" };
  await assert.rejects(async () => source.bars?.(early, scope), { kind: "no_data", message: /doesn't exist/ });
  const asked = yahoo.requests.length;
  const others = [
    stock("ACME", { exchange: "FICTIONAL" }),
    stock("BTCUSD", { exchange: "CRYPTO", type: "crypto" }),
    stock("../.."),
  ];
  for (const listing of others)
    await assert.rejects(async () => source.quote?.({ listing }, scope), { kind: "no_data" });
  assert.equal(yahoo.requests.length, asked);
});

test("an index of Vietnam has the ending of its market, and its currency is not compared", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using yahoo = await FakeYahoo.start({ now: () => NOW });
  const listing = stock("^VNINDEX", { exchange: "HOSE", type: "index", currency: "VND" });
  const { data } = (await yahooSource({ baseUrl: yahoo.url }).quote?.({ listing }, scope)) ?? assert.fail();
  assert.equal(data.price, barOf("^VNINDEX.VN", "2026-03-05").close);
});

test("prices in another currency or of another symbol are an error", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  let meta = { symbol: "AAPL", currency: "GBp", regularMarketPrice: 100 };
  await using server = await FakeServer.start(() => ({
    body: JSON.stringify({ chart: { result: [{ meta, indicators: { quote: [{}] } }], error: null } }),
  }));
  const source = yahooSource({ baseUrl: server.url });
  await assert.rejects(async () => source.quote?.({ listing: AAPL }, scope), { kind: "upstream", message: /in GBp/ });
  meta = { symbol: "MSFT", currency: "USD", regularMarketPrice: 100 };
  await assert.rejects(async () => source.quote?.({ listing: AAPL }, scope), {
    kind: "upstream",
    message: /another symbol/,
  });
});

test("requests are at least 0.6 seconds apart", async () => {
  const { scope, clock, waits } = scopeAt();
  await using _ = scope;
  await using yahoo = await FakeYahoo.start({ now: () => NOW });
  const source = yahooSource({ baseUrl: yahoo.url });
  const start = clock.monotonic();
  for (const symbol of ["AAPL", "MSFT", "NVDA"]) await source.quote?.({ listing: stock(symbol) }, scope);
  assert.deepEqual(waits.filter((wait) => wait === 600).length, 2);
  assert.ok(clock.monotonic() - start >= 1_200);
});
