/**
 * Technical view: bars and indicators of a shown window as a result has them, with 250 bars before the window that
 * warm the indicators up.
 */
import { z } from "zod";
import { readTable } from "../../market/tables.ts";
import type { Period, Unit } from "@baton/assistant";
import { type Bars, sliceBars } from "../../market/port/bars.ts";
import type { Listing } from "../../market/port/listing.ts";
import { MarketError } from "../../market/port/market-error.ts";
import type { Provenance } from "../../market/port/provenance.ts";
import { type Candle, loadDaily, periodOf, toCandles, toDay } from "../shared/daily.ts";
import { type CitedNumber, priceUnit, volumeUnit } from "../shared/figures.ts";
import type { Computed, Latest, IndicatorReading } from "./indicator.ts";
import type { MarketContext } from "../frame/market-tool.ts";
import { finite } from "../shared/number.ts";
import { identify, type ListingIdentity } from "../frame/require-listing.ts";

export const TIMEFRAMES = ["1M", "3M", "6M", "1Y"] as const;
export type BarTimeframe = (typeof TIMEFRAMES)[number];

export const TECHNICAL_TTL_MS = 5 * 60_000;
const MONTHS: Readonly<Record<BarTimeframe, number>> = { "1M": 1, "3M": 3, "6M": 6, "1Y": 12 };
const WARM_UP = 250;
/** More bars than any month has, so that the window is never short. */
const BARS_A_MONTH = { stock: 23, crypto: 31 } as const;

/** Bars of the shown window, and those before it. */
export interface ShownIndicator {
  readonly of: ListingIdentity;
  readonly bars: Bars;
  /** Where the shown window begins. */
  readonly start: number;
  readonly provenance: Provenance;
}

/** The newest bars of a listing for a timeframe. */
export async function loadShown(
  asked: MarketContext,
  listing: Listing,
  timeframe: BarTimeframe,
): Promise<ShownIndicator> {
  const months = MONTHS[timeframe];
  const limit = WARM_UP + months * BARS_A_MONTH[listing.type === "crypto" ? "crypto" : "stock"] + 1;
  const { data, provenance } = await loadDaily(asked, { listing, limit });
  const first = toMonthsBefore(data.t.at(-1) ?? 0, months);
  const shownAt = Math.max(
    0,
    data.t.findIndex((t) => t > first),
  );
  const start = Math.min(shownAt, WARM_UP);
  return {
    of: { ...identify(listing), currency: data.currency },
    bars: sliceBars(data, shownAt - start),
    start,
    provenance,
  };
}

/** The same day so many months earlier, or the last of that month if it has no such day. */
function toMonthsBefore(seconds: number, months: number): number {
  const then = new Date(seconds * 1_000);
  const day = then.getUTCDate();
  then.setUTCDate(1);
  then.setUTCMonth(then.getUTCMonth() - months);
  const days = new Date(Date.UTC(then.getUTCFullYear(), then.getUTCMonth() + 1, 0)).getUTCDate();
  then.setUTCDate(Math.min(day, days));
  return then.getTime() / 1_000;
}

/** An indicator's latest values and what a rule says of them. */
export interface IndicatorPart {
  /** As people write it: `RSI(14)`. */
  readonly label: string;
  readonly parameters: Readonly<Record<string, number>>;
  readonly values: Readonly<Record<string, number>>;
  readonly reading?: IndicatorReading;
}

/** One line of a chart. */
export type ShownSeries = Readonly<{
  name: string;
  pane: string;
  kind: "line" | "histogram" | "band";
  points: readonly (readonly [t: number, y: number])[];
}>;

/** Common part of all technical results. */
export interface TechnicalView extends ListingIdentity {
  readonly date: string;
  readonly close: number;
  readonly interval: "1day";
  readonly window: Period;
  readonly bars: readonly Candle[];
  readonly series: readonly ShownSeries[];
  readonly levels: readonly Readonly<{ pane: string; y: number; label: string }>[];
}

/** The window with the lines of these indicators. */
export function toView({ of, bars, start }: ShownIndicator, computed: readonly Computed[]): TechnicalView {
  const shown = sliceBars(bars, start);
  const last = bars.c.length - 1;
  return {
    ...of,
    date: toDay(bars.t[last] ?? 0),
    close: bars.c[last] ?? Number.NaN,
    interval: "1day",
    window: periodOf(shown),
    bars: toCandles(shown),
    series: computed.flatMap((one) => toSeries(one, shown.t, start)),
    levels: computed.flatMap(({ pane, levels = [] }) => levels.map((level) => ({ pane, ...level }))),
  };
}

function toSeries({ name, pane, columns }: Computed, t: Float64Array, start: number): readonly ShownSeries[] {
  return columns.map(({ values, kind = "line", line }) => ({
    name: line === undefined ? name : `${name} ${line}`,
    pane,
    kind,
    points: Array.from(t, (time, at) => [time, values[start + at] ?? Number.NaN] as const).filter(([, y]) =>
      Number.isFinite(y),
    ),
  }));
}

/** The latest values of an indicator; undefined if there are too few bars for one. */
export function toPart(
  { name, parameters, columns, derive, read }: Computed,
  { bars }: ShownIndicator,
): IndicatorPart | undefined {
  const latest = columns.map(({ key, values }) => [key, finite(values.at(-1))] as const);
  const found = latest.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
  if (found.length < columns.length) return undefined;
  const byKey = new Map(found);
  const view: Latest = { close: bars.c.at(-1) ?? Number.NaN, of: (key) => byKey.get(key) ?? Number.NaN };
  const derived = Object.entries(derive?.(view) ?? {}).filter(([, value]) => Number.isFinite(value));
  return {
    label: name,
    parameters,
    values: Object.fromEntries([...found, ...derived]),
    ...(read === undefined ? {} : { reading: read(view) }),
  };
}

/** No data: how many bars there are, and how many it takes. */
export function tooFewBars({ of, bars }: ShownIndicator, needed: readonly Computed[]): MarketError {
  const [first] = needed;
  const least = (first?.lookback ?? 0) + 1;
  const names = needed.map(({ name }) => name).join(", ");
  const count = bars.t.length;
  const message = `${names} of ${of.symbol} needs at least ${least} daily bars; there are ${count}`;
  return new MarketError("no_data", message, { symbol: of.symbol, available: `${count} daily bars` });
}

const ValueUnit = z.enum(["points", "price", "ratio", "percent", "volume"]);
type ValueUnit = z.infer<typeof ValueUnit>;

/** Unit and words of each field of an indicator; the name of the indicator goes before the words. */
const VALUES: ReadonlyMap<string, readonly [unit: ValueUnit, words: string]> = new Map(
  readTable("indicator-values").map(([field = "", unit, words = ""]) => [field, [ValueUnit.parse(unit), words]]),
);

/** The values of an indicator as figures; `path` leads to its part. */
export function citePart(view: TechnicalView, { label, values }: IndicatorPart, path: string): readonly CitedNumber[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const known = VALUES.get(key);
    if (known === undefined) return [];
    const [unit, words] = known;
    const period = { end: view.date };
    return [{ path: `${path}.${key}`, value, unit: toUnit(view, unit), metric: `${label} ${words}`.trim(), period }];
  });
}

function toUnit(of: ListingIdentity, unit: ValueUnit): Unit {
  if (unit === "price") return priceUnit(of);
  return unit === "volume" ? volumeUnit(of) : unit;
}

/** The last close as a figure. */
export const citeClose = (view: TechnicalView): CitedNumber => ({
  path: "data.close",
  value: view.close,
  unit: priceUnit(view),
  metric: "close",
  period: { end: view.date },
});

/** The usual reading of an indicator in words. */
export const toReadingLine = ({ label, reading }: IndicatorPart): readonly string[] =>
  reading === undefined ? [] : [`${label}: ${reading.rule}`];
