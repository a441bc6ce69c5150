/**
 * Simulate: trades signals on bars: all of the cash or nothing, in fractions of shares.
 *
 * A signal of one day is traded at the open of the next, so nothing is known before it happened. A buy spends all cash,
 * its cost included; a sale pays its cost out of the proceeds. What is held at the end is not sold, but counted at the
 * last close. An open that is not positive does not trade.
 */
import type { Bars } from "../../market/port/bars.ts";
import { at } from "../indicators/column.ts";

/** One purchase or sale. */
export interface Fill {
  /** The bar at whose open it was. */
  readonly index: number;
  /** That bar's time, in UTC seconds. */
  readonly t: number;
  readonly price: number;
  readonly cost: number;
}

/** A purchase and its sale; without `exit` it is still held, and its profit is that at the last close. */
export interface Trade {
  readonly shares: number;
  readonly entry: Fill;
  readonly exit?: Fill;
  /** After the costs so far. */
  readonly profit: number;
  /** Profit by what was paid, cost included: a fraction. */
  readonly profitRate: number;
}

/** Start, cash and costs of the account that trades. */
export interface BacktestAccount {
  /** The first bar that belongs to the test; those before it only warm up. */
  readonly start: number;
  readonly cash: number;
  /** Cost of each purchase and each sale, in hundredths of a percent of its amount. */
  readonly costBps: number;
}

/** Course of a simulated account: its total value at each close from `start` on. */
export interface Simulation {
  readonly equity: Float64Array;
  readonly trades: readonly Trade[];
  /** Closes at which shares were held. */
  readonly daysHeld: number;
}

type Holding = Readonly<{ shares: number; paid: number; entry: Fill }>;

/** Trades one signal per bar: above 0 buys, below 0 sells, 0 and NaN do nothing. */
export function simulate(bars: Bars, signals: Float64Array, account: BacktestAccount): Simulation {
  const { start, costBps } = account;
  const rate = costBps / 10_000;
  const equity = new Float64Array(Math.max(0, bars.c.length - start));
  const trades: Trade[] = [];
  let { cash } = account;
  let holding: Holding | undefined;
  let [daysHeld, lastClose] = [0, Number.NaN];

  for (let index = start; index < bars.c.length; index++) {
    const [signal, price] = [at(signals, index - 1), at(bars.o, index)];
    if (holding === undefined && signal > 0 && isPrice(price) && cash > 0) {
      holding = buy({ index, t: at(bars.t, index), price }, cash, rate);
      cash = 0;
    } else if (holding !== undefined && signal < 0 && isPrice(price)) {
      const amount = holding.shares * price;
      cash = amount - amount * rate;
      trades.push(toTrade(holding, cash, { index, t: at(bars.t, index), price, cost: amount * rate }));
      holding = undefined;
    }
    if (isPrice(at(bars.c, index))) lastClose = at(bars.c, index);
    if (holding !== undefined) daysHeld++;
    equity[index - start] = holding === undefined ? cash : worth(holding, lastClose);
  }
  if (holding !== undefined) trades.push(toTrade(holding, worth(holding, lastClose)));
  return { equity, trades, daysHeld };
}

function buy(at0: Omit<Fill, "cost">, cash: number, rate: number): Holding {
  const amount = cash / (1 + rate);
  return { shares: amount / at0.price, paid: cash, entry: { ...at0, cost: cash - amount } };
}

/** Shares at a close; at their purchase price until there is one. */
function worth({ shares, entry }: Holding, close: number): number {
  return shares * (Number.isNaN(close) ? entry.price : close);
}

function toTrade({ shares, paid, entry }: Holding, back: number, exit?: Fill): Trade {
  const profit = back - paid;
  return { shares, entry, ...(exit === undefined ? {} : { exit }), profit, profitRate: profit / paid };
}

function isPrice(value: number): boolean {
  return value > 0 && Number.isFinite(value);
}
