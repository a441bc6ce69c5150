import assert from "node:assert/strict";
import { test } from "node:test";
import { refusedPaths } from "@baton/core/testing";
import { MarketError } from "../../market/port/market-error.ts";
import { pickAll } from "../testing/pick.ts";
import { ACME, answerOf, inspect, sourced, STUB_DIRECTORY, stubMarket, toolOn } from "../testing/stub-market.ts";
import { rsiTool } from "../technical/single-indicator.ts";
import { stockPriceTool } from "../price/stock-price.ts";
import { toMissingLines } from "./listing-tool.ts";

const prices = stubMarket({ quote: async () => sourced({ price: 10, changePercent: 1 }) });

test("a misspelt name with several meanings takes the likeliest, and names the others", async () => {
  const directory = {
    ...STUB_DIRECTORY,
    lookUp: () => ({
      exact: [{ listing: ACME, score: 1, by: "name" as const, rank: 9 }],
      near: [{ listing: { ...ACME, symbol: "ACNE", name: "Acne Corp." }, score: 0.8, by: "typo" as const, rank: 1 }],
      nearest: [],
    }),
  };
  const { output, digest } = await inspect(toolOn({ ...prices, directory }, stockPriceTool), { symbol: "acme" });
  assert.deepEqual(pickAll(output, "data.symbol", "ambiguous", "taken"), ["ACME", true, ["ACME"]]);
  assert.match(digest, /taken: ACME; candidates: ACME = Acme Inc\., NYSE · ACNE = Acne Corp\., NYSE/);
});

test("a ticker of two markets is candidates, and a name that nobody knows is no data", async () => {
  assert.deepEqual(
    pickAll(await answerOf(prices, stockPriceTool, { symbol: "VNM" }), "ambiguous", "candidates.*.symbol"),
    [true, ["VNM", "VNM.VN"]],
  );
  const none = await inspect(toolOn(prices, stockPriceTool), { symbol: "zzzz" });
  assert.match(none.digest, /^no data: getStockPrice: no symbol or name "zzzz" is known/);
});

test("of several without data the reason is said once", async () => {
  const empty = stubMarket({
    quote: async () => {
      throw new MarketError("no_data", "stored data has no such stocks");
    },
  });
  const { digest } = await inspect(toolOn(empty, stockPriceTool), { symbols: ["ACME", "BOLT"] });
  assert.equal(digest, "no data: getStockPrice of ACME, BOLT: stored data has no such stocks");
  assert.deepEqual(
    toMissingLines([
      { symbol: "A", reason: "A is off" },
      { symbol: "B", reason: "B is off" },
    ]),
    ["A, B: it is off"],
  );
});

test("a failure of a source is a failure, not a gap, if nothing else came", async () => {
  const down = stubMarket({
    quote: async () => {
      throw new MarketError("upstream", "the source is down");
    },
  });
  await assert.rejects(answerOf(down, stockPriceTool, { symbols: ["ACME", "BOLT"] }), /upstream: the source is down/);
});

test("one of symbol and symbols is needed, and arguments are checked together", async () => {
  const tool = toolOn(prices, rsiTool);
  assert.deepEqual(await refusedPaths(tool, {}), ["symbol"]);
  assert.deepEqual(await refusedPaths(tool, { symbols: [] }), ["symbols"]);
  assert.deepEqual(await refusedPaths(tool, { symbol: "A", period: 1 }), ["period"]);
  assert.deepEqual(await refusedPaths(tool, { symbols: Array(11).fill("A") }), ["symbols"]);
});
