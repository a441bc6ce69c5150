import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { ChartBar, ChartPoint } from "./chart.ts";
import { joinBars, downsamplePoints } from "./downsample-for-chart.ts";

const Price = fc.integer({ min: 1, max: 10_000 });
const Gap = fc.constant(null);

const AnyBar = fc.record({
  o: fc.oneof({ weight: 20, arbitrary: Price }, Gap),
  h: fc.oneof({ weight: 20, arbitrary: Price }, Gap),
  l: fc.oneof({ weight: 20, arbitrary: Price }, Gap),
  c: fc.oneof({ weight: 20, arbitrary: Price }, Gap),
  v: fc.oneof({ weight: 20, arbitrary: Price }, Gap),
});
const AnyBars = fc
  .array(AnyBar, { maxLength: 300, size: "large" })
  .map((rows) => rows.map((row, at): ChartBar => ({ t: at * 60, ...row })));
const AnyPoints = fc
  .array(fc.oneof({ weight: 9, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) }, Gap), {
    maxLength: 400,
  })
  .map((values) => values.map((y, at): ChartPoint => [at * 60, y]));
const Most = fc.integer({ min: 1, max: 120 });

const known = (values: readonly (number | null)[]) => values.filter((value) => value !== null);
const most = (values: readonly (number | null)[]) => known(values).reduce((a, b) => Math.max(a, b), -Infinity);
const least = (values: readonly (number | null)[]) => known(values).reduce((a, b) => Math.min(a, b), Infinity);
const isRising = (times: readonly number[]) => times.every((t, at) => at === 0 || t > (times[at - 1] ?? t));

test("joined bars keep the ends, the extremes and the volume of all, and are few enough", () => {
  fc.assert(
    fc.property(AnyBars, Most, (bars, limit) => {
      const { bars: joined, each } = joinBars(bars, limit);
      assert.ok(joined.length <= limit);
      assert.equal(joined.length, Math.ceil(bars.length / each));
      assert.equal(joined[0]?.t, bars[0]?.t);
      assert.ok(isRising(joined.map(({ t }) => t)));
      assert.equal(most(joined.map(({ h }) => h)), most(bars.map(({ h }) => h)));
      assert.equal(least(joined.map(({ l }) => l)), least(bars.map(({ l }) => l)));
      assert.equal(known(joined.map(({ o }) => o))[0], known(bars.map(({ o }) => o))[0]);
      assert.equal(known(joined.map(({ c }) => c)).at(-1), known(bars.map(({ c }) => c)).at(-1));
      const sum = (list: readonly ChartBar[]) => known(list.map(({ v }) => v)).reduce((a, b) => a + b, 0);
      assert.equal(sum(joined), sum(bars));
    }),
  );
});

test("a thinned line is a part of the line with its ends and extremes, and is short enough", () => {
  fc.assert(
    fc.property(AnyPoints, Most, (points, limit) => {
      const thin = downsamplePoints(points, limit);
      assert.ok(thin.length <= Math.max(5, limit));
      const all = new Map(points);
      for (const [t, y] of thin) assert.equal(all.get(t), y);
      assert.ok(isRising(thin.map(([t]) => t)));
      assert.deepEqual([thin[0], thin.at(-1)], [points[0], points.at(-1)]);
      const values = thin.map(([, y]) => y);
      assert.equal(most(values), most(points.map(([, y]) => y)));
      assert.equal(least(values), least(points.map(([, y]) => y)));
      assert.equal(values.includes(null), all.size > 0 && [...all.values()].includes(null));
    }),
  );
});

test("what is short enough stays as it is", () => {
  fc.assert(
    fc.property(AnyBars, AnyPoints, (bars, points) => {
      assert.deepEqual(joinBars(bars, Math.max(1, bars.length)), { bars, each: 1 });
      assert.deepEqual(downsamplePoints(points, points.length), points);
    }),
  );
});

test("a joined bar has the first open, the highest high, the lowest low and the last close", () => {
  const bars: ChartBar[] = [
    { t: 0, o: 10, h: 12, l: 9, c: 11, v: 5 },
    { t: 60, o: 11, h: 15, l: 10, c: 14, v: 7 },
    { t: 120, o: 14, h: 14, l: 4, c: 5, v: null },
  ];
  const expected = { t: 0, o: 10, h: 15, l: 4, c: 5, v: 12 };
  assert.deepEqual(joinBars(bars, 1), { bars: [expected], each: 3 });
});
