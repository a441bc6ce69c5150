import assert from "node:assert/strict";
import { test } from "node:test";
import { Scope } from "@baton/core/ports";
import { callTool, refusedPaths, SimulatedClock, toolContext } from "@baton/core/testing";
import { MarketError } from "../../market/port/market-error.ts";
import { deferTools } from "../frame/deferred-tools.ts";
import { createCatalogue } from "../catalogue.ts";
import { currentTimeTool } from "./current-time.ts";
import { resolveSymbolTool } from "./resolve-symbol.ts";
import { ABROAD, ACME, answerOf, toolOn, HOME, sourced, stubMarket } from "../testing/stub-market.ts";

const MARKET = stubMarket({});
/** 2025-01-01 at midnight UTC. */
const context = () => ({ ...toolContext()(), scope: Scope.root({ clock: new SimulatedClock(1) }) });

test("the time is the clock's, in the zone that was asked for, with the state of the market in New York", async () => {
  const tool = toolOn(MARKET, currentTimeTool);
  const us_market = { state: "post", day: "2024-12-31" };
  const data = { us_market, data_day: "2024-11-22", data: "stub" };
  assert.deepEqual(await callTool(tool, {}, context()), {
    data: { timezone: "UTC", time: "2025-01-01T00:00:00+00:00", weekday: "Wednesday", ...data },
  });
  const zones: readonly (readonly [string, string])[] = [
    ["Asia/Ho_Chi_Minh", "2025-01-01T07:00:00+07:00"],
    ["America/New_York", "2024-12-31T19:00:00-05:00"],
    ["Asia/Kolkata", "2025-01-01T05:30:00+05:30"],
  ];
  for (const [timezone, time] of zones) {
    assert.match(JSON.stringify(await callTool(tool, { timezone }, context())), new RegExp(time.replace("+", "\\+")));
  }
});

test("a time zone that does not exist is refused", async () => {
  const tool = toolOn(MARKET, currentTimeTool);
  for (const timezone of ["Mars/Olympus", "", "+07:00", "Hanoi"]) {
    assert.deepEqual(await refusedPaths(tool, { timezone }), ["timezone"], timezone);
  }
});

test("the search names tools by need, without itself and without those that are not wanted", async () => {
  const { tool } = createCatalogue(MARKET).find(({ tool: { name } }) => name === "tool_search") ?? assert.fail();
  const found = JSON.stringify(await callTool(tool, { query: "is it overbought", top_k: 3 }, context()));
  assert.match(found, /getRSI/);
  const without = JSON.stringify(
    await callTool(tool, { query: "is it overbought", exclude_tools: ["getRSI"] }, context()),
  );
  assert.doesNotMatch(without, /"getRSI"|"tool_search"/);
});

test("a name is resolved to its listing, several are candidates, and a guess says that it is one", async () => {
  assert.deepEqual(await answerOf(MARKET, resolveSymbolTool, { query: "Acme Inc." }), {
    data: { query: "Acme Inc.", ...ACME },
    provenance: { kind: "snapshot", source: "directory", as_of: "2024-11-22T00:00:00Z" },
  });
  const several = await answerOf(MARKET, resolveSymbolTool, { query: "VNM" });
  assert.match(JSON.stringify(several), new RegExp(`"ambiguous":true.*${HOME.name}.*${ABROAD.name}`));
  const both = await answerOf(MARKET, resolveSymbolTool, { queries: ["ACME", "zzzz"] });
  assert.match(JSON.stringify(both), /"kind":"resolved".*"ACME".*"kind":"unknown"/);
  assert.match(JSON.stringify(await answerOf(MARKET, resolveSymbolTool, { query: "zzzz" })), /"no_data":true/);
  assert.match(JSON.stringify(await answerOf(MARKET, resolveSymbolTool, { query: "VNM", type: "etf" })), /Vietnam ETF/);
});

test("deferred tools ask for their market on a call whose arguments fit, and use the one that is open then", async () => {
  let opened = 0;
  let market = stubMarket({ quote: async () => sourced({ price: 10 }) });
  const tools = deferTools(async () => ((opened += 1), market));
  const price = tools.find(({ name }) => name === "getStockPrice");
  assert.ok(price);
  assert.deepEqual(await refusedPaths(price, {}), ["symbol"]);
  assert.equal(opened, 0);
  const [one, other] = await Promise.all(["ACME", "BOLT"].map((symbol) => callTool(price, { symbol }, context())));
  assert.match(JSON.stringify([one, other]), /ACME.*BOLT/);
  assert.equal(opened, 2);
  market = stubMarket({ quote: async () => sourced({ price: 20 }) });
  assert.match(JSON.stringify(await callTool(price, { symbol: "ACME" }, context())), /"price":20/);
});

test("a market that cannot be opened is no data with the setting, and the next call tries again", async () => {
  let opened = 0;
  const open = async () => {
    opened += 1;
    if (opened === 1)
      throw new MarketError("not_configured", "BATON_FINANCE_DATA is odd", { enable: "BATON_FINANCE_DATA" });
    return stubMarket({ quote: async () => sourced({ price: 10 }) });
  };
  const price = deferTools(open).find(({ name }) => name === "getStockPrice");
  assert.ok(price);
  const none = JSON.stringify(await callTool(price, { symbol: "ACME" }, context()));
  assert.match(none, /"no_data":true.*BATON_FINANCE_DATA is odd/);
  assert.match(JSON.stringify(await callTool(price, { symbol: "ACME" }, context())), /"price":10/);
});
