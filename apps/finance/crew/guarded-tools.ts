/**
 * Guarded tools: the assistant's tools with what is between them and the text that models read: the user's own wish for
 * every change, and the record of each call. Tools that only look things up are free.
 */
import { defineMemoryTools, definePlanTools, type Wish, withWish } from "@baton/assistant";
import type { Json, Tool } from "@baton/core";
import { lookInto } from "@baton/core/util";
import type { MarketData } from "../market/port/market-data.ts";
import { MarketError } from "../market/port/market-error.ts";
import { requireListing, SECURITIES_AND_COINS } from "../tools/frame/require-listing.ts";
import { withRecord } from "../tools/frame/recorded-call.ts";
import { forgetMemoryTool, saveToMemoryTool } from "../tools/memory/memory.ts";
import { importHoldingsTool } from "../tools/portfolio/import-holdings.ts";
import { setHoldingTool } from "../tools/portfolio/set-holding.ts";
import { removeAlertTool } from "../tools/watch/remove-alert.ts";
import { setAlertTool } from "../tools/watch/set-alert.ts";
import { setScheduleTool } from "../tools/watch/set-schedule.ts";
import { setWatchlistTool } from "../tools/watch/set-watchlist.ts";

const itemsOf = (args: Json, name: string): readonly Json[] => {
  const list = lookInto(args, name);
  const items: readonly Json[] = Array.isArray(list) ? list : [];
  return items;
};

/** Several at once, or one: `holdings[].symbol` and `symbol`. */
const isRemoval = (item: Json): boolean => lookInto(item, "action") === "remove" || lookInto(item, "quantity") === 0;

const countRemovals = (args: Json): number => [args, ...itemsOf(args, "holdings")].filter(isRemoval).length;

/** Clears or replaces the list, or takes more than one off it. */
const isSweeping = (args: Json): boolean => {
  const action = lookInto(args, "action");
  return action === "clear" || action === "replace" || (action === "remove" && itemsOf(args, "symbols").length > 1);
};

/** Opens what symbols are looked up in. */
type OpenMarket = () => Promise<Pick<MarketData, "directory">>;

/** Why no symbol of a call is known; a call with one that is known is worth a question. */
async function findUnknown(args: Json, open: OpenMarket): Promise<string | undefined> {
  // What is removed may be kept under a name that no directory has.
  if (countRemovals(args) > 0) return undefined;
  const named = [args, ...itemsOf(args, "holdings")].map((item) => lookInto(item, "symbol"));
  const symbols = [...named, ...itemsOf(args, "symbols")].filter((symbol) => typeof symbol === "string");
  const market = symbols.length === 0 ? undefined : await open();
  const problems = market === undefined ? [] : symbols.map((symbol) => problemOf(market, symbol));
  return problems.includes(undefined) || problems.length === 0 ? undefined : problems.join("; ");
}

function problemOf(market: Pick<MarketData, "directory">, symbol: string): string | undefined {
  try {
    requireListing(market, symbol, SECURITIES_AND_COINS);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof MarketError)) throw thrown;
    return thrown.kind === "no_data" ? thrown.message : undefined;
  }
}

/** Tools that change something, and which of their arguments must be the user's words. */
const WISHES: ReadonlyMap<string, Wish> = new Map<string, Wish>([
  [saveToMemoryTool.name, { want: "save_memory", from: ["content"] }],
  [
    forgetMemoryTool.name,
    {
      want: "delete_memory",
      from: ["query"],
      asksAlways: (args) => lookInto(args, "entries") !== undefined && itemsOf(args, "entries").length !== 1,
    },
  ],
  [
    setHoldingTool.name,
    {
      want: (args) => (countRemovals(args) > 0 ? "remove_holding" : "set_holding"),
      symbols: ["symbol", "holdings.symbol"],
      from: ["quantity", "cost", "holdings.quantity", "holdings.cost"],
      asksAlways: (args) => countRemovals(args) > 1,
    },
  ],
  [importHoldingsTool.name, { want: "import_holdings", verbatim: ["csv"] }],
  [
    setWatchlistTool.name,
    {
      want: "set_watchlist",
      symbols: ["symbols"],
      asksAlways: (args) => isSweeping(args),
    },
  ],
  [setAlertTool.name, { want: "set_alert", symbols: ["symbol"], from: ["value"] }],
  [
    removeAlertTool.name,
    { want: "remove_alert", symbols: ["symbol"], from: ["id"], asksAlways: (args) => lookInto(args, "all") === true },
  ],
  [setScheduleTool.name, { want: "set_schedule", from: ["ask"] }],
]);

/** Tools that programs and the store's clock call; they leave nothing for answers to cite. */
const UNRECORDED = /^(?:load|saveWorking|checkAlert)/;

const isRecorded = ({ name }: Tool): boolean => !UNRECORDED.test(name);

/** All tools of the assistant, on those of a market. */
export function guardTools(marketTools: readonly Tool[], open: OpenMarket): readonly Tool[] {
  const own = defineMemoryTools();
  const known = new Set(marketTools.map(({ name }) => name));
  const all = [...marketTools, ...own.filter(({ name }) => !known.has(name))];
  return [
    ...all.filter(isRecorded).map((tool) => guard(tool, open)),
    ...definePlanTools(),
    ...all.filter((tool) => !isRecorded(tool)),
  ];
}

function guard(tool: Tool, open: OpenMarket): Tool {
  const wish = WISHES.get(tool.name);
  if (wish === undefined) return withRecord(tool);
  const isAdding = wish.symbols !== undefined;
  return withWish(withRecord(tool), { ...wish, ...(isAdding && { findProblem: (args) => findUnknown(args, open) }) });
}
