/**
 * Classify: what a question asks for, by rules alone. The same question in the same situation gives the same intent.
 *
 * Text is data: whatever a question says, it only decides which topics and names are found in it.
 */
import type { Listing } from "../data/listing.ts";
import type { Intent } from "./intent.ts";
import { isAboutCoins, type Typed, typeQuestion } from "./query-type.ts";
import { describeIntent } from "./intent-words.ts";
import { optionsOf, type Situation } from "./situation.ts";
import { hasTool } from "./tool-names.ts";
import { type Understood, understand } from "./understand.ts";

export type { Situation } from "./situation.ts";

/** Below this the rules do not know. */
const UNSURE = 0.45;

/** Finds out what a question asks for. */
export function classify(question: string, situation: Situation): Intent {
  const understood = understand(question, situation);
  const typed = typeQuestion(understood);
  const listings = isAboutListings(typed, understood) ? understood.listings : [];
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
    market_type: marketOf(listings, understood),
    response_language: language,
    ...describeIntent(typed.type, listings, understood),
    by: "rules",
    confidence: typed.confidence,
    route,
  };
}

/** What is locked of a listing. */
function toLocked({ symbol, name, exchange, type, currency }: Listing): Intent["listings"][number] {
  return { symbol, name, exchange, type, currency };
}

/** Small talk that happens to name something is not about it. */
function isAboutListings({ type, isData }: Typed, { topics }: Understood): boolean {
  if (topics.has("components") || topics.has("screener")) return false;
  return isData || type === "comparison" || topics.has("resolve") || topics.has("remember") || topics.has("watch");
}

/** What memory and portfolio tools would answer is not looked up without them. */
function hasToolFor({ topics, listings }: Understood, situation: Situation): boolean {
  if (listings.length > 0) return true;
  if (topics.has("portfolio")) return hasTool(situation, "analyzePortfolio");
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
  if (typed.isData && listings.length === 0 && named.unknown.length > 0) return "clarify";
  if (!requires_tools) return "direct";
  return plan ? "planner" : "analyst";
}

function marketOf(listings: readonly Listing[], understood: Understood): Intent["market_type"] {
  const coins = listings.filter(({ type }) => type === "crypto").length;
  if (listings.length > 0) return coins === 0 ? "stock" : coins === listings.length ? "crypto" : "both";
  if (isAboutCoins(understood)) return "crypto";
  return understood.topics.size > 0 && typeQuestion(understood).isData ? "stock" : "none";
}
