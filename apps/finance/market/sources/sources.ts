/**
 * Sources: every live source, what it serves, what turns it on, and which hosts it talks to.
 *
 * Keyed sources come before open ones, and open ones before unofficial ones. Which of them is asked
 * first for what is in `chain-table.ts`.
 */
import { CAPABILITIES, CHAIN_TABLE } from "../chain/chain-table.ts";
import type { Directory, Listing } from "../port/listing.ts";
import type { Capability } from "../port/market-data.ts";
import { fmpSource } from "./fmp/fmp.ts";
import { binanceSource } from "./coins/binance.ts";
import { tavilySource } from "./news/tavily.ts";
import { blsSource } from "./economy/bls.ts";
import { cboeSource } from "./prices/cboe.ts";
import { coinGeckoSource } from "./coins/coingecko.ts";
import { frankfurterSource } from "./economy/frankfurter.ts";
import { gdeltSource } from "./news/gdelt.ts";
import { krakenSource } from "./coins/kraken.ts";
import { nyFedSource } from "./economy/nyfed.ts";
import { treasurySource } from "./economy/treasury.ts";
import { vndirectSource } from "./prices/vndirect.ts";
import { worldBankSource } from "./economy/worldbank.ts";
import { yahooSource } from "./prices/yahoo.ts";
import { type Market, SOURCE_ROWS, type SourceRow } from "./hosts.ts";
import type { LiveSource } from "./live-source.ts";
import type { OpenSourceOptions } from "./open-source.ts";
import { isVietnamese } from "./prices/day-bars.ts";

/** One live source. */
export interface SourceEntry extends SourceRow {
  readonly capabilities: readonly Capability[];
  /** Its answers may be large: only the first byte of one is waited for as briefly as for others. */
  readonly isLarge: boolean;
  /** Settings that hold its base URLs. */
  readonly baseUrlSettings: readonly string[];
  /** Makes it; absent for the SEC, which needs a contact. */
  readonly open?: Open;
}

/** Connection to a source, and the listings known beside it. */
export interface SourceConnection extends OpenSourceOptions {
  readonly key?: string;
  readonly directory?: Pick<Directory, "get">;
}

type Open = (options: SourceConnection) => LiveSource;

const SEC_SETTINGS = ["SEC_WWW_BASE_URL", "SEC_DATA_BASE_URL", "SEC_SEARCH_BASE_URL"];
const OPEN: ReadonlyMap<string, Open> = new Map<string, Open>([
  ["fmp", ({ key = "", ...place }) => fmpSource({ ...place, key })],
  ["treasury", treasurySource],
  ["nyfed", nyFedSource],
  ["bls", blsSource],
  ["worldbank", worldBankSource],
  ["frankfurter", frankfurterSource],
  ["binance", binanceSource],
  ["kraken", krakenSource],
  ["coingecko", coinGeckoSource],
  ["gdelt", gdeltSource],
  ["tavily", (options) => tavilySource({ ...options, allowKeyless: options.key === undefined })],
  ["cboe", cboeSource],
  ["vndirect", vndirectSource],
  ["yahoo", yahooSource],
]);

/** All live sources. */
export const SOURCES: readonly SourceEntry[] = SOURCE_ROWS.map((row) => {
  const { name } = row;
  const open = OPEN.get(name);
  return {
    ...row,
    capabilities: CAPABILITIES.filter((capability) => CHAIN_TABLE[capability].includes(name)),
    isLarge: name === "sec",
    baseUrlSettings: name === "sec" ? SEC_SETTINGS : [`${name.toUpperCase()}_BASE_URL`],
    ...(open && { open }),
  };
});

/** The source of that name. */
export const findSource = (name: string): SourceEntry | undefined => SOURCES.find((entry) => entry.name === name);

/** The market of a listing. */
export function marketOf({ type, exchange }: Pick<Listing, "type" | "exchange">): Market {
  if (type === "crypto") return "coins";
  return isVietnamese({ exchange }) ? "VN" : "US";
}
