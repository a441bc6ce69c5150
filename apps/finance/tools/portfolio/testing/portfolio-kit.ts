/**
 * Portfolio kit: a user with documents of their own and the portfolio tools on a market, for tests.
 */
import { type Fact, MemoryCache } from "@baton/assistant";
import type { CallContext, Json } from "@baton/core";
import type { Documents } from "@baton/core/ports";
import { callTool, toolContext, toolOf } from "@baton/core/testing";
import type { Database } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import type { MarketData } from "../../../market/port/market-data.ts";
import { analyzePortfolioTool } from "../analyze-portfolio.ts";
import { portfolioTool, loadPortfolio } from "../get-portfolio.ts";
import { importHoldingsTool } from "../import-holdings.ts";
import { setHoldingTool } from "../set-holding.ts";
import { factsIn } from "../../testing/facts-in.ts";

const TOOLS = [portfolioTool, setHoldingTool, importHoldingsTool, analyzePortfolioTool];

/** A user's tools; each call has a key of its own unless one is given. */
export interface Investor {
  readonly documents: Documents;
  readonly call: (name: string, args: Json, key?: string) => Promise<unknown>;
  /** The context of the last call. */
  readonly context: () => CallContext;
  readonly digest: (name: string, output: Json) => string;
  readonly facts: (name: string, output: Json) => Promise<readonly Fact[]>;
}

/** A user of a store on a market, in a session. */
export function investorOn(
  market: MarketData,
  { database = openMemory(), user = "lan", session = "s1" }: InvestorOptions = {},
): Investor {
  const documents = database.documents({ tenant: "local", user });
  const deps = { cache: new MemoryCache() };
  const tools = [...TOOLS.map(({ open }) => open(market, deps)), loadPortfolio()];
  let context = toolContext([], { documents })();
  let calls = 0;
  return {
    documents,
    context: () => context,
    facts: (name, output) => factsIn(toolOf(tools, name), output),
    digest: (name, output) => toolOf(tools, name).digest?.(output, { call: "1.1.1" }) ?? "",
    call: (name, args, key = `run/${++calls}`) => {
      context = { ...toolContext([], { documents })(), key, session, user };
      return callTool(toolOf(tools, name), args, context);
    },
  };
}

export type InvestorOptions = Readonly<{ database?: Database; user?: string; session?: string }>;
