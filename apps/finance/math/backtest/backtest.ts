/**
 * Backtest: what a strategy would have made of some cash, beside buying and holding over the same days at the same cost.
 *
 * Rates are fractions and a loss is negative. Annual figures are absent if there are fewer than 30 daily returns.
 */
import type { Bars } from "../../market/port/bars.ts";
import { at } from "../indicators/column.ts";
import { maxDrawdown, type Drawdown } from "../risk/drawdown.ts";
import { MIN_RETURNS, simpleReturns } from "../risk/returns.ts";
import { sharpe } from "../risk/risk.ts";
import { simulate, type BacktestAccount, type Simulation, type Trade } from "./simulate.ts";
import { type CrossDays, strategyOf, type StrategyName } from "./strategy.ts";

/** Options of a backtest. */
export interface BacktestOptions extends Partial<BacktestAccount> {
  readonly strategy: StrategyName;
  /** Of `sma_cross`. */
  readonly days?: Partial<CrossDays>;
  /** Annual, as a fraction; 0 unless given. */
  readonly riskFreeRate?: number;
  /** 252 unless given; 365 for coins. */
  readonly daysPerYear?: number;
}

/** Result of the cash that was invested. */
export interface Performance {
  /** Value of everything at each close of the window. */
  readonly equity: Float64Array;
  readonly trades: readonly Trade[];
  readonly totalReturn: number;
  /** By calendar years of 365.25 days. */
  readonly cagr?: number;
  /** Of the equity; indices are bars of the window, −1 is the cash before it. */
  readonly maxDrawdown: Drawdown;
  readonly sharpe?: number;
  /** Share of the finished trades that made a profit after costs; absent if none is finished. */
  readonly winRate?: number;
  /** Share of the closes at which shares were held. */
  readonly exposure: number;
  /** Paid for all purchases and sales. */
  readonly costs: number;
}

/** A strategy's performance and that of buying and holding. */
export interface Backtest extends Performance {
  readonly rule: string;
  readonly benchmark: Performance;
}

/** A year, for CAGR. */
const YEAR_S = 365.25 * 86_400;

/** Tests a strategy on bars from `start` on; those before it let its indicators warm up. The window has a bar at least. */
export function testStrategy(bars: Bars, options: BacktestOptions): Backtest {
  const { strategy, days, start = 0, cash = 100_000, costBps = 10, riskFreeRate = 0, daysPerYear = 252 } = options;
  checkWindow(bars, { start, cash, costBps });
  const perform = (name: StrategyName) =>
    toPerformance(simulate(bars, strategyOf(name, days).signals(bars), { start, cash, costBps }), {
      cash,
      years: (at(bars.t, bars.t.length - 1) - at(bars.t, start)) / YEAR_S,
      ratio: { riskFreeRate, daysPerYear },
    });
  return { rule: strategyOf(strategy, days).rule, ...perform(strategy), benchmark: perform("buy_hold") };
}

type Basis = Readonly<{ cash: number; years: number; ratio: Readonly<{ riskFreeRate: number; daysPerYear: number }> }>;

function toPerformance({ equity, trades, daysHeld }: Simulation, { cash, years, ratio }: Basis): Performance {
  const values = new Float64Array(equity.length + 1);
  values[0] = cash;
  values.set(equity, 1);
  const end = at(values, values.length - 1);
  const { value, peak, trough } = maxDrawdown(values);
  const finished = trades.filter(({ exit }) => exit !== undefined);
  const annual = equity.length >= MIN_RETURNS;
  const perYear = annual && years > 0 ? (end / cash) ** (1 / years) - 1 : Number.NaN;
  const ratioOfReturns = annual ? sharpe(simpleReturns(values), ratio) : undefined;
  return {
    equity,
    trades,
    totalReturn: end / cash - 1,
    ...(Number.isFinite(perYear) ? { cagr: perYear } : {}),
    maxDrawdown: { value, peak: peak - 1, trough: trough - 1 },
    ...(ratioOfReturns === undefined ? {} : { sharpe: ratioOfReturns }),
    ...(finished.length === 0 ? {} : { winRate: finished.filter(({ profit }) => profit > 0).length / finished.length }),
    exposure: daysHeld / equity.length,
    costs: trades.reduce((sum, { entry, exit }) => sum + entry.cost + (exit?.cost ?? 0), 0),
  };
}

function checkWindow({ c }: Bars, { start, cash, costBps }: BacktestAccount): void {
  if (!(Number.isSafeInteger(start) && start >= 0 && start < c.length))
    throw new RangeError(`start is ${start}, and there are ${c.length} bars`);
  if (!(cash > 0 && Number.isFinite(cash))) throw new RangeError(`cash is ${cash}; it must be positive`);
  if (!(costBps >= 0 && costBps < 10_000)) throw new RangeError(`costBps is ${costBps}; it is from 0 to 9,999`);
}
