/**
 * Economic series tool: prices, jobs, output and trade of countries, from the Bureau of Labor Statistics, the Treasury
 * and the World Bank. A percentage is percent, and what a source counts in thousands is counted in units here.
 *
 * Inflation of the United States is computed from the monthly index of prices, which is newer than any yearly rate.
 */
import type { Figure, Period, Unit } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Day as DayText, EconomicSeries, SeriesPoint } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import type { Provenance, Sourced } from "../../market/port/provenance.ts";
import { Day, isOrdered, ORDERED } from "../frame/arguments.ts";
import { addDays } from "../shared/calendar-day.ts";
import { type Country, findCountry } from "./country.ts";
import { citeFields, ofOrigin } from "../shared/figures.ts";
import { defineMarketTool, type MarketContext } from "../frame/market-tool.ts";
import { difference, finite, percentChange, tidy } from "../shared/number.ts";
import { joinProvenance, withNote } from "../shared/joined-provenance.ts";
import { toMissingLines } from "../frame/listing-tool.ts";
import { loadShownRates, type ShownRates, SERIES as RATE_SERIES, toRateFigures } from "./rates.ts";
import { findSeries, seriesLabels, type SeriesName } from "./series-words.ts";
import { sampleEvenly } from "../shared/sample-evenly.ts";
import { toSafeText } from "../shared/untrusted.ts";

const MAX_POINTS = 600;
/** Without a window: a year of months with the month before it. */
const NEWEST_POINTS = 13;
const YEAR_DAYS = 366;

/** Rates of change that are computed, and the index each is computed from. */
const INDEX_OF: ReadonlyMap<string, string> = new Map([
  ["inflation", "cpi"],
  ["core inflation", "core cpi"],
]);

type YearChange = Readonly<{ value: number; unit: "percent" | "percentage points"; start: DayText; end: DayText }>;

type ShownSeries = Awaited<ReturnType<typeof loadEconomic>>["data"];

type Input = Readonly<{ series: string; country: string; from?: DayText | undefined; to?: DayText | undefined }>;
type Shown = ShownSeries | ShownRates;
type Part = Shown & Readonly<{ provenance: Provenance }>;
/** Several series, and those that are missing. */
type Several = Readonly<{
  results: readonly Part[];
  missing?: readonly Readonly<{ symbol: string; reason: string }>[];
}>;

const SeriesText = z.string().trim().min(1).max(100);

/** Values of economic series and of rates. */
export const economicSeriesTool = defineMarketTool<
  Omit<Input, "series"> & Readonly<{ series: readonly string[] }>,
  Shown | Several
>({
  name: "getEconomicSeries",
  category: "beyond",
  description:
    "Rates and economic series, newest or over a window: treasury_curve, treasury_10y, effr, sofr, CPI, inflation, " +
    "unemployment, payrolls, wages, GDP, GDP growth, population, exports, debt …",
  isCommon: true,
  input: z
    .strictObject({
      series: z
        .union([z.array(SeriesText).min(1).max(5), SeriesText])
        .transform((given) => (typeof given === "string" ? [given] : given)),
      country: z.string().trim().min(1).max(60).default("US").describe("Default US"),
      from: Day.optional().describe("First day"),
      to: Day.optional().describe("Last day"),
    })
    .refine(isOrdered, ORDERED),
  offered: z.object({
    series: z.array(SeriesText).max(5),
    country: z.string().optional().describe("Name or code; default US"),
    from: Day.optional().describe("First day"),
    to: Day.optional().describe("Last day"),
  }),
  ttlMs: 60 * 60_000,
  timeoutMs: 40_000,
  run: async ({ series, ...input }, asked) => {
    const { market, context } = asked;
    const [first, ...others] = series;
    if (first !== undefined && others.length === 0) return loadOne({ ...input, series: first }, asked);
    const tried = await context.scope.all(
      series.map((name) => async (scope) => {
        try {
          return await loadOne({ ...input, series: name }, { market, context: { ...context, scope } });
        } catch (thrown) {
          if (thrown instanceof MarketError) return { symbol: name, reason: thrown.message, thrown };
          throw thrown;
        }
      }),
    );
    const failed = tried.flatMap((part) => ("thrown" in part ? [part] : []));
    const loaded = tried.flatMap((part) => ("thrown" in part ? [] : [part]));
    if (loaded.length === 0) throw failed[0]?.thrown ?? new MarketError("no_data", "no series was named");
    const results = loaded.map(({ data, provenance }) => ({ ...data, provenance }));
    const missing = failed.map(({ symbol, reason }) => ({ symbol, reason }));
    const data = { results, ...(missing.length > 0 && { missing }) };
    return { data, provenance: joinProvenance(loaded.map(({ provenance }) => provenance)) };
  },
  figures: (data) =>
    "results" in data
      ? data.results.flatMap((part, at) => {
          const inPlace = (path: string) => path.replace(/^data/, `data.results[${at}]`);
          const figures = ofOrigin(toShownFigures(part), part.provenance);
          return figures.map((figure) => ({ ...figure, path: inPlace(figure.path) }));
        })
      : toShownFigures(data),
  digest: (data) => ({
    notes: ("results" in data ? data.results : [data]).map(toTitle),
    missing: "results" in data ? toMissingLines(data.missing ?? []) : [],
  }),
});

const isRates = (data: Shown): data is ShownRates => "rates" in data;

const toShownFigures = (data: Shown): readonly Figure[] =>
  isRates(data) ? toRateFigures(data) : toSeriesFigures(data);

function toTitle(data: Shown): string {
  if (isRates(data)) return data.title;
  const { title, country_name, unit, frequency, derived } = data;
  const how = derived === undefined ? "" : `; computed: ${derived}`;
  return `${title}, ${country_name}, ${unit}, by ${frequency.replace("_", " ")}${how}`;
}

const TENOR = /^treasury_(\d{1,2}[my])$/;

/** `treasury_10y` is one yield of the curve. */
async function loadOne(input: Input, asked: MarketContext): Promise<Sourced<Shown>> {
  const name = input.series.toLowerCase().replaceAll(/[\s-]+/g, "_");
  const window = { from: input.from, to: input.to };
  const series = RATE_SERIES.find((one) => one === name);
  if (series !== undefined) return loadShownRates({ series, ...window }, asked);
  const tenor = TENOR.exec(name)?.[1]?.toUpperCase();
  if (tenor === undefined) return loadEconomic(input, asked);
  const { data, provenance } = await loadShownRates({ series: "treasury_curve", ...window }, asked);
  const isWanted = (rate: Readonly<{ name: string }>) => rate.name === tenor;
  const rates = data.rates.filter(isWanted);
  if (rates.length === 0)
    throw new MarketError("no_data", `the Treasury has no ${tenor} yield`, {
      available: data.rates.map((rate) => rate.name).join(", "),
    });
  const history = data.history?.map((row) => ({ ...row, rates: row.rates.filter(isWanted) }));
  return { data: { ...data, rates, spreads: [], ...omitUndefined({ history }) }, provenance };
}

async function loadEconomic(input: Input, asked: MarketContext) {
  const name = requireSeries(input.series);
  const country = requireCountry(input.country);
  const { data, provenance } = await loadSeries({ name, country, input }, asked);
  const all = data.points.toSorted((one, other) => (one.end < other.end ? 1 : -1));
  if (all.length === 0) throw new MarketError("no_data", `there is no ${name.label} of ${country.name} for this time`);
  const isNewest = input.from === undefined && input.to === undefined;
  const points = isNewest ? all.slice(0, NEWEST_POINTS) : sampleEvenly(all, MAX_POINTS);
  const spread = isNewest ? "the newest; more with from and to" : "evenly spread";
  const note = points.length === all.length ? undefined : `${points.length} of ${all.length} values, ${spread}`;
  const { id, title, unit, frequency, derived } = data;
  const shown = {
    series: name.label,
    id: toSafeText(id, 60),
    title: toSafeText(title, 200),
    country: country.code,
    country_name: country.name,
    unit,
    frequency,
    ...omitUndefined({ derived, change_on_year: toYearChange(all, unit) }),
    count: points.length,
    points,
  };
  return { data: shown, provenance: withNote(provenance, note) };
}

function requireSeries(text: string): SeriesName {
  const name = findSeries(text);
  if (name !== undefined) return name;
  const message = `no economic series "${toSafeText(text, 60)}" is known`;
  throw new MarketError("no_data", message, { available: seriesLabels().join(", ") });
}

function requireCountry(text: string): Country {
  const country = findCountry(text);
  if (country !== undefined) return country;
  const message = `no country "${toSafeText(text, 60)}" is known`;
  throw new MarketError("no_data", message, { available: "names and codes such as United States, Vietnam, VN, DE" });
}

type Asked = Readonly<{ name: SeriesName; country: Country; input: Input }>;
type Loaded = EconomicSeries & Readonly<{ derived?: string }>;

async function loadSeries(asked: Asked, context: MarketContext): Promise<Sourced<Loaded>> {
  const { name, country, input } = asked;
  const index = country.code === "US" ? INDEX_OF.get(name.key) : undefined;
  if (index === undefined) return ask(name.key, asked, context);
  try {
    return await toInflation(index, asked, context);
  } catch (thrown) {
    if (!(thrown instanceof MarketError) || thrown.details.enable !== undefined || name.key !== "inflation")
      throw thrown;
    const { data, provenance } = await ask(name.key, { name, country, input }, context);
    return {
      data,
      provenance: withNote(provenance, `monthly prices are not available (${thrown.kind}): yearly values`),
    };
  }
}

async function ask(series: string, asked: Asked, { market, context }: MarketContext): Promise<Sourced<Loaded>> {
  const { country, input } = asked;
  const window = omitUndefined({ from: input.from, to: input.to });
  const { data, provenance } = await market.series({ series, country: country.code, ...window }, context.scope);
  return { data: inUnits(data), provenance };
}

/** Change of an index on the same month of the year before, in percent. */
async function toInflation(index: string, asked: Asked, context: MarketContext): Promise<Sourced<Loaded>> {
  const { from } = asked.input;
  const input = {
    ...asked.input,
    ...omitUndefined({ from: from === undefined ? undefined : addDays(from, -YEAR_DAYS) }),
  };
  const { data, provenance } = await ask(index, { ...asked, input }, context);
  const byStart = new Map(data.points.map((point) => [point.start, point.value]));
  const points = data.points
    .filter(({ end }) => from === undefined || end >= from)
    .flatMap((point) => {
      const value = percentChange(byStart.get(toYearBefore(point.start)), point.value);
      return value === undefined ? [] : [{ ...point, value: tidy(value) }];
    });
  if (points.length === 0) throw new MarketError("no_data", `there is no ${asked.name.label} of the US for this time`);
  const derived = `change of ${data.id} (${toSafeText(data.title, 100)}) on the same month of the year before`;
  const title = `${asked.name.label}, change of consumer prices over 12 months`;
  const origin: Provenance = { ...provenance, derived_from: [data.id] };
  return { data: { ...data, title, unit: "percent", points, derived }, provenance: origin };
}

const toYearBefore = (day: DayText): DayText => `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`;

/** Thousands become units; a unit that a source does not name is read from the title. */
function inUnits(series: EconomicSeries): EconomicSeries {
  const { unit, title, points } = series;
  if (unit === "thousand persons") {
    const whole = points.map((point) => ({ ...point, value: tidy(point.value * 1_000) }));
    return { ...series, unit: "persons", title: title.replace(", in thousands", ""), points: whole };
  }
  const isNamed = ["percent", "index", "persons", "hours"].includes(unit) || isCurrency(unit);
  return isNamed ? series : { ...series, unit: unitOf(title) };
}

function unitOf(title: string): string {
  if (title.includes("%")) return "percent";
  if (title.includes("US$")) return "USD";
  return title.includes("= 100") ? "index" : "number";
}

const isCurrency = (unit: string): boolean => /^[A-Z]{3}$/.test(unit);

/** Returns the figure's unit for a unit of a series. */
function toUnit(unit: string): Unit {
  if (isCurrency(unit)) return "money";
  if (unit === "percent") return "percent";
  if (unit === "index") return "points";
  return unit === "persons" ? "count" : "ratio";
}

/** The newest value against that of the same period of the year before. */
function toYearChange(newestFirst: readonly SeriesPoint[], unit: string): YearChange | undefined {
  const [newest] = newestFirst;
  if (newest === undefined) return undefined;
  const day = toYearBefore(newest.start);
  const least = addDays(day, -7);
  const before = newestFirst.find(({ start }) => start <= day && start >= least);
  if (before === undefined) return undefined;
  const isRate = unit === "percent";
  const value = finite(isRate ? difference(newest.value, before.value) : percentChange(before.value, newest.value));
  if (value === undefined) return undefined;
  return { value, unit: isRate ? "percentage points" : "percent", start: before.start, end: newest.end };
}

function toSeriesFigures({ series, country, unit, change_on_year, points }: ShownSeries): readonly Figure[] {
  const metric = findSeries(series)?.metric ?? series;
  const kind = toUnit(unit);
  const owner = { symbol: country, currency: unit };
  const of = ({ label, start, end }: SeriesPoint): Period => ({ start, end, label });
  const [newest, ...rest] = points.map((point, at) =>
    citeFields({ ...owner, period: of(point) }, [`data.points[${at}]`, point], [["value", kind, metric]]),
  );
  const { start, end = "", unit: counted } = change_on_year ?? {};
  const changed = `change of ${metric} on the year before${counted === "percent" ? "" : " in percentage points"}`;
  const change = citeFields(
    { ...owner, period: { end, ...omitUndefined({ start }) } },
    ["data.change_on_year", change_on_year ?? {}],
    [["value", "percent", changed]],
  );
  return [...(newest ?? []), ...change, ...rest.flat()];
}
