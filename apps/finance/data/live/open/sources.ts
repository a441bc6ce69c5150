/**
 * Sources: every live source, what it serves, what turns it on, and which hosts it talks to.
 *
 * The order is that of the chains: of two sources that serve the same, the earlier is asked first. Keyed sources come
 * before open ones, and open ones before those that the user has to name.
 */
import type { Capability } from "../../market-data.ts";
import { binanceSource } from "../binance.ts";
import type { LiveSource } from "../live-source.ts";
import { tavilySource } from "../tavily.ts";
import { blsSource } from "./bls.ts";
import { cboeSource } from "./cboe.ts";
import { type CoinGeckoOptions, coinGeckoSource } from "./coingecko.ts";
import { fiscalDataSource } from "./fiscaldata.ts";
import { frankfurterSource } from "./frankfurter.ts";
import { gdeltSource } from "./gdelt.ts";
import { krakenSource } from "./kraken.ts";
import { nyFedSource } from "./nyfed.ts";
import { treasurySource } from "./treasury.ts";
import { vndirectSource } from "./vndirect.ts";
import { worldBankSource } from "./worldbank.ts";
import { yahooSource } from "./yahoo.ts";

/** `open`: official or documented, without a key. `unofficial`: named by the user, for this machine alone. */
export type SourceGroup = "open" | "unofficial" | "keyed";

/** One live source. */
export interface SourceEntry {
  /** As in `provenance.source` and in the list of sources that a user names. */
  readonly name: string;
  readonly title: string;
  readonly group: SourceGroup;
  readonly capabilities: readonly Capability[];
  /** Settings that hold its base URLs. */
  readonly baseUrlSettings: readonly string[];
  /** The setting without which it does not work, beside the switch of its group. */
  readonly needs?: string;
  readonly hosts: readonly string[];
  /** Makes it, if it needs nothing but an address. */
  readonly open?: (options: CoinGeckoOptions) => LiveSource;
}

const PRICES: readonly Capability[] = ["quote", "change", "bars", "intraday"];
const STATEMENTS: readonly Capability[] = ["statements", "metrics", "earnings", "dividends"];

/** All live sources, in the order in which they are asked. */
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
    baseUrlSettings: ["FMP_BASE_URL"],
    needs: "FMP_API_KEY",
    hosts: ["financialmodelingprep.com"],
  },
  {
    name: "sec",
    title: "SEC EDGAR",
    group: "open",
    capabilities: [...STATEMENTS, "filings", "filingSection", "filingSearch", "insiderTrades", "holdings"],
    baseUrlSettings: ["SEC_WWW_BASE_URL", "SEC_DATA_BASE_URL", "SEC_SEARCH_BASE_URL"],
    needs: "SEC_CONTACT",
    hosts: ["www.sec.gov", "data.sec.gov", "efts.sec.gov"],
  },
  {
    name: "treasury",
    title: "US Treasury",
    group: "open",
    capabilities: ["rates"],
    baseUrlSettings: ["TREASURY_BASE_URL"],
    hosts: ["home.treasury.gov"],
    open: treasurySource,
  },
  {
    name: "nyfed",
    title: "Federal Reserve Bank of New York",
    group: "open",
    capabilities: ["rates"],
    baseUrlSettings: ["NYFED_BASE_URL"],
    hosts: ["markets.newyorkfed.org"],
    open: nyFedSource,
  },
  {
    name: "bls",
    title: "US Bureau of Labor Statistics",
    group: "open",
    capabilities: ["series"],
    baseUrlSettings: ["BLS_BASE_URL"],
    hosts: ["api.bls.gov"],
    open: blsSource,
  },
  {
    name: "fiscaldata",
    title: "US Treasury FiscalData",
    group: "open",
    capabilities: ["series"],
    baseUrlSettings: ["FISCALDATA_BASE_URL"],
    hosts: ["api.fiscaldata.treasury.gov"],
    open: fiscalDataSource,
  },
  {
    name: "worldbank",
    title: "World Bank",
    group: "open",
    capabilities: ["series"],
    baseUrlSettings: ["WORLDBANK_BASE_URL"],
    hosts: ["api.worldbank.org"],
    open: worldBankSource,
  },
  {
    name: "frankfurter",
    title: "Frankfurter",
    group: "open",
    capabilities: ["fx"],
    baseUrlSettings: ["FRANKFURTER_BASE_URL"],
    hosts: ["api.frankfurter.dev"],
    open: frankfurterSource,
  },
  {
    name: "binance",
    title: "Binance",
    group: "open",
    capabilities: ["coinPrice", "coinQuote", "coinBars", "coinMarkets"],
    baseUrlSettings: ["BINANCE_BASE_URL"],
    hosts: ["data-api.binance.vision"],
    open: binanceSource,
  },
  {
    name: "kraken",
    title: "Kraken",
    group: "open",
    capabilities: ["coinPrice", "coinQuote", "coinBars"],
    baseUrlSettings: ["KRAKEN_BASE_URL"],
    hosts: ["api.kraken.com"],
    open: krakenSource,
  },
  {
    name: "coingecko",
    title: "CoinGecko",
    group: "open",
    capabilities: ["coinMarkets", "coinSupply"],
    baseUrlSettings: ["COINGECKO_BASE_URL"],
    hosts: ["api.coingecko.com"],
    open: coinGeckoSource,
  },
  {
    name: "gdelt",
    title: "GDELT",
    group: "open",
    capabilities: ["news"],
    baseUrlSettings: ["GDELT_BASE_URL"],
    hosts: ["api.gdeltproject.org"],
    open: gdeltSource,
  },
  {
    name: "tavily",
    title: "Tavily without a key",
    group: "open",
    capabilities: ["search"],
    baseUrlSettings: ["TAVILY_BASE_URL"],
    hosts: ["api.tavily.com"],
    open: (options) => tavilySource({ ...options, allowKeyless: true }),
  },
  {
    name: "cboe",
    title: "Cboe delayed quotes",
    group: "unofficial",
    capabilities: [...PRICES, "overview"],
    baseUrlSettings: ["CBOE_BASE_URL"],
    hosts: ["cdn.cboe.com"],
    open: cboeSource,
  },
  {
    name: "vndirect",
    title: "VNDirect charts",
    group: "unofficial",
    capabilities: PRICES,
    baseUrlSettings: ["VNDIRECT_BASE_URL"],
    hosts: ["dchart-api.vndirect.com.vn"],
    open: vndirectSource,
  },
  {
    name: "yahoo",
    title: "Yahoo charts",
    group: "unofficial",
    capabilities: [...PRICES, "dividends"],
    baseUrlSettings: ["YAHOO_BASE_URL"],
    hosts: ["query1.finance.yahoo.com"],
    open: yahooSource,
  },
];

/** The sources that serve a capability, in the order in which they are asked. */
export const sourcesOf = (capability: Capability): readonly SourceEntry[] =>
  SOURCES.filter(({ capabilities }) => capabilities.includes(capability));

/** The source of that name. */
export const findSource = (name: string): SourceEntry | undefined => SOURCES.find((entry) => entry.name === name);
