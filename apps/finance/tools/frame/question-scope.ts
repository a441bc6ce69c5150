/**
 * Question scope: tools that take no symbol, so that the lock on symbols does not hold them, are called only if the
 * question is about such things. So a headline cannot send the assistant to other lists, or to what is kept of the user.
 *
 * The scope is the run's state `scope`: the tools that rules choose for the question; without it nothing is held back.
 * What is searched for must be in the user's words, with the names of what the question is about.
 */
import { withOwnWords } from "@baton/assistant";
import type { Permission, Tool } from "@baton/core";
import type { AskingContext } from "@baton/core/ports";
import { lookInto } from "@baton/core/util";
import { runState } from "../../crew/run-state.ts";
import { toOwnWords } from "../../intent/wishes/own-words.ts";

/** Tools that are asked for together; a tool of no family is free. */
const FAMILIES: readonly ReadonlySet<string>[] = [
  new Set([
    "getScreener",
    "getGainers",
    "getLosers",
    "getMostActive",
    "getMarketOverview",
    "getSectorPerformance",
    "getIndexComponents",
  ]),
  new Set(["getCryptoMarkets", "getCryptoPrice", "getCryptoQuote", "getCryptoHistorical", "getCryptoNews"]),
  new Set(["getGeneralNews", "getCryptoNews"]),
  new Set(["getRates", "getEconomicSeries", "getEconomicCalendar"]),
  new Set(["convertCurrency"]),
  new Set(["getFilings", "readFilingSection", "searchFilings", "getInsiderTrades"]),
  new Set(["getInstitutionalHoldings"]),
  new Set(["getPortfolio", "analyzePortfolio", "getPortfolioEvents"]),
  new Set(["recallMemory", "searchMemory"]),
  new Set(["listAlerts", "removeAlert"]),
];

/** Tools that a full report may call beside those about its subject. */
const REPORTED: ReadonlySet<string> = new Set([
  "getMarketOverview",
  "getSectorPerformance",
  "getGeneralNews",
  "getRates",
  "getEconomicSeries",
  "getEconomicCalendar",
  "getPortfolio",
]);

/** Arguments that must be the user's own words, because they leave the machine or open the lock on symbols. */
const SEARCHES: ReadonlyMap<string, readonly string[]> = new Map([
  ["webSearch", ["query"]],
  ["searchFilings", ["query"]],
  ["resolveSymbol", ["query"]],
]);

/** It is a change, which is asked for in the user's words, or a person is asked. */
const CHANGE = "removeAlert";

/** The tool, which is denied if the question is not about such things. */
export function withScope(tool: Tool): Tool {
  const from = SEARCHES.get(tool.name);
  const isHeld = tool.name !== CHANGE && FAMILIES.some((family) => family.has(tool.name));
  const scoped = isHeld ? hold(tool) : tool;
  return from === undefined ? scoped : withOwnWords(scoped, { from, namesOf, ownOf: toOwnWords });
}

function hold(tool: Tool): Tool {
  return Object.freeze<Tool>({
    ...tool,
    permission: async (args, context): Promise<Permission> => {
      const isLocked = lookInto(args, "symbol") !== undefined || lookInto(args, "symbols") !== undefined;
      if (isLocked || isInside(tool.name, context.state))
        return (await tool.permission?.(args, context)) ?? { decision: "allow" };
      return { decision: "deny", reason: `the question does not ask for what ${tool.name} gives` };
    },
  });
}

function isInside(name: string, state: AskingContext["state"]): boolean {
  const scope = runState.get({ state }, "scope");
  if (scope === undefined) return true;
  if (REPORTED.has(name) && runState.get({ state }, "intent")?.complexity === "plan") return true;
  return FAMILIES.some((family) => family.has(name) && scope.some((tool) => family.has(tool)));
}

const namesOf = (state: AskingContext["state"]): readonly string[] =>
  runState.get({ state }, "intent")?.listings.flatMap(({ symbol, name }) => [symbol, name]) ?? [];
