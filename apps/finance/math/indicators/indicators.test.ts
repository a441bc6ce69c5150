import assert from "node:assert/strict";
import { test } from "node:test";
import { adx } from "./adx.ts";
import { atr } from "./atr.ts";
import { bollinger } from "./bollinger.ts";
import { ema, openWilder } from "./ema.ts";
import { macd } from "./macd.ts";
import { obv } from "./obv.ts";
import { rsi } from "./rsi.ts";
import { sma } from "./sma.ts";
import { stochastic } from "./stochastic.ts";
import { vwap } from "./vwap.ts";

const NONE = Number.NaN;
const of = (...values: number[]) => Float64Array.from(values);
const flat = (value: number, length: number) => new Float64Array(length).fill(value);
/** Bars of high, low, close. */
const hlc = (...rows: (readonly [number, number, number])[]) => ({
  h: Float64Array.from(rows, ([high]) => high),
  l: Float64Array.from(rows, ([, low]) => low),
  c: Float64Array.from(rows, ([, , close]) => close),
});

function assertNear(found: Float64Array, wanted: readonly number[]): void {
  assert.equal(found.length, wanted.length);
  wanted.forEach((value, index) => {
    const near = Math.abs((found[index] ?? NONE) - value) < 1e-12 * Math.max(1, Math.abs(value));
    assert.ok(
      near || (Number.isNaN(value) && Number.isNaN(found[index])),
      `[${found.join(", ")}] is not [${wanted.join(", ")}]`,
    );
  });
}

test("SMA is the mean of the last n values", () => {
  // (1 + 2 + 6) / 3, (2 + 6 + 3) / 3
  assertNear(sma(of(1, 2, 6, 3), 3), [NONE, NONE, 3, 11 / 3]);
  assertNear(sma(of(5, 7), 1), [5, 7]);
});

test("EMA starts with the SMA of the first n and then moves by 2 / (n + 1)", () => {
  // (2 + 4 + 6) / 3 = 4; 4 + (8 − 4) / 2 = 6; 6 + (12 − 6) / 2 = 9
  assertNear(ema(of(2, 4, 6, 8, 12), 3), [NONE, NONE, 4, 6, 9]);
});

test("Wilder's smoothing starts with the mean of the first n and then moves by 1 / n", () => {
  const stream = openWilder(4);
  // (1 + 2 + 3 + 6) / 4 = 3; 3 + (7 − 3) / 4 = 4
  assertNear(
    of(1, 2, 3, 6, 7).map((value) => stream.push(value)),
    [NONE, NONE, NONE, 3, 4],
  );
});

test("RSI is the share of the smoothed gains in all movement", () => {
  // changes +2 −1 0 +3; gain 1, loss ½; then ½ and ¼; then (½ + 3) / 2 = 1.75 and ⅛
  assertNear(rsi(of(10, 12, 11, 11, 14), 2), [NONE, NONE, 200 / 3, 200 / 3, (100 * 1.75) / 1.875]);
});

test("RSI is 100 if prices only rise, 0 if they only fall, and 0 if they never move", () => {
  assertNear(rsi(of(1, 2, 3, 4), 2), [NONE, NONE, 100, 100]);
  assertNear(rsi(of(4, 3, 2, 1), 2), [NONE, NONE, 0, 0]);
  assertNear(rsi(flat(7, 4), 2), [NONE, NONE, 0, 0]);
});

test("MACD starts both EMAs on the bar of the first slow value, and its outputs together", () => {
  // slow 3: 7/3, 31/6, 91/12; fast 2 starts on the third bar with (2 + 4) / 2: 3, 19/3, 79/9
  // line 2/3, 7/6, 43/36; signal 2: (2/3 + 7/6) / 2 = 11/12, then 11/12 + (43/36 − 11/12) · 2/3 = 119/108
  const found = macd(of(1, 2, 4, 8, 10), { fast: 2, slow: 3, signal: 2 });
  assertNear(found.line, [NONE, NONE, NONE, 7 / 6, 43 / 36]);
  assertNear(found.signal, [NONE, NONE, NONE, 11 / 12, 119 / 108]);
  assertNear(found.histogram, [NONE, NONE, NONE, 1 / 4, 10 / 108]);
});

test("MACD takes the shorter period for the fast one, in whichever order they are given", () => {
  const prices = of(1, 2, 4, 8, 10, 3, 5);
  const [ordered, swapped] = [
    { fast: 2, slow: 4 },
    { fast: 4, slow: 2 },
  ].map((periods) => macd(prices, { ...periods, signal: 2 }));
  assert.deepEqual(swapped, ordered);
});

test("MACD of a flat series is exactly zero", () => {
  assertNear(macd(flat(0.1, 6), { fast: 2, slow: 4, signal: 3 }).histogram, [NONE, NONE, NONE, NONE, NONE, 0]);
});

test("Bollinger bands divide by n, not by n − 1", () => {
  // mean 4, squares 4 + 0 + 0 + 4, variance 8 / 4
  const { upper, middle, lower } = bollinger(of(2, 4, 4, 6), { period: 4, deviations: 2 });
  assertNear(middle, [NONE, NONE, NONE, 4]);
  assertNear(upper, [NONE, NONE, NONE, 4 + 2 * Math.SQRT2]);
  assertNear(lower, [NONE, NONE, NONE, 4 - 2 * Math.SQRT2]);
});

test("a flat window has three equal bands and its own price as mean, whatever came before it", () => {
  const prices = of(3, 1e15, 1e-3, ...flat(0.1, 12));
  const { upper, middle, lower } = bollinger(prices, { period: 5 });
  for (const band of [upper, middle, lower, sma(prices, 5)]) assert.deepEqual(band.slice(7), flat(0.1, 8));
});

test("ATR starts with the second bar, and counts the gap from the close before", () => {
  // 11 − 9 = 2; 15 − min(12, 10) = 5; max(14, 14) − 10 = 4: (2 + 5) / 2, (3.5 + 4) / 2
  assertNear(atr(hlc([10, 8, 9], [11, 9, 10], [15, 12, 14], [14, 10, 11]), 2), [NONE, NONE, 3.5, 3.75]);
});

test("the stochastic is the close's place in the range of the last bars, smoothed twice", () => {
  const bars = hlc([10, 8, 9], [12, 9, 12], [11, 9, 10], [11, 10, 11]);
  // fast %K of 2: (12 − 8) / 4, (10 − 9) / 3, (11 − 9) / 2
  assertNear(stochastic(bars, { fastK: 2, slowK: 1, slowD: 1 }).k, [NONE, 100, 100 / 3, 100]);
  // slow %K of 2: (100 + 33⅓) / 2 twice; %D of 2: the mean of both; they start together
  const { k, d } = stochastic(bars, { fastK: 2, slowK: 2, slowD: 2 });
  assertNear(k, [NONE, NONE, NONE, 200 / 3]);
  assertNear(d, [NONE, NONE, NONE, 200 / 3]);
});

test("the stochastic of bars without any range is 0", () => {
  const c = flat(5, 9);
  assertNear(stochastic({ h: c, l: c, c }).d, [...flat(NONE, 8), 0]);
});

test("ADX smooths the share of one direction in both", () => {
  // +DM 2, 1, 0; −DM 0, 0, 2; range 3, 3, 4. Sums of 2 start with the first: +DM 2, range 3
  // bar 2: +DM 2 − 1 + 1 = 2, range 3 − 1.5 + 3 = 4.5: +DI 44.4…, −DI 0, DX 100
  // bar 3: +DM 2 − 1 + 0 = 1, −DM 2, range 4.5 − 2.25 + 4 = 6.25: +DI 16, −DI 32, DX 100 · 16 / 48
  const found = adx(hlc([10, 8, 9], [12, 9, 11], [13, 10, 12], [12, 8, 9]), 2);
  assertNear(found.plusDi, [NONE, NONE, 400 / 9, 16]);
  assertNear(found.minusDi, [NONE, NONE, 0, 32]);
  assertNear(found.adx, [NONE, NONE, NONE, 200 / 3]);
});

test("a bar that goes as far up as down has no direction", () => {
  const found = adx(hlc([10, 8, 9], [11, 7, 9], [12, 6, 9]), 2);
  assertNear(found.plusDi, [NONE, NONE, 0]);
  assertNear(found.minusDi, [NONE, NONE, 0]);
});

test("ADX and both directions of a flat series are 0", () => {
  const c = flat(5, 5);
  const found = adx({ h: c, l: c, c }, 2);
  assertNear(found.adx, [NONE, NONE, NONE, 0, 0]);
  assertNear(found.plusDi, [NONE, NONE, 0, 0, 0]);
});

test("ADX stays as it was on bars without direction", () => {
  // the directions have decayed to nothing only if they are nothing at all: period 1 forgets at once
  const rising = hlc([10, 9, 9], [12, 10, 11], [12, 10, 11], [12, 10, 11]);
  assertNear(adx(rising, 1).adx, [NONE, 100, 100, 100]);
});

test("VWAP weighs typical prices by volume, and has no value without any volume", () => {
  const bars = { ...hlc([11, 9, 10], [14, 10, 12], [30, 10, 20], [30, 10, 20]), v: of(1, 3, 0, 0) };
  // (10 · 1 + 12 · 3) / 4, (12 · 3 + 20 · 0) / 3
  assertNear(vwap(bars, 2), [NONE, 11.5, 12, NONE]);
});

test("OBV adds the volume of rising days and takes away that of falling ones", () => {
  assertNear(obv({ c: of(1, 2, 2, 1), v: of(5, 3, 7, 2) }), [5, 8, 8, 6]);
});

test("an indicator of no bars, or of fewer than it needs, has no values", () => {
  assert.deepEqual(sma(of(), 3), of());
  assert.deepEqual(macd(of(1, 2, 3)).line, flat(NONE, 3));
  assert.deepEqual(adx(hlc([2, 1, 1])).adx, of(NONE));
});

test("a period that is no number of bars is refused by its name", () => {
  for (const period of [0, -1, 1.5, NONE, Infinity]) assert.throws(() => sma(of(1), period), RangeError);
  assert.throws(() => macd(of(1), { signal: 0 }), /signal is 0/);
});
