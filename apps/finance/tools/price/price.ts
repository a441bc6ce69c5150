/**
 * Price tools: what something costs, what it cost on which day, and by how much that changed.
 */
import type { Period, Unit } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Quote, PriceSpan } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { Symbol } from "../frame/arguments.ts";
import { cite, dayOf, priceUnit, volumeUnit } from "../shared/figures.ts";
import { defineMarketTool } from "../frame/market-tool.ts";
import { finite } from "../shared/number.ts";
import { identify, requireListing, SECURITIES, type ListingIdentity } from "../frame/require-listing.ts";
import { lastTradingDay, toSpanPeriod } from "./span-period.ts";

const QUOTE_TTL_MS = 30_000;

interface StockPrice extends ListingIdentity {
  readonly price: number;
  readonly change?: number;
  readonly change_percent?: number;
  readonly previous_close?: number;
  readonly volume?: number;
}

/** The price now. */
export const getStockPrice = defineMarketTool<{ symbol: string }, StockPrice>({
  name: "getStockPrice",
  category: "price",
  description:
    "Current price of one stock, ETF or index, with the change since the previous close. Use it if only the price " +
    "is asked for; getStockQuote has ranges and market cap, getCryptoPrice has coins.",
  says: `last traded price; what is it trading at; worth of one share; giá mới nhất của mã; đang giao dịch ở giá nào;
    stock price; share price now; how much is a share; giá cổ phiếu; giá hiện tại; bao nhiêu tiền;
    what is the stock at; how expensive is a share; stock worth today; trading at what level;
    cổ phiếu đang giá bao nhiêu; thị giá`,
  chart: { type: "showStockPrice", about: "symbol" },
  input: z.strictObject({ symbol: Symbol }),
  ttlMs: QUOTE_TTL_MS,
  run: async ({ symbol }, { market, context }) => {
    const listing = requireListing(market, symbol, SECURITIES);
    const { data, provenance } = await market.quote({ listing, detail: "price" }, context.scope);
    const { price, change, changePercent: change_percent, previousClose: previous_close, volume } = data;
    const rest = omitUndefined({ change, change_percent, previous_close, volume });
    return { data: { ...identify(listing), price, ...rest }, provenance };
  },
  figures: (data, provenance) => {
    const period = dayOf(provenance);
    const unit = priceUnit(data);
    return cite(data, [
      { path: "data.price", value: data.price, unit, metric: "price", period },
      { path: "data.change_percent", value: data.change_percent, unit: "percent", metric: "change", period },
      { path: "data.change", value: data.change, unit, metric: "change", period },
      { path: "data.previous_close", value: data.previous_close, unit, metric: "previous close", period },
      { path: "data.volume", value: data.volume, unit: volumeUnit(data), metric: "volume", period },
    ]);
  },
});

interface StockQuote extends StockPrice {
  readonly open?: number;
  readonly day_low?: number;
  readonly day_high?: number;
  readonly year_low?: number;
  readonly year_high?: number;
  readonly average_volume?: number;
  readonly market_cap?: number;
  readonly average_50_days?: number;
  readonly average_200_days?: number;
  readonly pe?: number;
  readonly eps?: number;
  readonly dividend_yield_percent?: number;
  readonly beta?: number;
  readonly sector?: string;
  readonly industry?: string;
}

type QuoteField = Exclude<keyof StockQuote, keyof ListingIdentity | "sector" | "industry">;

/**
 * Unit and metric of each number of a quote, the most telling first; `price` stands for the unit of the listing's
 * price.
 */
const QUOTE_FIELDS: readonly (readonly [field: QuoteField, unit: Unit | "price" | "volume", metric: string])[] = [
  ["price", "price", "price"],
  ["change_percent", "percent", "change"],
  ["change", "price", "change"],
  ["market_cap", "money", "market cap"],
  ["pe", "ratio", "P/E"],
  ["eps", "money/share", "EPS"],
  ["year_low", "price", "52-week low"],
  ["year_high", "price", "52-week high"],
  ["day_low", "price", "day low"],
  ["day_high", "price", "day high"],
  ["open", "price", "open"],
  ["previous_close", "price", "previous close"],
  ["volume", "volume", "volume"],
  ["average_volume", "volume", "average volume"],
  ["average_50_days", "price", "50-day average"],
  ["average_200_days", "price", "200-day average"],
  ["dividend_yield_percent", "percent", "dividend yield"],
  ["beta", "ratio", "beta"],
];

function toQuoteUnit(of: ListingIdentity, unit: Unit | "price" | "volume"): Unit {
  if (unit === "price") return priceUnit(of);
  return unit === "volume" ? volumeUnit(of) : unit;
}

function toStockQuote(listing: ListingIdentity, quote: Quote): StockQuote {
  const { price, change, open, volume, pe, eps, beta, sector, industry } = quote;
  return {
    ...identify(listing),
    price,
    ...omitUndefined({ change, open, volume, pe, eps, beta, sector, industry }),
    ...omitUndefined({
      change_percent: quote.changePercent,
      previous_close: quote.previousClose,
      day_low: quote.dayLow,
      day_high: quote.dayHigh,
      year_low: quote.yearLow,
      year_high: quote.yearHigh,
      average_volume: quote.averageVolume,
      market_cap: quote.marketCap,
      average_50_days: quote.average50,
      average_200_days: quote.average200,
      dividend_yield_percent: quote.dividendYieldPercent,
    }),
  };
}

/** The price now with all that belongs to it. */
export const getStockQuote = defineMarketTool<{ symbol: string }, StockQuote>({
  name: "getStockQuote",
  category: "price",
  description:
    "Full quote of one stock, ETF or index: price, change, day range, 52-week range, volume, market cap, P/E, EPS, " +
    "50- and 200-day averages, sector. Use it for an overview of a listing; statements are in the fundamental tools.",
  says: `key data of a stock at a glance; high and low of the year; biên độ giá trong ngày; giá trị vốn hóa;
    full quote; market capitalization; 52-week high and low; day range; trading volume; vốn hóa thị trường;
    cao nhất thấp nhất 52 tuần; khối lượng giao dịch; thông tin cổ phiếu;
    how big is the company by market value; market value of a firm; stock summary and key statistics;
    tổng hợp thông tin mã; quy mô vốn hóa của công ty`,
  isCommon: true,
  chart: { type: "showStockPrice", about: "symbol" },
  input: z.strictObject({ symbol: Symbol }),
  ttlMs: QUOTE_TTL_MS,
  run: async ({ symbol }, { market, context }) => {
    const listing = requireListing(market, symbol, SECURITIES);
    const { data, provenance } = await market.quote({ listing }, context.scope);
    return { data: toStockQuote(listing, data), provenance };
  },
  figures: (data, provenance) => {
    const period = dayOf(provenance);
    const toCited = ([field, unit, metric]: (typeof QUOTE_FIELDS)[number]) => ({
      path: `data.${field}`,
      value: data[field],
      unit: toQuoteUnit(data, unit),
      metric,
      period,
    });
    return cite(data, QUOTE_FIELDS.map(toCited));
  },
});

interface Changes extends ListingIdentity {
  readonly changes: readonly Readonly<{ span: PriceSpan; period: Period; change_percent: number }>[];
}

const SPANS: readonly PriceSpan[] = ["1D", "5D", "1M", "3M", "6M", "YTD", "1Y", "3Y", "5Y", "10Y"];

/** By how much the price changed, by span. */
export const getPriceChange = defineMarketTool<{ symbol: string }, Changes>({
  name: "getPriceChange",
  category: "price",
  description:
    "Price change of one stock, ETF or index in percent over 1 day, 5 days, 1, 3 and 6 months, year to date, 1, 3, 5 " +
    "and 10 years. Use it for performance and returns; for prices of single days use getHistoricalPrice.",
  says: `gain or loss since a month or a year ago; one-year return; so với năm trước tăng hay giảm; lợi suất 6 tháng;
    performance over a period; return this year; year to date; how much did it rise or fall;
    tăng giảm bao nhiêu phần trăm; hiệu suất từ đầu năm; biến động giá theo kỳ hạn; is it up or down over years;
    how well did it do; lãi lỗ phần trăm từ đầu năm; sinh lời 1 năm 5 năm`,
  chart: { type: "showStockPrice", about: "symbol" },
  input: z.strictObject({ symbol: Symbol }),
  ttlMs: 5 * 60_000,
  run: async ({ symbol }, { market, context }) => {
    const listing = requireListing(market, symbol, SECURITIES);
    const { data, provenance } = await market.change({ listing }, context.scope);
    // a source of today's prices names no day
    const end = lastTradingDay(provenance.fetched_at === undefined ? dayOf(provenance).end : market.today());
    const changes = SPANS.flatMap((span) => {
      const change_percent = finite(data[span]);
      return change_percent === undefined ? [] : [{ span, period: toSpanPeriod(span, end), change_percent }];
    });
    if (changes.length > 0) return { data: { ...identify(listing), changes }, provenance };
    throw new MarketError("no_data", `no price change of ${listing.symbol} is known`, { symbol: listing.symbol });
  },
  figures: (data) =>
    cite(
      data,
      data.changes.map(({ span, period, change_percent }, at) => ({
        path: `data.changes[${at}].change_percent`,
        value: change_percent,
        unit: "percent",
        metric: `price change ${span}`,
        period,
      })),
    ),
});
