import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { sliceBars, type Bars } from "../../market/port/bars.ts";
import { at } from "../indicators/column.ts";
import { arbitraryBars, toBars, type Bar } from "../indicators/testing/cases.ts";
import { testStrategy } from "./backtest.ts";
import { simulate } from "./simulate.ts";
import { STRATEGIES, strategyOf } from "./strategy.ts";

const SERIES = arbitraryBars(60, 160);
const STRATEGY = fc.constantFrom(...STRATEGIES);
const near = (one: number, other: number) =>
  Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one), Math.abs(other));
/** Bars of open and close. */
const days = (...rows: (readonly [open: number, close: number])[]): Bars =>
  toBars(rows.map(([o, c]) => ({ o, h: Math.max(o, c), l: Math.min(o, c), c, v: 1 })));
/** A path of closes that opens where it closed before. */
const path = (closes: readonly number[]): Bars =>
  days(...closes.map((close, index) => [closes[index - 1] ?? close, close] as const));

test("a signal is traded at the next day's open, with its cost on each side", () => {
  // buys 100 / 1.01 at 10, sells at 12 for 1 % less
  const bars = days([9, 9], [10, 11], [11, 11], [12, 13]);
  const { equity, trades, daysHeld } = simulate(bars, Float64Array.of(1, 0, -1, 0), {
    start: 0,
    cash: 101,
    costBps: 100,
  });
  assert.deepEqual([...equity], [101, 110, 110, 118.8]);
  assert.equal(daysHeld, 2);
  const [trade, ...others] = trades;
  assert.deepEqual(others, []);
  assert.deepEqual(
    [trade?.shares, trade?.entry.index, trade?.entry.price, trade?.exit?.index, trade?.exit?.price],
    [10, 1, 10, 3, 12],
  );
  assert.deepEqual([trade?.entry.cost, trade?.exit?.cost], [1, 1.2]);
  assert.ok(near(trade?.profit ?? 0, 17.8) && near(trade?.profitRate ?? 0, 17.8 / 101));
});

test("a signal of the last day is not traded, and what is held then counts at the last close", () => {
  const bars = days([10, 10], [10, 15], [15, 20]);
  const { equity, trades } = simulate(bars, Float64Array.of(1, 0, -1), { start: 0, cash: 100, costBps: 0 });
  assert.deepEqual([...equity], [100, 150, 200]);
  assert.deepEqual([trades.length, trades[0]?.exit, trades[0]?.profit], [1, undefined, 100]);
});

test("the day before the window gives the first signal, older ones none", () => {
  const bars = days([10, 10], [10, 10], [10, 20], [20, 20]);
  const run = (signals: readonly number[]) =>
    simulate(bars, Float64Array.from(signals), { start: 2, cash: 100, costBps: 0 });
  assert.deepEqual([...run([0, 1, 0, 0]).equity], [200, 200]);
  assert.deepEqual([...run([1, 0, 0, 0]).equity], [100, 100]);
});

test("an open without a price does not trade, and a close without one counts as the last there was", () => {
  const bars = days([10, 10], [0, 10], [10, 0], [10, 30]);
  const { equity, trades } = simulate(bars, Float64Array.of(1, 1, 0, 0), { start: 0, cash: 100, costBps: 0 });
  assert.equal(trades[0]?.entry.index, 2);
  assert.deepEqual([...equity], [100, 100, 100, 300]);
});

test("sma_cross buys a rise and sells the fall that follows", () => {
  const closes = [...Array(60).keys()].map((day) => 100 - day * 0.1);
  const rise = [...Array(60).keys()].map((day) => 95 + day);
  const fall = [...Array(80).keys()].map((day) => 154 - day);
  const { trades, winRate, totalReturn, benchmark, rule } = testStrategy(path([...closes, ...rise, ...fall]), {
    strategy: "sma_cross",
  });
  assert.equal(trades.length, 1);
  const { entry, exit } = trades[0] ?? {};
  assert.ok((entry?.index ?? 0) > 60 && (entry?.index ?? 0) < 100, "after the turn, not before it");
  assert.ok((exit?.index ?? 0) > 120 && (exit?.index ?? 0) < 160);
  assert.equal(winRate, 1);
  assert.ok(totalReturn > 0 && benchmark.totalReturn < 0);
  assert.match(rule, /SMA\(20\).*SMA\(50\)/);
});

test("rsi and bollinger buy a sharp fall and sell the sharp rise after it", () => {
  const calm = Array.from({ length: 40 }, (_, day) => 100 + (day % 2));
  const closes = [...calm, 95, 88, 80, 79, 80, 79, 90, 105, 125, 150, 180];
  for (const strategy of ["rsi", "bollinger"] as const) {
    const { trades } = testStrategy(path(closes), { strategy });
    const { entry, exit } = trades[0] ?? {};
    assert.ok((entry?.index ?? 0) > 40 && (entry?.price ?? 0) <= 95, `${strategy} bought at ${entry?.price}`);
    assert.ok((exit?.price ?? 0) >= 105, `${strategy} sold at ${exit?.price}`);
  }
});

test("macd is in a rise that gets steeper and out of a fall that gets steeper", () => {
  const rise = Array.from({ length: 60 }, (_, day) => 100 + day ** 2 / 20);
  const top = rise.at(-1) ?? 0;
  const fall = Array.from({ length: 40 }, (_, day) => top - day ** 2 / 20);
  const { equity, trades } = testStrategy(path([...rise, ...fall]), { strategy: "macd" });
  const [first] = trades;
  assert.equal(first?.entry.index, 34);
  assert.ok((first?.exit?.index ?? 0) > 60 && (first?.exit?.index ?? 0) < 75);
  assert.equal(equity.length, 100);
});

test("a flat series makes no strategy trade but buying and holding", () => {
  for (const strategy of STRATEGIES) {
    const { trades, totalReturn, sharpe, winRate } = testStrategy(path(Array<number>(120).fill(0.1)), {
      strategy,
      costBps: 0,
    });
    assert.equal(trades.length, strategy === "buy_hold" ? 1 : 0);
    assert.ok(near(totalReturn, 0));
    assert.deepEqual([sharpe, winRate], [undefined, undefined]);
  }
});

test("bars after a day never change what was traded up to it", () => {
  fc.assert(
    fc.property(SERIES, SERIES, fc.record({ strategy: STRATEGY, start: fc.nat(50) }), (known, future, options) => {
      const cutAt = Math.max(options.start + 1, known.length >> 1);
      const until = (list: readonly Bar[]) => {
        const { trades, equity } = testStrategy(toBars(list), options);
        const fills = trades.flatMap(({ shares, entry, exit }) => [
          { shares, ...entry },
          ...(exit === undefined ? [] : [{ shares, ...exit }]),
        ]);
        return { fills: fills.filter(({ index }) => index < cutAt), equity: equity.slice(0, cutAt - options.start) };
      };
      assert.deepEqual(until([...known.slice(0, cutAt), ...future]), until(known));
    }),
  );
});

test("an open is traded at only because of closes before it", () => {
  fc.assert(
    fc.property(SERIES, STRATEGY, (list, strategy) => {
      const bars = toBars(list);
      const end = list.length - 1;
      // the last close is another one: it comes after the last open, so it trades nothing
      const other = toBars(list.with(end, { ...(list[end] ?? { o: 1, h: 1, l: 1, v: 1 }), c: 123 }));
      const entries = (of: Bars) => testStrategy(of, { strategy }).trades.map(({ entry, exit }) => [entry, exit]);
      assert.deepEqual(entries(other), entries(bars));
    }),
  );
});

test("money is only moved: cash and shares change by what is paid, and costs are all that is lost", () => {
  const options = fc.record({
    strategy: STRATEGY,
    costBps: fc.nat(500),
    cash: fc.integer({ min: 1, max: 1_000_000 }),
    start: fc.nat(50),
  });
  fc.assert(
    fc.property(SERIES, options, (list, { strategy, costBps, cash, start }) => {
      const bars = toBars(list);
      const { equity, trades, totalReturn, costs } = testStrategy(bars, { strategy, costBps, cash, start });
      let [money, shares] = [cash, 0];
      let paid = 0;
      // rounding is relative to the most there ever was
      const peak = Math.max(cash, ...equity);
      const same = (one: number, other: number) => Math.abs(one - other) <= 1e-9 * peak;
      for (let index = start; index < list.length; index++) {
        for (const trade of trades) {
          if (trade.exit?.index === index) {
            money += trade.shares * at(bars.o, index) - trade.exit.cost;
            shares -= trade.shares;
            paid += trade.exit.cost;
            assert.ok(near(trade.exit.cost, (trade.shares * at(bars.o, index) * costBps) / 10_000));
          }
          if (trade.entry.index === index) {
            money -= trade.shares * at(bars.o, index) + trade.entry.cost;
            shares += trade.shares;
            paid += trade.entry.cost;
            assert.ok(near(trade.entry.cost, (trade.shares * at(bars.o, index) * costBps) / 10_000));
          }
        }
        assert.ok(money > -1e-9 * peak, "nothing is borrowed");
        assert.ok(same(at(equity, index - start), money + shares * at(bars.c, index)));
      }
      assert.ok(same(paid, costs));
      assert.ok(same(cash + trades.reduce((sum, { profit }) => sum + profit, 0), cash * (1 + totalReturn)));
    }),
  );
});

test("buying and holding without cost returns what the price does from the first tradable open", () => {
  fc.assert(
    fc.property(SERIES, fc.nat(50), (list, start) => {
      const { c, o } = toBars(list);
      const { totalReturn, benchmark, exposure } = testStrategy(toBars(list), {
        strategy: "buy_hold",
        start,
        costBps: 0,
      });
      // the first bar of all has no day before it
      const first = Math.max(start, 1);
      assert.ok(near(totalReturn, at(c, list.length - 1) / at(o, first) - 1));
      assert.ok(near(exposure, (list.length - first) / (list.length - start)));
      assert.equal(benchmark.totalReturn, totalReturn);
    }),
  );
});

test("a higher cost never gives a better result, and changes no day of a trade", () => {
  fc.assert(
    fc.property(
      SERIES,
      STRATEGY,
      fc.tuple(fc.nat(300), fc.integer({ min: 1, max: 300 })),
      (list, strategy, [costBps, more]) => {
        const [cheap, dear] = [costBps, costBps + more].map((bps) =>
          testStrategy(toBars(list), { strategy, costBps: bps }),
        );
        const when = (trades = cheap?.trades) => trades?.map(({ entry, exit }) => [entry.index, exit?.index]);
        assert.deepEqual(when(dear?.trades), when());
        const [before = 0, after = 0] = [cheap?.equity.at(-1), dear?.equity.at(-1)];
        assert.ok(cheap?.trades.length === 0 ? after === before : after < before);
      },
    ),
  );
});

test("the result does not depend on how much cash there is, nor on the unit of prices", () => {
  fc.assert(
    fc.property(SERIES, STRATEGY, (list, strategy) => {
      const cents = list.map(({ o, h, l, c, v }) => ({ o: o * 128, h: h * 128, l: l * 128, c: c * 128, v }));
      const base = testStrategy(toBars(list), { strategy }).totalReturn;
      assert.ok(near(testStrategy(toBars(list), { strategy, cash: 7 }).totalReturn, base));
      assert.ok(near(testStrategy(toBars(cents), { strategy }).totalReturn, base));
    }),
  );
});

test("a window uses the bars before it to warm up", () => {
  const closes = Array.from({ length: 200 }, (_, day) => 100 + day);
  const bars = path(closes);
  // the averages are known on the first day of the window only if they were warm before it
  assert.equal(testStrategy(bars, { strategy: "sma_cross", start: 100 }).trades[0]?.entry.index, 100);
  const cold = testStrategy(sliceBars(bars, 100), { strategy: "sma_cross" }).trades[0]?.entry.index;
  assert.equal(cold, strategyOf("sma_cross").lookback + 1);
});

test("CAGR counts calendar years, and drawdown starts from the cash", () => {
  // doubles in 1,461 days of four years
  const closes = Array.from({ length: 1_462 }, (_, day) => 100 * 2 ** (day / 1_461));
  const { cagr = 0, totalReturn } = testStrategy(path(closes), { strategy: "buy_hold", costBps: 0 });
  assert.ok(near(totalReturn, 1) && near(cagr, 2 ** 0.25 - 1));
  const falling = testStrategy(days([10, 10], [10, 8], [8, 5]), { strategy: "buy_hold", costBps: 0 });
  assert.deepEqual(falling.maxDrawdown, { value: -0.5, peak: -1, trough: 2 });
});

test("fewer than 30 days have no annual figures", () => {
  const short = testStrategy(path([...Array(29).keys()].map((day) => 100 + (day % 3))), { strategy: "buy_hold" });
  assert.deepEqual([short.cagr, short.sharpe, "cagr" in short], [undefined, undefined, false]);
  const enough = testStrategy(path([...Array(30).keys()].map((day) => 100 + (day % 3))), { strategy: "buy_hold" });
  assert.ok(enough.cagr !== undefined && enough.sharpe !== undefined);
});

test("a window outside of the bars, no cash and a senseless cost are refused", () => {
  const bars = path([1, 2, 3]);
  for (const bad of [
    { start: 3 },
    { start: -1 },
    { cash: 0 },
    { cash: Number.NaN },
    { costBps: -1 },
    { costBps: 10_000 },
  ])
    assert.throws(() => testStrategy(bars, { strategy: "buy_hold", ...bad }), RangeError);
  assert.throws(() => testStrategy(path([]), { strategy: "buy_hold" }), RangeError);
});
