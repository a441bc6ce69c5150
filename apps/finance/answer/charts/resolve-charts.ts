/**
 * Resolve charts: from the calls of a run to at most three charts, in the order of the types; the first is primary.
 *
 * A chart of a symbol is drawn only if the question names that symbol. A result without data, a source that fails, or a
 * result that cannot be read means no chart, never an error.
 */
import type { Json } from "@baton/core";
import type { Listing } from "../../market/port/listing.ts";
import { type BarQuestion, toCoinChart, toFitting, toStockChart } from "./bar-chart.ts";
import { type Chart, type ChartRule, CHART_TYPES, ChartSchema, type ChartType, MAX_POINTS } from "./chart.ts";
import { CHART_RULES } from "../../tools/catalogue.ts";
import { linesOf, toComparedChart } from "./compared-chart.ts";
import { toFinancials } from "./financials.ts";
import {
  type ChartSources,
  type ChartCall,
  type ChartInput,
  listingOf,
  toChartInputs,
  toRowInputs,
} from "./chart-input.ts";
import { toHoldingsMap } from "./holdings-map.ts";
import { toMarketOverview, toSectorMap, toTrending } from "./market-charts.ts";
import { toNewsList } from "./news-list.ts";
import { toPriceCard } from "./price-card.ts";

/** Input from which charts are resolved. */
export interface ChartQuestion extends ChartSources {
  /** The run's calls that succeeded, in their order. */
  readonly calls: readonly ChartCall[];
  /** The symbols of the question. */
  readonly symbols: readonly string[];
}

/** The results that one chart is drawn of. */
interface Group {
  readonly type: ChartType;
  readonly results: ChartInput[];
  readonly listings: Listing[];
}

/** A chart without its place among the others. */
type Drawn = Chart extends infer C ? (C extends Chart ? Pick<C, "type" | "data"> & { tool: string } : never) : never;

const MAX_CHARTS = 3;

/** A note holds 256 KB, the chart's frame included. */
const MAX_BYTES = 250_000;

/** The charts of a run; never rejects. */
export async function resolveCharts({ calls, symbols, market, scope }: ChartQuestion): Promise<Chart[]> {
  const asking = { market, scope };
  const wanted = new Set(symbols.map((symbol) => toCanonical(symbol, asking)));
  const groups = toGroups(calls, wanted, asking);
  const charts: Chart[] = [];
  for (const group of groups) {
    if (charts.length === MAX_CHARTS || !scope.live) break;
    const drawn = await draw(group, asking).catch(() => undefined);
    const chart = drawn === undefined ? undefined : toChart(group, drawn, charts.length);
    if (chart !== undefined) charts.push(chart);
  }
  return charts;
}

/** As the directory spells it. */
function toCanonical(symbol: string, { market }: ChartSources): string {
  return market.directory.get(symbol)?.symbol ?? symbol.trim().toUpperCase();
}

/** Groups the calls that can be drawn, in the order of the types, then of the calls. */
function toGroups(calls: readonly ChartCall[], wanted: ReadonlySet<string>, asking: ChartSources): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const call of calls) {
    const rule = CHART_RULES.get(call.tool);
    const whole = rule === undefined ? [] : toChartInputs(call, rule);
    if (rule === undefined) continue;
    for (const found of rule.about === "row" ? whole.flatMap(toRowInputs) : whole) {
      const isOfSymbol = rule.about !== "call" && rule.about !== "holdings" && rule.about !== "symbols";
      if (rule.about === "symbols" && !hasWanted(found, wanted, asking)) continue;
      const listing = isOfSymbol ? listingOf(found, asking.market) : undefined;
      if (isOfSymbol && !isWanted(listing, wanted, asking)) continue;
      const key = JSON.stringify(keyOf(rule, found, listing));
      const group = groups.get(key) ?? { type: typeOf(rule, listing), results: [], listings: [] };
      groups.set(key, group);
      add(group, found, listing);
    }
  }
  return [...groups.values()].toSorted((a, b) => CHART_TYPES.indexOf(a.type) - CHART_TYPES.indexOf(b.type));
}

/** A coin has the chart of coins, whichever tool found it. */
function typeOf({ type }: ChartRule, listing: Listing | undefined): ChartType {
  const isPriced = type === "showStockPrice" || type === "showStockChart";
  return isPriced && listing?.type === "crypto" ? "cryptoChart" : type;
}

/** Whether a comparison has a symbol of the question. */
function hasWanted({ data }: ChartInput, wanted: ReadonlySet<string>, asking: ChartSources): boolean {
  return linesOf(data).some(({ symbol }) => wanted.has(toCanonical(symbol, asking)));
}

function isWanted(listing: Listing | undefined, wanted: ReadonlySet<string>, asking: ChartSources): boolean {
  return listing !== undefined && wanted.has(toCanonical(listing.symbol, asking));
}

/** Results with equal keys are drawn together. A card labels its parts itself; nothing else mixes two origins. */
function keyOf(
  { type, about, isApart }: ChartRule,
  { tool, args, provenance }: ChartInput,
  listing: Listing | undefined,
): readonly Json[] {
  if (about === "call" || about === "symbols") return [type, tool, args];
  if (about === "holdings") return [type, about];
  const drawn = typeOf({ type, about }, listing);
  const origin = drawn === "showStockPrice" ? [] : [provenance.kind, provenance.source];
  return [drawn, about === "question" ? "" : (listing?.symbol ?? ""), ...origin, isApart === true ? tool : ""];
}

function add({ results, listings }: Group, found: ChartInput, listing: Listing | undefined): void {
  results.push(found);
  if (listing !== undefined && listings.every(({ symbol }) => symbol !== listing.symbol)) listings.push(listing);
}

async function draw(group: Group, asking: ChartSources): Promise<Drawn | undefined> {
  const { type } = group;
  const [listing] = group.listings;
  const [first, ...others] = group.results;
  if (first === undefined) return undefined;
  const results: readonly [ChartInput, ...ChartInput[]] = [first, ...others];
  const { tool } = first;
  if (type === "showMarketOverview")
    return withData(await toMarketOverview(first, asking), (data) => ({ type, data, tool }));
  if (type === "showTrendingStocks") return withData(toTrending(first), (data) => ({ type, data, tool }));
  if (type === "showStockHeatmap")
    return withData(toHoldingsMap(results) ?? toSectorMap(first), (data) => ({ type, data, tool }));
  if (type === "showStockNews") return withData(toNewsList(results), (data) => ({ type, data, tool }));
  if (type === "showStockChart" && first.rule?.about === "symbols") {
    return withData(toComparedChart(first), (data) => ({ type, data, tool }));
  }
  if (listing === undefined) return undefined;
  if (type === "showStockFinancials") return withData(toFinancials(listing, results), (data) => ({ type, data, tool }));
  if (type === "showStockChart" || type === "cryptoChart") return drawBars(type, { listing, results }, asking);
  const priced = await toPriceCard({ listing, results }, asking);
  return priced === undefined ? undefined : { type, data: priced.card, tool: priced.tool };
}

function withData<T, R>(data: T | undefined, use: (data: T) => R): R | undefined {
  return data === undefined ? undefined : use(data);
}

type BarType = "showStockChart" | "cryptoChart";

/** As many points as a series may have, fewer if the chart would not fit into a note. */
async function drawBars(type: BarType, question: BarQuestion, asking: ChartSources): Promise<Drawn | undefined> {
  const whole = type === "cryptoChart" ? await toCoinChart(question, asking) : toStockChart(question);
  if (whole === undefined) return undefined;
  const [{ tool }] = question.results;
  for (let most = MAX_POINTS; most >= 1; most = Math.floor(most / 2)) {
    const data = toFitting(whole, most);
    if (JSON.stringify(data).length <= MAX_BYTES) return { type, data, tool };
  }
  return undefined;
}

/** The chart in its place; undefined if it is not what the shapes promise. */
function toChart({ listings, results }: Group, { tool, ...drawn }: Drawn, at: number): Chart | undefined {
  const own = listings.map(({ symbol }) => symbol);
  const symbols = own.length > 0 ? own : linesOf(results[0]?.data ?? {}).map(({ symbol }) => symbol);
  return ChartSchema.safeParse({ ...drawn, symbols, primary: at === 0, metadata: { source_tool: tool } }).data;
}
