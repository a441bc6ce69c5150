/**
 * Technical indicators: several indicators at once, computed here from daily bars, in TA-Lib's conventions.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { defineListingTool } from "../frame/listing-tool.ts";
import { SECURITIES_AND_COINS } from "../frame/require-listing.ts";
import { cite } from "../shared/figures.ts";
import { computeIndicator, IndicatorText } from "./indicator.ts";
import {
  citeClose,
  citePart,
  loadShown,
  TECHNICAL_TTL_MS as TTL_MS,
  TIMEFRAMES,
  toPart,
  tooFewBars,
  toReadingLine,
  toView,
} from "./technical-view.ts";

const MAX_INDICATORS = 12;

/** Several indicators at once. */
export const technicalIndicatorsTool = defineListingTool({
  name: "getTechnicalIndicators",
  category: "technical",
  description: "Technical indicators of one symbol from daily bars, with the usual reading.",
  isCommon: true,
  chart: { type: "showStockChart", about: "symbol" },
  of: SECURITIES_AND_COINS,
  input: {
    timeframe: z.enum(TIMEFRAMES).default("1Y").describe("Shown window; default 1Y"),
    indicators: z
      .array(IndicatorText)
      .min(1)
      .max(MAX_INDICATORS)
      .default(["RSI", "MACD", "SMA", "EMA", "BB"])
      .describe("RSI, MACD, SMA, EMA, BB (the default), ATR, STOCH, ADX, VWAP, OBV; with a period: SMA(50), SMA(200)"),
  },
  ttlMs: TTL_MS,
  run: async (listing, { timeframe, indicators }, asked) => {
    const shown = await loadShown(asked, listing, timeframe);
    const all = [...new Set(indicators)].map((indicator) => {
      const computed = computeIndicator(indicator, shown.bars);
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
    const data = {
      ...toView(shown, drawn),
      timeframe,
      indicators: parts,
      ...omitUndefined({ missing: missing.length === 0 ? undefined : missing }),
    };
    return { data, provenance: shown.provenance };
  },
  figures: (data) =>
    cite(data, [
      ...data.indicators.flatMap((part, at) => citePart(data, part, `data.indicators[${at}].values`)),
      citeClose(data),
    ]),
  digest: ({ indicators, missing = [] }) => ({
    notes: indicators.flatMap(toReadingLine),
    missing: missing.map(
      ({ indicator, needs_bars, bars }) => `${indicator}: needs ${needs_bars} bars, there are ${bars}`,
    ),
  }),
});
