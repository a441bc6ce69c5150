/**
 * Risk calls: value at risk, Sharpe ratio, volatility, and strategies tested on past prices.
 */
import { type Ask, call, type ChosenCall, unless } from "../ask.ts";
import { readConfidence, readDays, readMoney } from "../numbers/parameters.ts";
import { each, windowOf } from "./price-calls.ts";

const STANDARD_DAYS = 252;
const MAX_DAYS = 1_260;

function daysOf(ask: Ask): number | undefined {
  const days = readDays(ask);
  return days === undefined ? undefined : unless(STANDARD_DAYS, Math.min(MAX_DAYS, Math.max(30, days)));
}

/** Value at risk. */
export const varCalls = (ask: Ask): readonly ChosenCall[] =>
  each(ask, ({ symbol }) => {
    const isParametric = hasWord(ask, "parametric") || hasWord(ask, "gaussian") || hasPair(ask, "tham", "so");
    return [
      call("calculateVaR", {
        symbol,
        confidence: unless(0.95, readConfidence(ask)),
        method: isParametric ? "parametric" : undefined,
        portfolio_value: unless(10_000, readMoney(ask)),
        days: daysOf(ask),
      }),
    ];
  });

function hasPair({ base: { tokens } }: Ask, one: string, other: string): boolean {
  return tokens.some(({ key }, at) => key === one && tokens[at + 1]?.key === other);
}

/** Return for the risk that was taken. */
export const sharpeCalls = (ask: Ask): readonly ChosenCall[] =>
  each(ask, ({ symbol }) => [call("getSharpeRatio", { symbol, risk_free_rate: rateOf(ask), days: daysOf(ask) })]);

const MAX_RATE = 20;

/** The risk-free rate that a question gives, as a fraction. */
function rateOf({ amounts, base }: Ask): number | undefined {
  const isNamed = base.tokens.some(({ key }) => key === "free" || key === "phi");
  const rate = isNamed ? amounts.find(({ isPercent, value }) => isPercent && value <= MAX_RATE) : undefined;
  return rate === undefined ? undefined : Number((rate.value / 100).toPrecision(6));
}

/** How much prices swing. */
export const volatilityCalls = (ask: Ask): readonly ChosenCall[] =>
  each(ask, ({ symbol }) => [call("getVolatilityAnalysis", { symbol, days: daysOf(ask) })]);

/** A strategy on past prices. */
export const backtestCalls = (ask: Ask): readonly ChosenCall[] =>
  each(ask, ({ symbol }) => [
    call("runBacktest", {
      symbol,
      strategy: strategyOf(ask),
      ...testedWindow(ask),
      cash: unless(100_000, readMoney(ask)),
      cost_bps: unless(10, costOf(ask)),
    }),
  ]);

/** "If I had bought in 2000" continues until today. */
function testedWindow(ask: Ask): Readonly<{ from?: string; to?: string }> {
  const { from, to } = windowOf(ask);
  const isOneYear = from !== undefined && to !== undefined && from.slice(0, 4) === to.slice(0, 4);
  if (!isOneYear || strategyOf(ask) !== "buy_hold" || hasWord(ask, "backtest")) return windowOf(ask);
  return { from };
}

function hasWord({ base: { tokens } }: Ask, word: string): boolean {
  return tokens.some(({ key }) => key === word);
}

const RULE_WORDS: ReadonlySet<string> = new Set(["strategy", "backtest", "backtesting", "luoc", "test"]);
const HOLD_WORDS: ReadonlySet<string> = new Set(["hold", "held", "giu", "bought", "invested"]);

function strategyOf({ base: { topics, tokens } }: Ask): string {
  const named = new Set(topics.map(({ name }) => name));
  if (named.has("bands")) return "bollinger";
  if (named.has("macd")) return "macd";
  if (named.has("rsi")) return "rsi";
  if (named.has("sma") || named.has("ema") || named.has("cross")) return "sma_cross";
  const isRule = tokens.some(({ key }) => RULE_WORDS.has(key));
  const isHeld = tokens.some(({ key }) => HOLD_WORDS.has(key));
  return isHeld || !isRule ? "buy_hold" : "sma_cross";
}

function costOf({ base: { tokens } }: Ask): number | undefined {
  const at = tokens.findIndex(({ key }) => key === "bps" || key === "bp" || key === "basis");
  const before = tokens[at - 1]?.key ?? "";
  return at > 0 && /^\d{1,3}$/.test(before) ? Number(before) : undefined;
}
