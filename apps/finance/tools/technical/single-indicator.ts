/**
 * Single indicator: what the tools of one indicator share.
 */
import { z } from "zod";
import type { Bars } from "../../market/port/bars.ts";
import { defineListingTool, type ListingToolDefinition } from "../frame/listing-tool.ts";
import type { ToolCard } from "../frame/market-tool.ts";
import { SECURITIES_AND_COINS } from "../frame/require-listing.ts";
import { cite } from "../shared/figures.ts";
import type { Computed } from "./indicator.ts";
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

/** A tool of one indicator over a year. */
export function defineIndicatorTool<S extends z.ZodRawShape>({ compute, ...rest }: SingleDefinition<S>) {
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

/** A number of days. */
export const Period = (standard: number) =>
  z.int().min(2).max(400).default(standard).describe(`How many days; default ${standard}`);
