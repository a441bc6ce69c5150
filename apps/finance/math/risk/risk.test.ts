import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import { z } from "zod";
import { maxDrawdown } from "./drawdown.ts";
import { normalQuantile } from "./normal.ts";
import { simpleReturns } from "./returns.ts";
import {
  annualVolatility,
  beta,
  daysPerYear,
  historicalVar,
  parametricVar,
  riskScore,
  sharpe,
  sortino,
} from "./risk.ts";
import { correlation, deviation, mean, quantile } from "./statistics.ts";

const Column = z.array(z.number()).transform((values) => Float64Array.from(values));
const golden = z
  .object({
    asset: Column,
    benchmark: Column,
    figures: z.record(z.string(), z.number()),
    probabilities: Column,
    normal_quantiles: Column,
  })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, "fixtures", "golden.json"), "utf8")));
const [returns, market] = [simpleReturns(golden.asset), simpleReturns(golden.benchmark)];
const fall = maxDrawdown(golden.asset);
const stock = { riskFreeRate: 0.045, daysPerYear: 252 };
const coin = { riskFreeRate: 0.02, daysPerYear: 365 };

const COMPUTED: Readonly<Record<string, number | undefined>> = {
  mean: mean(returns),
  deviation: deviation(returns),
  annual_252: annualVolatility(returns),
  annual_365: annualVolatility(returns, 365),
  "historical.90": historicalVar(returns, 0.9),
  "historical.95": historicalVar(returns),
  "historical.97.5": historicalVar(returns, 0.975),
  "historical.99": historicalVar(returns, 0.99),
  "parametric.90": parametricVar(returns, 0.9),
  "parametric.95": parametricVar(returns),
  "parametric.99": parametricVar(returns, 0.99),
  "stock.sharpe": sharpe(returns, stock),
  "stock.sortino": sortino(returns, stock),
  "coin.sharpe": sharpe(returns, coin),
  "coin.sortino": sortino(returns, coin),
  beta: beta(returns, market),
  correlation: correlation(returns, market),
  drawdown: fall.value,
  peak: fall.peak,
  trough: fall.trough,
};

function assertNear(found: number | undefined, wanted: number, relative = 1e-12): void {
  const error = Math.abs((found ?? Number.NaN) - wanted);
  assert.ok(error <= relative * Math.abs(wanted), `${found} is not ${wanted}`);
}

test("every golden figure is computed here, and every computed one is golden", () => {
  assert.deepEqual(Object.keys(COMPUTED).toSorted(), Object.keys(golden.figures).toSorted());
});

for (const [name, wanted] of Object.entries(golden.figures)) {
  test(`${name} is what base R computes`, () => assertNear(COMPUTED[name], wanted));
}

test("the normal quantile is R's qnorm to 15 digits, far into the tails", () => {
  golden.probabilities.forEach((probability, index) =>
    assertNear(normalQuantile(probability), golden.normal_quantiles[index] ?? Number.NaN, 2e-15),
  );
  for (const probability of [0, 1, -0.1, Number.NaN]) assert.throws(() => normalQuantile(probability), RangeError);
});

test("a quantile lies between its two neighbours, as R's type 7", () => {
  const values = Float64Array.of(4, 1, 3, 2);
  // position (4 − 1) · p of 1 2 3 4
  assert.deepEqual(
    [0, 0.25, 0.5, 1].map((p) => quantile(values, p)),
    [1, 1.75, 2.5, 4],
  );
  assert.deepEqual([...values], [4, 1, 3, 2]);
});

test("the deepest drawdown has its peak before its trough", () => {
  // 10 → 5 is −50 %, 12 → 7 less
  assert.deepEqual(maxDrawdown(Float64Array.of(8, 10, 5, 12, 7)), { value: -0.5, peak: 1, trough: 2 });
  // of equal peaks and equal falls the first counts
  assert.deepEqual(maxDrawdown(Float64Array.of(4, 4, 2, 4, 2)), { value: -0.5, peak: 0, trough: 2 });
  assert.deepEqual(maxDrawdown(Float64Array.of(1, 2, 3)), { value: 0, peak: 0, trough: 0 });
  assert.deepEqual(maxDrawdown(new Float64Array()), { value: 0, peak: 0, trough: 0 });
});

test("the deepest drawdown is that of the worst of all pairs of days", () => {
  const prices = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(prices, (list) => {
      const falls = list.flatMap((price, index) => list.slice(index).map((later) => later / price - 1));
      const { value, peak, trough } = maxDrawdown(Float64Array.from(list));
      assert.equal(value, Math.min(...falls));
      assert.equal(value, (list[trough] ?? 0) / (list[peak] ?? 0) - 1);
    }),
  );
});

test("the risk score adds three capped parts, and its class follows from it", () => {
  // .25 / .50 · 40 + .20 / .40 · 35 + 2 / 5 · 25
  assert.deepEqual(riskScore({ volatility: 0.25, drawdown: -0.2, dailyVar95: -0.02 }), {
    score: 47.5,
    riskClass: "moderate",
  });
  assert.deepEqual(riskScore({ volatility: 3, drawdown: -0.9, dailyVar95: -0.2 }), {
    score: 100,
    riskClass: "speculative",
  });
  assert.deepEqual(riskScore({ volatility: 0, drawdown: 0, dailyVar95: 0 }), { score: 0, riskClass: "conservative" });
});

test("a class begins with its limit", () => {
  const classOf = (score: number) =>
    riskScore({
      volatility: 0.5 * (Math.min(score, 40) / 40),
      drawdown: 0.4 * (Math.max(0, Math.min(score - 40, 35)) / 35),
      dailyVar95: 0,
    }).riskClass;
  assert.deepEqual([24.9, 25, 49.9, 50, 74.9, 75].map(classOf), [
    "conservative",
    "moderate",
    "moderate",
    "aggressive",
    "aggressive",
    "speculative",
  ]);
});

test("a series that never changes has no Sharpe, Sortino, beta or correlation, rather than an infinite one", () => {
  // prices that grow by 1 % a day: returns differ by rounding only
  const steady = simpleReturns(Float64Array.from({ length: 60 }, (_, day) => 100 * 1.01 ** day));
  assert.ok(deviation(steady) > 0);
  const zero = { riskFreeRate: 0, daysPerYear: 252 };
  assert.deepEqual(
    [sharpe(steady, zero), sortino(steady, zero), correlation(steady, market)],
    [undefined, undefined, undefined],
  );
  assert.equal(beta(market.subarray(0, 59), steady), undefined);
});

test("Sortino counts the days without a loss too", () => {
  // rf 0: mean 0.01, downside √((0.01² + 0 + 0 + 0) / 4) = 0.005
  assertNear(
    sortino(Float64Array.of(-0.01, 0.01, 0.02, 0.02), { riskFreeRate: 0, daysPerYear: 252 }),
    2 * Math.sqrt(252),
  );
});

test("coins have 365 days a year, everything else 252", () => {
  assert.deepEqual((["crypto", "stock", "etf", "index"] as const).map(daysPerYear), [365, 252, 252, 252]);
});

test("a series is its own benchmark with beta and correlation 1, and twice its moves have beta 2", () => {
  const twice = market.map((value) => 2 * value);
  assertNear(beta(twice, market), 2);
  assertNear(correlation(twice, market), 1);
  assertNear(
    correlation(
      market.map((value) => -value),
      market,
    ),
    -1,
  );
});
