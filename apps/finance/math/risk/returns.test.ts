import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { Bars } from "../../market/port/bars.ts";
import { toCommonReturns, toReturns } from "./returns.ts";

const DAY_S = 86_400;

/** Daily bars of closes on the given days. */
function toBars(closes: readonly number[], days: readonly number[] = [...closes.keys()]): Bars {
  const c = Float64Array.from(closes);
  return { t: Float64Array.from(days, (day) => day * DAY_S), o: c, h: c, l: c, c, v: c };
}
const rising = (count: number) => Array.from({ length: count }, (_, day) => 100 + day);

test("the newest n returns come from n + 1 bars", () => {
  const found = toReturns(toBars(rising(100)), 40);
  assert.ok(found.enough);
  assert.deepEqual([found.values.length, found.closes.length, found.t.length], [40, 41, 41]);
  assert.equal(found.values.at(-1), 199 / 198 - 1);
  assert.deepEqual([found.closes[0], found.t[0]], [159, 59 * DAY_S]);
});

test("fewer bars than asked for give what there is, and fewer than 30 returns give their number", () => {
  const found = toReturns(toBars(rising(31)), 252);
  assert.ok(found.enough);
  assert.equal(found.values.length, 30);
  for (const bars of [0, 1, 2, 30])
    assert.deepEqual(toReturns(toBars(rising(bars)), 252), { enough: false, count: Math.max(0, bars - 1), needed: 30 });
  assert.deepEqual(toReturns(toBars(rising(300)), 20), { enough: false, count: 20, needed: 30 });
});

test("a bar without a positive price counts as missing", () => {
  const closes = rising(40);
  const found = toReturns(toBars(closes.with(10, 0).with(20, Number.NaN).with(30, -5)));
  assert.ok(found.enough);
  assert.equal(found.values.length, 36);
  assert.equal(found.values[9], 111 / 109 - 1);
  assert.ok(found.values.every(Number.isFinite));
});

test("several series have returns between the same days, whatever each of them lacks", () => {
  // the asset misses day 5, the benchmark day 7; the benchmark starts later
  const asset = toBars(rising(50).toSpliced(5, 1), [...Array(50).keys()].toSpliced(5, 1));
  const benchmark = toBars(rising(48).toSpliced(5, 1), [...Array(48).keys()].map((day) => day + 2).toSpliced(5, 1));
  const found = toCommonReturns([asset, benchmark]);
  assert.ok(found.enough);
  const days = [...found.t].map((seconds) => seconds / DAY_S);
  assert.deepEqual(days, [2, 3, 4, 6, ...Array.from({ length: 42 }, (_, index) => index + 8)]);
  // 100 + day, and 98 + day
  assert.deepEqual(
    found.closes.map((closes) => [...closes]),
    [days.map((day) => 100 + day), days.map((day) => 98 + day)],
  );
});

test("series are aligned by day even if one of them counts from another hour", () => {
  const evening = toBars(rising(40));
  const shifted = { ...evening, t: evening.t.map((seconds) => seconds + 20 * 3_600) };
  const found = toCommonReturns([evening, shifted]);
  assert.ok(found.enough);
  assert.equal(found.values[0]?.length, 39);
});

test("series without 30 common returns say how many there are; so do no series at all", () => {
  const [one, other] = [
    toBars(rising(60)),
    toBars(
      rising(60),
      Array.from({ length: 60 }, (_, day) => day + 50),
    ),
  ];
  assert.deepEqual(toCommonReturns([one, other]), { enough: false, count: 9, needed: 30 });
  assert.deepEqual(toCommonReturns([]), { enough: false, count: 0, needed: 30 });
});

test("returns compound to the price", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 31, maxLength: 60 }), (closes) => {
      const found = toReturns(toBars(closes));
      assert.ok(found.enough);
      const end = found.values.reduce((price, value) => price * (1 + value), closes[0] ?? 0);
      assert.ok(Math.abs(end / (closes.at(-1) ?? 0) - 1) < 1e-9);
    }),
  );
});
