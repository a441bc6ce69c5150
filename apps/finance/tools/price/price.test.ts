import assert from "node:assert/strict";
import { test } from "node:test";
import { sliceBars } from "../../market/port/bars.ts";
import { FULL_MARKET } from "../testing/full-market.ts";
import { pick, pickAll } from "../testing/pick.ts";
import { ACME, answerOf, barsOf, inspect, MARKET, sourced, stubMarket, toolOn } from "../testing/stub-market.ts";
import { compareChartTool } from "./compare-chart.ts";
import { historicalPriceTool } from "./historical-price.ts";
import { stockQuoteTool } from "./stock-quote.ts";

const DAY_S = 86_400;

/** One close a day from the first of December 2016: 100, 101, 102 … */
const CLOSES = Array.from({ length: 400 }, (_, at) => 100 + at);
const START = Date.UTC(2016, 11, 1) / 1_000;
const ALL = { ...barsOf(CLOSES), t: Float64Array.from(CLOSES, (_, at) => START + at * DAY_S) };
const dayOf = (t: number) => new Date(t * 1_000).toISOString().slice(0, 10);
const market = stubMarket({
  bars: async ({ from = "", to = "9999", limit = Infinity }) => {
    const first = ALL.t.findIndex((t) => dayOf(t) >= from);
    const past = ALL.t.findIndex((t) => dayOf(t) > to);
    const end = past === -1 ? ALL.t.length : past;
    return sourced(sliceBars(ALL, Math.max(first, limit === Infinity ? 0 : end - limit), end), { adjust: "split" });
  },
});

test("the return of a window is its last close over the close before its first day", async () => {
  const year = await answerOf(market, historicalPriceTool, { symbol: "ACME", from: "2017-01-01", to: "2017-12-31" });
  // 2016-12-31 is day 30, 2017-12-31 is day 395
  assert.deepEqual(
    pickAll(year, "data.first_close", "data.first_at", "data.last_close", "data.last_at", "data.period"),
    [130, "2016-12-31", 495, "2017-12-31", { start: "2016-12-31", end: "2017-12-31" }],
  );
  assert.equal(Number(pick(year, "data.change_percent")).toFixed(6), ((495 / 130 - 1) * 100).toFixed(6));
  const long = await answerOf(market, historicalPriceTool, { symbol: "ACME", from: "2017-01-01", limit: 10 });
  assert.deepEqual(pickAll(long, "data.count", "data.first_close"), [10, 130], "a limit does not cut the window");
});

test("a window that begins on the last trading day of a month begins with its close", async () => {
  const said = await answerOf(market, historicalPriceTool, { symbol: "ACME", from: "2016-12-30", to: "2017-12-29" });
  assert.deepEqual(pickAll(said, "data.first_close", "data.first_at"), [129, "2016-12-30"]);
  const first = await answerOf(market, historicalPriceTool, { symbol: "ACME", from: "2016-12-01", to: "2016-12-05" });
  assert.deepEqual(pickAll(first, "data.first_close"), [100], "without a close before, from its first close");
});

test("the digest of a history is five facts and at most twelve closes; more if an interval is asked for", async () => {
  const args = { symbol: "ACME", from: "2017-01-01", to: "2017-12-31" };
  const { digest, facts } = await inspect(toolOn(market, historicalPriceTool), args);
  assert.equal(facts.filter(({ metric }) => metric.startsWith("closes")).length, 11);
  assert.match(digest, /^getHistoricalPrice ACME = Acme Inc\., NYSE · USD · adjusted for splits/);
  assert.match(digest, /closes at month ends: 2017-01-31 f1\.1\.1\.\d+ 161\.00 \| 2017-02-28/);
  const weekly = await inspect(toolOn(market, historicalPriceTool), { ...args, interval: "week" });
  assert.equal(weekly.facts.filter(({ metric }) => metric === "closes at week ends").length, 52);
});

test("several are rows, and each says whose it is", async () => {
  const { digest, output } = await inspect(toolOn(FULL_MARKET, stockQuoteTool), { symbols: ["ACME", "BOLT"] });
  assert.match(digest, /^getStockQuote 2 rows · USD · 2024-11-22, .* old · \w+/);
  assert.match(digest, /\ncolumns: price \| change of the day .*\nACME Acme Inc\. \(NYSE\): f1\.1\.1\.1 10\.50 \| /);
  assert.deepEqual(pick(output, "data.results.*.symbol"), ["ACME", "BOLT"]);
});

test("a coin has a quote too, and a name is as good as a ticker", async () => {
  const coin = await answerOf(FULL_MARKET, stockQuoteTool, { symbol: "Bitcoin" });
  assert.deepEqual(pickAll(coin, "data.symbol", "data.price"), ["BTCUSD", 60_000.5]);
  assert.equal(pick(await answerOf(FULL_MARKET, stockQuoteTool, { symbol: "acme inc." }), "data.symbol"), ACME.symbol);
});

test("a comparison begins at 0 % on the first common day, and names what is missing", async () => {
  const mixed = stubMarket({
    bars: async ({ listing }) => sourced(listing.symbol === MARKET.symbol ? sliceBars(ALL, 10) : ALL),
  });
  const answer = await answerOf(mixed, compareChartTool, { symbols: ["ACME", "^GSPC", "QQZZX"], from: "2016-01-01" });
  assert.deepEqual(pick(answer, "data.period"), { start: "2016-12-11", end: dayOf(ALL.t.at(-1) ?? 0) });
  assert.deepEqual(pick(answer, "data.lines.*.points.0.1"), [0, 0]);
  assert.deepEqual(pick(answer, "data.missing.*.symbol"), ["QQZZX"]);
});
