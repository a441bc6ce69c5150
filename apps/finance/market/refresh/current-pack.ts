/**
 * Current pack: what a refresh has fetched, as the tables of a pack that the same reader reads. It has no snapshot and no
 * bars: the SEC knows no prices.
 */
import type { Rate } from "../port/market-data.ts";
import { toDayNumber } from "../pack/days.ts";
import type { PackCompany, PackFx } from "../pack/pack.ts";
import { type Index, StringTable, type Table, toTable, writePack } from "../pack/pack-writer.ts";
import { FRAME_LINES } from "./frame-concepts.ts";
import type { StatementYear } from "./statement-years.ts";

/** The downloaded data that a pack is built from. */
export interface CurrentData {
  /** The SEC's list: several symbols may have one CIK. */
  readonly companies: readonly Readonly<{ symbol: string; name: string; cik: string }>[];
  readonly years: readonly StatementYear[];
  readonly rates: readonly Readonly<{ series: string; rates: readonly Rate[] }>[];
  readonly fx: readonly PackFx[];
}

const QUALITY = 6;
const SNAPSHOT = [
  "symbol",
  "name",
  "exchange",
  "sector",
  "industry",
  "price",
  "changePercent",
  "volume",
  "relativeVolume",
  "marketCap",
  "pe",
  "eps",
  "dividendYieldPercent",
];

/** The file of a pack, and how much is in it. */
export function buildCurrentPack(data: CurrentData) {
  const strings = new StringTable();
  const indexOf: Index = (text) => strings.indexOf(text);
  const companies = toCompanies(data);
  const symbols = new Map(companies.map(({ cik, primary }) => [cik, primary]));
  const years = data.years.filter(({ cik }) => symbols.has(cik));
  const rates = data.rates.flatMap(({ series, rates: all }) => all.map((rate) => ({ series, ...rate })));
  const tables = [
    emptySnapshot(),
    statementTable(years, (cik) => indexOf(symbols.get(cik) ?? "")),
    companyTable(companies, indexOf),
    rateTable(rates, indexOf),
    fxTable(data.fx, indexOf),
  ];
  const counts = {
    companies: symbols.size,
    symbols: companies.length,
    statement_years: years.length,
    rates: rates.length,
    currencies: data.fx.length,
  };
  return { packed: writePack({ tables, strings, series: [], quality: QUALITY }).packed, counts };
}

/** Companies that report something; the first symbol of each is the one its statements are under. */
function toCompanies({ companies, years }: CurrentData): readonly PackCompany[] {
  const reporting = new Set(years.map(({ cik }) => cik));
  const primaries = new Map<string, string>();
  return companies.flatMap(({ symbol, name, cik }): readonly PackCompany[] => {
    if (!reporting.has(cik)) return [];
    const primary = primaries.get(cik) ?? symbol;
    primaries.set(cik, primary);
    return [{ symbol, name, cik, primary }];
  });
}

const emptySnapshot = (): Table =>
  toTable(
    "snapshot",
    [],
    SNAPSHOT.map((name) => [{ name, scale: 0 }, () => Number.NaN] as const),
  );

function statementTable(years: readonly StatementYear[], symbolOf: (cik: string) => number): Table {
  return toTable("statements", years, [
    [{ name: "symbol", scale: 0 }, ({ cik }) => symbolOf(cik)],
    [{ name: "fiscalYear", scale: 0 }, ({ fiscalYear }) => fiscalYear],
    [{ name: "start", scale: 0, relativeTo: "delta" }, ({ start }) => toDayNumber(start)],
    [{ name: "end", scale: 0, relativeTo: "start" }, ({ end }) => toDayNumber(end)],
    ...FRAME_LINES.map(
      (name) =>
        [
          { name, scale: name === "income.epsDiluted" ? 4 : 0 },
          ({ values }: StatementYear) => values.get(name) ?? Number.NaN,
        ] as const,
    ),
  ]);
}

const companyTable = (companies: readonly PackCompany[], indexOf: Index): Table =>
  toTable("companies", companies, [
    [{ name: "symbol", scale: 0 }, ({ symbol }) => indexOf(symbol)],
    [{ name: "name", scale: 0 }, ({ name }) => indexOf(name)],
    [{ name: "cik", scale: 0 }, ({ cik }) => Number(cik)],
    [{ name: "primary", scale: 0 }, ({ primary }) => indexOf(primary)],
  ]);

const rateTable = (rates: readonly (Rate & Readonly<{ series: string }>)[], indexOf: Index): Table =>
  toTable("rates", rates, [
    [{ name: "series", scale: 0 }, ({ series }) => indexOf(series)],
    [{ name: "name", scale: 0 }, ({ name }) => indexOf(name)],
    [{ name: "day", scale: 0, relativeTo: "delta" }, ({ day }) => toDayNumber(day)],
    [{ name: "percent", scale: 4 }, ({ percent }) => percent],
  ]);

const fxTable = (fx: readonly PackFx[], indexOf: Index): Table =>
  toTable("fx", fx, [
    [{ name: "currency", scale: 0 }, ({ currency }) => indexOf(currency)],
    [{ name: "day", scale: 0 }, ({ day }) => toDayNumber(day)],
    [{ name: "rate", scale: 8 }, ({ rate }) => rate],
  ]);
