/**
 * Single indicator: the tools of one indicator over a year.
 */
import { z } from "zod";
import type { Bars } from "../../market/port/bars.ts";
import { defineListingTool, type ListingToolDefinition } from "../frame/listing-tool.ts";
import type { ToolCard } from "../frame/market-tool.ts";
import { SECURITIES_AND_COINS } from "../frame/require-listing.ts";
import { cite } from "../shared/figures.ts";
import { type Computed, computeBands, computeEma, computeMacd, computeRsi, computeSma } from "./indicator.ts";
import {
  citeClose,
  citePart,
  type IndicatorPart,
  loadShown,
  TECHNICAL_TTL_MS,
  type TechnicalView,
  toPart,
  tooFewBars,
  toReadingLine,
  toView,
} from "./technical-view.ts";

interface Single extends TechnicalView, IndicatorPart {}

/** Definition of a tool of one indicator. */
interface SingleDefinition<S extends z.ZodRawShape>
  extends
    Omit<ToolCard, "category" | "chart">,
    Pick<ListingToolDefinition<S, Single>, "description" | "input" | "check"> {
  readonly compute: (bars: Bars, args: z.output<z.ZodObject<S>>) => Computed;
}

/** A number of days. */
const Period = (standard: number) =>
  z.int().min(2).max(400).default(standard).describe(`How many days; default ${standard}`);

/** A tool of one indicator over a year. */
function defineIndicatorTool<S extends z.ZodRawShape>({ compute, ...rest }: SingleDefinition<S>) {
  return defineListingTool<S, Single>({
    ...rest,
    category: "technical",
    chart: { type: "showStockChart", about: "symbol" },
    of: SECURITIES_AND_COINS,
    ttlMs: TECHNICAL_TTL_MS,
    run: async (listing, args, asked) => {
      const shown = await loadShown(asked, listing, "1Y");
      const computed = compute(shown.bars, args);
      const part = toPart(computed, shown);
      if (part === undefined) throw tooFewBars(shown, [computed]);
      return { data: { ...toView(shown, [computed]), ...part }, provenance: shown.provenance };
    },
    figures: (data) => cite(data, [...citePart(data, data, "data.values"), citeClose(data)]),
    digest: (data) => ({ notes: toReadingLine(data) }),
  });
}

/** Relative strength. */
export const rsiTool = defineIndicatorTool({
  name: "getRSI",
  description:
    "Relative strength index (RSI) from daily closes, with the usual reading: above 70 overbought, below 30 oversold.",
  input: { period: Period(14) },
  compute: (bars, { period }) => computeRsi(bars, period),
});

/** Convergence of averages. */
export const macdTool = defineIndicatorTool({
  name: "getMACD",
  description: "MACD from daily closes: line, signal and histogram, with the usual reading.",
  input: {
    fast: Period(12).describe("Days of the fast average; default 12"),
    slow: Period(26).describe("Days of the slow average; default 26"),
    signal: Period(9).describe("Days of the signal line; default 9"),
  },
  check: ({ fast, slow }) => (fast < slow ? undefined : { path: "fast", message: "fast must be less than slow" }),
  compute: (bars, { fast, slow, signal }) => computeMacd(bars, { fast, slow, signal }),
});

/** Simple average. */
export const smaTool = defineIndicatorTool({
  name: "getSMA",
  description:
    "Simple moving average (SMA) of daily closes over any number of days, and whether the close is above it.",
  input: { period: Period(20) },
  compute: (bars, { period }) => computeSma(bars, period),
});

/** Exponential average. */
export const emaTool = defineIndicatorTool({
  name: "getEMA",
  description: "Exponential moving average (EMA) of daily closes, and whether the close is above it.",
  input: { period: Period(20) },
  compute: (bars, { period }) => computeEma(bars, period),
});

/** Bollinger bands. */
export const bandsTool = defineIndicatorTool({
  name: "getBands",
  description: "Bollinger bands from daily closes: upper, middle and lower band, %B and bandwidth.",
  input: {
    period: Period(20),
    stdDev: z.number().min(0.1).max(10).default(2).describe("Standard deviations from the middle; default 2"),
  },
  compute: (bars, { period, stdDev }) => computeBands(bars, { period, stdDev }),
});
