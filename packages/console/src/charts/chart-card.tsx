/**
 * Chart card: a chart with its head, the same as a table, and where its data comes from.
 */
import { type ReactNode, useMemo, useState } from "react";
import { useApp } from "../app-context.ts";
import type { Provenance } from "../turn/text/provenance.ts";
import { BarChartView } from "./bar-chart-view.tsx";
import { type BarChart, type Chart, type ChartData, parseChart } from "./chart-data.ts";
import { buildChartTable } from "./chart-table.ts";
import {
  ChangeLabel,
  FinancialsView,
  HeatmapView,
  MarketView,
  NewsView,
  PriceView,
  TrendingView,
} from "./chart-views.tsx";
import "./chart-card.css";

const SYNTHETIC = "synthetic";
/** Bars of a range, of days that are traded. */
const RANGES = [
  ["1M", 21],
  ["3M", 63],
  ["6M", 126],
] as const;
const YEAR = 240;
const DAY = "1day";

/** A chart; nothing for one that cannot be drawn. */
export function ChartCard({ chart }: { readonly chart: unknown }) {
  const parsed = useMemo(() => parseChart(chart), [chart]);
  return parsed === undefined ? null : <Card chart={parsed} />;
}

function Card({ chart: { data, provenance } }: { readonly chart: Chart }) {
  const { words } = useApp();
  const [isTable, setTable] = useState(false);
  const [count, setCount] = useState<number>();
  const isSimulated = provenance?.kind === SYNTHETIC;
  const choose = (next: number | undefined): void => {
    setCount(next);
    setTable(false);
  };
  return (
    <figure className="chart-card">
      <header className="chart-head">
        <Head data={data} />
        <div className="chart-tabs" role="group" aria-label={words.charts.range}>
          {data.kind === "bars" ? (
            <Ranges data={data} chosen={isTable ? null : count} onChoose={choose} />
          ) : (
            <Tab isOn={!isTable} onPress={() => setTable(false)}>
              {words.charts.chart}
            </Tab>
          )}
          <Tab isOn={isTable} onPress={() => setTable(true)}>
            {words.charts.table}
          </Tab>
        </div>
      </header>
      {isTable ? <Table data={data} /> : <Drawing data={data} isSimulated={isSimulated} count={count} />}
      <Footer data={data} provenance={provenance} />
    </figure>
  );
}

interface DrawingProps {
  readonly data: ChartData;
  readonly isSimulated: boolean;
  readonly count: number | undefined;
}

function Drawing({ data, isSimulated, count }: DrawingProps) {
  switch (data.kind) {
    case "bars":
      return <BarChartView data={data} isSimulated={isSimulated} {...(count === undefined ? {} : { count })} />;
    case "price":
      return <PriceView data={data} />;
    case "financials":
      return <FinancialsView data={data} />;
    case "news":
      return <NewsView data={data} />;
    case "market":
      return <MarketView data={data} />;
    case "trending":
      return <TrendingView data={data} />;
    case "heatmap":
      return <HeatmapView data={data} />;
  }
}

function Head({ data }: { readonly data: ChartData }) {
  const { words, format } = useApp();
  switch (data.kind) {
    case "bars": {
      const [before, last] = [data.bars.at(-2)?.c, data.bars.at(-1)?.c ?? 0];
      const change = before === undefined || before === 0 ? undefined : last - before;
      return (
        <h2>
          {data.symbol} <span className="chart-now">{format.price(last)}</span>{" "}
          {change !== undefined && before !== undefined && (
            <ChangeLabel percent={(change / before) * 100} value={change} />
          )}
        </h2>
      );
    }
    case "price":
      return (
        <h2>
          {data.symbol} <span className="chart-now">{format.price(data.price)}</span>{" "}
          <ChangeLabel percent={data.changePercent} {...(data.change === undefined ? {} : { value: data.change })} />
        </h2>
      );
    case "financials":
      return <h2>{words.charts.financials(data.symbol)}</h2>;
    case "news":
      return <h2>{words.charts.news}</h2>;
    case "market":
      return <h2>{words.charts.market}</h2>;
    case "trending":
      return <h2>{data.title}</h2>;
    case "heatmap":
      return <h2>{words.charts.heatmap}</h2>;
  }
}

interface RangesProps {
  readonly data: BarChart;
  /** Null if the table is shown. */
  readonly chosen: number | undefined | null;
  readonly onChoose: (count: number | undefined) => void;
}

function Ranges({ data, chosen, onChoose }: RangesProps) {
  const { words } = useApp();
  const fitting = data.interval === DAY ? RANGES.filter(([, count]) => count < data.bars.length) : [];
  const all =
    data.interval === DAY && data.bars.length >= YEAR && data.bars.length < YEAR + 20 ? "1Y" : words.charts.all;
  return (
    <>
      {fitting.map(([name, count]) => (
        <Tab key={name} isOn={chosen === count} onPress={() => onChoose(count)}>
          {name}
        </Tab>
      ))}
      <Tab isOn={chosen === undefined} onPress={() => onChoose(undefined)}>
        {all}
      </Tab>
    </>
  );
}

interface TabProps {
  readonly isOn: boolean;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

function Tab({ isOn, onPress, children }: TabProps) {
  return (
    <button type="button" className="chart-tab" aria-pressed={isOn} onClick={onPress}>
      {children}
    </button>
  );
}

function Table({ data }: { readonly data: ChartData }) {
  const { words, format } = useApp();
  const { columns, texts, rows } = buildChartTable(data, {
    format,
    words: words.charts,
  });
  const classOf = (column: number): string => (column < texts ? "" : "number");
  return (
    <div className="chart-table" tabIndex={0} role="region" aria-label={words.charts.table}>
      <table>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={column} scope="col" className={classOf(index)}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={`${row[0] ?? ""} ${at}`}>
              {row.map((cell, index) => (
                <td key={columns[index]} className={classOf(index)}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface FooterProps {
  readonly data: ChartData;
  readonly provenance: Provenance | undefined;
}

function Footer({ data, provenance }: FooterProps) {
  const { words, format } = useApp();
  const kinds: Readonly<Record<string, string>> = words.chat.kinds;
  const spark = data.kind === "price" ? data.sparkProvenance : undefined;
  const simulated = [provenance, spark].find((one) => one?.kind === SYNTHETIC);
  const shown = simulated ?? provenance;
  return (
    <figcaption className="chart-foot">
      {shown !== undefined && (
        <span>
          {simulated === undefined ? (
            <span className="chart-kind">{kinds[shown.kind] ?? shown.kind}</span>
          ) : (
            <span className="chart-kind simulated">{words.run.simulated}</span>
          )}
          {shown.note ?? `${shown.source}, ${words.chat.asOf(format.day(shown.asOf))}`}
        </span>
      )}
      {data.kind === "bars" && (
        <a href="https://www.tradingview.com/" target="_blank" rel="noopener noreferrer">
          {words.charts.by}
        </a>
      )}
    </figcaption>
  );
}
