import assert from "node:assert/strict";
import { test } from "node:test";
import { refusedPaths } from "@baton/core/testing";
import type { CoinQuote } from "../../market/port/market-data.ts";
import { getCryptoHistorical, getCryptoMarkets, getCryptoNews, getCryptoPrice, getCryptoQuote } from "./crypto.ts";
import { pick, pickAll } from "../testing/pick.ts";
import { answerOf, barsOf, COIN, inspect, sourced, stubMarket, toolOn } from "../testing/stub-market.ts";

const QUOTE: CoinQuote = {
  price: 98_000,
  quoteCurrency: "USDT",
  change: -1_000,
  changePercent: -1.01,
  high: 99_500,
  low: 97_000,
  open: 99_000,
  volume: 12.5,
  quoteVolume: 1.2e6,
};
const market = stubMarket({
  coinPrice: async () => sourced({ price: 98_000, quoteCurrency: "USDT" }),
  coinQuote: async () => sourced(QUOTE),
  coinBars: async ({ limit }) => sourced({ ...barsOf([10, 11, 12, 13]), ...(limit > 3 ? { currency: "USDT" } : {}) }),
  coinMarkets: async () => sourced([{ listing: COIN, quote: QUOTE }]),
});

test("a coin's price is in the currency of its pair, whatever the coin is called", async () => {
  for (const symbol of ["BTC", "btc", "BTCUSD", "Bitcoin"]) {
    const answer = await answerOf(market, getCryptoPrice, { symbol });
    assert.deepEqual(pick(answer, "data"), { ...COIN, currency: "USDT", price: 98_000 });
  }
});

test("every number of the last 24 hours is a figure with its unit", async () => {
  const { facts, uncited } = await inspect(toolOn(market, getCryptoQuote), { symbol: "BTC" });
  assert.deepEqual(uncited, []);
  assert.deepEqual(
    facts.map(({ metric, value, unit, currency }) => [metric, value, unit, currency]),
    [
      ["price", 98_000, "money/coin", "USDT"],
      ["24 h change", -1.01, "percent", undefined],
      ["24 h change", -1_000, "money/coin", "USDT"],
      ["24 h high", 99_500, "money/coin", "USDT"],
      ["24 h low", 97_000, "money/coin", "USDT"],
      ["price 24 h ago", 99_000, "money/coin", "USDT"],
      ["24 h volume", 12.5, "coins", undefined],
      ["24 h volume", 1.2e6, "money", "USDT"],
    ],
  );
  const spans = facts.slice(1).map(({ period }) => [period?.start, period?.end]);
  assert.deepEqual(new Set(spans.map(String)), new Set(["2024-11-21,2024-11-22"]));
});

test("a history is newest first, within its limit, in the currency the source says", async () => {
  const { output, facts } = await inspect(toolOn(market, getCryptoHistorical), { symbol: "BTC", limit: 3 });
  assert.deepEqual(pick(output, "data.prices.*.close"), [13, 12, 11]);
  assert.deepEqual(pickAll(output, "data.interval", "data.count", "data.currency"), ["1h", 3, "USD"]);
  assert.deepEqual(pick(output, "data.prices.0.time"), "2024-11-22T00:00:00Z");
  assert.deepEqual([facts[0]?.metric, facts[0]?.value, facts[0]?.unit], ["close", 13, "money/coin"]);
  const whole = await inspect(toolOn(market, getCryptoHistorical), { symbol: "BTC", interval: "1d" });
  assert.equal(pick(whole.output, "data.currency"), "USDT");
  assert.ok(whole.facts.every(({ unit, currency }) => (unit === "money/coin" ? currency === "USDT" : true)));
});

test("no bars and no coins are no data", async () => {
  const empty = stubMarket({ coinBars: async () => sourced(barsOf([])), coinMarkets: async () => sourced([]) });
  assert.equal(pick(await answerOf(empty, getCryptoHistorical, { symbol: "BTC" }), "no_data"), true);
  assert.equal(pick(await answerOf(empty, getCryptoMarkets, {}), "no_data"), true);
});

test("the market of coins keeps its limit, and every number is a figure of its coin", async () => {
  const asked: string[] = [];
  const many = stubMarket({
    coinMarkets: async ({ limit, sort }) => {
      asked.push(`${sort} ${limit}`);
      return sourced([COIN, COIN, COIN].map((listing) => ({ listing, quote: QUOTE })));
    },
  });
  const args = { limit: 2, sort: "losers" };
  const { output, uncited } = await inspect(toolOn(many, getCryptoMarkets), args, /^data\.count$/);
  assert.deepEqual([pick(output, "data.rows.*.symbol"), uncited, asked], [["BTCUSD", "BTCUSD"], [], ["losers 2"]]);
});

test("a stock is no coin, and an unknown coin is no data with candidates", async () => {
  for (const tool of [getCryptoPrice, getCryptoQuote, getCryptoHistorical, getCryptoNews]) {
    const stock = await answerOf(market, tool, { symbol: "ACME" });
    assert.match(String(pick(stock, "message")), /is of type stock; this tool takes crypto/);
    assert.equal(pick(await answerOf(market, tool, { symbol: "QQQQQ" }), "no_data"), true);
  }
});

test("arguments that do not fit are refused, each by its name", async () => {
  const bad = { symbol: "BTC", interval: "2h", limit: 1_001 };
  assert.deepEqual(await refusedPaths(toolOn(market, getCryptoHistorical), bad), ["interval", "limit"]);
  assert.deepEqual(await refusedPaths(toolOn(market, getCryptoMarkets), { sort: "price", limit: 0 }), [
    "limit",
    "sort",
  ]);
  assert.deepEqual(await refusedPaths(toolOn(market, getCryptoPrice), {}), ["symbol"]);
  assert.deepEqual(await refusedPaths(toolOn(market, getCryptoNews), { page: 0.5 }), ["page"]);
});
