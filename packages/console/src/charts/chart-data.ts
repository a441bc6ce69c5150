/**
 * Chart data: what a note `chart` brings, read field by field; a chart that is not whole is not drawn.
 *
 * Times are UTC seconds, oldest first; null keeps the place of what is not known.
 */
import { fieldOf, type Provenance, provenanceOf, textField } from "../turn/text/provenance.ts";

/** A value at a time. */
export type ChartPoint = readonly [t: number, y: number | undefined];

/** Prices of one span of time. */
export interface ChartBar {
  readonly t: number;
  readonly o: number;
  readonly h: number;
  readonly l: number;
  readonly c: number;
  readonly v?: number;
}

/** A line over or below the bars. */
export interface Series {
  readonly name: string;
  readonly kind: string;
  readonly points: readonly ChartPoint[];
}

/** Lines that share a scale. */
export interface Pane {
  readonly name: string;
  readonly series: readonly Series[];
  readonly levels: readonly Readonly<{ y: number; label: string }>[];
}

/** Bars with what is drawn over and below them. */
export interface BarChart {
  readonly kind: "bars";
  readonly symbol: string;
  readonly name: string;
  readonly currency: string;
  readonly interval: string;
  readonly bars: readonly ChartBar[];
  readonly panes: readonly Pane[];
  readonly markers: readonly Readonly<{ t: number; label: string; side: string }>[];
}

/** A price with a small line. */
export interface PriceCard {
  readonly kind: "price";
  readonly symbol: string;
  readonly name: string;
  readonly currency: string;
  readonly price: number;
  readonly change?: number;
  readonly changePercent?: number;
  readonly day: Range;
  readonly year: Range;
  readonly volume?: number;
  readonly marketCap?: number;
  readonly spark: readonly ChartPoint[];
  readonly sparkProvenance?: Provenance;
}

/** Low and high. */
export type Range = readonly [number | undefined, number | undefined];

/** Lines of statements by period. */
export interface Financials {
  readonly kind: "financials";
  readonly symbol: string;
  readonly currency: string;
  readonly periods: readonly string[];
  readonly lines: readonly Readonly<{ name: string; unit: string; values: readonly (number | undefined)[] }>[];
}

/** Headlines. */
export interface NewsList {
  readonly kind: "news";
  readonly items: readonly Readonly<{
    title: string;
    source: string;
    url?: string;
    publishedAt: number;
    symbols: readonly string[];
  }>[];
}

/** Indices, and how many stocks rose and fell. */
export interface MarketOverview {
  readonly kind: "market";
  readonly indices: readonly Readonly<{
    symbol: string;
    name: string;
    price: number;
    changePercent?: number;
    spark: readonly ChartPoint[];
    sparkProvenance?: Provenance;
  }>[];
  readonly breadth?: Readonly<{ up: number; down: number; flat: number }>;
}

/** A list of stocks. */
export interface Trending {
  readonly kind: "trending";
  readonly title: string;
  readonly rows: readonly Readonly<{
    symbol: string;
    name: string;
    price: number;
    changePercent?: number;
    volume?: number;
    marketCap?: number;
  }>[];
}

/** Groups by size and change. */
export interface Heatmap {
  readonly kind: "heatmap";
  readonly groups: readonly Readonly<{ name: string; weight: number; changePercent?: number }>[];
}

/** The data of a chart, by its kind. */
export type ChartData = BarChart | PriceCard | Financials | NewsList | MarketOverview | Trending | Heatmap;

/** A chart with where its data comes from. */
export interface Chart {
  readonly data: ChartData;
  readonly provenance: Provenance | undefined;
}

const READERS: ReadonlyMap<string, (data: unknown) => ChartData | undefined> = new Map<
  string,
  (data: unknown) => ChartData | undefined
>([
  ["showStockChart", readBars],
  ["cryptoChart", readBars],
  ["showStockPrice", readPrice],
  ["showStockFinancials", readFinancials],
  ["showStockNews", readNews],
  ["showMarketOverview", readMarket],
  ["showTrendingStocks", readTrending],
  ["showStockHeatmap", readHeatmap],
]);

/** Reads a chart; undefined if it is not one that can be drawn. */
export function parseChart(value: unknown): Chart | undefined {
  const read = READERS.get(textField(value, "type") ?? "");
  const body = fieldOf(value, "data");
  const data = read?.(body);
  return data === undefined ? undefined : { data, provenance: provenanceOf(body) };
}

function numberOf(value: unknown, name: string): number | undefined {
  const field = fieldOf(value, name);
  return typeof field === "number" && Number.isFinite(field) ? field : undefined;
}

function itemsOf(value: unknown, name: string): readonly unknown[] {
  const field = fieldOf(value, name);
  return Array.isArray(field) ? field : [];
}

function readPoints(list: readonly unknown[]): readonly ChartPoint[] {
  return list.flatMap((point): ChartPoint[] => {
    if (!Array.isArray(point)) return [];
    const pair: readonly unknown[] = point;
    const [t, y] = pair;
    return typeof t === "number" ? [[t, typeof y === "number" ? y : undefined]] : [];
  });
}

function readBars(data: unknown): BarChart | undefined {
  const bars = itemsOf(data, "bars").flatMap((bar): ChartBar[] => {
    const [t, o, h, l, c, v] = ["t", "o", "h", "l", "c", "v"].map((name) => numberOf(bar, name));
    if (t === undefined || c === undefined) return [];
    return [{ t, o: o ?? c, h: h ?? c, l: l ?? c, c, ...(v === undefined ? {} : { v }) }];
  });
  if (bars.length === 0) return undefined;
  return {
    kind: "bars",
    symbol: textField(data, "symbol") ?? "",
    name: textField(data, "name") ?? "",
    currency: textField(data, "currency") ?? "",
    interval: textField(data, "interval") ?? "",
    bars,
    panes: itemsOf(data, "panes").map(readPane),
    markers: itemsOf(data, "markers").flatMap((marker) => {
      const t = numberOf(marker, "t");
      return t === undefined
        ? []
        : [{ t, label: textField(marker, "label") ?? "", side: textField(marker, "side") ?? "" }];
    }),
  };
}

function readPane(pane: unknown): Pane {
  return {
    name: textField(pane, "name") ?? "",
    series: itemsOf(pane, "series").map((series) => ({
      name: textField(series, "name") ?? "",
      kind: textField(series, "kind") ?? "line",
      points: readPoints(itemsOf(series, "points")),
    })),
    levels: itemsOf(pane, "levels").flatMap((level) => {
      const y = numberOf(level, "y");
      return y === undefined ? [] : [{ y, label: textField(level, "label") ?? "" }];
    }),
  };
}

function readRange(data: unknown, name: string): Range {
  const [low, high] = itemsOf(data, name);
  return [typeof low === "number" ? low : undefined, typeof high === "number" ? high : undefined];
}

function readPrice(data: unknown): PriceCard | undefined {
  const price = numberOf(data, "price");
  if (price === undefined) return undefined;
  return {
    kind: "price",
    symbol: textField(data, "symbol") ?? "",
    name: textField(data, "name") ?? "",
    currency: textField(data, "currency") ?? "",
    price,
    ...numbers(data, { change: "change", changePercent: "change_percent", volume: "volume", marketCap: "market_cap" }),
    day: readRange(data, "day"),
    year: readRange(data, "year"),
    spark: readPoints(itemsOf(data, "spark")),
    ...sparkProvenance(data),
  };
}

/** The numbers that are there, by their new names. */
function numbers<Name extends string>(
  data: unknown,
  names: Readonly<Record<Name, string>>,
): { readonly [Key in Name]?: number };
function numbers(data: unknown, names: Readonly<Record<string, string>>): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, field]) => {
      const value = numberOf(data, field);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function sparkProvenance(data: unknown): { readonly sparkProvenance?: Provenance } {
  const found = provenanceOf({ provenance: fieldOf(data, "spark_provenance") });
  return found === undefined ? {} : { sparkProvenance: found };
}

function readFinancials(data: unknown): Financials | undefined {
  const periods = itemsOf(data, "periods").filter((period) => typeof period === "string");
  const lines = itemsOf(data, "lines").map((line) => ({
    name: textField(line, "name") ?? "",
    unit: textField(line, "unit") ?? "",
    values: itemsOf(line, "values").map((value) => (typeof value === "number" ? value : undefined)),
  }));
  if (periods.length === 0 || lines.length === 0) return undefined;
  const [symbol, currency] = [textField(data, "symbol") ?? "", textField(data, "currency") ?? ""];
  return { kind: "financials", symbol, currency, periods, lines };
}

function readNews(data: unknown): NewsList | undefined {
  const items = itemsOf(data, "items").map((item) => {
    const url = textField(item, "url");
    return {
      title: textField(item, "title") ?? "",
      source: textField(item, "source") ?? "",
      publishedAt: numberOf(item, "published_at") ?? 0,
      symbols: itemsOf(item, "symbols").filter((symbol) => typeof symbol === "string"),
      ...(url !== undefined && /^https?:\/\//iu.test(url) ? { url } : {}),
    };
  });
  return items.length === 0 ? undefined : { kind: "news", items };
}

function readMarket(data: unknown): MarketOverview {
  const indices = itemsOf(data, "indices").flatMap((index) => {
    const price = numberOf(index, "price");
    if (price === undefined) return [];
    const [symbol, name] = [textField(index, "symbol") ?? "", textField(index, "name") ?? ""];
    const spark = readPoints(itemsOf(index, "spark"));
    return [
      { symbol, name, price, spark, ...numbers(index, { changePercent: "change_percent" }), ...sparkProvenance(index) },
    ];
  });
  const breadth = fieldOf(data, "breadth");
  const [up, down, flat] = ["up", "down", "flat"].map((name) => numberOf(breadth, name));
  return {
    kind: "market",
    indices,
    ...(up === undefined || down === undefined ? {} : { breadth: { up, down, flat: flat ?? 0 } }),
  };
}

function readTrending(data: unknown): Trending | undefined {
  const rows = itemsOf(data, "rows").flatMap((row) => {
    const price = numberOf(row, "price");
    if (price === undefined) return [];
    const more = numbers(row, { changePercent: "change_percent", volume: "volume", marketCap: "market_cap" });
    return [{ symbol: textField(row, "symbol") ?? "", name: textField(row, "name") ?? "", price, ...more }];
  });
  return rows.length === 0 ? undefined : { kind: "trending", title: textField(data, "title") ?? "", rows };
}

function readHeatmap(data: unknown): Heatmap | undefined {
  const groups = itemsOf(data, "groups").flatMap((group) => {
    const weight = numberOf(group, "weight");
    if (weight === undefined || weight <= 0) return [];
    const more = numbers(group, { changePercent: "change_percent" });
    return [{ name: textField(group, "name") ?? "", weight, ...more }];
  });
  return groups.length === 0 ? undefined : { kind: "heatmap", groups };
}
