/**
 * Guarded tools: the assistant's tools with what is between them and the text that models read: the user's own wish for
 * every change, and the record of each call. Tools that only look things up are free.
 */
import { defineCompactionTools, defineMemoryTools, definePlanTools, withWish } from "@baton/assistant";
import type { Json, Tool } from "@baton/core";
import { lookInto } from "@baton/core/util";
import type { MarketData } from "../market/port/market-data.ts";
import { MarketError } from "../market/port/market-error.ts";
import { requireListing, SECURITIES_AND_COINS } from "../tools/frame/require-listing.ts";
import { WISHES } from "../tools/catalogue.ts";
import { listedItems } from "../tools/frame/listed-items.ts";
import { countRemovals } from "../tools/portfolio/set-holding.ts";
import { withRecord } from "../tools/frame/recorded-call.ts";

/** Opens what symbols are looked up in. */
type OpenMarket = () => Promise<Pick<MarketData, "directory">>;

/** Why no symbol of a call is known; a call with one that is known is worth a question. */
async function findUnknown(args: Json, open: OpenMarket): Promise<string | undefined> {
  // What is removed may be kept under a name that no directory has.
  if (countRemovals(args) > 0) return undefined;
  const named = [args, ...listedItems(args, "holdings")].map((item) => lookInto(item, "symbol"));
  const symbols = [...named, ...listedItems(args, "symbols")].filter((symbol) => typeof symbol === "string");
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

/** Tools that programs and the store's clock call; they leave nothing for answers to cite. */
const UNRECORDED = /^(?:load|saveWorking|saveCompaction|checkAlert)/;

const isRecorded = ({ name }: Tool): boolean => !UNRECORDED.test(name);

/** All tools of the assistant, on those of a market. */
export function guardTools(marketTools: readonly Tool[], open: OpenMarket): readonly Tool[] {
  const own = [...defineMemoryTools(), ...defineCompactionTools()];
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
