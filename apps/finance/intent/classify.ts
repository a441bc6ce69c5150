/**
 * Classify: what a question asks for, by rules alone. The same question in the same situation gives the same intent.
 *
 * Text is data: whatever a question says, it only decides which topics and names are found in it.
 */
import type { Listing } from "../market/port/listing.ts";
import type { Intent } from "./intent.ts";
import { isAboutCoins, type Typed, typeQuestion } from "./topics/query-type.ts";
import { describeIntent } from "./intent-words.ts";
import { optionsOf, type Situation } from "./situation.ts";
import { hasTool } from "./calls/tool-names.ts";
import { understand } from "./understand.ts";
import type { Understood } from "./understood.ts";
import { effectsOf } from "./wishes/index.ts";

export type { Situation } from "./situation.ts";

/** Below this the rules do not know. */
const UNSURE = 0.45;

/** Finds out what a question asks for. */
export function classify(question: string, situation: Situation): Intent {
  const understood = understand(question, situation);
  const typed = typeQuestion(understood, (tool) => hasTool(situation, tool));
  const listings = listingsOf(typed, understood);
  const requires_tools = typed.isData && hasToolFor(understood, situation);
  const plan = requires_tools && isPlanned(understood, situation);
  const route = routeOf({ understood, typed, situation, requires_tools, plan });
  const { named, language } = understood;
  const complexity =
    route === "analyst" || route === "unsure" ? "tool_required" : route === "planner" ? "plan" : "direct";
  return {
    query_type: typed.type,
    requires_tools,
    complexity: route === "unsure" && !requires_tools ? "direct" : complexity,
    raw_symbols: [...named.raw],
    validated_symbols: listings.map(({ symbol }) => symbol),
    listings: listings.map(toLocked),
    ambiguous: named.ambiguous.map(({ text, candidates }) => ({ text, candidates: candidates.map(toLocked) })),
    market_type: marketOf(listings, understood, typed),
    response_language: language,
    ...describeIntent(typed.type, listings, understood),
    by: "rules",
    confidence: typed.confidence,
    effects: [...effectsOf(understood.wishes)],
    route,
  };
}

/** What is locked of a listing. */
function toLocked({ symbol, name, exchange, type, currency }: Listing): Intent["listings"][number] {
  return { symbol, name, exchange, type, currency };
}

/** What is looked up or changed. */
function listingsOf(typed: Typed, understood: Understood): readonly Listing[] {
  const asked = isAboutListings(typed, understood) ? understood.listings : [];
  const wished = understood.wishes.flatMap(({ listings }) => listings);
  return [...new Map([...wished, ...asked].map((listing) => [listing.symbol, listing])).values()];
}

const NOT_ABOUT_LISTINGS = ["components", "screener", "institutions", "rates", "series", "convert", "recall"] as const;

/** Small talk that happens to name something is not about it. */
function isAboutListings({ type, isData }: Typed, { topics }: Understood): boolean {
  if (NOT_ABOUT_LISTINGS.some((topic) => topics.has(topic))) return false;
  return isData || type === "comparison" || topics.has("resolve") || topics.has("remember") || topics.has("watch");
}

const PORTFOLIO_TOOLS = [
  ["holdings", "getPortfolio"],
  ["portfolio", "analyzePortfolio"],
  ["shock", "analyzePortfolio"],
  ["events", "getPortfolioEvents"],
] as const;

/** What memory and portfolio tools would answer is not looked up without them. */
function hasToolFor({ topics, listings, wishes }: Understood, situation: Situation): boolean {
  const has = (tool: string): boolean => hasTool(situation, tool);
  if (wishes.some(({ calls, levels }) => levels !== undefined || calls.some(({ tool }) => has(tool)))) return true;
  if (wishes.length > 0 && topics.size === 0) return false;
  const kept = PORTFOLIO_TOOLS.find(([topic]) => topics.has(topic));
  if (kept !== undefined) return has(kept[1]);
  if (listings.length > 0) return true;
  return !topics.has("web") || optionsOf(situation).enable_web_search === true;
}

function isPlanned({ topics, listings }: Understood, situation: Situation): boolean {
  const { mode } = optionsOf(situation);
  if (mode === "normal") return false;
  return mode === "deep_research" || (topics.has("report") && listings.length > 0);
}

interface Routed {
  readonly understood: Understood;
  readonly typed: Typed;
  readonly situation: Situation;
  readonly requires_tools: boolean;
  readonly plan: boolean;
}

function routeOf({ understood, typed, situation, requires_tools, plan }: Routed): Intent["route"] {
  const { listings, named } = understood;
  if (typed.type === "clarification") return "clarify";
  if (typed.confidence < UNSURE) return "unsure";
  if (optionsOf(situation).enable_tools === false) return "direct";
  if (typed.isData && listings.length === 0 && named.unknown.length > 0 && !isAboutWords(understood)) return "clarify";
  if (!requires_tools) return "direct";
  return plan ? "planner" : "analyst";
}

/** What is searched for by its words needs no listing. */
function isAboutWords({ topics, wishes }: Understood): boolean {
  return (
    wishes.length > 0 ||
    (["institutions", "filing_search", "series", "rates", "convert", "recall"] as const).some((topic) =>
      topics.has(topic),
    )
  );
}

function marketOf(listings: readonly Listing[], understood: Understood, typed: Typed): Intent["market_type"] {
  const coins = listings.filter(({ type }) => type === "crypto").length;
  if (listings.length > 0) return coins === 0 ? "stock" : coins === listings.length ? "crypto" : "both";
  if (isAboutCoins(understood)) return "crypto";
  return understood.topics.size > 0 && typed.isData ? "stock" : "none";
}
