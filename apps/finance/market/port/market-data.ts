/**
 * Market data: what can be asked of the world's markets, one function a capability.
 *
 * A source serves some of them; `toMarketData` (chain.ts) joins sources to all. An answer comes from one source and
 * says which. What cannot be answered is a `MarketError`; nothing is ever made up.
 */
import type { DataKind } from "@baton/assistant";
import type { Scope } from "@baton/core/ports";
import type { Bars } from "./bars.ts";
import type { DataLine } from "./data-line.ts";
import type {
  Filing,
  FilingSearch,
  FilingSearchQuery,
  FilingSection,
  FilingSectionQuery,
  Holdings,
  HoldingsQuery,
  InsiderTrade,
} from "./filings.ts";
import type { Directory, Listing } from "./listing.ts";
import type { OptionChain } from "./options.ts";
import type { Adjust, Sourced } from "./provenance.ts";

/** Asks one source; the scope ends the request. */
export type MarketAsk<Query, Answer> = (query: Query, scope: Scope) => Promise<Sourced<Answer>>;

type Of = Readonly<{ listing: Listing }>;

/** A day, YYYY-MM-DD. */
export type Day = string;

/** A price and what belongs to it. Money is in the listing's currency; percentages are percent (1.5 means 1.5 %). */
export interface Quote {
  readonly price: number;
  readonly change?: number;
  readonly changePercent?: number;
  readonly open?: number;
  readonly previousClose?: number;
  readonly dayLow?: number;
  readonly dayHigh?: number;
  readonly yearLow?: number;
  readonly yearHigh?: number;
  readonly volume?: number;
  readonly averageVolume?: number;
  readonly marketCap?: number;
  readonly average50?: number;
  readonly average200?: number;
  readonly pe?: number;
  readonly eps?: number;
  readonly dividendYieldPercent?: number;
  readonly beta?: number;
  readonly sector?: string;
  readonly industry?: string;
}

/** Change in percent by span. */
export type PriceSpan = "1D" | "5D" | "1M" | "3M" | "6M" | "YTD" | "1Y" | "3Y" | "5Y" | "10Y";
export type PriceChange = Readonly<Partial<Record<PriceSpan, number>>>;

/** Daily bars: a window by days, else the newest `limit`. */
export interface BarsQuery extends Of {
  readonly from?: Day;
  readonly to?: Day;
  readonly limit?: number;
  readonly adjust?: Adjust;
}

export const INTERVALS = ["1min", "5min", "15min", "30min", "1hour", "4hour"] as const;
export type Interval = (typeof INTERVALS)[number];

export type StatementKind = "income" | "balance" | "cash_flow";
export type PeriodKind = "annual" | "quarter" | "ttm";

/** One statement or one row of metrics: named values for one period. Names are FMP's, in camelCase. */
export interface PeriodRow {
  readonly label: string; // FY2016, Q3 2025, TTM
  readonly start?: Day;
  readonly end: Day;
  readonly filed?: Day;
  /** Of the amounts of money. */
  readonly currency: string;
  /** The formula, if no filing reports the period: `FY2024 − 9 months to 2024-06-29`. */
  readonly derived?: string;
  /** The kind and time of the values, if they are not those of the whole answer. */
  readonly origin?: Readonly<{ kind: DataKind; asOf: string }>;
  /** Only what is known: an unknown value is absent, never 0. */
  readonly values: ReadonlyMap<string, number>;
}

export interface StatementQuery extends Of {
  readonly statement: StatementKind;
  readonly period: PeriodKind;
  readonly limit: number;
}

/** `growth` and margins are percent; `metrics.ts` says which name has which unit. */
export interface MetricsQuery extends Of {
  readonly set: "key_metrics" | "ratios" | "growth";
  readonly period: PeriodKind;
  readonly limit: number;
  /** Of a share today, in the currency of the statements: values the newest period if the source has no prices. */
  readonly price?: number;
}

export interface Earning {
  readonly day: Day;
  /** The last day of the quarter, and its name such as `Q3 2025`. */
  readonly end?: Day;
  readonly label?: string;
  readonly epsActual?: number;
  readonly epsEstimated?: number;
  readonly revenueActual?: number;
  readonly revenueEstimated?: number;
  readonly currency: string;
}

export interface Dividend {
  readonly day: Day;
  readonly amount: number;
  readonly currency: string;
  readonly paymentDay?: Day;
  readonly recordDay?: Day;
  readonly yieldPercent?: number;
}

/** Headlines are untrusted text. */
export interface NewsItem {
  readonly title: string;
  readonly source: string;
  readonly url?: string;
  /** RFC 3339. */
  readonly publishedAt: string;
  readonly symbols: readonly string[];
  readonly text?: string;
}

export type NewsQuery = Readonly<{
  about: "stock" | "crypto" | "general";
  listing?: Listing;
  limit: number;
  page: number;
}>;

/** A row of a list of stocks or coins. */
export interface MarketRow {
  readonly listing: Listing;
  readonly price: number;
  readonly changePercent?: number;
  readonly volume?: number;
  readonly marketCap?: number;
  readonly beta?: number;
  readonly sector?: string;
  readonly industry?: string;
  readonly pe?: number;
  readonly eps?: number;
  readonly dividendYieldPercent?: number;
}

/** Criteria of a screener. A listing of which a value is not known does not meet a criterion on it. */
export interface ScreenerQuery {
  readonly sector?: string;
  readonly industry?: string;
  readonly marketCapMoreThan?: number;
  readonly marketCapLowerThan?: number;
  readonly priceMoreThan?: number;
  readonly priceLowerThan?: number;
  readonly betaMoreThan?: number;
  readonly betaLowerThan?: number;
  readonly peMoreThan?: number;
  readonly peLowerThan?: number;
  readonly yieldPercentMoreThan?: number;
  readonly yieldPercentLowerThan?: number;
  readonly week52PositionPercentMoreThan?: number;
  readonly week52PositionPercentLowerThan?: number;
  readonly revenueGrowthPercentMoreThan?: number;
  readonly debtToEquityLowerThan?: number;
  readonly volumeMoreThan?: number;
  /** Paid in twelve months on one share, in money. */
  readonly dividendMoreThan?: number;
  readonly exchange?: string;
  readonly country?: string;
  readonly sortBy?: ScreenerSort;
  readonly order?: "asc" | "desc";
  readonly limit: number;
}

export const SCREENER_SORTS = [
  "market_cap",
  "price",
  "change_percent",
  "volume",
  "pe",
  "yield_percent",
  "beta",
] as const;
export type ScreenerSort = (typeof SCREENER_SORTS)[number];
export type ScreenerCriterion = Exclude<keyof ScreenerQuery, "sortBy" | "order" | "limit">;

/** The rows that meet all criteria that could be decided, one a company. */
export interface ScreenerAnswer {
  readonly rows: readonly MarketRow[];
  /** Number of companies that meet them. */
  readonly total?: number;
  /** Criteria that the source cannot decide: no row was left out by them. */
  readonly missing: readonly (ScreenerCriterion | "sortBy")[];
}

export type SectorRow = Readonly<{ sector: string; changePercent: number; count?: number; marketCap?: number }>;
export type Constituent = Readonly<{ listing: Listing; sector?: string; weightPercent?: number }>;
export type Breadth = Readonly<{ up: number; down: number; flat: number }>;
export type IndexOverview = Readonly<{ indices: readonly MarketRow[]; breadth?: Breadth }>;

export interface CalendarEvent {
  /** RFC 3339 or a day. */
  readonly at: string;
  readonly country: string;
  readonly event: string;
  readonly impact?: "Low" | "Medium" | "High";
  readonly previous?: number;
  readonly estimate?: number;
  readonly actual?: number;
  readonly unit?: string;
}

/** 24 hours of one coin; amounts are in the quote currency of its pair. */
export interface CoinQuote {
  readonly price: number;
  readonly quoteCurrency: string;
  readonly change?: number;
  readonly changePercent?: number;
  readonly high?: number;
  readonly low?: number;
  readonly open?: number;
  readonly volume?: number;
  readonly quoteVolume?: number;
}

export type CoinRow = Readonly<{ listing: Listing; quote: CoinQuote }>;
export const COIN_INTERVALS = ["1m", "5m", "15m", "30m", "1h", "4h", "1d", "1w"] as const;
export type CoinInterval = (typeof COIN_INTERVALS)[number];

/** Prices are in `currency` if it is not the listing's: coins are often priced in a stablecoin such as USDT. */
export type CoinBars = Bars & Readonly<{ currency?: string }>;

export type SearchHit = Readonly<{ title: string; url: string; content: string; publishedAt?: string; score?: number }>;
export type Rate = Readonly<{ day: Day; name: string; percent: number }>;
export type FxRate = Readonly<{ day: Day; from: string; to: string; rate: number }>;

/** An economic series, oldest first; `unit` is a currency's code, `percent`, `index`, `persons` … */
export interface EconomicSeries {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly frequency: "day" | "month" | "quarter" | "half_year" | "year";
  /** As it was asked for, in capitals: `US`, `VNM`. */
  readonly country: string;
  readonly points: readonly SeriesPoint[];
}
export type SeriesPoint = Readonly<{ label: string; start: Day; end: Day; value: number }>;
export type SeriesQuery = Readonly<{ series: string; country: string; from?: Day; to?: Day }>;

/** The supply of a coin, and its value in `currency`. */
export interface CoinSupply {
  readonly currency: string;
  readonly marketCap?: number;
  readonly marketCapRank?: number;
  readonly circulating?: number;
  readonly total?: number;
  readonly max?: number;
}

/** The questions that a source may answer. */
export interface Capabilities {
  /** `detail: "price"` leaves out what costs a source a second request (beta, sector …). */
  readonly quote: MarketAsk<Of & Readonly<{ detail?: "price" | "full" }>, Quote>;
  readonly change: MarketAsk<Of, PriceChange>;
  readonly bars: MarketAsk<BarsQuery, Bars>;
  readonly intraday: MarketAsk<Of & Readonly<{ interval: Interval }>, Bars>;
  readonly statements: MarketAsk<StatementQuery, readonly PeriodRow[]>;
  readonly metrics: MarketAsk<MetricsQuery, readonly PeriodRow[]>;
  readonly earnings: MarketAsk<Of & Readonly<{ limit: number }>, readonly Earning[]>;
  readonly dividends: MarketAsk<Of & Readonly<{ from: Day }>, readonly Dividend[]>;
  readonly news: MarketAsk<NewsQuery, readonly NewsItem[]>;
  readonly movers: MarketAsk<Readonly<{ list: "gainers" | "losers" | "active"; limit: number }>, readonly MarketRow[]>;
  readonly screener: MarketAsk<ScreenerQuery, ScreenerAnswer>;
  readonly sectors: MarketAsk<Readonly<{ day?: Day }>, readonly SectorRow[]>;
  readonly constituents: MarketAsk<
    Readonly<{ index: "sp500" | "nasdaq" | "dowjones"; limit: number }>,
    readonly Constituent[]
  >;
  readonly overview: MarketAsk<Readonly<Record<string, never>>, IndexOverview>;
  readonly calendar: MarketAsk<
    Readonly<{ from: Day; to: Day; country?: string; impact?: string }>,
    readonly CalendarEvent[]
  >;
  readonly coinPrice: MarketAsk<Of, Pick<CoinQuote, "price" | "quoteCurrency">>;
  readonly coinQuote: MarketAsk<Of, CoinQuote>;
  readonly coinBars: MarketAsk<Of & Readonly<{ interval: CoinInterval; limit: number }>, CoinBars>;
  readonly coinMarkets: MarketAsk<
    Readonly<{ limit: number; sort: "volume" | "gainers" | "losers" }>,
    readonly CoinRow[]
  >;
  readonly coinSupply: MarketAsk<Of, CoinSupply>;
  readonly search: MarketAsk<
    Readonly<{ query: string; maxResults: number; useFinanceDomains: boolean }>,
    readonly SearchHit[]
  >;
  readonly rates: MarketAsk<Readonly<{ series: string; from?: Day; to?: Day }>, readonly Rate[]>;
  readonly series: MarketAsk<SeriesQuery, EconomicSeries>;
  readonly fx: MarketAsk<Readonly<{ from: string; to: string; day?: Day }>, FxRate>;
  readonly filings: MarketAsk<
    Of & Readonly<{ forms: readonly string[]; from?: Day; to?: Day; limit: number }>,
    readonly Filing[]
  >;
  readonly filingSection: MarketAsk<FilingSectionQuery, FilingSection>;
  readonly filingSearch: MarketAsk<FilingSearchQuery, FilingSearch>;
  readonly insiderTrades: MarketAsk<Of & Readonly<{ limit: number }>, readonly InsiderTrade[]>;
  readonly holdings: MarketAsk<HoldingsQuery, Holdings>;
  readonly options: MarketAsk<Of, OptionChain>;
}

export type Capability = keyof Capabilities;

/** One place data comes from: a name, and the capabilities it serves. */
export interface MarketSource extends Partial<Capabilities> {
  readonly name: string;
}

/** Everything that can be asked; what no source serves is answered with a `MarketError`. */
export interface MarketData extends Capabilities {
  readonly directory: Directory;
  /** The data mode and the sources that are on: a part of every cache key. */
  readonly mode: string;
  /**
   * The day that "today" means: the clock's for live data, the snapshot's for stored data. Without a capability it is
   * the day of prices; what has another source, such as filings, asks by its own: `today("filings")`.
   */
  today(of?: Capability): Day;
  /**
   * Fetches the SEC's list of companies, if the SEC is on and the list is not known yet, so that the directory has
   * companies that are newer than the pack; within two seconds, and without an error if it cannot be fetched.
   */
  readonly prepare?: (scope: Scope) => Promise<void>;
  /** Whether a source that is on answers a question of this kind, reachable or not. */
  serves(capability: Capability): boolean;
  /** The facts about the data in use at a moment in milliseconds since 1970; asks no source. */
  dataLine(nowMs: number): DataLine;
}
