/**
 * Snapshot series: Shiller's months since 1871: the S&P 500, its dividends, earnings and CAPE, consumer prices and the
 * long interest rate.
 */
import type { Capabilities, EconomicSeries, SeriesPoint, SeriesQuery } from "../port/market-data.ts";
import { toDay, toDayNumber } from "../pack/days.ts";
import type { Pack } from "../pack/pack.ts";
import type { Sourced } from "../port/provenance.ts";
import { MarketError } from "../port/market-error.ts";
import { findSeries, readSeriesTable } from "../sources/economy/series-names.ts";
import { fromHistory } from "./stored.ts";

const LABEL = "the stored data";
const TABLE = readSeriesTable("series-snapshot");
const HERE: ReadonlySet<string> = new Set(["US", "USA"]);

/** The answers about monthly series. */
export function seriesCapabilities(pack: Pack): Pick<Capabilities, "series"> {
  return { series: async (query) => toSeries(pack, query) };
}

function toSeries(pack: Pack, { series, country, from, to }: SeriesQuery): Sourced<EconomicSeries> {
  const code = country.trim().toUpperCase();
  if (!HERE.has(code)) {
    throw new MarketError("no_data", `${LABEL} has series of the US only`, { available: "US", isOutside: true });
  }
  const { id, title, unit } = findSeries({ source: LABEL, table: TABLE, series });
  const all = pointsOf(pack, id);
  const points = all.filter(
    ({ start, end }) => (from === undefined || end >= from) && (to === undefined || start <= to),
  );
  const newest = points.at(-1);
  if (newest === undefined) {
    const available = `${all[0]?.label ?? ""} to ${all.at(-1)?.label ?? ""}`;
    throw new MarketError("no_data", `${LABEL} has no ${title} in that window`, { available, isOutside: true });
  }
  return {
    data: { id, title, unit, frequency: "month", country: code, points },
    provenance: fromHistory(`${newest.end}T00:00:00Z`, { note: "compiled by Robert Shiller" }),
  };
}

/** Months with a value, oldest first. */
function pointsOf({ monthly }: Pack, column: string): readonly SeriesPoint[] {
  const of = (name: string) => monthly.get(name) ?? new Float64Array();
  const [years, months, values] = [of("year"), of("month"), of(column)];
  return Array.from(values, (value, at) => ({ value, year: years[at] ?? 0, month: months[at] ?? 1 })).flatMap(
    ({ value, year, month }) => {
      if (!Number.isFinite(value)) return [];
      const label = `${year}-${String(month).padStart(2, "0")}`;
      const next = month === 12 ? `${year + 1}-01-01` : `${year}-${String(month + 1).padStart(2, "0")}-01`;
      return [{ label, start: `${label}-01`, end: toDay(toDayNumber(next) - 1), value }];
    },
  );
}
