/**
 * Series names: what people call an economic series, and the id it has at a source.
 */
import { MarketError } from "../../port/market-error.ts";
import { readTable, toNames } from "../../tables.ts";

/** A series as a source has it. */
export interface KnownSeries {
  readonly id: string;
  readonly title: string;
  /** As in `EconomicSeries`. */
  readonly unit: string;
}

/** The series of a table by each of their names and ids. */
export function readSeriesTable(table: string): ReadonlyMap<string, KnownSeries> {
  const found = new Map<string, KnownSeries>();
  for (const [names, id = "", title = "", unit = ""] of readTable(table)) {
    for (const name of [...toNames(names), id]) found.set(toSeriesKey(name), { id, title, unit });
  }
  return found;
}

/** The same for `GDP growth`, `gdp_growth` and `gdp-growth`. */
export function toSeriesKey(text: string): string {
  const plain = Array.from(text.slice(0, 100).toLowerCase(), (sign) => (/[a-z0-9.]/.test(sign) ? sign : " ")).join("");
  return plain.split(" ").filter(Boolean).join("_");
}

type Wanted = Readonly<{ source: string; table: ReadonlyMap<string, KnownSeries>; series: string }>;

/** The series of that name, or `no_data` with what there is. */
export function findSeries({ source, table, series }: Wanted): KnownSeries {
  const known = table.get(toSeriesKey(series));
  if (known !== undefined) return known;
  const titles = [...new Set([...table.values()].map(({ title }) => title))].join(", ");
  throw new MarketError("no_data", `${source} has no series called ${JSON.stringify(series.slice(0, 60))}`, {
    available: titles,
    isOutside: true,
  });
}

const UNITED_STATES: ReadonlySet<string> = new Set(["us", "usa", "united_states", "united_states_of_america"]);

/** Throws `no_data` for any other country. */
export function requireUnitedStates(source: string, country: string): void {
  if (UNITED_STATES.has(toSeriesKey(country))) return;
  throw new MarketError("no_data", `${source} has series of the United States only`, {
    available: "US",
    isOutside: true,
  });
}
