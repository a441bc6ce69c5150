/**
 * Backtest tool: what a named strategy would have made, beside buying and holding.
 */
import type { Period } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { type Performance, testStrategy as simulate } from "../../math/backtest/backtest.ts";
import { type CrossDays, STRATEGIES, strategyOf, type StrategyName } from "../../math/backtest/strategy.ts";
import { type Bars, sliceBars } from "../../market/port/bars.ts";
import type { Listing } from "../../market/port/listing.ts";
import { MarketError } from "../../market/port/market-error.ts";
import type { Provenance, Sourced } from "../../market/port/provenance.ts";
import { daysPerYear } from "../../math/risk/risk.ts";
import { AnySymbol, Day, isOrdered, ORDERED } from "../frame/arguments.ts";
import { clip, loadDaily, MAX_POINTS, periodOf, toCandles, toDay } from "../shared/daily.ts";
import { citeFields, type FigureOwner } from "../shared/figures.ts";
import { defineMarketTool, type MarketContext } from "../frame/market-tool.ts";
import { percentOf as percent, tidy } from "../shared/number.ts";
import { identify, requireListing, SECURITIES_AND_COINS } from "../frame/require-listing.ts";
import type { ShownSeries } from "./technical-view.ts";

/** Bars before the window that warm indicators up. */
const WARM_UP = 250;
/** Calendar days that surely hold them. */
const WARM_UP_DAYS = 400;
const DAY_MS = 86_400_000;
/** Five years, without a window. */
const STANDARD_BARS = 1_260;
const MAX_TRADES = 500;
const MIN_BARS = 2;

/** A strategy on past prices. */
export const runBacktestTool = defineMarketTool({
  name: "runBacktest",
  category: "beyond",
  description:
    "Tests a strategy on past daily prices of one stock, ETF, index or coin: sma_cross, rsi, macd, bollinger or " +
    "buy_hold. Trades at the open after a signal, with costs, beside buying and holding: return, CAGR, drawdown, " +
    "Sharpe, win rate, trades.",
  chart: { type: "showStockChart", about: "symbol" },
  input: z
    .strictObject({
      symbol: AnySymbol,
      strategy: z.enum(STRATEGIES).describe("Which rule trades"),
      fast: z.int().min(2).max(199).optional().describe("Days of the shorter average of sma_cross; default 20"),
      slow: z.int().min(3).max(200).optional().describe("Days of the longer average; default 50"),
      from: Day.optional().describe("First day, YYYY-MM-DD; default: the newest five years"),
      to: Day.optional().describe("Last day, YYYY-MM-DD"),
      cash: z.number().positive().max(1e12).default(100_000).describe("Money at the start; default 100000"),
      cost_bps: z.number().min(0).max(1_000).default(10).describe("Cost of a trade in basis points; default 10"),
    })
    .refine(isOrdered, ORDERED)
    .refine(({ fast = 20, slow = 50 }) => fast < slow, { error: "must be less than slow", path: ["fast"] }),
  ttlMs: 60 * 60_000,
  run: async (input, asked) => {
    const listing = requireListing(asked.market, input.symbol, SECURITIES_AND_COINS);
    const { bars, currency, start, provenance } = await loadTested(asked, listing, input);
    const { strategy, cash, cost_bps } = input;
    const days = omitUndefined({ fast: input.fast, slow: input.slow });
    requireBars(listing, bars, { start, strategy, days });
    const options = { strategy, days, start, cash, costBps: cost_bps, daysPerYear: daysPerYear(listing.type) };
    const { rule, benchmark, ...performance } = simulate(bars, options);
    const shown = sliceBars(bars, start);
    const data = {
      ...identify(listing),
      currency,
      strategy,
      rule,
      window: periodOf(shown),
      cash,
      cost_bps,
      ...toResult(performance),
      benchmark: toResult(benchmark),
      trades: toFills(performance),
      bars: toCandles(sliceBars(shown, Math.max(0, shown.t.length - MAX_POINTS))),
      series: [
        toEquity(strategy, shown.t, performance.equity),
        ...(strategy === "buy_hold" ? [] : [toEquity("buy_hold", shown.t, benchmark.equity)]),
      ],
    };
    return { data, provenance: { ...provenance, derived_from: [`daily bars of ${listing.symbol}`] } };
  },
  figures: (data) => [
    ...toFigures(data, ["data", data], data.strategy),
    ...toFigures(data, ["data.benchmark", data.benchmark], "buy and hold"),
  ],
  digest: ({ rule }) => ({ notes: [`rule: ${rule}`] }),
});

type Window = Readonly<{ from?: string | undefined; to?: string | undefined }>;
type Loaded = Readonly<{ bars: Bars; currency: string; start: number; provenance: Provenance }>;

/** The bars of the window, and as many before it as the same series has. */
async function loadTested(asked: MarketContext, listing: Listing, { from, to }: Window): Promise<Loaded> {
  if (from === undefined) {
    const limit = STANDARD_BARS + WARM_UP;
    const { data, provenance } = await loadDaily(asked, { listing, limit, ...omitUndefined({ to }) });
    return { bars: data, currency: data.currency, start: Math.max(0, data.t.length - STANDARD_BARS), provenance };
  }
  const exact = await loadDaily(asked, { listing, from, ...omitUndefined({ to }) });
  const bars = clip(exact.data, { from, ...omitUndefined({ to }) });
  const before = await loadBefore(asked, { listing, from, exact });
  const { currency } = exact.data;
  return { bars: join(before, bars), currency, start: before?.t.length ?? 0, provenance: exact.provenance };
}

type Before = Readonly<{ listing: Listing; from: string; exact: Sourced<Bars> }>;

/** The bars before a day, if they are of the same kind and source; undefined if not. */
async function loadBefore(asked: MarketContext, { listing, from, exact }: Before): Promise<Bars | undefined> {
  const day = (days: number) => new Date(Date.parse(`${from}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10);
  try {
    const { data, provenance } = await loadDaily(asked, { listing, from: day(WARM_UP_DAYS), to: day(1) });
    const isSame = provenance.kind === exact.provenance.kind && provenance.source === exact.provenance.source;
    if (!isSame) return undefined;
    const within = clip(data, { to: day(1) });
    return sliceBars(within, Math.max(0, within.t.length - WARM_UP));
  } catch (thrown) {
    if (thrown instanceof MarketError) return undefined;
    throw thrown;
  }
}

function join(before: Bars | undefined, bars: Bars): Bars {
  if (before === undefined || before.t.length === 0) return bars;
  const both = (one: Float64Array, other: Float64Array) => Float64Array.from([...one, ...other]);
  return {
    t: both(before.t, bars.t),
    o: both(before.o, bars.o),
    h: both(before.h, bars.h),
    l: both(before.l, bars.l),
    c: both(before.c, bars.c),
    v: both(before.v, bars.v),
  };
}

type Needs = Readonly<{ start: number; strategy: StrategyName; days: Partial<CrossDays> }>;

function requireBars({ symbol }: Listing, { t }: Bars, { start, strategy, days }: Needs): void {
  const count = t.length - start;
  const needed = Math.max(MIN_BARS, strategyOf(strategy, days).lookback + 2 - start);
  if (count >= needed) return;
  const message = `${strategy} needs at least ${needed} daily bars in the window; ${symbol} has ${count}`;
  throw new MarketError("no_data", message, { symbol, available: `${count} daily bars` });
}

function toResult(of: Performance) {
  return {
    final_value: tidy(of.equity.at(-1) ?? Number.NaN),
    total_return_percent: percent(of.totalReturn),
    max_drawdown_percent: percent(of.maxDrawdown.value),
    exposure_percent: percent(of.exposure),
    costs: tidy(of.costs),
    trade_count: of.trades.length,
    ...(of.cagr === undefined ? {} : { cagr_percent: percent(of.cagr) }),
    ...(of.sharpe === undefined ? {} : { sharpe: tidy(of.sharpe) }),
    ...(of.winRate === undefined ? {} : { win_rate_percent: percent(of.winRate) }),
  };
}

function toFills({ trades }: Performance) {
  const fills = trades.flatMap(({ shares, entry, exit }) => [
    { date: toDay(entry.t), t: entry.t, side: "buy" as const, price: entry.price, shares },
    ...(exit === undefined
      ? []
      : [{ date: toDay(exit.t), t: exit.t, side: "sell" as const, price: exit.price, shares }]),
  ]);
  return fills.slice(-MAX_TRADES);
}

/** At most 2,000 points, evenly chosen, the last always. */
function toEquity(name: string, t: Float64Array, equity: Float64Array): ShownSeries {
  const step = Math.ceil(equity.length / MAX_POINTS);
  const points = Array.from(t, (time, at) => [time, equity[at] ?? Number.NaN] as const);
  const kept = points.filter(([, value], at) => Number.isFinite(value) && (points.length - 1 - at) % step === 0);
  return { name: `${name} equity`, pane: "Equity", kind: "line", points: kept };
}

function toFigures(
  owner: FigureOwner & Readonly<{ window: Period }>,
  part: readonly [place: string, result: object],
  name: string,
) {
  return citeFields({ ...owner, period: owner.window }, part, [
    ["total_return_percent", "percent", `${name} total return`],
    ["cagr_percent", "percent", `${name} CAGR`],
    ["max_drawdown_percent", "percent", `${name} maximum drawdown`],
    ["sharpe", "ratio", `${name} Sharpe ratio`],
    ["win_rate_percent", "percent", `${name} win rate`],
    ["final_value", "money", `${name} final value`],
    ["exposure_percent", "percent", `${name} time in the market`],
    ["trade_count", "count", `${name} trades`],
    ["costs", "money", `${name} costs`],
  ]);
}
