/**
 * Chart views: the kinds of charts that need no library: a price, bars of statements, headlines, the market, a list and a
 * map.
 */
import { useApp } from "../app-context.ts";
import type { Financials, Heatmap, MarketOverview, NewsList, PriceCard, Trending } from "./chart-data.ts";
import { ChartSpark } from "./chart-spark.tsx";
import { layOutTiles } from "./treemap.ts";

const SYNTHETIC = "synthetic";

/** A change with its sign and colour. */
export function ChangeLabel({ percent, value }: { readonly percent: number | undefined; readonly value?: number }) {
  const { format } = useApp();
  if (percent === undefined) return null;
  const text = format.percent(percent);
  return (
    <span className={percent < 0 ? "chart-change down" : "chart-change up"}>
      {value === undefined ? text : `${format.signed(value)} (${text})`}
    </span>
  );
}

/** A price card. */
export function PriceView({ data }: { readonly data: PriceCard }) {
  const { words, format } = useApp();
  const { columns, dayRange, yearRange, watermark } = words.charts;
  const range = ([low, high]: PriceCard["day"]): string | undefined =>
    low === undefined || high === undefined ? undefined : `${format.price(low)} – ${format.price(high)}`;
  const facts: readonly (readonly [string, string | undefined])[] = [
    [dayRange, range(data.day)],
    [yearRange, range(data.year)],
    [columns.volume, data.volume === undefined ? undefined : format.short(data.volume)],
    [columns.cap, data.marketCap === undefined ? undefined : format.short(data.marketCap)],
  ];
  return (
    <div className="chart-price">
      <ChartSpark
        points={data.spark}
        label={data.symbol}
        {...(data.sparkProvenance?.kind === SYNTHETIC ? { watermark } : {})}
      />
      <dl>
        {facts.map(([name, value]) =>
          value === undefined ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
    </div>
  );
}

const MAX_LINES = 3;
const BAR_WIDTH = 640;
const BAR_HEIGHT = 200;

/** Bars of statements: the first lines of money, by period. */
export function FinancialsView({ data }: { readonly data: Financials }) {
  const { words, format } = useApp();
  const lines = data.lines.filter(({ unit }) => unit === data.lines[0]?.unit).slice(0, MAX_LINES);
  const values = lines.flatMap((line) => line.values.flatMap((value) => value ?? []));
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const y = (value: number): number => BAR_HEIGHT - ((value - low) / (high - low || 1)) * BAR_HEIGHT;
  const slot = BAR_WIDTH / data.periods.length;
  const width = Math.min(44, (slot * 0.72) / lines.length);
  return (
    <div className="chart-financials">
      <ul className="chart-legend">
        {lines.map(({ name }, index) => (
          <li key={name} className={`agent-${LINE_COLORS[index] ?? 1}`}>
            {name}
          </li>
        ))}
      </ul>
      <svg
        viewBox={`-4 -16 ${BAR_WIDTH + 8} ${BAR_HEIGHT + 40}`}
        role="img"
        aria-label={words.charts.financials(data.symbol)}
      >
        <line x1="0" x2={BAR_WIDTH} y1={y(0)} y2={y(0)} className="chart-axis" />
        {data.periods.map((period, column) => (
          <g key={period} transform={`translate(${column * slot + (slot - width * lines.length) / 2} 0)`}>
            {lines.map(({ name, values: row }, index) => {
              const value = row[column];
              if (value === undefined) return null;
              const top = Math.min(y(value), y(0));
              return (
                <g key={name} className={`agent-${LINE_COLORS[index] ?? 1}`}>
                  <rect
                    className="chart-bar"
                    x={index * width + 1}
                    y={top}
                    width={width - 2}
                    height={Math.max(1, Math.abs(y(value) - y(0)))}
                    rx="2"
                  />
                  <text className="chart-value" x={index * width + width / 2} y={top - 5} textAnchor="middle">
                    {format.brief(value)}
                  </text>
                </g>
              );
            })}
            <text className="chart-period" x={(width * lines.length) / 2} y={BAR_HEIGHT + 18} textAnchor="middle">
              {period}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}

const LINE_COLORS: readonly number[] = [1, 2, 4];
const MAX_NEWS = 6;

/** Headlines. */
export function NewsView({ data }: { readonly data: NewsList }) {
  const { words, format } = useApp();
  return (
    <>
      <ul className="chart-news">
        {data.items.slice(0, MAX_NEWS).map(({ title, source, url, publishedAt }) => (
          <li key={`${title} ${publishedAt}`}>
            {url === undefined ? (
              <strong>{title}</strong>
            ) : (
              <a href={url} target="_blank" rel="noopener noreferrer">
                {title}
              </a>
            )}
            <small>{`${source} · ${format.marketTime(publishedAt * 1_000)}`}</small>
          </li>
        ))}
      </ul>
      {data.items.length > MAX_NEWS && <p className="chart-more">{words.charts.more(data.items.length - MAX_NEWS)}</p>}
    </>
  );
}

/** Indices, and how many stocks rose and fell. */
export function MarketView({ data }: { readonly data: MarketOverview }) {
  const { words, format } = useApp();
  const { breadth, indices } = data;
  const sum = breadth === undefined ? 0 : breadth.up + breadth.down + breadth.flat;
  return (
    <div className="chart-market">
      {indices.length > 0 && (
        <ul>
          {indices.map(({ symbol, name, price, changePercent, spark, sparkProvenance }) => (
            <li key={symbol}>
              <small>{name}</small>
              <strong>{format.price(price)}</strong>
              <ChangeLabel percent={changePercent} />
              <ChartSpark
                points={spark}
                label={name}
                {...(sparkProvenance?.kind === SYNTHETIC ? { watermark: words.charts.watermark } : {})}
              />
            </li>
          ))}
        </ul>
      )}
      {breadth !== undefined && (
        <div className="chart-breadth">
          <svg viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={words.charts.breadth}>
            <rect className="up" x="0" width={(breadth.up / sum) * 100} height="6" />
            <rect className="flat" x={(breadth.up / sum) * 100} width={(breadth.flat / sum) * 100} height="6" />
            <rect className="down" x={100 - (breadth.down / sum) * 100} width={(breadth.down / sum) * 100} height="6" />
          </svg>
          <p>
            <span className="chart-change up">{`${format.number(breadth.up)} ${words.charts.up}`}</span>
            <span>{`${format.number(breadth.flat)} ${words.charts.flat}`}</span>
            <span className="chart-change down">{`${format.number(breadth.down)} ${words.charts.down}`}</span>
          </p>
        </div>
      )}
    </div>
  );
}

const MAX_ROWS = 8;

/** A list of stocks with bars of their change. */
export function TrendingView({ data }: { readonly data: Trending }) {
  const { words, format } = useApp();
  const most = Math.max(1, ...data.rows.map(({ changePercent }) => Math.abs(changePercent ?? 0)));
  return (
    <>
      <ol className="chart-trending">
        {data.rows.slice(0, MAX_ROWS).map(({ symbol, name, price, changePercent = 0 }) => (
          <li key={symbol}>
            <b>{symbol}</b>
            <span>{name}</span>
            <span>{format.price(price)}</span>
            <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden>
              <rect
                className={changePercent < 0 ? "down" : "up"}
                width={(Math.abs(changePercent) / most) * 100}
                height="8"
              />
            </svg>
            <ChangeLabel percent={changePercent} />
          </li>
        ))}
      </ol>
      {data.rows.length > MAX_ROWS && <p className="chart-more">{words.charts.more(data.rows.length - MAX_ROWS)}</p>}
    </>
  );
}

const MAP_WIDTH = 640;
const MAP_HEIGHT = 320;
const FULL_PERCENT = 3;
const CHAR_PX = 7.2;

/** A map of groups by size and change. */
export function HeatmapView({ data }: { readonly data: Heatmap }) {
  const { words, format } = useApp();
  const tiles = layOutTiles(
    data.groups.map(({ weight }) => weight),
    MAP_WIDTH,
    MAP_HEIGHT,
  );
  return (
    <svg
      className="chart-heatmap"
      viewBox={`0 0 ${MAP_WIDTH} ${MAP_HEIGHT}`}
      role="img"
      aria-label={words.charts.heatmap}
    >
      {tiles.map(({ index, x, y, width, height }) => {
        const { name = "", changePercent = 0 } = data.groups[index] ?? {};
        const text = format.percent(changePercent);
        const strength = Math.round(18 + Math.min(1, Math.abs(changePercent) / FULL_PERCENT) * 52);
        const fits = height > 40 && width > 56;
        return (
          <g key={name} transform={`translate(${x} ${y})`}>
            <title>{`${name} ${text}`}</title>
            <rect
              className={changePercent < 0 ? "down" : "up"}
              width={Math.max(0, width - 2)}
              height={Math.max(0, height - 2)}
              rx="3"
              style={{ fillOpacity: strength / 100 }}
            />
            {fits && (
              <>
                <text x="8" y="18">
                  {cut(name, (width - 14) / CHAR_PX)}
                </text>
                <text className="chart-tile-change" x="8" y="34">
                  {text}
                </text>
              </>
            )}
          </g>
        );
      })}
    </svg>
  );
}

function cut(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, Math.max(1, Math.floor(most) - 1)).join("")}…`;
}
