/**
 * Rates tool: yields of US government bonds and the reference rates of the New York Fed. Rates are percent, never
 * fractions: 4.5 means 4.5 %.
 */
import type { Figure } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Day as DayText, Rate } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import type { Sourced } from "../../market/port/provenance.ts";
import { Day, isOrdered, ORDERED } from "../frame/arguments.ts";
import { citeFields } from "../shared/figures.ts";
import { defineMarketTool, type MarketContext } from "../frame/market-tool.ts";
import { difference } from "../shared/number.ts";
import { withNote } from "../shared/joined-provenance.ts";
import { sampleEvenly } from "../shared/sample-evenly.ts";

export const SERIES = ["treasury_curve", "real_curve", "sofr", "effr"] as const;
export type RateSeries = (typeof SERIES)[number];
type Series = RateSeries;

const TITLES: Readonly<Record<Series, string>> = {
  treasury_curve: "US Treasury par yield curve",
  real_curve: "US Treasury par real yield curve (TIPS)",
  sofr: "Secured Overnight Financing Rate (SOFR)",
  effr: "Effective federal funds rate (EFFR)",
};

/** Maximum number of values in a history. */
const MAX_VALUES = 800;
const SPREADS = [
  ["10Y", "2Y"],
  ["10Y", "3M"],
  ["30Y", "5Y"],
] as const;

type ShownRate = Readonly<{ name: string; percent: number }>;

/** Rates as results show them: `change` is in percentage points over `window`, `history` is newest first. */
export type ShownRates = Awaited<ReturnType<typeof loadShownRates>>["data"];

type Input = Readonly<{ series: Series; from?: DayText | undefined; to?: DayText | undefined }>;

/** Yields and reference rates. */
export const ratesTool = defineMarketTool({
  name: "getRates",
  category: "beyond",
  asks: "rates",
  description:
    "US interest rates in percent: Treasury yields from 1 month to 30 years, real yields, SOFR, EFFR; newest or over a window.",
  input: z
    .strictObject({
      series: z
        .enum(SERIES)
        .default("treasury_curve")
        .describe("treasury_curve, real_curve, sofr or effr; default treasury_curve"),
      from: Day.optional().describe("First day of a window, YYYY-MM-DD; without it only the newest day"),
      to: Day.optional().describe("Last day, YYYY-MM-DD; default the newest"),
    })
    .refine(isOrdered, ORDERED),
  ttlMs: 60 * 60_000,
  run: loadShownRates,
  figures: toRateFigures,
  digest: ({ title }) => ({ shared: [title] }),
});

/** Rates as results show them. */
export async function loadShownRates(input: Input, asked: MarketContext) {
  const { data: found, provenance } = await loadRates(input, asked);
  const days = toDays(found);
  const newest = days.at(-1);
  if (newest === undefined) throw new MarketError("no_data", `there are no rates ${input.series} for these days`);
  const { series, from, to } = input;
  const head = { series, title: TITLES[series], ...omitUndefined({ from, to }), day: newest.day };
  const [first] = days;
  const spreads = SPREADS.flatMap(([long, short]) => toSpread(newest.rates, long, short));
  const before = from === undefined || days.length < 2 ? undefined : first;
  const rates = newest.rates.map((rate) => ({
    ...rate,
    ...omitUndefined({ change: before === undefined ? undefined : changeSince(before.rates, rate) }),
  }));
  const perDay = Math.max(1, newest.rates.length);
  const shown = sampleEvenly(days.toReversed(), Math.max(2, Math.floor(MAX_VALUES / perDay)));
  const note =
    shown.length === days.length
      ? undefined
      : `the history shows ${shown.length} of ${days.length} days, evenly spread`;
  const over = {
    window: before === undefined ? undefined : { start: before.day, end: newest.day },
    count: before === undefined ? undefined : days.length,
    history: before === undefined ? undefined : shown,
  };
  const data = { ...head, rates, spreads, ...omitUndefined(over) };
  return { data, provenance: before === undefined ? provenance : withNote(provenance, note) };
}

/** The rates of a window; if no day of it has any (a weekend, days to come), those of the last business day before. */
async function loadRates({ series, from, to }: Input, asked: MarketContext): Promise<Sourced<readonly Rate[]>> {
  const { market, context } = asked;
  const ask = (window: Readonly<{ from?: DayText; to?: DayText }>) =>
    market.rates({ series, ...window }, context.scope);
  try {
    return await ask(omitUndefined({ from, to }));
  } catch (thrown) {
    const isEmpty = thrown instanceof MarketError && thrown.kind === "no_data" && thrown.details.enable === undefined;
    if (!isEmpty || from === undefined) throw thrown;
    const { data, provenance } = await ask(omitUndefined({ to }));
    const day = data.at(-1)?.day ?? "";
    const window = to === undefined || to === from ? from : `${from} to ${to}`;
    return {
      data,
      provenance: withNote(provenance, `${window} has no rates: these are of ${day}, the last day before`),
    };
  }
}

type RateDay = Readonly<{ day: DayText; rates: readonly ShownRate[] }>;

/** Oldest first. */
function toDays(rates: readonly Rate[]): readonly RateDay[] {
  const days = new Map<DayText, ShownRate[]>();
  for (const { day, name, percent } of rates) {
    if (!Number.isFinite(percent)) continue;
    days.set(day, [...(days.get(day) ?? []), { name, percent }]);
  }
  return [...days].map(([day, own]) => ({ day, rates: own })).toSorted((a, b) => (a.day < b.day ? -1 : 1));
}

function toSpread(rates: readonly ShownRate[], long: string, short: string): readonly ShownRate[] {
  const [above, below] = [long, short].map((name) => rates.find((rate) => rate.name === name)?.percent);
  if (above === undefined || below === undefined) return [];
  return [{ name: `${long} − ${short}`, percent: difference(above, below) }];
}

function changeSince(before: readonly ShownRate[], { name, percent }: ShownRate): number | undefined {
  const start = before.find((rate) => rate.name === name)?.percent;
  return start === undefined ? undefined : difference(percent, start);
}

/** `3-month Treasury yield`, `10-year Treasury real yield`, `SOFR`. */
function toMetric(series: Series, name: string): string {
  if (series === "sofr") return "SOFR";
  if (series === "effr") return "effective federal funds rate";
  const unit = name.endsWith("M") ? "month" : "year";
  return `${name.slice(0, -1)}-${unit} Treasury ${series === "real_curve" ? "real yield" : "yield"}`;
}

/** The rates as figures, the newest first. */
export function toRateFigures({ series, day, rates, spreads, window, history = [] }: ShownRates): readonly Figure[] {
  const owner = { symbol: "US", currency: "USD" };
  const of = (place: string, list: readonly ShownRate[], end: DayText): readonly Figure[] =>
    list.flatMap((rate, at) =>
      citeFields(
        { ...owner, period: { end } },
        [`${place}[${at}]`, rate],
        [["percent", "percent", toMetric(series, rate.name)]],
      ),
    );
  return [
    ...of("data.rates", rates, day),
    ...spreads.flatMap((gap, at) =>
      citeFields(
        { ...owner, period: { end: day } },
        [`data.spreads[${at}]`, gap],
        [["percent", "percent", `${gap.name} Treasury spread in percentage points`]],
      ),
    ),
    ...rates.flatMap((rate, at) =>
      citeFields(
        { ...owner, ...omitUndefined({ period: window }) },
        [`data.rates[${at}]`, rate],
        [["change", "percent", `change of the ${toMetric(series, rate.name)} in percentage points`]],
      ),
    ),
    ...history.flatMap((row, at) => of(`data.history[${at}].rates`, row.rates, row.day)),
  ];
}
