import assert from "node:assert/strict";
import { test } from "node:test";
import type { ScreenerQuery } from "../../market/port/market-data.ts";
import { FULL_MARKET } from "../testing/full-market.ts";
import { pick, pickAll } from "../testing/pick.ts";
import { answerOf, inspect, sourced, stubMarket, toolOn } from "../testing/stub-market.ts";
import { parseCondition, screenerTool } from "./screener.ts";

test("a condition is a name, a sign and a number; anything else is refused", () => {
  for (const [text, name, side, value] of [
    ["pe < 10", "pe", "lower", 10],
    ["P/E<=10", "pe", "lower", 10],
    ["dividend_yield > 4 %", "yield_percent", "more", 4],
    ["market_cap > 1e9", "market_cap", "more", 1e9],
    ["market_cap >= 2.5b", "market_cap", "more", 2.5e9],
    ["volume > 1,000,000", "volume", "more", 1e6],
    ["week52_position < 20", "week52_position_percent", "lower", 20],
  ] as const) {
    const found = parseCondition(text);
    assert.deepEqual([found?.of.name, found?.side, found?.value], [name, side, value], text);
  }
  for (const text of ["", "cheap", "pe", "pe < ", "pe = 10", "happiness > 3", "pe < 10 or 20", "pe < 1e999"]) {
    assert.equal(parseCondition(text), undefined, text);
  }
});

test("criteria of both kinds reach the source, and what it cannot decide is named and not said to be applied", async () => {
  const asked: ScreenerQuery[] = [];
  const market = stubMarket({
    screener: async (query, scope) => {
      asked.push(query);
      const { data } = await FULL_MARKET.screener(query, scope);
      return sourced({ ...data, missing: ["betaLowerThan", "sortBy"] });
    },
  });
  const args = {
    sector: "tech",
    where: ["pe < 10", "beta < 1", "debt_to_equity > 3"],
    yield_percent_more_than: 4,
    sort_by: "pe asc",
  };
  const { output, digest, uncited } = await inspect(toolOn(market, screenerTool), args, /count|total/);
  assert.deepEqual(asked, [
    {
      limit: 10,
      sortBy: "pe",
      order: "asc",
      sector: "Technology",
      yieldPercentMoreThan: 4,
      peLowerThan: 10,
      betaLowerThan: 1,
    },
  ]);
  assert.deepEqual(pick(output, "data.missing"), ["debt to equity > 3", "beta < 1", "sorting by pe"]);
  assert.deepEqual(pick(output, "data.applied"), ["sector Technology", "dividend yield in % > 4", "P/E < 10"]);
  assert.deepEqual(uncited, []);
  assert.match(
    digest,
    /columns: price \| dividend yield \| P\/E\n/,
    "the columns that were asked about, and no others",
  );
  assert.match(digest, /missing: debt to equity > 3: /);
});

test("no company is no data that repeats the criteria", async () => {
  const none = stubMarket({ screener: async () => sourced({ rows: [], total: 0, missing: [] }) });
  const answer = await answerOf(none, screenerTool, { where: ["pe < 1"] });
  assert.deepEqual(pickAll(answer, "no_data", "message"), [true, "no company meets these criteria: P/E < 1"]);
});
