import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { sliceBars, type Bars } from "../../market/port/bars.ts";
import { at } from "./column.ts";
import { arbitraryBars, CASES, toBars, toList, type Bar, type Case } from "./testing/cases.ts";
import { typicalPrice } from "./vwap.ts";

const LONG = arbitraryBars(1, 80);
const change = (bars: readonly Bar[], by: (price: number) => number) =>
  toBars(bars.map(({ o, h, l, c, v }) => ({ o: by(o), h: by(h), l: by(l), c: by(c), v })));

/** Each value of each output of a case on two series. */
function assertPairs(
  one: Readonly<Record<string, Float64Array>>,
  other: typeof one,
  same: (a: number, b: number) => boolean,
) {
  for (const [output, values] of Object.entries(one)) {
    values.forEach((value, index) => {
      const twin = at(other[output] ?? new Float64Array(), index);
      const agree = Number.isNaN(value) ? Number.isNaN(twin) : same(value, twin);
      assert.ok(agree, `${output}[${index}]: ${value} and ${twin}`);
    });
  }
}
const near = (a: number, b: number) => Math.abs(a - b) <= 1e-7 * Math.max(1, Math.abs(a), Math.abs(b));

for (const [name, kase] of CASES) {
  test(`${name}: later bars change nothing that came before them`, () => {
    fc.assert(
      fc.property(LONG, LONG, (list, more) => {
        const whole = kase.batch(toBars([...list, ...more]));
        for (const [output, values] of Object.entries(kase.batch(toBars(list))))
          assert.deepEqual(whole[output]?.slice(0, list.length), values);
      }),
    );
  });

  test(`${name}: values are missing exactly as long as its lookback says, and are finite from then on`, () => {
    fc.assert(
      fc.property(LONG, (list) => {
        // a window without volume has no VWAP, so there is always some
        const found = kase.batch(toBars(list.map((bar) => ({ ...bar, v: bar.v + 1 }))));
        for (const [output, values] of Object.entries(found))
          values.forEach((value, index) => assert.equal(Number.isFinite(value), index >= kase.lookback(output)));
      }),
    );
  });

  test(`${name}: all prices times k`, () => {
    fc.assert(
      fc.property(LONG, fc.integer({ min: -9, max: 9 }), (list, exponent) => {
        // a power of two, so that multiplying is exact and what was equal stays equal
        const factor = 2 ** exponent;
        const scaled = kase.batch(change(list, (price) => price * factor));
        const unit = kase.scale === "price" ? factor : 1;
        assertPairs(kase.batch(toBars(list)), scaled, (value, twin) => near(value * unit, twin));
      }),
    );
  });

  test(`${name}: all prices plus k`, () => {
    fc.assert(
      fc.property(LONG, fc.integer({ min: 0, max: 1_000 }), (list, offset) => {
        // whole prices, so that adding is exact and what was flat stays flat
        const whole = toList(change(list, (price) => Math.ceil(price)));
        const shifted = kase.batch(change(whole, (price) => price + offset));
        const added = kase.shift === "price" ? offset : 0;
        assertPairs(kase.batch(toBars(whole)), shifted, (value, twin) => near(value + added, twin));
      }),
    );
  });

  if (kase.window !== undefined) windowTest(name, kase, kase.window);
}

function windowTest(name: string, kase: Case, window: number): void {
  test(`${name}: a value depends on the last ${window} bars and on no others`, () => {
    fc.assert(
      fc.property(LONG, arbitraryBars(window, window), (before, last) => {
        const at0 = (bars: Bars) => Object.values(kase.batch(bars)).map((values) => at(values, bars.c.length - 1));
        const [alone, after] = [at0(toBars(last)), at0(toBars([...before, ...last]))];
        alone.forEach((value, index) => {
          const other = after[index] ?? 0;
          assert.ok(near(value, other) || (Number.isNaN(value) && Number.isNaN(other)), `${value} and ${other}`);
        });
      }),
    );
  });
}

test("what came before fades: after 400 bars, EMA, RSI, MACD, ATR and ADX have forgotten it", () => {
  fc.assert(
    fc.property(arbitraryBars(1, 30), arbitraryBars(1, 30), arbitraryBars(400, 400), (one, other, list) => {
      // something moves on every bar: a flat series would keep what it has
      const common = list.map((bar, index) => ({ ...bar, h: bar.h + 1, c: bar.c + (index % 2) }));
      for (const name of ["ema", "rsi", "macd", "atr", "adx"]) {
        const kase = CASES.get(name);
        assert.ok(kase);
        const last = (before: readonly Bar[]) =>
          Object.values(kase.batch(toBars([...before, ...common]))).map((values) => at(values, values.length - 1));
        const ends = last(other);
        last(one).forEach((value, index) =>
          assert.ok(near(value, ends[index] ?? 0), `${name}: ${value}, ${ends[index]}`),
        );
      }
    }),
    { numRuns: 20 },
  );
});

test("windows agree with their definition, computed anew for each bar", () => {
  fc.assert(
    fc.property(LONG, (list) => {
      const bars = toBars(list);
      const [sma, bands] = ["sma", "bollinger"].map((name) => CASES.get(name)?.batch(bars));
      const [stochastic, vwap] = ["stochastic", "vwap"].map((name) => CASES.get(name)?.batch(bars));
      for (let end = 1; end <= list.length; end++) {
        if (end >= 7) assert.ok(near(at(sma?.["value"] ?? bars.c, end - 1), plainMean(bars.c.slice(end - 7, end))));
        if (end >= 6) assertBands(bands, bars.c.slice(end - 6, end), end - 1);
        if (end >= 6) assertVwap(vwap?.["value"], sliceBars(bars, end - 6, end), end - 1);
        if (end >= 9) assertStochastic(stochastic?.["d"], bars, end);
      }
    }),
  );
});

test("RSI, stochastic, ADX, +DI and −DI stay between 0 and 100", () => {
  fc.assert(
    fc.property(LONG, (list) => {
      for (const name of ["rsi", "stochastic", "adx"])
        for (const values of Object.values(CASES.get(name)?.batch(toBars(list)) ?? {}))
          for (const value of values) assert.ok(!(value < 0 || value > 100 + 1e-9), `${name}: ${value}`);
    }),
  );
});

test("prices that only rise have RSI 100, ADX 100, no −DI, and MACD above 0", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 30, maxLength: 60 }), (steps) => {
      let close = 100;
      const list = steps.map((step) => {
        close += step;
        return { o: close, h: close + 1, l: close - 1, c: close, v: 10 };
      });
      const last = (name: string, output: string) => CASES.get(name)?.batch(toBars(list))[output]?.at(-1) ?? Number.NaN;
      assert.equal(last("rsi", "value"), 100);
      assert.ok(near(last("adx", "adx"), 100));
      assert.equal(last("adx", "minusDi"), 0);
      assert.ok(last("macd", "line") > 0);
    }),
  );
});

function plainMean(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function assertBands(
  found: Readonly<Record<string, Float64Array>> | undefined,
  window: Float64Array,
  index: number,
): void {
  const mean = plainMean(window);
  const deviation = Math.sqrt(plainMean(window.map((value) => (value - mean) ** 2)));
  for (const [band, times] of [
    ["upper", 2],
    ["middle", 0],
    ["lower", -2],
  ] as const) {
    const value = at(found?.[band] ?? new Float64Array(), index);
    // the root makes much of a rounding error of the squares
    assert.ok(Math.abs(value - (mean + times * deviation)) < 1e-6, `${band}[${index}] ${value}`);
  }
}

function assertVwap(found: Float64Array | undefined, { h, l, c, v }: Bars, index: number): void {
  const volume = v.reduce((sum, value) => sum + value, 0);
  const amount = v.reduce((sum, value, bar) => sum + value * typicalPrice(at(h, bar), at(l, bar), at(c, bar)), 0);
  const value = at(found ?? new Float64Array(), index);
  assert.ok(volume === 0 ? Number.isNaN(value) : near(value, amount / volume), `${value}`);
}

function assertStochastic(found: Float64Array | undefined, bars: Bars, end: number): void {
  const fast = (last: number) => {
    const { h, l, c } = sliceBars(bars, last - 5, last);
    const [highest, lowest] = [Math.max(...h), Math.min(...l)];
    return highest === lowest ? 0 : (100 * (at(c, 4) - lowest)) / (highest - lowest);
  };
  const slow = (last: number) => (fast(last) + fast(last - 1) + fast(last - 2)) / 3;
  const value = at(found ?? new Float64Array(), end - 1);
  assert.ok(near(value, (slow(end) + slow(end - 1)) / 2), `${value}`);
}
