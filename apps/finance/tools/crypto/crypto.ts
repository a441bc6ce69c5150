/**
 * Crypto tools: prices of coins, their history and news, and the coins that trade or move most.
 *
 * Amounts are in the currency of the pair that the source has, which may be a stablecoin such as USDT.
 */
import type { Figure } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { sliceBars } from "../../market/port/bars.ts";
import { COIN_INTERVALS, type CoinInterval, type CoinQuote } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import type { Provenance } from "../../market/port/provenance.ts";
import { CoinSymbol, limitOf, Page } from "../frame/arguments.ts";
import { addDays } from "../shared/calendar-day.ts";
import { cite, type CitedNumber, dayOf } from "../shared/figures.ts";
import { type Headlines, loadHeadlines, toHeadlineLines } from "../news/headlines.ts";
import { defineMarketTool } from "../frame/market-tool.ts";
import { type History, toCited, toHistory, toTime } from "../price/price-history.ts";
import { COINS, identify, type ListingIdentity, requireListing } from "../frame/require-listing.ts";

/** A coin's 24 hours. */
interface ShownCoin extends ListingIdentity {
  readonly price: number;
  readonly change?: number;
  readonly change_percent?: number;
  readonly open?: number;
  readonly high?: number;
  readonly low?: number;
  /** In coins. */
  readonly volume?: number;
  /** In `currency`. */
  readonly quote_volume?: number;
}

function toShownCoin(listing: ListingIdentity, quote: CoinQuote): ShownCoin {
  const { price, quoteCurrency, change, changePercent, open, high, low, volume, quoteVolume } = quote;
  const rest = { change, change_percent: changePercent, open, high, low, volume, quote_volume: quoteVolume };
  return { ...identify(listing), currency: quoteCurrency, price, ...omitUndefined(rest) };
}

function toCoinFigures(path: string, coin: ShownCoin, provenance: Provenance): readonly Figure[] {
  const period = dayOf(provenance);
  const hours = { start: addDays(period.end, -1), ...period, label: `24 h to ${provenance.as_of}` };
  const of = (name: keyof ShownCoin & keyof typeof COIN_METRICS): CitedNumber => ({
    path: `${path}.${name}`,
    value: coin[name],
    ...COIN_METRICS[name],
    period: name === "price" ? period : hours,
  });
  return cite(coin, [
    of("price"),
    of("change_percent"),
    of("change"),
    of("high"),
    of("low"),
    of("open"),
    of("volume"),
    of("quote_volume"),
  ]);
}

const COIN_METRICS = {
  price: { unit: "money/coin", metric: "price" },
  change_percent: { unit: "percent", metric: "24 h change" },
  change: { unit: "money/coin", metric: "24 h change" },
  high: { unit: "money/coin", metric: "24 h high" },
  low: { unit: "money/coin", metric: "24 h low" },
  open: { unit: "money/coin", metric: "price 24 h ago" },
  volume: { unit: "coins", metric: "24 h volume" },
  quote_volume: { unit: "money", metric: "24 h volume" },
} as const;

/** A coin's price. */
export const getCryptoPrice = defineMarketTool<Readonly<{ symbol: string }>, ShownCoin>({
  name: "getCryptoPrice",
  category: "crypto",
  description:
    "Current price of one coin, such as BTC or ETH. Use it if only the price is asked for; getCryptoQuote has the " +
    "last 24 hours, getStockPrice has stocks.",
  says: `bitcoin price; crypto price now; how much is one ETH; giá bitcoin; giá coin hiện tại; giá tiền điện tử;
    một BTC bao nhiêu tiền; value of one coin in dollars; what is btc at; giá đồng coin;
    một bitcoin bao nhiêu tiền`,
  chart: { type: "cryptoChart", about: "symbol" },
  input: z.strictObject({ symbol: CoinSymbol }),
  ttlMs: 5_000,
  run: async ({ symbol }, { market, context: { scope } }) => {
    const listing = requireListing(market, symbol, COINS);
    const { data, provenance } = await market.coinPrice({ listing }, scope);
    const { price, quoteCurrency } = data;
    return { data: toShownCoin(listing, { price, quoteCurrency }), provenance };
  },
  figures: (data, provenance) => toCoinFigures("data", data, provenance),
});

/** A coin's 24 hours. */
export const getCryptoQuote = defineMarketTool<Readonly<{ symbol: string }>, ShownCoin>({
  name: "getCryptoQuote",
  category: "crypto",
  description:
    "Price of one coin with its last 24 hours: change, high, low and volume. Use it for how a coin did today; " +
    "getCryptoHistorical has longer spans.",
  says: `bitcoin 24 hour change; crypto quote; 24h high low volume of a coin; biến động bitcoin 24 giờ;
    khối lượng giao dịch coin; coin tăng giảm bao nhiêu hôm nay; coin statistics of the last day;
    bitcoin up or down in 24 hours; biến động coin 24h`,
  chart: { type: "cryptoChart", about: "symbol" },
  input: z.strictObject({ symbol: CoinSymbol }),
  ttlMs: 5_000,
  run: async ({ symbol }, { market, context: { scope } }) => {
    const listing = requireListing(market, symbol, COINS);
    const { data, provenance } = await market.coinQuote({ listing }, scope);
    return { data: toShownCoin(listing, data), provenance };
  },
  figures: (data, provenance) => toCoinFigures("data", data, provenance),
});

type CoinHistory = History & Readonly<{ interval: CoinInterval }>;
type HistoricalInput = Readonly<{ symbol: string; interval: CoinInterval; limit: number }>;

/** A coin's history. */
export const getCryptoHistorical = defineMarketTool<HistoricalInput, CoinHistory>({
  name: "getCryptoHistorical",
  category: "crypto",
  description:
    "Past prices of one coin by bars of a minute to a week, newest first, with the change over the span. Use it for " +
    "charts and trends of coins; getHistoricalPrice has stocks.",
  says: `bitcoin price history; crypto candles; coin chart over the last month; hourly prices of ETH;
    lịch sử giá bitcoin; biểu đồ nến coin; giá ETH tháng qua; klines; candlestick data of a coin;
    past prices of a cryptocurrency; dữ liệu nến coin; biểu đồ coin`,
  chart: { type: "cryptoChart", about: "symbol" },
  input: z.strictObject({
    symbol: CoinSymbol,
    interval: z.enum(COIN_INTERVALS).default("1h").describe("Length of a bar; default 1h"),
    limit: z.int().min(1).max(1_000).default(200).describe("How many of the newest bars, 1 to 1000; default 200"),
  }),
  ttlMs: 60_000,
  run: async ({ symbol, interval, limit }, { market, context: { scope } }) => {
    const listing = requireListing(market, symbol, COINS);
    const { data: bars, provenance } = await market.coinBars({ listing, interval, limit }, scope);
    const priced = { ...listing, ...omitUndefined({ currency: bars.currency }) };
    const history = toHistory(priced, sliceBars(bars, Math.max(0, bars.t.length - limit)), toTime);
    if (history.count === 0) {
      throw new MarketError("no_data", `there are no ${interval} bars of ${listing.symbol}`, {
        symbol: listing.symbol,
      });
    }
    return { data: { ...history, interval }, provenance };
  },
  figures: (data) => cite(data, toCited(data)),
});

type NewsInput = Readonly<{ symbol?: string | undefined; limit: number; page: number }>;

/** News about coins. */
export const getCryptoNews = defineMarketTool<NewsInput, Headlines>({
  name: "getCryptoNews",
  category: "crypto",
  description:
    "Latest news headlines about one coin or about crypto, with source, address and time. Use it for what happened " +
    "with coins; getStockNews is about companies. Numbers in headlines are not evidence.",
  says: `crypto news; bitcoin headlines; what happened to ethereum; tin tức tiền điện tử; tin bitcoin mới nhất;
    tin crypto hôm nay; blockchain stories; news on a coin; tin nóng về tiền số; bản tin tiền số`,
  input: z.strictObject({
    symbol: CoinSymbol.optional().describe("Coin such as BTC; without it, all of crypto"),
    limit: limitOf(20, 50),
    page: Page,
  }),
  ttlMs: 15 * 60_000,
  run: ({ symbol, limit, page }, asked) => {
    const listing = symbol === undefined ? undefined : requireListing(asked.market, symbol, COINS);
    return loadHeadlines(asked, { about: "crypto", limit, page, ...omitUndefined({ listing }) });
  },
  figures: () => [],
  describe: toHeadlineLines,
});

interface Coins {
  readonly count: number;
  readonly rows: readonly ShownCoin[];
}
type MarketsInput = Readonly<{ limit: number; sort: "volume" | "gainers" | "losers" }>;

/** Coins that trade or move most. */
export const getCryptoMarkets = defineMarketTool<MarketsInput, Coins>({
  name: "getCryptoMarkets",
  category: "crypto",
  description:
    "Coins by traded volume, or those that rose or fell most, over the last 24 hours. Use it for the crypto market as " +
    "a whole; getCryptoQuote is about one coin.",
  says: `top cryptocurrencies; crypto market overview; biggest crypto gainers; coins with the highest volume;
    thị trường tiền điện tử; coin tăng mạnh nhất; top coin theo khối lượng; ranking of coins;
    which coins are hot; thị trường tiền mã hóa; coin nào tăng`,
  chart: { type: "cryptoChart", about: "row" },
  input: z.strictObject({
    limit: limitOf(20, 100),
    sort: z
      .enum(["volume", "gainers", "losers"])
      .default("volume")
      .describe("volume: most traded; gainers: rose most; losers: fell most; default volume"),
  }),
  ttlMs: 60_000,
  run: async ({ limit, sort }, { market, context: { scope } }) => {
    const { data, provenance } = await market.coinMarkets({ limit, sort }, scope);
    const rows = data.slice(0, limit).map(({ listing, quote }) => toShownCoin(listing, quote));
    if (rows.length === 0) throw new MarketError("no_data", "no coin's last 24 hours are known");
    return { data: { count: rows.length, rows }, provenance };
  },
  figures: ({ rows }, provenance) => rows.flatMap((row, at) => toCoinFigures(`data.rows[${at}]`, row, provenance)),
  describe: ({ rows }) => rows.map(({ symbol, name }) => `${symbol}: ${name}`),
});
