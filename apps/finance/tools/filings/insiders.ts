/**
 * Insider tool: what directors, officers and large owners of a company bought, sold or were granted, from Forms 4.
 *
 * Only purchases and sales on the market say what somebody thinks of the price; grants, exercises and taxes are shown
 * and not summed. Names of people and securities are untrusted: no figure is named by them.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { InsiderTrade } from "../../market/port/filings.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { limitOf, Symbol } from "../frame/arguments.ts";
import { citeFields } from "../shared/figures.ts";
import { readPairs } from "../../market/tables.ts";
import { toMonths } from "./insider-months.ts";
import { defineMarketTool } from "../frame/market-tool.ts";
import { finite, tidy } from "../shared/number.ts";
import { requireFiler } from "./require-filer.ts";
import { identify, requireListing, SECURITIES } from "../frame/require-listing.ts";
import { toSafeText, toSafeUrl } from "../shared/untrusted.ts";

/** The SEC's codes in words. */
const ACTIONS = readPairs("filings/insider-codes");

const MAX_NAME = 120;

/** A trade as results show it; `action` is the code in words. */
type ShownTrade = ReturnType<typeof toShownTrade>;

/** Lists the trades of a company's insiders. */
export const insiderTradesTool = defineMarketTool({
  name: "getInsiderTrades",
  category: "beyond",
  asks: "insiderTrades",
  description:
    "What directors, officers and large owners of one American company bought or sold, from SEC Form 4, with sums.",
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
  figures: ({ symbol, currency, period, purchases, sales, by_month, trades }) => [
    ...Object.entries({ purchases, sales }).flatMap(([name, sum]) =>
      citeFields(
        { symbol, currency: trades[0]?.currency ?? "USD", period },
        [`data.${name}`, sum],
        [
          ["shares", "shares", `insiders' open-market ${name}`],
          ["value", "money", `value of insiders' open-market ${name}`],
        ],
      ),
    ),
    ...by_month.flatMap((row, at) => {
      const owner = { symbol, currency, period: { start: row.start, end: row.end, label: row.month } };
      return citeFields(
        owner,
        [`data.by_month[${at}]`, row],
        [
          ["bought_shares", "shares", "shares insiders bought on the market"],
          ["sold_shares", "shares", "shares insiders sold on the market"],
        ],
      );
    }),
    ...trades.flatMap((row, at) => {
      const of = (what: string): string => `${what} of trade ${at + 1} (${row.action})`;
      const unit = row.is_derivative ? "count" : "shares";
      return citeFields(
        { symbol, currency: row.currency, period: { end: row.day } },
        [`data.trades[${at}]`, row],
        [
          ["shares", unit, of(row.is_derivative ? "derivatives" : "shares")],
          ["price", "money/share", of("price")],
          ["value", "money", of("value")],
          ["shares_after", unit, of("holding at the end")],
        ],
      );
    }),
  ],
  describe: ({ trades }) =>
    trades.map(({ day, owner, role, action, security }, at) =>
      [`trade ${at + 1}: ${day} ${owner}`, ...(role === undefined ? [] : [role]), action, security].join(", "),
    ),
});

/** Newest first; trades of one form stay in its order. */
const byDay = (one: ShownTrade, other: ShownTrade): number =>
  other.day.localeCompare(one.day) || other.filed.localeCompare(one.filed);

function toShownTrade(trade: InsiderTrade) {
  const { day, filed, code, isAcquired, isDerivative, shares, price, sharesAfter, currency, accession } = trade;
  const role = toSafeText(trade.role ?? "", MAX_NAME);
  const known = toSafeText(code, 2).toUpperCase();
  const value = shares === undefined || price === undefined || isDerivative ? undefined : tidy(shares * price);
  return {
    day,
    filed,
    owner: toSafeText(trade.owner, MAX_NAME) || "not named",
    ...omitUndefined({ role: role || undefined }),
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
function toSum(trades: readonly ShownTrade[], code: "P" | "S") {
  const found = trades.filter((trade) => trade.code === code && !trade.is_derivative);
  const sumOf = (parts: readonly (number | undefined)[]): number | undefined => {
    const known = parts.filter((part) => part !== undefined);
    return known.length === 0 || known.length < parts.length ? undefined : tidy(known.reduce((a, b) => a + b, 0));
  };
  const isOneCurrency = new Set(found.map(({ currency }) => currency)).size === 1;
  const value = isOneCurrency ? sumOf(found.map((trade) => trade.value)) : undefined;
  return { count: found.length, ...omitUndefined({ shares: sumOf(found.map(({ shares }) => shares)), value }) };
}
