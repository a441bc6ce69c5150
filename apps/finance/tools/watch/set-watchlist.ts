/**
 * Set watchlist: the symbols a user follows.
 */
import type { Json } from "@baton/core";
import { lookInto, omitUndefined } from "@baton/core/util";
import { listedItems } from "../frame/listed-items.ts";
import { ToolError } from "@baton/core";
import { z } from "zod";
import type { Listing } from "../../market/port/listing.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { AnySymbol } from "../frame/arguments.ts";
import { defineMarketTool, type MarketContext } from "../frame/market-tool.ts";
import { identify, requireListing, SECURITIES_AND_COINS } from "../frame/require-listing.ts";
import { toSafeText } from "../shared/untrusted.ts";
import { changeWatchlist, MAX_WATCHED } from "./saved-watches.ts";
import { languageOf, ownProvenance } from "./own-provenance.ts";

const ACTIONS = ["add", "remove", "replace", "clear"] as const;

/** A symbol of the request that means nothing, or several things. */
type Unknown = Readonly<{ symbol: string; message: string }>;

/** Whether a call clears or replaces the list, or takes more than one off it. */
function isSweeping(args: Json): boolean {
  const action = lookInto(args, "action");
  return action === "clear" || action === "replace" || (action === "remove" && listedItems(args, "symbols").length > 1);
}

/** Changes the watchlist. */
export const setWatchlistTool = defineMarketTool({
  name: "setWatchlist",
  wish: { want: "set_watchlist", symbols: ["symbols"], asksAlways: isSweeping },
  category: "beyond",
  description:
    "Changes the user's watchlist: adds or removes stocks, ETFs, indices and coins, replaces the whole list, or clears " +
    "it. Use it only if the user asks for that.",
  effect: "idempotent",
  ttlMs: 0,
  input: z
    .strictObject({
      symbols: z.array(AnySymbol).max(50).default([]).describe("Symbols or names; empty only with action clear"),
      action: z.enum(ACTIONS).default("add").describe("add, remove, replace the whole list, or clear it; default add"),
    })
    .refine(({ symbols, action }) => action === "clear" || symbols.length > 0, {
      error: "symbols is empty: name at least one, or use the action clear",
      path: ["symbols"],
    }),
  run: async ({ symbols, action }, asked) => {
    const { context } = asked;
    const { found, unknown } = resolveAll(symbols, asked);
    const named = new Set(found.map(({ symbol }) => symbol));
    const { before, after } = await changeWatchlist(context.documents, (list) => {
      if (action === "clear") return [];
      if (action === "replace") return found;
      if (action === "remove") return list.filter(({ symbol }) => !named.has(symbol));
      return checked([...list, ...found.filter((one) => !list.some(({ symbol }) => symbol === one.symbol))]);
    });
    const added = minus(after, before);
    const removed = minus(before, after);
    const unchanged = found
      .map(({ symbol }) => symbol)
      .filter((symbol) => !added.includes(symbol) && !removed.includes(symbol));
    const text = toText(after, languageOf(context));
    const rest = omitUndefined({ unknown: unknown.length === 0 ? undefined : unknown });
    return { data: { watchlist: after, added, removed, unchanged, ...rest, text }, provenance: ownProvenance(context) };
  },
  figures: () => [],
  describe: ({ text, unknown = [] }) => [
    text,
    ...unknown.map(({ symbol, message }) => `not changed: ${symbol}: ${message}`),
  ],
});

/** Resolves the symbols that are known; if none is, throws the error of the first. */
function resolveAll(symbols: readonly string[], { market }: MarketContext) {
  const found = new Map<string, Listing>();
  const errors: (Unknown & Readonly<{ error: MarketError }>)[] = [];
  for (const symbol of symbols) {
    try {
      const listing = identify(requireListing(market, symbol, SECURITIES_AND_COINS));
      found.set(listing.symbol, listing);
    } catch (thrown) {
      if (!(thrown instanceof MarketError)) throw thrown;
      errors.push({ symbol: toSafeText(symbol, 80), message: thrown.message, error: thrown });
    }
  }
  const [first] = errors;
  if (first !== undefined && found.size === 0) throw first.error;
  return { found: [...found.values()], unknown: errors.map(({ symbol, message }) => ({ symbol, message })) };
}

const minus = (list: readonly Listing[], other: readonly Listing[]): readonly string[] =>
  list.map(({ symbol }) => symbol).filter((symbol) => !other.some((one) => one.symbol === symbol));

function checked(list: readonly Listing[]): readonly Listing[] {
  if (list.length <= MAX_WATCHED) return list;
  const message = `the watchlist would have ${list.length} symbols; it holds ${MAX_WATCHED}: remove some first`;
  throw new ToolError("permanent", message);
}

function toText(list: readonly Listing[], language: "en" | "vi"): string {
  const symbols = list.map(({ symbol }) => symbol).join(", ");
  if (language === "vi") return list.length === 0 ? "Danh sách theo dõi trống." : `Danh sách theo dõi: ${symbols}.`;
  return list.length === 0 ? "The watchlist is empty." : `Watchlist: ${symbols}.`;
}
