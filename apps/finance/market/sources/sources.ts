/**
 * Sources: every live source, what it serves, what turns it on, and which hosts it talks to.
 *
 * Keyed sources come before open ones, and open ones before unofficial ones. Which of them is asked
 * first for what is in `chain-table.ts`.
 */
import type { Directory, Listing } from "../port/listing.ts";
import type { Capability } from "../port/market-data.ts";
import { fmpSource } from "./fmp/fmp.ts";
import type { OpenSourceOptions } from "./open-source.ts";
import { binanceSource } from "./coins/binance.ts";
import type { LiveSource } from "./live-source.ts";
import { tavilySource } from "./news/tavily.ts";
import { blsSource } from "./economy/bls.ts";
import { cboeSource } from "./prices/cboe.ts";
import { coinGeckoSource } from "./coins/coingecko.ts";
import { isVietnamese } from "./prices/day-bars.ts";
import { frankfurterSource } from "./economy/frankfurter.ts";
import { gdeltSource } from "./news/gdelt.ts";
import { krakenSource } from "./coins/kraken.ts";
import { nyFedSource } from "./economy/nyfed.ts";
import { treasurySource } from "./economy/treasury.ts";
import { vndirectSource } from "./prices/vndirect.ts";
import { worldBankSource } from "./economy/worldbank.ts";
import { yahooSource } from "./prices/yahoo.ts";

/** `open`: official or documented, without a key. `unofficial`: for personal use, on this machine alone. */
export type SourceGroup = "open" | "unofficial" | "keyed";

/** Where a listing is traded. */
export type Market = "US" | "VN" | "coins";

/** One live source. */
export interface SourceEntry {
  /** As in `provenance.source` and in `--without`. */
  readonly name: string;
  readonly title: string;
  readonly group: SourceGroup;
  readonly capabilities: readonly Capability[];
  /** Markets whose listings it has; any if it is not about listings. */
  readonly markets?: readonly Market[];
  /** Time that one request may take, so that sources after it in a chain still have some. */
  readonly timeoutMs: number;
  /** Its answers may be large: only the first byte of one is waited for as briefly as for others. */
  readonly isLarge?: true;
  /** Settings that hold its base URLs. */
  readonly baseUrlSettings: readonly string[];
  /** The setting without which it does not work, beside the switch of its group. */
  readonly needs?: string;
  readonly hosts: readonly string[];
  /** Makes it; absent for the SEC, which needs a contact. */
  readonly open?: (options: SourceConnection) => LiveSource;
}

/** Connection to a source, and the listings known beside it. */
export interface SourceConnection extends OpenSourceOptions {
  readonly key?: string;
  readonly directory?: Pick<Directory, "get">;
}

const PRICE_MS = 5_000;
const COIN_MS = 6_000;
const OTHER_MS = 8_000;
const PRICES: readonly Capability[] = ["quote", "change", "bars", "intraday"];
const STATEMENTS: readonly Capability[] = ["statements", "metrics", "earnings", "dividends"];

/** All live sources. */
export const SOURCES: readonly SourceEntry[] = [
  {
    name: "fmp",
    title: "Financial Modeling Prep",
    group: "keyed",
    capabilities: [
      ...PRICES,
      ...STATEMENTS,
      ...(["news", "calendar", "movers", "screener", "sectors", "constituents", "overview"] as const),
    ],
    markets: ["US", "coins"],
    timeoutMs: OTHER_MS,
    baseUrlSettings: ["FMP_BASE_URL"],
    needs: "FMP_API_KEY",
    hosts: ["financialmodelingprep.com"],
    open: ({ key = "", ...place }) => fmpSource({ ...place, key }),
  },
  {
    name: "sec",
    title: "SEC EDGAR",
    group: "open",
    capabilities: [...STATEMENTS, "news", "filings", "filingSection", "filingSearch", "insiderTrades", "holdings"],
    markets: ["US"],
    timeoutMs: 10_000,
    isLarge: true,
    baseUrlSettings: ["SEC_WWW_BASE_URL", "SEC_DATA_BASE_URL", "SEC_SEARCH_BASE_URL"],
    needs: "SEC_CONTACT",
    hosts: ["www.sec.gov", "data.sec.gov", "efts.sec.gov"],
  },
  {
    name: "treasury",
    title: "US Treasury",
    group: "open",
    capabilities: ["rates"],
    timeoutMs: OTHER_MS,
    baseUrlSettings: ["TREASURY_BASE_URL"],
    hosts: ["home.treasury.gov"],
    open: treasurySource,
  },
  {
    name: "nyfed",
    title: "Federal Reserve Bank of New York",
    group: "open",
    capabilities: ["rates"],
    timeoutMs: OTHER_MS,
    baseUrlSettings: ["NYFED_BASE_URL"],
    hosts: ["markets.newyorkfed.org"],
    open: nyFedSource,
  },
  {
    name: "bls",
    title: "US Bureau of Labor Statistics",
    group: "open",
    capabilities: ["series"],
    timeoutMs: OTHER_MS,
    baseUrlSettings: ["BLS_BASE_URL"],
    hosts: ["api.bls.gov"],
    open: blsSource,
  },
  {
    name: "worldbank",
    title: "World Bank",
    group: "open",
    capabilities: ["series"],
    timeoutMs: 12_000,
    baseUrlSettings: ["WORLDBANK_BASE_URL"],
    hosts: ["api.worldbank.org"],
    open: worldBankSource,
  },
  {
    name: "frankfurter",
    title: "Frankfurter",
    group: "open",
    capabilities: ["fx"],
    timeoutMs: OTHER_MS,
    baseUrlSettings: ["FRANKFURTER_BASE_URL"],
    hosts: ["api.frankfurter.dev"],
    open: frankfurterSource,
  },
  {
    name: "binance",
    title: "Binance",
    group: "open",
    capabilities: ["coinPrice", "coinQuote", "coinBars", "coinMarkets"],
    markets: ["coins"],
    timeoutMs: COIN_MS,
    baseUrlSettings: ["BINANCE_BASE_URL"],
    hosts: ["data-api.binance.vision"],
    open: binanceSource,
  },
  {
    name: "kraken",
    title: "Kraken",
    group: "open",
    capabilities: ["coinPrice", "coinQuote", "coinBars"],
    markets: ["coins"],
    timeoutMs: COIN_MS,
    baseUrlSettings: ["KRAKEN_BASE_URL"],
    hosts: ["api.kraken.com"],
    open: krakenSource,
  },
  {
    name: "coingecko",
    title: "CoinGecko",
    group: "open",
    capabilities: ["coinPrice", "coinQuote", "coinMarkets", "coinSupply"],
    markets: ["coins"],
    timeoutMs: COIN_MS,
    baseUrlSettings: ["COINGECKO_BASE_URL"],
    hosts: ["api.coingecko.com"],
    open: coinGeckoSource,
  },
  {
    name: "gdelt",
    title: "GDELT",
    group: "open",
    capabilities: ["news"],
    markets: ["US", "VN", "coins"],
    timeoutMs: OTHER_MS,
    baseUrlSettings: ["GDELT_BASE_URL"],
    hosts: ["api.gdeltproject.org"],
    open: gdeltSource,
  },
  {
    name: "tavily",
    title: "Tavily without a key",
    group: "open",
    capabilities: ["search"],
    timeoutMs: 15_000,
    baseUrlSettings: ["TAVILY_BASE_URL"],
    hosts: ["api.tavily.com"],
    open: (options) => tavilySource({ ...options, allowKeyless: options.key === undefined }),
  },
  {
    name: "cboe",
    title: "Cboe delayed quotes",
    group: "unofficial",
    capabilities: [...PRICES, "overview", "options"],
    markets: ["US"],
    timeoutMs: PRICE_MS,
    baseUrlSettings: ["CBOE_BASE_URL"],
    hosts: ["cdn.cboe.com"],
    open: cboeSource,
  },
  {
    name: "vndirect",
    title: "VNDirect charts",
    group: "unofficial",
    capabilities: PRICES,
    markets: ["VN"],
    timeoutMs: PRICE_MS,
    baseUrlSettings: ["VNDIRECT_BASE_URL"],
    hosts: ["dchart-api.vndirect.com.vn"],
    open: vndirectSource,
  },
  {
    name: "yahoo",
    title: "Yahoo charts",
    group: "unofficial",
    capabilities: [...PRICES, "dividends"],
    markets: ["US", "VN"],
    timeoutMs: PRICE_MS,
    baseUrlSettings: ["YAHOO_BASE_URL"],
    hosts: ["query1.finance.yahoo.com"],
    open: yahooSource,
  },
];

/** The source of that name. */
export const findSource = (name: string): SourceEntry | undefined => SOURCES.find((entry) => entry.name === name);

/** The market of a listing. */
export function marketOf({ type, exchange }: Pick<Listing, "type" | "exchange">): Market {
  if (type === "crypto") return "coins";
  return isVietnamese({ exchange }) ? "VN" : "US";
}
