/**
 * CoinGecko: what all of a coin is worth, how much of it there is, and which coins are traded most, without a key.
 *
 * Its prices are averages over exchanges and say so: it is asked for one if no exchange answers.
 */
import type { Scope } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Directory, Listing } from "../../port/listing.ts";
import type { CoinQuote, CoinRow, CoinSupply } from "../../port/market-data.ts";
import { MarketError } from "../../port/market-error.ts";
import type { HttpAnswer, HttpSource } from "../http/http-source.ts";
import { openHost } from "../hosts.ts";
import { type LiveSource, toSourced } from "../live-source.ts";
import { Num, parseAnswer, Text, toLine } from "../rows.ts";
import { toCoinListing, toCoinTicker } from "./coin-name.ts";
import { Amount, Price } from "../figures.ts";
import type { OpenSourceOptions } from "../open-source.ts";

/** Connection to the service. */
export interface CoinGeckoOptions extends OpenSourceOptions {
  readonly directory?: Pick<Directory, "get">;
}

const CURRENCY = "USD";
const PAGE = 250;
const MAX_NAME = 80;

const Market = z.looseObject({
  id: Text,
  symbol: Text,
  name: Text,
  current_price: Price,
  market_cap: Amount,
  market_cap_rank: Num,
  total_volume: Amount,
  high_24h: Price,
  low_24h: Price,
  price_change_24h: Num,
  price_change_percentage_24h: Num,
  circulating_supply: Amount,
  total_supply: Amount,
  max_supply: Amount,
  last_updated: Text,
});
type Market = z.infer<typeof Market>;
type Sort = "volume" | "gainers" | "losers";

/** The source of supply and lists. */
export function coinGeckoSource({ directory, ...options }: CoinGeckoOptions = {}): LiveSource {
  const http = openHost("coingecko", options);
  return {
    name: "coingecko",
    stats: (now) => http.stats(now),
    coinPrice: async ({ listing }, scope) => {
      const { answer, market, price } = await askPrice(http, listing, scope);
      return sourced({ price, quoteCurrency: CURRENCY }, answer, market.last_updated);
    },
    coinQuote: async ({ listing }, scope) => {
      const { answer, market, price } = await askPrice(http, listing, scope);
      return sourced(toQuote(market, price), answer, market.last_updated);
    },
    coinSupply: async ({ listing }, scope) => {
      const { answer, market } = await askCoin(http, listing, scope);
      return sourced(toSupply(market), answer, market.last_updated);
    },
    coinMarkets: async ({ limit, sort }, scope) => {
      const { answer, markets } = await askMarkets(http, "volume_desc", scope);
      const coins = toCoins(markets, directory).toSorted(toOrder(sort)).slice(0, limit);
      if (coins.length === 0) throw new MarketError("no_data", "CoinGecko has no list of coins now");
      return sourced(coins, answer, undefined);
    },
  };
}

async function askMarkets(http: HttpSource, order: "market_cap_desc" | "volume_desc", scope: Scope) {
  const query = { vs_currency: CURRENCY.toLowerCase(), order, per_page: PAGE, page: 1 };
  const answer = await http.ask({ path: "/api/v3/coins/markets", query }, scope);
  return { answer, markets: parseAnswer("CoinGecko", z.array(Market), answer.text) };
}

/** Many coins share a ticker; the largest is the one that is meant. */
async function askCoin(http: HttpSource, listing: Listing, scope: Scope) {
  const ticker = toCoinTicker("CoinGecko", listing);
  const { answer, markets } = await askMarkets(http, "market_cap_desc", scope);
  const market = markets.find(({ symbol }) => symbol?.toUpperCase() === ticker);
  if (market !== undefined) return { answer, market };
  const message = `CoinGecko has no ${ticker} among the ${PAGE} largest coins`;
  throw new MarketError("no_data", message, { symbol: listing.symbol });
}

async function askPrice(http: HttpSource, listing: Listing, scope: Scope) {
  const { answer, market } = await askCoin(http, listing, scope);
  const { current_price: price } = market;
  if (price !== undefined) return { answer, market, price };
  throw new MarketError("no_data", `CoinGecko has no price of ${listing.symbol}`, { symbol: listing.symbol });
}

function toQuote(market: Market, price: number): CoinQuote {
  const { price_change_24h: change, price_change_percentage_24h: changePercent } = market;
  const { total_volume: quoteVolume, high_24h: high, low_24h: low } = market;
  return { price, quoteCurrency: CURRENCY, ...omitUndefined({ change, changePercent, high, low, quoteVolume }) };
}

function sourced<T>(data: T, answer: HttpAnswer, updated: string | undefined) {
  const updatedMs = updated === undefined ? Number.NaN : Date.parse(updated);
  const asOf = Number.isNaN(updatedMs) ? undefined : updatedMs;
  const note = "averages over exchanges, in US dollars";
  return toSourced(data, answer, { source: "coingecko", kind: "live", asOf, note });
}

function toSupply(market: Market): CoinSupply {
  const { market_cap: marketCap, market_cap_rank: marketCapRank, circulating_supply: circulating } = market;
  const { total_supply: total, max_supply: max } = market;
  // A market cap that is not known is sent as 0.
  const known = { marketCap: positive(marketCap), marketCapRank: positive(marketCapRank) };
  return { currency: CURRENCY, ...omitUndefined({ ...known, circulating: positive(circulating), total, max }) };
}

const positive = (value: number | undefined): number | undefined =>
  value === undefined || value <= 0 ? undefined : value;

/** One row a ticker: of coins that share one, the most traded. */
function toCoins(markets: readonly Market[], directory: CoinGeckoOptions["directory"]): readonly CoinRow[] {
  const bySymbol = new Map<string, CoinRow>();
  for (const market of markets) {
    const { symbol: ticker = "", name = ticker, current_price: price } = market;
    const listing = toCoinListing(ticker, toLine(name, MAX_NAME), directory);
    if (listing === undefined || price === undefined || bySymbol.has(listing.symbol)) continue;
    bySymbol.set(listing.symbol, { listing, quote: toQuote(market, price) });
  }
  return [...bySymbol.values()];
}

function toOrder(sort: Sort): (one: CoinRow, other: CoinRow) => number {
  if (sort === "volume") return (one, other) => (other.quote.quoteVolume ?? 0) - (one.quote.quoteVolume ?? 0);
  const sign = sort === "gainers" ? 1 : -1;
  return (one, other) => sign * ((other.quote.changePercent ?? 0) - (one.quote.changePercent ?? 0));
}
