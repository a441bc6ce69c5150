/**
 * Holdings map: what a user holds, as areas by weight, grouped by sector and coloured by the change of the day.
 */
import { z } from "zod";
import type { Heatmap } from "./chart.ts";
import type { ChartInput } from "./chart-input.ts";

const HoldingsSchema = z.object({
  holdings: z.array(
    z.object({
      symbol: z.string(),
      sector: z.string(),
      weight_percent: z.number().min(0).optional(),
      change_percent: z.number().optional(),
    }),
  ),
});

type Item = Readonly<{ symbol: string; weight: number; change_percent: number | null }>;

/** The sector of a holding whose sector no source knows. */
const UNKNOWN = "Unknown";

/** The holdings of the newest result that has weights; undefined if nothing has a value. */
export function toHoldingsMap(results: readonly ChartInput[]): Heatmap | undefined {
  return results
    .map(toMap)
    .filter((map) => map !== undefined)
    .at(-1);
}

function toMap({ data, provenance }: ChartInput): Heatmap | undefined {
  const groups = new Map<string, Item[]>();
  for (const { symbol, sector, weight_percent, change_percent } of HoldingsSchema.safeParse(data).data?.holdings ??
    []) {
    if (weight_percent === undefined) continue;
    const items = groups.get(sector) ?? [];
    groups.set(sector, items);
    items.push({ symbol, weight: weight_percent, change_percent: change_percent ?? null });
  }
  if (groups.size === 0) return undefined;
  const isPlain = groups.size === 1 && groups.has(UNKNOWN);
  const drawn = [...groups].map(([sector, items]) => ({
    name: isPlain ? "Holdings" : sector,
    weight: items.reduce((sum, { weight }) => sum + weight, 0),
    change_percent: toChange(items),
    items,
  }));
  return { groups: drawn.toSorted((a, b) => b.weight - a.weight), provenance };
}

/** The change of a group, by the values its items had before. */
function toChange(items: readonly Item[]): number | null {
  let [before, after] = [0, 0];
  for (const { weight, change_percent: change } of items) {
    if (change === null || !(change > -100)) continue;
    after += weight;
    before += weight / (1 + change / 100);
  }
  return before > 0 ? Number(((after / before - 1) * 100).toPrecision(12)) : null;
}
