/**
 * Financials: lines of statements, metrics, dividends and insiders' trades of a symbol, by period, oldest first.
 *
 * Results of one origin are joined: every period that one of them has, and a gap if a line has no value for it. Amounts
 * are in one currency, that of the newest period.
 */
import { z } from "zod";
import type { Listing } from "../../market/port/listing.ts";
import { METRICS } from "../../market/metrics/metrics.ts";
import type { Financials } from "./chart.ts";
import type { ChartInput } from "./chart-input.ts";

type Line = Financials["lines"][number];
type Column = Readonly<{ label: string; end: string; currency: string }>;

/** One value of one line. */
type Cell = Readonly<{ key: string; name: string; unit: string; column: Column; value: number }>;

const PeriodsSchema = z.object({
  statement: z.string().optional(),
  periods: z.array(
    z.object({
      statement: z.string().optional(),
      label: z.string(),
      end: z.string(),
      currency: z.string(),
      values: z.record(z.string(), z.number()),
    }),
  ),
});

const DividendsSchema = z.object({
  dividends: z.array(z.object({ day: z.string(), amount: z.number(), currency: z.string() })),
});

const InsidersSchema = z.object({
  currency: z.string(),
  by_month: z.array(
    z.object({
      month: z.string(),
      end: z.string(),
      bought_shares: z.number().optional(),
      sold_shares: z.number().optional(),
    }),
  ),
});

/** The lines of all results; undefined if they have no value. */
export function toFinancials(
  listing: Listing,
  results: readonly [ChartInput, ...ChartInput[]],
): Financials | undefined {
  const all = results.flatMap((found) => [...toCells(found), ...toDividends(found), ...toInsiders(found)]);
  const newest = all.map(({ column }) => column).toSorted((a, b) => (a.end < b.end ? 1 : -1))[0];
  const cells = all.filter(({ column }) => column.currency === newest?.currency);
  const ends = new Map(cells.map(({ column: { label, end } }) => [label, end]));
  const periods = [...ends].toSorted(([, a], [, b]) => (a < b ? -1 : 1)).map(([label]) => label);
  const lines = new Map<string, Line>();
  for (const { key, name, unit, column, value } of cells) {
    const line = lines.get(key) ?? { name, unit, values: periods.map(() => null) };
    line.values[periods.indexOf(column.label)] = value;
    lines.set(key, line);
  }
  if (newest === undefined) return undefined;
  const [{ provenance }] = results;
  return { symbol: listing.symbol, currency: newest.currency, periods, lines: [...lines.values()], provenance };
}

/** The values of statements and metrics, the most telling line first. */
function toCells({ rule, data }: ChartInput): readonly Cell[] {
  const { periods = [], statement } = PeriodsSchema.safeParse(data).data ?? {};
  const sets = (rule?.sets ?? []).filter((set) => statement === undefined || statement === "all" || statement === set);
  return sets.flatMap((set) =>
    [...METRICS[set]].flatMap(([field, { label: name, unit }]) =>
      periods.flatMap(({ statement: own = set, values, ...column }): readonly Cell[] => {
        const value = own === set && Object.hasOwn(values, field) ? values[field] : undefined;
        return value === undefined ? [] : [{ key: `${set}.${field}`, name, unit, column, value }];
      }),
    ),
  );
}

function toDividends({ data }: ChartInput): readonly Cell[] {
  const dividends = DividendsSchema.safeParse(data).data?.dividends ?? [];
  return dividends.map(({ day, amount, currency }) => ({
    key: "dividend",
    name: "dividend",
    unit: "money/share",
    column: { label: day, end: day, currency },
    value: amount,
  }));
}

function toInsiders({ data }: ChartInput): readonly Cell[] {
  const { currency = "", by_month = [] } = InsidersSchema.safeParse(data).data ?? {};
  return by_month.flatMap(({ month: label, end, bought_shares, sold_shares }) => {
    const column = { label, end, currency };
    const cells = [
      { key: "bought", name: "shares bought by insiders", unit: "shares", column, value: bought_shares },
      { key: "sold", name: "shares sold by insiders", unit: "shares", column, value: sold_shares },
    ];
    return cells.flatMap(({ value, ...cell }) => (value === undefined ? [] : [{ ...cell, value }]));
  });
}
