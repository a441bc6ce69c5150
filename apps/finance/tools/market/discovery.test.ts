import assert from "node:assert/strict";
import { test } from "node:test";
import { refusedPaths } from "@baton/core/testing";
import type { MarketRow, ScreenerQuery } from "../../market/port/market-data.ts";
import { SECTORS } from "../../market/directory/sectors.ts";
import { getGainers, getLosers, getMostActive, getScreener } from "./discovery.ts";
import { pick, pickAll } from "../testing/pick.ts";
import { ACME, answerOf, BOLT, HOME, inspect, sourced, stubMarket, toolOn } from "../testing/stub-market.ts";

const ROWS: readonly MarketRow[] = [
  { listing: ACME, price: 10, changePercent: 5.5, volume: 1_000, marketCap: 2e9, beta: 1.2, dividendYieldPercent: 2 },
  { listing: HOME, price: 70_000, marketCap: 1.5e14, sector: "Consumer Defensive", industry: "Packaged Foods" },
];

/** A market that records what its screener is asked. */
function screening() {
  const asked: ScreenerQuery[] = [];
  const market = stubMarket({
    screener: async (query) => {
      asked.push(query);
      return sourced({ rows: ROWS, missing: [] });
    },
  });
  return { asked, market };
}

test("a sector and an industry are asked for by the names of sources, whatever they are called", async () => {
  const { asked, market } = screening();
  for (const sector of ["tech", "Technology", "công nghệ"]) {
    await answerOf(market, getScreener, { sector, industry: "bán dẫn", exchange: "nasdaq", country: "us" });
  }
  const expected = { sector: "Technology", industry: "Semiconductors", exchange: "NASDAQ", country: "US", limit: 10 };
  assert.deepEqual(asked, [expected, expected, expected]);
});

test("every bound is handed on, and the result says by what it was filtered", async () => {
  const { asked, market } = screening();
  const bounds = {
    market_cap_more_than: 1e9,
    market_cap_lower_than: 1e12,
    price_more_than: 1,
    price_lower_than: 500,
    beta_more_than: -1,
    beta_lower_than: 2,
    volume_more_than: 5,
    dividend_more_than: 0.5,
  };
  const answer = await answerOf(market, getScreener, { ...bounds, limit: 1 });
  assert.deepEqual(asked[0], {
    limit: 1,
    marketCapMoreThan: 1e9,
    marketCapLowerThan: 1e12,
    priceMoreThan: 1,
    priceLowerThan: 500,
    betaMoreThan: -1,
    betaLowerThan: 2,
    volumeMoreThan: 5,
    dividendMoreThan: 0.5,
  });
  assert.deepEqual(pickAll(answer, "data.criteria", "data.rows.*.symbol"), [bounds, ["ACME"]]);
});

test("an unknown sector is no data that names the sectors, and nothing is asked", async () => {
  const { asked, market } = screening();
  const answer = await answerOf(market, getScreener, { sector: "unicorns" });
  assert.deepEqual(pickAll(answer, "no_data", "available"), [true, SECTORS.join(", ")]);
  assert.deepEqual(asked, []);
});

test("every number of a row is a figure in the row's own currency; criteria are none", async () => {
  const { market } = screening();
  const args = { price_more_than: 1 };
  const { facts, uncited, digest } = await inspect(toolOn(market, getScreener), args, /^data\.(count$|criteria)/);
  assert.deepEqual(uncited, []);
  assert.deepEqual(
    facts.slice(0, 5).map(({ symbol, metric, value, unit, currency }) => [symbol, metric, value, unit, currency]),
    [
      ["ACME", "price", 10, "money/share", "USD"],
      ["ACME", "change", 5.5, "percent", undefined],
      ["VNM.VN", "price", 70_000, "money/share", "VND"],
      ["ACME", "market cap", 2e9, "money", "USD"],
      ["ACME", "volume", 1_000, "shares", undefined],
    ],
  );
  assert.match(digest, /criteria: price_more_than 1/);
  assert.match(digest, /VNM\.VN: Vinamilk, HOSE, Consumer Defensive, Packaged Foods/);
});

test("criteria that no stock meets are no data that repeats them", async () => {
  const market = stubMarket({ screener: async () => sourced({ rows: [], missing: [] }) });
  assert.deepEqual(await answerOf(market, getScreener, { sector: "energy", beta_more_than: 9 }), {
    no_data: true,
    message: "no stock meets these criteria: sector Energy, beta_more_than 9",
  });
});

test("movers ask for their list, leave penny stocks out and keep the limit", async () => {
  const asked: string[] = [];
  const penny = { listing: BOLT, price: 0.5, changePercent: 300 };
  const market = stubMarket({
    movers: async ({ list, limit }) => {
      asked.push(`${list} ${limit}`);
      return sourced([penny, ...ROWS]);
    },
  });
  for (const tool of [getGainers, getLosers, getMostActive]) {
    const { output, uncited } = await inspect(toolOn(market, tool), { limit: 1 }, /^data\.count$/);
    assert.deepEqual(pickAll(output, "data.count", "data.rows.*.symbol"), [1, ["ACME"]]);
    assert.deepEqual(uncited, []);
  }
  assert.deepEqual(asked, ["gainers 1", "losers 1", "active 1"]);
  const empty = stubMarket({ movers: async () => sourced([penny]) });
  assert.equal(pick(await answerOf(empty, getGainers, {}), "no_data"), true);
});

test("arguments that do not fit are refused, each by its name", async () => {
  const screener = toolOn(stubMarket({}), getScreener);
  const bad = { limit: 101, price_more_than: -1, country: "USA", sector: "" };
  assert.deepEqual((await refusedPaths(screener, bad)).toSorted(), ["country", "limit", "price_more_than", "sector"]);
  assert.equal((await refusedPaths(screener, { price_more_than: 5, price_lower_than: 5 })).length, 1);
  assert.equal((await refusedPaths(screener, { marketCapMoreThan: 5 })).length, 1);
  assert.deepEqual(await refusedPaths(toolOn(stubMarket({}), getGainers), { limit: 0 }), ["limit"]);
});
