/** The statistics against values from textbooks and tables, and against what must hold for any numbers. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import * as fc from "fast-check";
import {
  compare,
  correlate,
  deviation,
  fitLine,
  mean,
  outliersByFences,
  outliersByZScore,
  predict,
  quantile,
} from "./statistics.ts";
import { twoSidedP, twoSidedT } from "./student-t.ts";

const near = (actual: number, expected: number, tolerance = 1e-6) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);

const ANSCOMBE_X = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
const ANSCOMBE_Y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];

suite("summaries", () => {
  test("the standard deviation is that of a sample", () =>
    near(deviation([2, 4, 4, 4, 5, 5, 7, 9]), Math.sqrt(32 / 7)));

  test("quartiles interpolate between neighbours", () => {
    assert.deepEqual(
      [0.25, 0.5, 0.75].map((share) => quantile([4, 1, 3, 2], share)),
      [1.75, 2.5, 3.25],
    );
  });

  test("too few values are refused instead of guessed", () => {
    assert.throws(() => mean([]), { kind: "validation" });
    assert.throws(() => deviation([1]), { kind: "validation" });
    assert.throws(() => fitLine([1, 2]), { kind: "validation" });
  });
});

suite("Student's t", () => {
  test("agrees with the tables", () => {
    near(twoSidedT(0.05, 1), 12.7062047, 1e-6);
    near(twoSidedT(0.05, 10), 2.22813885, 1e-7);
    near(twoSidedT(0.01, 30), 2.74999565, 1e-7);
    near(twoSidedT(0.05, 1_000), 1.96233905, 1e-7);
  });

  test("of one degree of freedom is the Cauchy distribution", () => {
    for (const t of [0.1, 1, 5, 100]) near(twoSidedP(t, 1), 1 - (2 / Math.PI) * Math.atan(t), 1e-10);
  });

  test("of two degrees of freedom has its closed form", () => {
    for (const t of [0.1, 1, 5, 100]) near(twoSidedP(t, 2), 1 - t / Math.sqrt(2 + t * t), 1e-10);
  });
});

suite("regression", () => {
  test("finds a line exactly", () => {
    const line = fitLine([3, 5, 7, 9, 11]);
    near(line.slope, 2);
    near(line.intercept, 3);
    near(line.rSquared, 1);
    near(line.p, 0);
  });

  test("gives slope, intercept, r² and p of points off the line", () => {
    // Σ(x−x̄)(y−ȳ) = 6, Σ(x−x̄)² = 10, Σ(y−ȳ)² = 6: slope 0.6, unexplained 2.4, t = 2.1213 with 3 degrees of freedom.
    const line = fitLine([2, 4, 5, 4, 5]);
    near(line.slope, 0.6);
    near(line.intercept, 2.8);
    near(line.rSquared, 0.6);
    near(line.p, 0.12402706);
  });

  test("predicts with the range for one new observation", () => {
    // 0.6·5 + 2.8, and t(0.05, 3) · √0.8 · √(1 + 1/5 + 9/10).
    const { value, low, high } = predict(fitLine([2, 4, 5, 4, 5]), 5);
    near(value, 5.8);
    near(high - value, 3.18244631 * Math.sqrt(0.8) * Math.sqrt(2.1), 1e-6);
    near(value - low, high - value);
  });

  test("of values that never change has no slope", () => {
    assert.partialDeepStrictEqual(fitLine([4, 4, 4, 4]), { slope: 0, rSquared: 0, p: 1 });
  });
});

suite("correlation", () => {
  test("of Anscombe's first set is 0.8164", () => {
    const { r, p } = correlate(ANSCOMBE_X, ANSCOMBE_Y);
    near(r, 0.81642052, 1e-8);
    near(p, 0.00216963, 1e-8);
  });

  test("is 1 with itself, −1 with its mirror, and between them for any numbers", () => {
    near(correlate(ANSCOMBE_X, ANSCOMBE_X).r, 1);
    near(
      correlate(
        ANSCOMBE_X,
        ANSCOMBE_X.map((x) => -x),
      ).r,
      -1,
    );
    const pairs = fc.array(fc.tuple(fc.integer({ min: -1_000, max: 1_000 }), fc.integer({ min: -1_000, max: 1_000 })), {
      minLength: 3,
    });
    fc.assert(
      fc.property(pairs, (values) => {
        const [first, second] = [values.map(([a]) => a), values.map(([, b]) => b)];
        fc.pre(new Set(first).size > 1 && new Set(second).size > 1);
        const { r, p } = correlate(first, second);
        assert.ok(r >= -1 && r <= 1 && p >= 0 && p <= 1);
        near(correlate(second, first).r, r, 1e-9);
      }),
    );
  });

  test("of a column that never changes is refused", () => {
    assert.throws(() => correlate([1, 1, 1], [1, 2, 3]), { kind: "validation" });
  });
});

suite("comparison", () => {
  test("is Welch's test, with degrees of freedom that need not be whole", () => {
    // Means 3 and 6, variances 2.5 and 10: t = −3/√2.5, degrees = 2.5²/(0.5²/4 + 2²/4).
    const { difference, t, degrees, p, cohensD } = compare([1, 2, 3, 4, 5], [2, 4, 6, 8, 10]);
    near(difference, -3);
    near(t, -3 / Math.sqrt(2.5));
    near(degrees, 6.25 / 1.0625);
    near(p, 0.10753, 1e-5);
    near(cohensD, -3 / 2.5);
  });
});

suite("outliers", () => {
  const values = [10, 12, 11, 13, 12, 11, 10, 12, 11, 13, 12, 50];

  test("are found by their distance from the mean", () => {
    assert.deepEqual(
      outliersByZScore(values, 3).map(({ index }) => index),
      [11],
    );
    assert.deepEqual(outliersByZScore(values.slice(0, -1), 3), []);
  });

  test("are found by their distance from the quartiles, which one of them cannot move", () => {
    assert.deepEqual(
      outliersByFences(values, 1.5).map(({ value }) => value),
      [50],
    );
    assert.deepEqual(
      outliersByFences([...values, 60, 70], 1.5).map(({ value }) => value),
      [50, 60, 70],
    );
  });

  test("are none where nothing changes", () => assert.deepEqual(outliersByZScore([5, 5, 5, 5], 1), []));
});
