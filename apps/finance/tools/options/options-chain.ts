/**
 * Options chain: calls and puts on a stock, fund or index near its price, delayed.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { OptionContract } from "../../market/port/options.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { Day } from "../frame/arguments.ts";
import { defineListingTool } from "../frame/listing-tool.ts";
import { identify, SECURITIES } from "../frame/require-listing.ts";
import { citeFields, dayOf } from "../shared/figures.ts";

const MAX_EXPIRIES = 60;

/** Calls and puts. */
export const optionsChainTool = defineListingTool({
  name: "getOptionsChain",
  category: "beyond",
  asks: "options",
  description:
    "Calls and puts on a US stock, fund or index near its price: bid, ask, implied volatility, open interest; delayed.",
  of: SECURITIES,
  input: {
    expiry: Day.optional().describe("Last day of the contracts; default the next one at least a week away"),
    kind: z.enum(["call", "put", "both"]).default("both").describe("Default both"),
    strikes: z.int().min(1).max(40).default(10).describe("How many strikes nearest to the price; default 10"),
  },
  ttlMs: 60_000,
  run: async (listing, { expiry, kind, strikes }, { market, context }) => {
    const { data, provenance } = await market.options({ listing }, context.scope);
    const expiries = [...new Set(data.contracts.map((one) => one.expiry))].toSorted();
    const day = chooseExpiry(expiries, expiry, dayOf(provenance).end);
    if (day === undefined) throw noExpiry(listing.symbol, expiries, expiry);
    const own = data.contracts.filter((one) => one.expiry === day && (kind === "both" || one.kind === kind));
    const contracts = nearest(own, strikes, data.price).map(toShown);
    const shown = { expiry: day, expiries: expiries.slice(0, MAX_EXPIRIES), contracts };
    return { data: { ...identify(listing), ...omitUndefined({ price: data.price }), ...shown }, provenance };
  },
  figures: (data, provenance) => {
    const period = dayOf(provenance);
    return [
      ...citeFields({ ...data, period }, ["data", data], [["price", "price", "price"]]),
      ...data.contracts.flatMap((one, at) => {
        const of = {
          symbol: `${data.symbol} ${data.expiry} ${one.kind} ${one.strike}`,
          currency: data.currency,
          period,
        };
        return citeFields(
          of,
          [`data.contracts[${at}]`, one],
          [
            ["bid", "money/share", "bid"],
            ["ask", "money/share", "ask"],
            ["implied_volatility_percent", "percent", "implied volatility"],
            ["open_interest", "count", "open interest"],
            ["delta", "ratio", "delta"],
            ["last", "money/share", "last price"],
            ["volume", "count", "volume"],
          ],
        );
      }),
    ];
  },
  digest: ({ expiry, expiries }) => ({
    shared: [`contracts to ${expiry}`],
    notes: [`expiries: ${expiries.slice(0, 20).join(", ")}`],
  }),
});

const WEEK_MS = 7 * 86_400_000;

/** The expiry that was asked for, else the first that is a week away. */
function chooseExpiry(expiries: readonly string[], asked: string | undefined, today: string): string | undefined {
  if (asked !== undefined) return expiries.find((day) => day === asked);
  const soon = new Date(Date.parse(`${today}T00:00:00Z`) + WEEK_MS).toISOString().slice(0, 10);
  return expiries.find((day) => day >= soon) ?? expiries.at(-1);
}

/** Contracts at the strikes nearest to the price, by strike. */
function nearest(contracts: readonly OptionContract[], count: number, price: number | undefined) {
  const strikes = [...new Set(contracts.map(({ strike }) => strike))].toSorted((a, b) => a - b);
  const middle = price ?? strikes[Math.floor(strikes.length / 2)] ?? 0;
  const near = new Set(strikes.toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle)).slice(0, count));
  return contracts
    .filter(({ strike }) => near.has(strike))
    .toSorted((a, b) => a.strike - b.strike || (a.kind < b.kind ? -1 : 1));
}

function toShown({ kind, strike, openInterest, impliedVolatilityPercent, ...one }: OptionContract) {
  const { bid, ask, last, volume, delta } = one;
  const known = { bid, ask, last, implied_volatility_percent: impliedVolatilityPercent, open_interest: openInterest };
  return { kind, strike, ...omitUndefined({ ...known, volume, delta }) };
}

function noExpiry(symbol: string, expiries: readonly string[], asked: string | undefined): MarketError {
  const available = expiries.slice(0, 20).join(", ");
  return new MarketError("no_data", `no options of ${symbol} end on ${asked}`, { symbol, available });
}
