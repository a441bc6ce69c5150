import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { beta } from "../../../math/risk/risk.ts";
import { betasOf, correlationMatrix, normalise, portfolioReturns, riskOf, riskShares } from "./portfolio-risk.ts";

/** A market of some holdings over some days: weights above 0, and a column of returns each. */
const portfolio = fc
  .record({ holdings: fc.integer({ min: 1, max: 8 }), days: fc.integer({ min: 30, max: 80 }) })
  .chain(({ holdings, days }) => {
    const value = fc.double({ min: -0.2, max: 0.2, noNaN: true });
    const column = fc.array(value, { minLength: days, maxLength: days }).map((values) => Float64Array.from(values));
    return fc.record({
      weights: fc
        .array(fc.integer({ min: 1, max: 10_000 }), { minLength: holdings, maxLength: holdings })
        .map(normalise),
      columns: fc.array(column, { minLength: holdings, maxLength: holdings }),
    });
  });

const isNear = (one: number, other: number, scale = 1): boolean => Math.abs(one - other) <= 1e-9 * Math.max(scale, 1);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The variance the long way: all weights times all covariances, from sums of products. */
function variance({
  weights,
  columns,
}: {
  readonly weights: readonly number[];
  readonly columns: readonly Float64Array[];
}) {
  const n = columns[0]?.length ?? 0;
  const center = columns.map((column) => {
    const average = sum([...column]) / n;
    return [...column].map((value) => value - average);
  });
  let total = 0;
  center.forEach((one, i) => {
    center.forEach((other, j) => {
      const products = one.map((value, day) => value * (other[day] ?? 0));
      total += ((weights[i] ?? 0) * (weights[j] ?? 0) * sum(products)) / (n - 1);
    });
  });
  return total;
}

test("contributions to risk add up to all of it, and the variance is that of the covariance matrix", () => {
  fc.assert(
    fc.property(portfolio, (weighted) => {
      const returns = portfolioReturns(weighted);
      const { dailyVolatility } = riskOf(returns, { confidence: 0.95, riskFreeRate: 0.045, daysPerYear: 252 });
      assert.ok(isNear(dailyVolatility ** 2, variance(weighted)));
      const shares = riskShares(weighted);
      if (shares === undefined) return;
      assert.ok(isNear(sum(shares), 1, Math.max(...shares.map(Math.abs))));
    }),
    { seed: 20_241_122, numRuns: 300 },
  );
});

test("the order of holdings changes nothing, and a position that is split in two counts once", () => {
  fc.assert(
    fc.property(portfolio, (weighted) => {
      const whole = portfolioReturns(weighted);
      const { weights, columns } = weighted;
      const turned = portfolioReturns({ weights: weights.toReversed(), columns: columns.toReversed() });
      const [first = 0, ...rest] = weights;
      const split = portfolioReturns({
        weights: [first / 2, first / 2, ...rest],
        columns: [...columns.slice(0, 1), ...columns],
      });
      whole.forEach((value, day) => {
        assert.ok(isNear(value, turned[day] ?? Number.NaN));
        assert.ok(isNear(value, split[day] ?? Number.NaN));
      });
    }),
    { seed: 7, numRuns: 200 },
  );
});

test("returns that are twice as large are twice as risky", () => {
  fc.assert(
    fc.property(portfolio, ({ weights, columns }) => {
      const options = { confidence: 0.99, riskFreeRate: 0, daysPerYear: 365 };
      const one = riskOf(portfolioReturns({ weights, columns }), options);
      const half = columns.map((column) => column.map((value) => value / 2));
      const two = riskOf(portfolioReturns({ weights, columns: half }), options);
      assert.ok(isNear(one.annualVolatility, 2 * two.annualVolatility));
      assert.ok(isNear(one.valueAtRisk, 2 * two.valueAtRisk));
      assert.ok(one.drawdown.value <= 0 && one.drawdown.value >= -1);
      assert.ok(one.score >= 0 && one.score <= 100);
      for (const value of Object.values(one)) if (typeof value === "number") assert.ok(Number.isFinite(value));
    }),
    { seed: 8, numRuns: 200 },
  );
});

test("the beta of a portfolio is the weighted mean of its holdings' betas", () => {
  fc.assert(
    fc.property(portfolio, ({ weights, columns }) => {
      const [benchmark = new Float64Array()] = columns;
      const betas = betasOf(columns, benchmark);
      const whole = beta(portfolioReturns({ weights, columns }), benchmark);
      if (betas === undefined || whole === undefined) return;
      const expected = sum(betas.map((one, index) => one * (weights[index] ?? 0)));
      assert.ok(isNear(whole, expected, Math.max(...betas.map(Math.abs)) * 1e3));
      assert.ok(isNear(betas[0] ?? 0, 1));
    }),
    { seed: 9, numRuns: 200 },
  );
});

test("correlations are symmetric, between −1 and 1, and 1 with themselves", () => {
  fc.assert(
    fc.property(portfolio, ({ columns }) => {
      const symbols = columns.map((_, index) => `S${index}`);
      const matrix = correlationMatrix(symbols, columns);
      matrix?.rows.forEach((row, i) => {
        row.forEach((value, j) => {
          assert.ok(Math.abs(value) <= 1);
          assert.equal(value, matrix.rows[j]?.[i]);
          if (i === j) assert.equal(value, 1);
        });
      });
    }),
    { seed: 10, numRuns: 200 },
  );
});

test("a portfolio that never changes has no contributions, no ratio and no correlation", () => {
  const columns = [new Float64Array(40), new Float64Array(40)];
  assert.equal(riskShares({ weights: [0.5, 0.5], columns }), undefined);
  const flat = riskOf(portfolioReturns({ weights: [0.5, 0.5], columns }), {
    confidence: 0.95,
    riskFreeRate: 0,
    daysPerYear: 252,
  });
  assert.deepEqual([flat.sharpe, flat.sortino, flat.annualVolatility], [undefined, undefined, 0]);
  assert.equal(correlationMatrix(["A", "B"], columns), undefined);
  assert.equal(betasOf(columns, new Float64Array(40)), undefined);
});
