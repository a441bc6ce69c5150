/**
 * Generator: simulated series are consistent, end in what is known, and are always the same.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { Bars } from "../port/bars.ts";
import { openPack, PACK_DAY } from "../pack/pack.ts";
import { coinDaily, coinMinutes, FICTIONAL_COINS } from "./coin.ts";
import { dailyPath, marketPath, mergeBars, minutePath, type PathAnchor } from "./generator.ts";
import { previousClose } from "./price.ts";
import { toAnchor } from "./stock-path.ts";
import { tradingDays } from "./trading-days.ts";

const days = tradingDays("2012-01-03", PACK_DAY);
const market = marketPath(days.length);
const pack = openPack();

const anchors: fc.Arbitrary<PathAnchor> = fc.record({
  symbol: fc.stringMatching(/^[A-Z]{1,5}$/),
  price: fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
  previous: fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
  volume: fc.integer({ min: 1, max: 1e9 }),
  averageVolume: fc.integer({ min: 1, max: 1e9 }),
  volatility: fc.double({ min: 0.003, max: 0.06, noNaN: true }),
  beta: fc.double({ min: 0.2, max: 2, noNaN: true }),
  volumeStep: fc.constant(1),
  gap: fc.constantFrom(0, 0.3),
});

function assertSound({ t, o, h, l, c, v }: Bars): void {
  for (let at = 0; at < t.length; at += 1) {
    const [open = 0, high = 0, low = 0, close = 0, volume = -1] = [o[at], h[at], l[at], c[at], v[at]];
    assert.ok(low > 0 && low <= Math.min(open, close) && high >= Math.max(open, close), `bar ${at}`);
    assert.ok(Number.isFinite(high) && Number.isFinite(volume) && volume >= 0, `bar ${at}`);
    assert.ok(at === 0 || (t[at] ?? 0) > (t[at - 1] ?? 0));
  }
}

test("every bar is consistent, and the last two closes and the last volume are those that are known", () => {
  fc.assert(
    fc.property(anchors, (anchor) => {
      const bars = dailyPath(anchor, days, market);
      assertSound(bars);
      assert.deepEqual([bars.c.at(-1), bars.c.at(-2)], [anchor.price, anchor.previous]);
      assert.equal(bars.v.at(-1), anchor.volume);
      assert.ok(bars.v.every((volume) => Number.isInteger(volume) && volume >= 1));
    }),
    { numRuns: 30 },
  );
});

test("a symbol always has the same series, and another symbol has another", () => {
  fc.assert(
    fc.property(anchors, (anchor) => {
      const bars = dailyPath(anchor, days, market);
      assert.deepEqual(dailyPath({ ...anchor }, days, market), bars);
      assert.notDeepEqual(dailyPath({ ...anchor, symbol: `${anchor.symbol}X` }, days, market).c, bars.c);
    }),
    { numRuns: 10 },
  );
});

test("a day's minutes open, close and range as the day does, and their volumes add up", () => {
  fc.assert(
    fc.property(anchors, fc.nat(days.length - 1), (anchor, day) => {
      const daily = dailyPath(anchor, days, market);
      const startS = (daily.t[day] ?? 0) + 52_200;
      const minutes = minutePath(daily, day, { seed: anchor.symbol, startS, minutes: 390 });
      assertSound(minutes);
      for (const bars of [minutes, mergeBars(minutes, (t) => startS + Math.floor((t - startS) / 3600) * 3600)]) {
        assertSound(bars);
        assert.deepEqual(
          [bars.o[0], Math.max(...bars.h), Math.min(...bars.l), bars.c.at(-1)],
          [daily.o[day], daily.h[day], daily.l[day], daily.c[day]],
        );
        assert.equal(
          bars.v.reduce((sum, value) => sum + value, 0),
          daily.v[day],
        );
      }
    }),
    { numRuns: 30 },
  );
});

test("every stock of the snapshot ends in its price, by the change that the snapshot says", () => {
  for (let index = 0; index < pack.size; index += 97) {
    const stock = pack.stock(index);
    const bars = dailyPath(toAnchor(stock), days, market);
    assertSound(bars);
    assert.equal(bars.c.at(-1), stock.price);
    if (stock.changePercent === undefined) continue;
    const change = ((bars.c.at(-1) ?? 0) / (bars.c.at(-2) ?? 1) - 1) * 100;
    assert.ok(Math.abs(change - stock.changePercent) <= 2e-6 * (1 + Math.abs(change)), stock.symbol);
  }
});

test("large companies move less than small ones", () => {
  const deviation = (symbol: string) => {
    const { c } = dailyPath(toAnchor(pack.stock(pack.indexOf(symbol) ?? -1)), days, market);
    const returns = Array.from({ length: 252 }, (_, at) => (c.at(-at - 2) ?? 0) / (c.at(-at - 3) ?? 1) - 1);
    const mean = returns.reduce((sum, value) => sum + value, 0) / returns.length;
    return Math.sqrt(returns.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 251) * Math.sqrt(252);
  };
  for (const symbol of ["AAPL", "KO", "JPM", "XOM"]) {
    assert.ok(deviation(symbol) > 0.1 && deviation(symbol) < 0.45, `${symbol} ${deviation(symbol)}`);
  }
  assert.ok(deviation("KO") < deviation("MARA"));
});

test("a coin's hours are parts of its days, however many are asked for", () => {
  const [coin] = FICTIONAL_COINS;
  assert.ok(coin !== undefined);
  const daily = coinDaily(coin);
  assertSound(daily);
  const hours = coinMinutes(coin, 3600, 48);
  assertSound(hours);
  const byDay = mergeBars(hours, (t) => Math.floor(t / 86_400) * 86_400);
  assert.deepEqual([...byDay.c], [...daily.c.subarray(-byDay.c.length)]);
  assert.deepEqual([...byDay.h], [...daily.h.subarray(-byDay.h.length)]);
  const more = coinMinutes(coin, 3600, 300);
  assert.deepEqual([...more.c.subarray(-48)], [...hours.c.subarray(-48)]);
});

test("the close before is written with as few digits as give the change", () => {
  assert.equal(previousClose(229.87, 0.590758), 228.52);
  assert.equal(previousClose(21.39, 0.658824), 21.25);
  assert.equal(previousClose(10, 0), 10);
  assert.ok(previousClose(0.000_001, -99.9) > 0);
});
