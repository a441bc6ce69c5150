import assert from "node:assert/strict";
import { test } from "node:test";
import { refusedPaths } from "@baton/core/testing";
import { z } from "zod";
import { sliceBars } from "../../market/port/bars.ts";
import type { Capabilities } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { historicalVar, parametricVar, sharpe } from "../../math/risk/risk.ts";
import { calculateVaR, getSharpeRatio, getVolatilityAnalysis } from "./risk.ts";
import { pick } from "../testing/pick.ts";
import { answerOf, barsOf, inspect, PROVENANCE, sourced, stubMarket, toolOn } from "../testing/stub-market.ts";

const CLOSES = Array.from({ length: 400 }, (_, day) => 100 + 8 * Math.sin(day / 5) + 3 * Math.cos(day * day));
const MARKET_CLOSES = CLOSES.map((close, day) => 4_000 + 20 * close + 30 * Math.sin(day * 3));

/** Returns of the newest closes, as fractions. */
const returnsOf = (closes: readonly number[], days: number) =>
  Float64Array.from(closes.slice(-days)).map((close, at) => close / (closes[closes.length - days - 1 + at] ?? 1) - 1);

const marketOf = (closes: readonly number[], rest: Partial<Capabilities> = {}) =>
  stubMarket({
    bars: async ({ listing, limit = Infinity }) => {
      const all = barsOf(listing.symbol === "^GSPC" ? MARKET_CLOSES : closes);
      return sourced(sliceBars(all, Math.max(0, all.t.length - limit)));
    },
    coinBars: async ({ limit }) => sourced(sliceBars(barsOf(closes), Math.max(0, closes.length - limit))),
    ...rest,
  });

const Answer = z.looseObject({ data: z.looseObject({}) });
const dataOf = async (...args: Parameters<typeof answerOf>) => Answer.parse(await answerOf(...args)).data;

const NOT_FIGURES = /\.(returns|days_per_year|confidence|horizon_days|portfolio_value)$|\.bars\[/;

test("VaR is the quantile of the newest returns, in percent and in money, and a loss is negative", async () => {
  const market = marketOf(CLOSES);
  const returns = returnsOf(CLOSES, 252);
  const historical = await dataOf(market, calculateVaR, { symbol: "ACME", portfolio_value: 50_000, confidence: 0.99 });
  const expected = historicalVar(returns, 0.99);
  assert.ok(expected < 0);
  assert.ok(Math.abs(Number(historical["var_percent"]) - expected * 100) < 1e-9);
  assert.ok(Math.abs(Number(historical["var_amount"]) - expected * 50_000) < 1e-6);
  assert.deepEqual([historical["returns"], historical["days_per_year"]], [252, 252]);
  const parametric = await dataOf(market, calculateVaR, { symbol: "ACME", method: "parametric" });
  assert.ok(Math.abs(Number(parametric["var_percent"]) - parametricVar(returns, 0.95) * 100) < 1e-9);
});

test("every number of the risk tools is a fact", async () => {
  for (const make of [calculateVaR, getSharpeRatio, getVolatilityAnalysis]) {
    const { uncited, facts } = await inspect(toolOn(marketOf(CLOSES), make), { symbol: "ACME" }, NOT_FIGURES);
    assert.deepEqual(uncited, []);
    assert.ok(facts.length > 3);
  }
});

test("29 returns are no data that says how many there are; 30 are enough", async () => {
  const few = await answerOf(marketOf(CLOSES.slice(0, 30)), calculateVaR, { symbol: "ACME" });
  assert.deepEqual(few, {
    no_data: true,
    message: "there are 29 daily returns of ACME; figures of risk need at least 30",
    symbol: "ACME",
    available: "29 daily returns",
  });
  assert.equal((await dataOf(marketOf(CLOSES.slice(0, 31)), calculateVaR, { symbol: "ACME" }))["returns"], 30);
});

test("coins have 365 days a year, and the result says so", async () => {
  const data = await dataOf(marketOf(CLOSES), getSharpeRatio, { symbol: "BTCUSD", risk_free_rate: 0 });
  assert.equal(data["days_per_year"], 365);
  const expected = sharpe(returnsOf(CLOSES, 252), { riskFreeRate: 0, daysPerYear: 365 });
  assert.ok(Math.abs(Number(data["sharpe"]) - Number(expected)) < 1e-9);
});

test("the risk-free rate is the given one, else the Treasury's of the last day, else 4.5 %, and the result says which", async () => {
  const rates: Capabilities["rates"] = async () =>
    sourced([
      { day: "2024-11-20", name: "3 Mo", percent: 4.7 },
      { day: "2024-11-21", name: "10 Yr", percent: 4.4 },
      { day: "2024-11-21", name: "3 Mo", percent: 4.63 },
      { day: "2024-11-25", name: "3 Mo", percent: 9 },
    ]);
  const of = async (market: ReturnType<typeof marketOf>, args = {}) =>
    (await dataOf(market, getSharpeRatio, { symbol: "ACME", ...args }))["risk_free"];
  assert.deepEqual(await of(marketOf(CLOSES)), { rate_percent: 4.5, from: "default" });
  assert.deepEqual(await of(marketOf(CLOSES, { rates })), {
    rate_percent: 4.63,
    from: "treasury",
    day: "2024-11-21",
    source: "stub",
    kind: "synthetic",
    as_of: PROVENANCE.as_of,
  });
  assert.deepEqual(await of(marketOf(CLOSES, { rates }), { risk_free_rate: 0.02 }), { rate_percent: 2, from: "given" });
});

test("if the Treasury's rates could not be had, the default stands in and says why", async () => {
  const rates: Capabilities["rates"] = async () => {
    throw new MarketError("upstream", "the Treasury is down");
  };
  const { output, digest } = await inspect(toolOn(marketOf(CLOSES, { rates }), getSharpeRatio), { symbol: "ACME" });
  const expected = { rate_percent: 4.5, from: "default", reason: "the Treasury's rates: upstream" };
  assert.deepEqual(pick(output, "data.risk_free"), expected);
  assert.match(digest, /risk-free rate 4\.5 % \(the Treasury's rates: upstream\)/);
});

test("the risk-free rate is a fact of its own source and day, not of the prices", async () => {
  const origin = { kind: "live", source: "treasury", as_of: "2024-11-21T15:30:00-05:00" } as const;
  const rates: Capabilities["rates"] = async () =>
    sourced([{ day: "2024-11-21", name: "3 Mo", percent: 4.63 }], origin);
  const { facts } = await inspect(toolOn(marketOf(CLOSES, { rates }), getSharpeRatio), { symbol: "ACME" });
  const rate = facts.find(({ metric }) => metric === "risk-free rate");
  assert.deepEqual(
    [rate?.value, rate?.["kind"], rate?.["source"], rate?.["as_of"], rate?.period],
    [4.63, "live", "treasury", origin.as_of, { end: "2024-11-21" }],
  );
  const ratio = facts.find(({ metric }) => metric === "Sharpe ratio");
  assert.equal(ratio?.["source"], PROVENANCE.source);
});

test("a price that never changes has no ratio", async () => {
  const flat = await answerOf(marketOf(Array.from({ length: 60 }, () => 5)), getSharpeRatio, {
    symbol: "ACME",
    risk_free_rate: 0,
  });
  assert.match(JSON.stringify(flat), /"no_data":true.*never changed/);
});

test("volatility has beta on common days, drawdown with its days, and the score of the formula", async () => {
  const data = await dataOf(marketOf(CLOSES), getVolatilityAnalysis, { symbol: "ACME" });
  const part = (name: string) => Number(data[name]);
  const score =
    Math.min((part("annual_volatility_percent") / 50) * 40, 40) +
    Math.min((Math.abs(part("max_drawdown_percent")) / 40) * 35, 35) +
    Math.min((Math.abs(part("var_95_percent")) / 5) * 25, 25);
  assert.ok(Math.abs(part("risk_score") - score) < 1e-6);
  assert.ok(part("beta") > 0);
  const own = await dataOf(marketOf(MARKET_CLOSES), getVolatilityAnalysis, { symbol: "^GSPC" });
  assert.equal(own["beta"], 1);
});

test("beta to a benchmark of another kind of data is left out, with the reason", async () => {
  const mixed = stubMarket({
    bars: async ({ listing }) =>
      sourced(barsOf(CLOSES), { kind: listing.symbol === "^GSPC" ? "history" : "synthetic" }),
  });
  const data = await dataOf(mixed, getVolatilityAnalysis, { symbol: "ACME" });
  assert.equal(data["beta"], undefined);
  assert.match(String(data["beta_missing"]), /history/);
  const failing = stubMarket({
    bars: async ({ listing }) => {
      if (listing.symbol === "^GSPC") throw new MarketError("upstream", "the source is down");
      return sourced(barsOf(CLOSES));
    },
  });
  const without = await dataOf(failing, getVolatilityAnalysis, { symbol: "ACME" });
  assert.equal(without["beta_missing"], "the source is down");
});

test("arguments of risk tools are checked", async () => {
  const market = marketOf(CLOSES);
  assert.deepEqual(await refusedPaths(toolOn(market, calculateVaR), { symbol: "A", confidence: 95 }), ["confidence"]);
  assert.deepEqual(await refusedPaths(toolOn(market, calculateVaR), { symbol: "A", portfolio_value: -1 }), [
    "portfolio_value",
  ]);
  assert.deepEqual(await refusedPaths(toolOn(market, getSharpeRatio), { symbol: "A", risk_free_rate: 4.5 }), [
    "risk_free_rate",
  ]);
  assert.deepEqual(await refusedPaths(toolOn(market, getVolatilityAnalysis), { symbol: "A", days: 29 }), ["days"]);
});
