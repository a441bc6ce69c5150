import assert from "node:assert/strict";
import { test } from "node:test";
import { BatonError, ToolError } from "@baton/core";
import { Scope, SystemClock } from "@baton/core/ports";
import { callTool, refusedPaths, SimulatedClock, toolContext } from "@baton/core/testing";
import { z } from "zod";
import type { PeriodRow, MarketSource } from "../../market/port/market-data.ts";
import { toMarketData } from "../../market/chain/chain.ts";
import { MarketError, type MarketErrorKind } from "../../market/port/market-error.ts";
import { defineMarketTool } from "./market-tool.ts";
import { incomeStatementTool } from "../fundamental/income-statement.ts";
import { webSearchTool } from "../news/web-search.ts";
import { stockPriceTool } from "../price/stock-price.ts";
import { resolveSymbolTool } from "../meta/resolve-symbol.ts";
import { pickAll } from "../testing/pick.ts";
import {
  ABROAD,
  ACME,
  answerOf,
  inspect,
  COIN,
  FUND,
  HOME,
  PROVENANCE,
  sourced,
  STUB_DIRECTORY,
  stubMarket,
  toolOn,
} from "../testing/stub-market.ts";
import { requireListing, SECURITIES, SECURITIES_AND_COINS, COINS } from "./require-listing.ts";

const QUOTED = stubMarket({ quote: async () => sourced({ price: 10, change: -0.5, changePercent: -4.76 }) });

/** A tool that fails in one way. */
const failing = (thrown: unknown) =>
  defineMarketTool<Record<string, never>, { value: number }>({
    name: "getNothing",
    category: "price",
    description: "Fails.",
    input: z.strictObject({}),
    ttlMs: 1,
    run: () => Promise.reject(thrown),
    figures: () => [],
  });

test("a result is data with identity and provenance, and has no field for what is not known", async () => {
  assert.deepEqual(await answerOf(QUOTED, stockPriceTool, { symbol: "acme" }), {
    data: { ...ACME, price: 10, change: -0.5, change_percent: -4.76 },
    provenance: PROVENANCE,
  });
});

test("every number is a fact, and the model reads facts, identity and note", async () => {
  const { facts, uncited, digest } = await inspect(toolOn(QUOTED, stockPriceTool), { symbol: "ACME" });
  assert.deepEqual(uncited, []);
  const money = { unit: "money/share", currency: "USD", symbol: "ACME" };
  const [price] = facts;
  const expected = { path: "data.price", value: 10, ...money, metric: "price", period: { end: "2024-11-22" } };
  assert.deepEqual({ ...price, ...expected }, price);
  assert.match(digest, /^getStockPrice ACME = Acme Inc\., NYSE · USD · .*\nf1\.1\.1\.1 price 10\.00 USD\n/);
});

test("an answer is used again for its time in whatever case the symbol is written, and stands in when a source fails", async () => {
  let asked = 0;
  const clock = new SimulatedClock(1);
  const quote = async () => {
    asked += 1;
    if (asked > 1) throw new MarketError("upstream", "the source is down");
    return sourced({ price: 10 });
  };
  const tool = toolOn(stubMarket({ quote }), stockPriceTool);
  const scope = Scope.root({ clock });
  const ask = (symbol: string) => callTool(tool, { symbol }, { ...toolContext()(), scope });
  const first = await ask("ACME");
  assert.deepEqual(await ask(" acme"), first);
  assert.equal(asked, 1);
  await clock.advance(31_000);
  assert.deepEqual(await ask("ACME"), {
    data: { ...ACME, price: 10 },
    provenance: { ...PROVENANCE, stale: true },
    asked_on: "2025-01-01",
  });
  assert.equal(asked, 2);
});

test("an answer that stands in for a source that is down is not kept for a day, and an older one of the source is better", async () => {
  const clock = new SimulatedClock(1);
  const scope = Scope.root({ clock });
  let isDown = true;
  const row = (label: string): PeriodRow => ({
    label,
    end: `${label.slice(2)}-12-31`,
    currency: "USD",
    values: new Map([["revenue", 1]]),
  });
  const fmp: MarketSource = {
    name: "fmp",
    statements: async () => {
      if (isDown) throw new MarketError("upstream", "the source is down");
      return sourced([row("FY2025")], { source: "fmp" });
    },
  };
  const embedded: MarketSource = { name: "embedded", statements: async () => sourced([row("FY2016")]) };
  const chains = { statements: [fmp, embedded] };
  const market = toMarketData({ directory: STUB_DIRECTORY, mode: "live", today: () => "2026-01-01", chains });
  const tool = toolOn(market, incomeStatementTool);
  const ask = async () => {
    const answer = await callTool(tool, { symbol: "ACME" }, { ...toolContext()(), scope });
    return pickAll(answer, "data.periods.0.label", "provenance.stale");
  };
  assert.deepEqual(await ask(), ["FY2016", undefined]);
  isDown = false;
  await clock.advance(61_000);
  assert.deepEqual(await ask(), ["FY2025", undefined]);
  isDown = true;
  await clock.advance(24 * 60 * 60_000);
  assert.deepEqual(await ask(), ["FY2025", true]);
});

test("no data and several meanings are results", async () => {
  const none = new MarketError("no_data", "none here", {
    symbol: "ACME",
    available: "2012–2016",
    enable: "FMP_API_KEY",
  });
  assert.deepEqual(await answerOf(QUOTED, failing(none), {}), {
    no_data: true,
    message: "none here",
    symbol: "ACME",
    available: "2012–2016",
    enable: "FMP_API_KEY",
  });
  const several = new MarketError("ambiguous", "which?", { candidates: [HOME, ABROAD] });
  const expected = { ambiguous: true, message: "which?", candidates: [HOME, ABROAD] };
  assert.deepEqual(await answerOf(QUOTED, failing(several), {}), expected);
});

test("other failures of a source are errors that name their kind and what to do, and are not retried", async () => {
  const retryAt = Date.UTC(2025, 0, 1);
  const cases: readonly (readonly [MarketErrorKind, RegExp])[] = [
    ["throttled", /^throttled: the source says so\. Ask again after 2025-01-01T00:00:00\.000Z/],
    ["plan", /^plan: the source says so\. .*another tool/],
    ["upstream", /^upstream: the source says so\. .*another tool/],
  ];
  for (const [kind, message] of cases) {
    const error = new MarketError(kind, "the source says so", { retryAt, enable: "FMP_API_KEY" });
    await assert.rejects(answerOf(QUOTED, failing(error), {}), (thrown) => {
      assert.ok(thrown instanceof ToolError);
      assert.equal(thrown.kind, "permanent");
      assert.match(thrown.message, message);
      return true;
    });
  }
});

test("a source that is off is no data with the setting that turns it on", async () => {
  assert.deepEqual(pickAll(await answerOf(stubMarket({}), webSearchTool, { query: "rates" }), "no_data", "enable"), [
    true,
    "FMP_API_KEY",
  ]);
});

test("an abort stays an abort, and a defect is a crash without its details", async () => {
  const stopped = new BatonError("cancelled", "stopped");
  await assert.rejects(answerOf(QUOTED, failing(stopped), {}), stopped);
  const scope = Scope.root({ clock: new SystemClock() });
  await scope.cancel(stopped);
  await assert.rejects(
    callTool(toolOn(QUOTED, stockPriceTool), { symbol: "ACME" }, { ...toolContext()(), scope }),
    stopped,
  );
  await assert.rejects(answerOf(QUOTED, failing(new TypeError("secret detail")), {}), (thrown) => {
    assert.ok(thrown instanceof ToolError);
    assert.equal(thrown.kind, "crash");
    assert.doesNotMatch(thrown.message, /secret/);
    return true;
  });
});

test("a number that is not finite is left out of an object, and is a defect in a list", async () => {
  const giving = (data: object) =>
    defineMarketTool<Record<string, never>, object>({
      name: "getOdd",
      category: "price",
      description: "Odd.",
      input: z.strictObject({}),
      ttlMs: 1,
      run: async () => sourced(data),
      figures: () => [],
    });
  const odd = { a: NaN, b: 1, c: undefined, d: { e: Infinity, f: "x" } };
  assert.deepEqual(await answerOf(QUOTED, giving(odd), {}), { data: { b: 1, d: { f: "x" } }, provenance: PROVENANCE });
  await assert.rejects(answerOf(QUOTED, giving({ list: [1, NaN] }), {}), { kind: "crash" });
});

test("arguments that nobody knows are refused", async () => {
  const tool = toolOn(QUOTED, stockPriceTool);
  assert.deepEqual(await refusedPaths(tool, {}), ["symbol"]);
  assert.deepEqual(await refusedPaths(tool, { symbol: " " }), ["symbol"]);
  assert.equal((await refusedPaths(tool, { symbol: "ACME", ticker: "X" })).length, 1);
});

test("a ticker of a fund and a coin is what the tool takes, and ambiguous to a tool that takes both", () => {
  assert.deepEqual(requireListing(QUOTED, "BTC", SECURITIES), FUND);
  assert.throws(() => requireListing(QUOTED, "BTC", SECURITIES_AND_COINS), {
    kind: "ambiguous",
    message: /call again with BTCUSD for BTCUSD \(Bitcoin, CRYPTO\), "Bitcoin Mini Trust" for BTC/,
  });
  assert.deepEqual(requireListing(QUOTED, "BTC", COINS), COIN);
  assert.equal(requireListing(QUOTED, "BTCUSD", SECURITIES_AND_COINS), COIN);
  assert.equal(requireListing(QUOTED, "Bitcoin", SECURITIES_AND_COINS), COIN);
});

test("a text that is not known is repeated on one line, without characters that nobody sees", async () => {
  for (const [make, name] of [
    [stockPriceTool, "symbol"],
    [resolveSymbolTool, "query"],
  ] as const) {
    const answer = await answerOf(QUOTED, make, { [name]: "qq\u0000\u202e\n\u200bzz" });
    assert.match(JSON.stringify(answer), /no symbol or name \\"qq zz\\" is known.*"symbol":"qq zz"/);
  }
});

test("something of another type is no data that says what it is", async () => {
  assert.throws(() => requireListing(QUOTED, "ACME", COINS), {
    kind: "no_data",
    message: "ACME (Acme Inc., NYSE) is of type stock; this tool takes crypto",
  });
});
