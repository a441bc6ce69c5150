/**
 * Chart table: the numbers of a chart as rows, newest first where they have a time.
 */
import type { Words } from "../words/words.ts";
import type { BarChart, ChartData, Financials, PriceCard } from "./chart-data.ts";
import type { ValueFormat } from "../format/format.ts";

/** Columns with what is written in them; all but the first `texts` are numbers. */
export interface ChartTable {
  readonly columns: readonly string[];
  readonly texts: number;
  readonly rows: readonly (readonly string[])[];
}

const NONE = "–";

interface Context {
  readonly format: ValueFormat;
  readonly words: Words["charts"];
}

/** The table of a chart. */
export function buildChartTable(data: ChartData, context: Context): ChartTable {
  const { format, words } = context;
  const { columns } = words;
  const maybe = (value: number | undefined, write: (value: number) => string): string =>
    value === undefined ? NONE : write(value);
  switch (data.kind) {
    case "bars":
      return barTable(data, context);
    case "price":
      return priceTable(data, context);
    case "financials":
      return financialsTable(data, context);
    case "news":
      return {
        columns: [columns.title, columns.source, columns.date],
        texts: 3,
        rows: data.items.map(({ title, source, publishedAt }) => [
          title,
          source,
          format.marketTime(publishedAt * 1_000),
        ]),
      };
    case "market": {
      const indices = data.indices.map(({ symbol, price, changePercent }) => [
        symbol,
        format.price(price),
        maybe(changePercent, format.percent),
      ]);
      const { breadth } = data;
      const counts =
        breadth === undefined
          ? []
          : (["up", "down", "flat"] as const).map((way) => [words[way], format.number(breadth[way]), ""]);
      return { columns: [columns.name, columns.value, columns.change], texts: 1, rows: [...indices, ...counts] };
    }
    case "trending":
      return {
        columns: [columns.symbol, columns.name, columns.price, columns.change, columns.volume, columns.cap],
        texts: 2,
        rows: data.rows.map(({ symbol, name, price, changePercent, volume, marketCap }) => [
          symbol,
          name,
          format.price(price),
          maybe(changePercent, format.percent),
          maybe(volume, format.number),
          maybe(marketCap, format.number),
        ]),
      };
    case "heatmap":
      return {
        columns: [columns.group, columns.size, columns.change],
        texts: 1,
        rows: data.groups.map(({ name, weight, changePercent }) => [
          name,
          format.short(weight),
          maybe(changePercent, format.percent),
        ]),
      };
  }
}

function barTable({ bars }: BarChart, { format, words: { columns } }: Context): ChartTable {
  return {
    columns: [columns.date, columns.open, columns.high, columns.low, columns.close, columns.volume],
    texts: 1,
    rows: bars
      .map(({ t, o, h, l, c, v }) => [
        format.marketTime(t * 1_000),
        ...[o, h, l, c].map(format.price),
        v === undefined ? NONE : format.number(v),
      ])
      .toReversed(),
  };
}

function priceTable(card: PriceCard, { format, words }: Context): ChartTable {
  const { columns } = words;
  const range = ([low, high]: PriceCard["day"]): string =>
    low === undefined || high === undefined ? NONE : `${format.price(low)} – ${format.price(high)}`;
  const rows = [
    [columns.price, format.price(card.price)],
    [columns.change, card.change === undefined ? NONE : format.signed(card.change)],
    [words.dayRange, range(card.day)],
    [words.yearRange, range(card.year)],
    [columns.volume, card.volume === undefined ? NONE : format.number(card.volume)],
    [columns.cap, card.marketCap === undefined ? NONE : format.number(card.marketCap)],
    ...card.spark
      .map(([t, y]) => [format.marketTime(t * 1_000), y === undefined ? NONE : format.price(y)])
      .toReversed(),
  ];
  return { columns: [columns.name, columns.value], texts: 1, rows };
}

function financialsTable({ periods, lines }: Financials, { format, words }: Context): ChartTable {
  return {
    columns: [words.columns.name, ...periods],
    texts: 1,
    rows: lines.map(({ name, values }) => [
      name,
      ...periods.map((_, index) => {
        const value = values[index];
        return value === undefined ? NONE : format.number(value);
      }),
    ]),
  };
}
