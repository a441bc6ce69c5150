/**
 * Deferred tools: the catalogue before its market is open. Names, schemas and digests are there at once, so that a
 * crew loads fast; the first call opens the market, once for all tools.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { type CallContext, type Json, type Tool, ToolError } from "@baton/core";
import { toMarketData } from "../../market/chain/chain.ts";
import type { Directory } from "../../market/port/listing.ts";
import type { MarketData } from "../../market/port/market-data.ts";
import { type CatalogueOptions, createTools } from "../catalogue.ts";
import { toOutcome } from "./outcome.ts";

const NOTHING: Directory = {
  size: 0,
  listings: () => [],
  get: () => undefined,
  resolve: () => ({ kind: "none", nearest: [] }),
  lookUp: () => ({ exact: [], near: [], nearest: [] }),
};

/** Every tool, on the market that is open when it is called; `open` gives the same one until it is changed. */
export function deferTools(
  open: () => Promise<MarketData>,
  options: CatalogueOptions | (() => Promise<CatalogueOptions>) = {},
): readonly Tool[] {
  const closed = toMarketData({ directory: NOTHING, mode: "closed", today: () => "", chains: {} });
  const choose = once(async () => (typeof options === "function" ? options() : options));
  const defined = new WeakMap<MarketData, Promise<ReadonlyMap<string, Tool>>>();
  const define = async (market: MarketData) => {
    const chosen = await choose();
    // Requests are served between opening a market, defining the tools on it, and the first call.
    await nextTurn();
    const tools = createTools(market, chosen);
    await nextTurn();
    return new Map(tools.map((tool) => [tool.name, tool]));
  };
  const opened = async () => {
    const market = await open();
    const tools = defined.get(market) ?? define(market);
    defined.set(market, tools);
    return tools;
  };
  return createTools(closed).map((shell) => defer(shell, opened));
}

/** The first call's promise for all, unless it failed: then the next call tries again. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((thrown: unknown) => {
      made = undefined;
      throw thrown;
    });
    return made;
  };
}

function defer(shell: Tool, opened: () => Promise<ReadonlyMap<string, Tool>>): Tool {
  const run = async (args: Json, context: CallContext): Promise<unknown> => {
    const prepared = await (await opened()).get(shell.name)?.prepare(args);
    if (prepared?.ok !== true) throw new ToolError("validation", `the arguments of ${shell.name} do not fit`);
    return prepared.run(context);
  };
  return Object.freeze<Tool>({
    ...shell,
    async prepare(args) {
      const prepared = await shell.prepare(args);
      if (!prepared.ok) return prepared;
      return { ok: true, run: (context) => toOutcome({ tool: shell.name, context }, () => run(args, context)) };
    },
  });
}
