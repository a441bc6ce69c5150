/**
 * Compared chart: several listings in one chart, each as a line in percent from the first common day.
 */
import { z } from "zod";
import type { BarChart } from "./chart.ts";
import type { ChartInput } from "./chart-input.ts";

const LinesSchema = z.object({
  lines: z.array(
    z.looseObject({
      symbol: z.string(),
      name: z.string(),
      points: z
        .array(z.tuple([z.int(), z.number()]))
        .min(1)
        .max(2_000),
    }),
  ),
});

/** The lines of a comparison; none if a result is not one. */
export const linesOf = (data: object) => LinesSchema.safeParse(data).data?.lines ?? [];

/** All lines; the bars are the first one's. */
export function toComparedChart({ data, provenance }: ChartInput): BarChart | undefined {
  const lines = linesOf(data);
  const [first] = lines;
  if (first === undefined) return undefined;
  return {
    symbol: first.symbol,
    name: lines.map(({ name }) => name).join(", "),
    currency: "%",
    interval: "1day",
    bars: first.points.map(([t, y]) => ({ t, o: y, h: y, l: y, c: y, v: null })),
    panes: [
      { name: "price", series: lines.map(({ symbol, points }) => ({ name: symbol, kind: "line" as const, points })) },
    ],
    provenance,
  };
}
