/**
 * Insider tool: what directors, officers and large owners of a company bought, sold or were granted, from Forms 4.
 *
 * Only purchases and sales on the market say what somebody thinks of the price; grants, exercises and taxes are shown
 * and not summed. Names of people and securities are untrusted: no figure is named by them.
 */
import type { Figure } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { InsiderTrade } from "../../market/port/filings.ts";
import type { Day } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { limitOf, Symbol } from "../frame/arguments.ts";
import { cite } from "../shared/figures.ts";
import { readPairs } from "../../market/tables.ts";
import { toMonths, type TradeMonth } from "./insider-months.ts";
import { defineMarketTool } from "../frame/market-tool.ts";
import { finite, tidy } from "../shared/number.ts";
import { requireFiler } from "./require-filer.ts";
import { identify, type ListingIdentity, requireListing, SECURITIES } from "../frame/require-listing.ts";
import { toSafeText, toSafeUrl } from "../shared/untrusted.ts";

/** The SEC's codes in words. */
const ACTIONS = readPairs("filings/insider-codes");

const MAX_NAME = 120;

/** A trade as results show it. */
export interface ShownTrade {
  readonly day: Day;
  readonly filed: Day;
  readonly owner: string;
  readonly role?: string;
  readonly code: string;
  /** The code in words. */
  readonly action: string;
  readonly direction: "acquired" | "disposed";
  readonly security: string;
  readonly is_derivative: boolean;
  readonly shares?: number;
  readonly price?: number;
  readonly value?: number;
  readonly shares_after?: number;
  readonly currency: string;
  readonly form: string;
  readonly accession: string;
  readonly url?: string;
}

type Sum = Readonly<{ count: number; shares?: number; value?: number }>;

interface Insiders extends ListingIdentity {
  readonly count: number;
  readonly period: Readonly<{ start: Day; end: Day }>;
  /** On the market. */
  readonly purchases: Sum;
  readonly sales: Sum;
  /** On the market, oldest first. */
  readonly by_month: readonly TradeMonth[];
  /** Newest first. */
  readonly trades: readonly ShownTrade[];
}

/** Lists the trades of a company's insiders. */
export const insiderTradesTool = defineMarketTool<Readonly<{ symbol: string; limit: number }>, Insiders>({
  name: "getInsiderTrades",
  category: "beyond",
  asks: "insiderTrades",
  description:
    "What directors, officers and large owners of one American company bought or sold, from SEC Form 4, with sums.",
  says: `insider trading Form 4; did the CEO sell shares; insider buying and selling;
    directors and officers transactions; are executives buying their own stock; giao dịch cổ đông nội bộ;
    lãnh đạo mua bán cổ phiếu công ty; CEO có bán cổ phiếu không; giao dịch nội bộ gần đây;
    is the boss selling his stock; management purchases and sales; sếp bán cổ phiếu; ban lãnh đạo mua hay bán`,
  chart: { type: "showStockFinancials", about: "symbol", isApart: true },
  input: z.strictObject({ symbol: Symbol, limit: limitOf(20, 100) }),
  ttlMs: 60 * 60_000,
  timeoutMs: 40_000,
  run: async ({ symbol, limit }, { market, context: { scope } }) => {
    const listing = requireListing(market, symbol, SECURITIES);
    requireFiler(listing);
    const { data, provenance } = await market.insiderTrades({ listing, limit }, scope);
    const trades = data.map(toShownTrade).toSorted(byDay).slice(0, limit);
    const [newest] = trades;
    if (newest === undefined) {
      const message = `no trades of insiders of ${listing.symbol} (${listing.name}) are listed`;
      throw new MarketError("no_data", message, { symbol: listing.symbol });
    }
    const period = { start: trades.at(-1)?.day ?? newest.day, end: newest.day };
    const sums = { purchases: toSum(trades, "P"), sales: toSum(trades, "S"), by_month: toMonths(trades) };
    return { data: { ...identify(listing), count: trades.length, period, ...sums, trades }, provenance };
  },
  figures: (data) => [...toSumFigures(data), ...toMonthFigures(data), ...toTradeFigures(data)],
  describe: ({ trades }) =>
    trades.map(({ day, owner, role, action, security }, at) =>
      [`trade ${at + 1}: ${day} ${owner}`, ...(role === undefined ? [] : [role]), action, security].join(", "),
    ),
});

/** Newest first; trades of one form stay in its order. */
const byDay = (one: ShownTrade, other: ShownTrade): number =>
  other.day.localeCompare(one.day) || other.filed.localeCompare(one.filed);

function toShownTrade(trade: InsiderTrade): ShownTrade {
  const { day, filed, code, isAcquired, isDerivative, shares, price, sharesAfter, currency, accession } = trade;
  const role = toSafeText(trade.role ?? "", MAX_NAME);
  const known = toSafeText(code, 2).toUpperCase();
  const value = shares === undefined || price === undefined || isDerivative ? undefined : tidy(shares * price);
  return {
    day,
    filed,
    owner: toSafeText(trade.owner, MAX_NAME) || "not named",
    ...(role === "" ? {} : { role }),
    code: known,
    action: ACTIONS.get(known) ?? `transaction with code ${known}`,
    direction: isAcquired ? "acquired" : "disposed",
    security: toSafeText(trade.security, MAX_NAME) || "not named",
    is_derivative: isDerivative,
    ...omitUndefined({
      shares: finite(shares),
      price: finite(price),
      value: finite(value),
      shares_after: finite(sharesAfter),
    }),
    currency,
    form: toSafeText(trade.form, 20),
    accession,
    ...omitUndefined({ url: toSafeUrl(trade.url) }),
  };
}

/** Of all trades with a code; a sum is absent if one of its parts is not known. */
function toSum(trades: readonly ShownTrade[], code: "P" | "S"): Sum {
  const found = trades.filter((trade) => trade.code === code && !trade.is_derivative);
  const sumOf = (parts: readonly (number | undefined)[]): number | undefined => {
    const known = parts.filter((part) => part !== undefined);
    return known.length === 0 || known.length < parts.length ? undefined : tidy(known.reduce((a, b) => a + b, 0));
  };
  const isOneCurrency = new Set(found.map(({ currency }) => currency)).size === 1;
  const value = isOneCurrency ? sumOf(found.map((trade) => trade.value)) : undefined;
  return { count: found.length, ...omitUndefined({ shares: sumOf(found.map(({ shares }) => shares)), value }) };
}

function toSumFigures({ symbol, period, purchases, sales, trades }: Insiders): readonly Figure[] {
  const currency = trades[0]?.currency ?? "USD";
  const of = ({ shares, value }: Sum, name: "purchases" | "sales") => {
    const metric = `insiders' open-market ${name}`;
    return cite({ symbol, currency }, [
      { path: `data.${name}.shares`, value: shares, unit: "shares", metric, period },
      { path: `data.${name}.value`, value, unit: "money", metric: `value of ${metric}`, period },
    ]);
  };
  return [...of(purchases, "purchases"), ...of(sales, "sales")];
}

function toMonthFigures({ symbol, currency, by_month }: Insiders): readonly Figure[] {
  return by_month.flatMap(({ month: label, start, end, bought_shares, sold_shares }, at) => {
    const period = { start, end, label };
    const unit = "shares";
    const [bought, sold] = [`data.by_month[${at}].bought_shares`, `data.by_month[${at}].sold_shares`];
    return cite({ symbol, currency }, [
      { path: bought, value: bought_shares, unit, metric: "shares insiders bought on the market", period },
      { path: sold, value: sold_shares, unit, metric: "shares insiders sold on the market", period },
    ]);
  });
}

function toTradeFigures({ symbol, trades }: Insiders): readonly Figure[] {
  return trades.flatMap(({ day, currency, action, is_derivative, shares, price, value, shares_after }, at) => {
    const place = `data.trades[${at}]`;
    const period = { end: day };
    const of = (what: string): string => `${what} of trade ${at + 1} (${action})`;
    const unit = is_derivative ? "count" : "shares";
    return cite({ symbol, currency }, [
      { path: `${place}.shares`, value: shares, unit, metric: of(is_derivative ? "derivatives" : "shares"), period },
      { path: `${place}.price`, value: price, unit: "money/share", metric: of("price"), period },
      { path: `${place}.value`, value, unit: "money", metric: of("value"), period },
      { path: `${place}.shares_after`, value: shares_after, unit, metric: of("holding at the end"), period },
    ]);
  });
}
