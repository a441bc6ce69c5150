/**
 * Technical tools: indicators computed here from daily bars, in TA-Lib's conventions.
 */
import { z } from "zod";
import type { Bars } from "../../market/port/bars.ts";
import { AnySymbol } from "../frame/arguments.ts";
import { cite } from "../shared/figures.ts";
import {
  COMPUTE,
  type Computed,
  computeBands,
  computeEma,
  computeMacd,
  computeRsi,
  computeSma,
  type IndicatorName,
  INDICATORS,
} from "./indicator.ts";
import { defineMarketTool, type ToolCard } from "../frame/market-tool.ts";
import {
  citeClose,
  citePart,
  loadShown,
  type IndicatorPart,
  type TechnicalView,
  type BarTimeframe,
  TIMEFRAMES,
  toPart,
  tooFewBars,
  toView,
} from "./technical-view.ts";

const TTL_MS = 5 * 60_000;

interface Indicators extends TechnicalView {
  readonly timeframe: BarTimeframe;
  readonly indicators: readonly (IndicatorPart & Readonly<{ indicator: IndicatorName }>)[];
  /** Indicators that need more bars than there are. */
  readonly missing?: readonly Readonly<{ indicator: IndicatorName; needs_bars: number; bars: number }>[];
}

type IndicatorsInput = Readonly<{ symbol: string; timeframe: BarTimeframe; indicators: readonly IndicatorName[] }>;

/** Several indicators at once. */
export const getTechnicalIndicators = defineMarketTool<IndicatorsInput, Indicators>({
  name: "getTechnicalIndicators",
  category: "technical",
  description:
    "Several technical indicators of one stock, ETF, index or coin at once, from daily bars: RSI, MACD, SMA, EMA, " +
    "Bollinger bands (BB), ATR, STOCH, ADX, VWAP, OBV, with the usual reading of each. Use it for a technical " +
    "analysis or for ATR, STOCH, ADX, VWAP, OBV; for one of the others with own parameters use its own tool.",
  says: `all indicators and signals on a chart; momentum, trend and volatility indicators; tín hiệu kỹ thuật mua bán;
    đánh giá kỹ thuật tổng hợp; technical analysis; is the trend bullish or bearish; stochastic oscillator;
    average true range ATR; ADX trend strength; on-balance volume OBV; VWAP volume weighted price;
    phân tích kỹ thuật; chỉ báo kỹ thuật; xu hướng kỹ thuật; what do the charts say; technical outlook;
    chart signals to buy or sell; support and resistance momentum; đồ thị nói gì; tín hiệu trên biểu đồ`,
  isCommon: true,
  chart: { type: "showStockChart", about: "symbol" },
  input: z.strictObject({
    symbol: AnySymbol,
    timeframe: z.enum(TIMEFRAMES).default("1Y").describe("Shown window; default 1Y"),
    indicators: z
      .array(z.enum(INDICATORS))
      .min(1)
      .max(INDICATORS.length)
      .default(["RSI", "MACD", "SMA", "EMA", "BB"])
      .describe("Which indicators; default RSI, MACD, SMA, EMA, BB"),
  }),
  ttlMs: TTL_MS,
  run: async ({ symbol, timeframe, indicators }, asked) => {
    const shown = await loadShown(asked, symbol, timeframe);
    const all = [...new Set(indicators)].map((indicator) => {
      const computed = COMPUTE[indicator](shown.bars);
      return { indicator, computed, part: toPart(computed, shown) };
    });
    const parts = all.flatMap(({ indicator, part }) => (part === undefined ? [] : [{ indicator, ...part }]));
    const lacking = all.filter(({ part }) => part === undefined);
    if (parts.length === 0)
      throw tooFewBars(
        shown,
        lacking.map(({ computed }) => computed),
      );
    const missing = lacking.map(({ indicator, computed }) => ({
      indicator,
      needs_bars: computed.lookback + 1,
      bars: shown.bars.t.length,
    }));
    const drawn = all.flatMap(({ computed, part }) => (part === undefined ? [] : [computed]));
    const data = { ...toView(shown, drawn), timeframe, indicators: parts, ...(missing.length > 0 ? { missing } : {}) };
    return { data, provenance: shown.provenance };
  },
  figures: (data) =>
    cite(data, [
      ...data.indicators.flatMap((part, at) => citePart(data, part, `data.indicators[${at}].values`)),
      citeClose(data),
    ]),
  describe: ({ indicators, missing = [] }) => [
    ...indicators.flatMap(toReadingLine),
    ...missing.map(({ indicator, needs_bars, bars }) => `${indicator} needs ${needs_bars} bars; there are ${bars}`),
  ],
});

interface Single extends TechnicalView, IndicatorPart {}

const toReadingLine = ({ label, reading }: IndicatorPart): readonly string[] =>
  reading === undefined ? [] : [`${label}: ${reading.rule}`];

/** Definition of a tool of one indicator. */
interface SingleDefinition<I> extends Omit<ToolCard, "category"> {
  readonly description: string;
  readonly input: z.ZodType<I>;
  readonly compute: (bars: Bars, input: I) => Computed;
}

/** A tool of one indicator over a year. */
function defineIndicatorTool<I extends Readonly<{ symbol: string }>>(definition: SingleDefinition<I>) {
  const { compute, ...rest } = definition;
  return defineMarketTool<I, Single>({
    ...rest,
    category: "technical",
    ttlMs: TTL_MS,
    run: async (input, asked) => {
      const shown = await loadShown(asked, input.symbol, "1Y");
      const computed = compute(shown.bars, input);
      const part = toPart(computed, shown);
      if (part === undefined) throw tooFewBars(shown, [computed]);
      return { data: { ...toView(shown, [computed]), ...part }, provenance: shown.provenance };
    },
    figures: (data) => cite(data, [...citePart(data, data, "data.values"), citeClose(data)]),
    describe: toReadingLine,
  });
}

const Period = (standard: number) =>
  z.int().min(2).max(400).default(standard).describe(`How many days; default ${standard}`);

/** Relative strength. */
export const getRSI = defineIndicatorTool({
  name: "getRSI",
  description:
    "Relative strength index (RSI) of one stock, ETF, index or coin from daily closes, Wilder's smoothing, with the " +
    "reading by the thresholds 70 and 30. Use it to see whether something is overbought or oversold.",
  says: `has it risen too far too fast; is it oversold now; đã tăng quá đà chưa; chỉ báo RSI 14 ngày; RSI;
    relative strength index; overbought or oversold; quá mua quá bán; chỉ số sức mạnh tương đối; rsi value;
    too hot or too cold; bán quá mức; mua quá nhiều`,
  chart: { type: "showStockChart", about: "symbol" },
  input: z.strictObject({ symbol: AnySymbol, period: Period(14) }),
  compute: (bars, { period }) => computeRsi(bars, period),
});

/** Convergence of averages. */
export const getMACD = defineIndicatorTool({
  name: "getMACD",
  description:
    "MACD of one stock, ETF, index or coin from daily closes: line, signal and histogram, with the reading by their " +
    "order. Use it for momentum and crossovers.",
  says: `moving average convergence divergence; MACD above or below zero; phân kỳ hội tụ trung bình động;
    MACD cắt lên cắt xuống; MACD; momentum crossover; signal line and histogram; động lượng;
    giao cắt đường tín hiệu; macd histogram positive or negative; trend momentum shift; tín hiệu MACD`,
  chart: { type: "showStockChart", about: "symbol" },
  input: z
    .strictObject({
      symbol: AnySymbol,
      fast: Period(12).describe("Days of the fast average; default 12"),
      slow: Period(26).describe("Days of the slow average; default 26"),
      signal: Period(9).describe("Days of the signal line; default 9"),
    })
    .refine(({ fast, slow }) => fast < slow, { error: "fast must be less than slow", path: ["fast"] }),
  compute: (bars, { fast, slow, signal }) => computeMacd(bars, { fast, slow, signal }),
});

/** Simple average. */
export const getSMA = defineIndicatorTool({
  name: "getSMA",
  description:
    "Simple moving average (SMA) of the daily closes of one stock, ETF, index or coin over any number of days, and " +
    "whether the close is above it. For the average that weighs recent days more use getEMA.",
  says: `price above or below its long-term average; MA line; golden cross of averages;
    giá nằm trên hay dưới đường trung bình; SMA; simple moving average; 200-day average line;
    đường trung bình động đơn giản; MA20 MA50 MA200; 50-day 100-day 200-day MA; moving average; đường MA;
    cắt lên MA50`,
  chart: { type: "showStockChart", about: "symbol" },
  input: z.strictObject({ symbol: AnySymbol, period: Period(20) }),
  compute: (bars, { period }) => computeSma(bars, period),
});

/** Exponential average. */
export const getEMA = defineIndicatorTool({
  name: "getEMA",
  description:
    "Exponential moving average (EMA) of the daily closes of one stock, ETF, index or coin, which weighs recent days " +
    "more, and whether the close is above it. For the plain average use getSMA.",
  says: `fast average line; đường EMA 50 ngày; trung bình động lũy thừa; EMA; exponential moving average;
    weighted to recent days; đường trung bình động hàm mũ; EMA12 EMA26; exponentially weighted;
    quick moving average; đường EMA`,
  chart: { type: "showStockChart", about: "symbol" },
  input: z.strictObject({ symbol: AnySymbol, period: Period(20) }),
  compute: (bars, { period }) => computeEma(bars, period),
});

/** Bollinger bands. */
export const getBands = defineIndicatorTool({
  name: "getBands",
  description:
    "Bollinger bands of one stock, ETF, index or coin from daily closes: upper, middle and lower band, %B and " +
    "bandwidth, and whether the close is outside of them.",
  says: `standard deviation envelope around the average; price touches the upper band; độ rộng dải Bollinger;
    giá chạm dải trên; Bollinger bands; upper and lower band; price channel squeeze; dải Bollinger;
    dải băng trên dưới; bollinger squeeze; volatility bands around price; băng Bollinger`,
  chart: { type: "showStockChart", about: "symbol" },
  input: z.strictObject({
    symbol: AnySymbol,
    period: Period(20),
    stdDev: z.number().min(0.1).max(10).default(2).describe("Standard deviations from the middle; default 2"),
  }),
  compute: (bars, { period, stdDev }) => computeBands(bars, { period, stdDev }),
});
