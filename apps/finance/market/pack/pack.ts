/**
 * Pack: the embedded market data, read from one compressed file into typed arrays and one table of strings.
 * Everything in it is real: one day of US stocks, statements, and bars of the past.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { z } from "zod";
import type { Bars } from "../port/bars.ts";
import type { Day, StatementKind } from "../port/market-data.ts";
import type { Adjust } from "../port/provenance.ts";
import { columnOf, type Columns, decodeTable, type TableShape } from "./codec.ts";
import { toDay } from "./days.ts";

/** The day of the snapshot. */
export const PACK_DAY: Day = "2024-11-22";

/** One stock on the snapshot's day; what the source does not know is absent. */
export interface SnapshotStock {
  readonly symbol: string;
  readonly name: string;
  readonly exchange: string;
  readonly sector?: string;
  readonly industry?: string;
  readonly price: number;
  readonly changePercent?: number;
  readonly volume: number;
  /** Volume divided by its ten-day average. */
  readonly relativeVolume?: number;
  readonly marketCap?: number;
  readonly pe?: number;
  readonly eps?: number;
  readonly dividendYieldPercent?: number;
}

/** One fiscal year of one company. */
export interface PackYear {
  readonly fiscalYear: number;
  readonly start: Day;
  readonly end: Day;
  /** Named values of one statement, without what is unknown. */
  values(statement: StatementKind): ReadonlyMap<string, number>;
}

/** Real bars of the past. */
export interface RealSeries {
  readonly symbol: string;
  readonly interval: "1day" | "1min";
  readonly adjust: Adjust;
  readonly source: string;
  readonly note: string;
  readonly bars: Bars;
}

/** A company beside the snapshot, and the symbol under which its statements are. */
export type PackCompany = Readonly<{ symbol: string; name: string; cik: string; primary: string }>;

/** A rate of a day, in percent: `treasury_curve` of `10Y`, `sofr` of `SOFR`. */
export type PackRate = Readonly<{ series: string; name: string; day: Day; percent: number }>;

/** The amount of a currency that one US dollar was worth on a day. */
export type PackFx = Readonly<{ currency: string; day: Day; rate: number }>;

/** All embedded data. */
export interface Pack {
  readonly size: number;
  /** The row of a canonical symbol. */
  indexOf(symbol: string): number | undefined;
  stock(index: number): SnapshotStock;
  /** A number of all stocks, NaN if unknown: `price`, `changePercent`, `volume`, `marketCap` … */
  column(name: string): Float64Array;
  /** Oldest first; empty if there are none. */
  years(symbol: string): readonly PackYear[];
  series(symbol: string, interval: RealSeries["interval"]): RealSeries | undefined;
  /** Shiller's months: `year`, `month`, `comp`, `dividend`, `earnings`, `cpi`, `lir`, `cape`. */
  readonly monthly: Columns;
  /** Empty in the embedded pack, as are `rates` and `fx`: only `data refresh` writes them. */
  readonly companies: readonly PackCompany[];
  readonly rates: readonly PackRate[];
  readonly fx: readonly PackFx[];
}

const OPTIONAL = ["changePercent", "relativeVolume", "marketCap", "pe", "eps", "dividendYieldPercent"] as const;
type Writable = { -readonly [Key in keyof SnapshotStock]: SnapshotStock[Key] };

const Head = z.object({
  format: z.literal(1),
  strings: z.array(z.string()),
  tables: z.array(
    z.object({
      name: z.string(),
      rows: z.int(),
      bytes: z.int(),
      columns: z.array(z.object({ name: z.string(), scale: z.int(), relativeTo: z.string().optional() })),
    }),
  ),
  series: z.array(
    z.object({
      symbol: z.string(),
      interval: z.enum(["1day", "1min"]),
      adjust: z.enum(["none", "split", "split+dividend"]),
      source: z.string(),
      note: z.string(),
    }),
  ),
});

/** Reads the pack; without a path, the one that comes with Baton. */
export function openPack(path: string = join(import.meta.dirname, "market.pack")): Pack {
  return readPack(readFileSync(path));
}

/** A pack from the bytes of its file. */
export function readPack(packed: Uint8Array): Pack {
  return parsePack(brotliDecompressSync(packed));
}

/** A pack from its bytes before compression. */
function parsePack(plain: Uint8Array): Pack {
  const length = new DataView(plain.buffer, plain.byteOffset).getUint32(0);
  const text = new TextDecoder().decode(plain.subarray(4, 4 + length));
  const head = Head.parse(JSON.parse(text));
  const table = toTables(head.tables, plain.subarray(4 + length));
  const has = (name: string) => head.tables.some((entry) => entry.name === name);
  const bars = (name: string) => toBars(table(name));
  const series = head.series.map((entry): RealSeries => ({
    ...entry,
    get bars() {
      return bars(`${entry.symbol} ${entry.interval}`);
    },
  }));
  return {
    ...toSnapshot(table("snapshot"), head.strings),
    years: toYears(() => table("statements"), head.strings),
    series: (symbol, interval) => series.find((entry) => entry.symbol === symbol && entry.interval === interval),
    get monthly() {
      return table("monthly");
    },
    get companies() {
      return has("companies") ? toCompanies(table("companies"), head.strings) : [];
    },
    get rates() {
      return has("rates") ? toRates(table("rates"), head.strings) : [];
    },
    get fx() {
      return has("fx") ? toFx(table("fx"), head.strings) : [];
    },
  };
}

/** Reads a table row by row. */
function readRows<T>(
  columns: Columns,
  strings: readonly string[],
  read: (row: Readonly<{ number: (name: string) => number; text: (name: string) => string }>) => T,
): readonly T[] {
  const length = [...columns.values()][0]?.length ?? 0;
  return Array.from({ length }, (_, at) => {
    const number = (name: string) => columnOf(columns, name)[at] ?? Number.NaN;
    return read({ number, text: (name) => strings[number(name)] ?? "" });
  });
}

const toCompanies = (columns: Columns, strings: readonly string[]): readonly PackCompany[] =>
  readRows(columns, strings, ({ number, text }) => ({
    symbol: text("symbol"),
    name: text("name"),
    cik: `${number("cik")}`.padStart(10, "0"),
    primary: text("primary"),
  }));

const toRates = (columns: Columns, strings: readonly string[]): readonly PackRate[] =>
  readRows(columns, strings, ({ number, text }) => ({
    series: text("series"),
    name: text("name"),
    day: toDay(number("day")),
    percent: number("percent"),
  }));

const toFx = (columns: Columns, strings: readonly string[]): readonly PackFx[] =>
  readRows(columns, strings, ({ number, text }) => ({
    currency: text("currency"),
    day: toDay(number("day")),
    rate: number("rate"),
  }));

/** Gives a table by name; each is decoded when it is first asked for. */
function toTables(stored: z.infer<typeof Head>["tables"], bytes: Uint8Array): (name: string) => Columns {
  const places = new Map<string, { shape: TableShape; bytes: Uint8Array }>();
  let at = 0;
  for (const { columns, ...entry } of stored) {
    const shape = columns.map(({ name, scale, relativeTo }) =>
      relativeTo === undefined ? { name, scale } : { name, scale, relativeTo },
    );
    places.set(entry.name, { shape: { ...entry, columns: shape }, bytes: bytes.subarray(at, at + entry.bytes) });
    at += entry.bytes;
  }
  const decoded = new Map<string, Columns>();
  return (name) => {
    const place = places.get(name);
    if (place === undefined) throw new RangeError(`the pack has no table "${name}"`);
    const columns = decoded.get(name) ?? decodeTable(place.shape, place.bytes);
    decoded.set(name, columns);
    return columns;
  };
}

const toBars = (columns: Columns): Bars => ({
  t: columnOf(columns, "t"),
  o: columnOf(columns, "o"),
  h: columnOf(columns, "h"),
  l: columnOf(columns, "l"),
  c: columnOf(columns, "c"),
  v: columnOf(columns, "v"),
});

function toSnapshot(columns: Columns, strings: readonly string[]): Pick<Pack, "size" | "indexOf" | "stock" | "column"> {
  const texts = (name: string) => {
    const column = columnOf(columns, name);
    return (index: number) => strings[column[index] ?? -1] ?? "";
  };
  const numbers = (name: string) => {
    const column = columnOf(columns, name);
    return (index: number) => column[index] ?? Number.NaN;
  };
  const [symbol, name, exchange] = [texts("symbol"), texts("name"), texts("exchange")];
  const [price, volume] = [numbers("price"), numbers("volume")];
  const labels = (["sector", "industry"] as const).map((key) => ({ key, of: texts(key) }));
  const optional = OPTIONAL.map((key) => ({ key, of: numbers(key) }));
  const size = columnOf(columns, "symbol").length;
  const bySymbol = new Map(Array.from({ length: size }, (_, index) => [symbol(index), index]));
  const stock = (index: number): SnapshotStock => {
    const known: Writable = {
      symbol: symbol(index),
      name: name(index),
      exchange: exchange(index),
      price: price(index),
      volume: volume(index),
    };
    for (const { key, of } of labels) if (of(index) !== "") known[key] = of(index);
    for (const { key, of } of optional) if (!Number.isNaN(of(index))) known[key] = of(index);
    return known;
  };
  return { size, indexOf: (wanted) => bySymbol.get(wanted), column: (wanted) => columnOf(columns, wanted), stock };
}

function toYears(table: () => Columns, strings: readonly string[]): Pack["years"] {
  const number = (name: string, row: number) => columnOf(table(), name)[row] ?? Number.NaN;
  const valuesOf = (row: number, statement: StatementKind) => {
    const prefix = `${statement}.`;
    const names = [...table().keys()].filter((name) => name.startsWith(prefix));
    const known = names.filter((name) => !Number.isNaN(number(name, row)));
    return new Map(known.map((name) => [name.slice(prefix.length), number(name, row)]));
  };
  let rowsBySymbol: ReadonlyMap<string, readonly number[]> | undefined;
  return (symbol) => {
    const symbols = columnOf(table(), "symbol");
    rowsBySymbol ??= Map.groupBy(symbols.keys(), (row) => strings[symbols[row] ?? -1] ?? "");
    return (rowsBySymbol.get(symbol) ?? []).map((row) => ({
      fiscalYear: number("fiscalYear", row),
      start: toDay(number("start", row)),
      end: toDay(number("end", row)),
      values: (statement) => valuesOf(row, statement),
    }));
  };
}
