/**
 * Assemble: cleaned sources as the tables of the pack. The same sources give the same bytes.
 */
import {
  adjustForSplits,
  type PackBar,
  type CleanSeries,
  faultOf,
  joinBars,
  lastRun,
  type BarsOverlap,
  parseBars,
  round,
  spanOf,
  toDaily,
} from "./clean-bars.ts";
import { cleanMonthly, MONTHLY_NAMES } from "./clean-monthly.ts";
import { cleanSnapshot } from "./clean-snapshot.ts";
import { cleanStatements, STATEMENT_NAMES } from "./clean-statements.ts";
import { type Index, StringTable, type Table, toTable as table, writePack } from "./pack-writer.ts";
import { SOURCES } from "./sources.ts";

/** Gives the text of one file of a source. */
export type ReadSource = (source: keyof typeof SOURCES, path: string) => string;

/** The result of the build: the file, its content before compression, and its part of the manifest. */
export interface AssembledPack {
  readonly packed: Uint8Array;
  readonly plain: Uint8Array;
  readonly counts: Readonly<Record<string, number>>;
  readonly dropped: Readonly<Record<string, number>>;
  readonly series: readonly Readonly<Record<string, string | number>>[];
  readonly overlaps: readonly BarsOverlap[];
}

/** Builds the pack from the texts of the sources. */
export function assemble(read: ReadSource): AssembledPack {
  const strings = new StringTable();
  const indexOf: Index = (text) => strings.indexOf(text);
  const snapshot = cleanSnapshot(read("grid", "src/datasets/stock-data.csv"));
  const statements = cleanStatements(read("grid", "src/nyse-data.ts"));
  const months = cleanMonthly(read("shiller", "data.json"));
  const { series, overlaps } = allSeries(read);
  const tables = [
    snapshotTable(snapshot, indexOf),
    statementTable(statements, indexOf),
    monthlyTable(months),
    ...series.map(barTable),
  ];
  const described = series.map(({ symbol, interval, adjust, source, note }) => {
    return { symbol, interval, adjust, source, note };
  });
  const { plain, packed } = writePack({ tables, strings, series: described, quality: 11 });
  return {
    plain,
    packed,
    counts: {
      symbols: snapshot.length,
      statement_years: statements.years.length,
      statement_companies: new Set(statements.years.map(({ symbol }) => symbol)).size,
      eps_years: statements.years.filter(({ values }) => values.has("income.eps")).length,
      months: months.length,
      bars: series.reduce((sum, { bars }) => sum + bars.length, 0),
    },
    dropped: statements.dropped,
    series: series.map(({ bars, ...description }) => ({ ...description, bars: bars.length, span: spanOf(bars) })),
    overlaps,
  };
}

function snapshotTable(rows: ReturnType<typeof cleanSnapshot>, indexOf: Index): Table {
  const text = ["symbol", "name", "exchange", "sector", "industry"] as const;
  const numbers = [
    ["price", 6],
    ["changePercent", 6],
    ["volume", 0],
    ["relativeVolume", 4],
    ["marketCap", 0],
    ["pe", 4],
    ["eps", 6],
    ["dividendYieldPercent", 6],
  ] as const;
  return table("snapshot", rows, [
    ...text.map((name) => [{ name, scale: 0 }, (row: (typeof rows)[number]) => indexOf(row[name])] as const),
    ...numbers.map(([name, scale]) => [{ name, scale }, (row: (typeof rows)[number]) => row[name]] as const),
  ]);
}

function statementTable({ years }: ReturnType<typeof cleanStatements>, indexOf: Index): Table {
  type Year = (typeof years)[number];
  return table("statements", years, [
    [{ name: "symbol", scale: 0 }, (year: Year) => indexOf(year.symbol)],
    [{ name: "fiscalYear", scale: 0 }, (year: Year) => year.fiscalYear],
    [{ name: "start", scale: 0, relativeTo: "delta" }, (year: Year) => year.start],
    [{ name: "end", scale: 0, relativeTo: "start" }, (year: Year) => year.end],
    ...STATEMENT_NAMES.map(
      (name) =>
        [{ name, scale: name === "income.eps" ? 2 : 0 }, (year: Year) => year.values.get(name) ?? Number.NaN] as const,
    ),
  ]);
}

function monthlyTable(months: ReturnType<typeof cleanMonthly>): Table {
  type Month = (typeof months)[number];
  return table("monthly", months, [
    [{ name: "year", scale: 0, relativeTo: "delta" }, (month: Month) => month.year],
    [{ name: "month", scale: 0 }, (month: Month) => month.month],
    ...MONTHLY_NAMES.map((name) => [{ name, scale: 4 }, (month: Month) => month.values[name]] as const),
  ]);
}

function barTable({ symbol, interval, bars }: CleanSeries): Table {
  const fault = faultOf(bars);
  if (fault !== undefined) throw new RangeError(`${symbol}: ${fault}`);
  const price = (name: "o" | "h" | "l") => [{ name, scale: 6, relativeTo: "c" }, (bar: PackBar) => bar[name]] as const;
  return table(`${symbol} ${interval}`, bars, [
    [{ name: "t", scale: 0, relativeTo: "delta" }, (bar: PackBar) => bar.t],
    [{ name: "c", scale: 6, relativeTo: "delta" }, (bar: PackBar) => bar.c],
    price("o"),
    price("h"),
    price("l"),
    [{ name: "v", scale: symbol === "BTCUSD" ? 4 : 0 }, (bar: PackBar) => bar.v],
  ]);
}

function allSeries(read: ReadSource): { series: readonly CleanSeries[]; overlaps: readonly BarsOverlap[] } {
  const charts = (file: string) => read("stockcharts", `docs/data/${file}`);
  const apple = joinBars(
    { older: parseBars(charts("AAPL_full.tsv"), "\t"), newer: parseBars(read("observable", "aapl.csv"), ",") },
    { symbol: "AAPL", kept: "aapl.csv", dropped: "AAPL_full.tsv" },
  );
  const index = joinBars(
    { older: parseBars(charts("SP500.csv"), ","), newer: parseBars(read("vega", "data/sp500-2000.csv"), ",") },
    { symbol: "^GSPC", kept: "sp500-2000.csv", dropped: "SP500.csv" },
  );
  const electric = adjustForSplits(parseBars(charts("GE.csv"), ","), charts("GE-splithistory.json"));
  checkAgainst(electric, parseBars(charts("GE_full.tsv"), "\t"));
  const daily = { interval: "1day" } as const;
  const series: readonly CleanSeries[] = [
    {
      ...daily,
      symbol: "AAPL",
      adjust: "split",
      source: "react-stockcharts-rollup, @observablehq/sample-datasets",
      bars: apple.bars,
      note: "adjusted for the splits up to 2014, not for dividends; to the cent before 2013-05-13",
    },
    {
      ...daily,
      symbol: "GE",
      adjust: "split",
      source: "react-stockcharts-rollup",
      bars: electric,
      note: "adjusted for the splits up to 2000, not for dividends; General Electric before its later division",
    },
    {
      ...daily,
      symbol: "MSFT",
      adjust: "split+dividend",
      source: "react-stockcharts-rollup",
      bars: parseBars(charts("MSFT_full.tsv"), "\t"),
      note: "adjusted for splits and dividends up to 2016, so these are not the prices that were traded",
    },
    {
      ...daily,
      symbol: "^GSPC",
      adjust: "none",
      source: "react-stockcharts-rollup, vega-datasets",
      bars: index.bars,
      note: "index points; until 1983 most days have only their close",
    },
    ...coinSeries(charts),
  ];
  return { series, overlaps: [apple.overlap, index.overlap] };
}

function coinSeries(charts: (file: string) => string): readonly CleanSeries[] {
  const fourDigits = (bars: readonly PackBar[]) => bars.map((bar) => ({ ...bar, v: round(bar.v, 4) }));
  const shared = { symbol: "BTCUSD", adjust: "none", source: "react-stockcharts-rollup" } as const;
  return [
    {
      ...shared,
      interval: "1day",
      bars: fourDigits(toDaily(parseBars(charts("bitstamp_xbtusd_5m.csv"), ","))),
      note: "Bitstamp, whole UTC days; 2016-03-06 to 2016-03-17 are missing in the source",
    },
    {
      ...shared,
      interval: "1min",
      bars: fourDigits(lastRun(parseBars(charts("bitfinex_xbtusd_1m.csv"), ","), 3600)),
      note: "Bitfinex, UTC minutes",
    },
  ];
}

function checkAgainst(computed: readonly PackBar[], published: readonly PackBar[]): void {
  const byTime = new Map(published.map((bar) => [bar.t, bar.c]));
  const isSame = computed.every(({ t, c }) => Math.abs(c - (byTime.get(t) ?? Number.NaN)) < 0.0051);
  if (!isSame) throw new RangeError("GE: prices adjusted for splits are not those of GE_full.tsv");
}
