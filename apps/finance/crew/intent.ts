/**
 * Intent: what a question asks for, as a model, the demo or nothing at all has understood it, and which listings it means.
 */
import { z } from "zod";

const QUERY_TYPES = [
  "stock_price",
  "stock_analysis",
  "technical",
  "fundamental",
  "comparison",
  "news",
  "screener",
  "crypto",
  "market",
  "portfolio",
  "calculation",
  "greeting",
  "help",
  "general",
  "chitchat",
  "clarification",
  "memory_recall",
  "follow_up",
] as const;

/** Changes that a message may ask for. */
const WANTS = [
  "save_memory",
  "delete_memory",
  "set_holding",
  "remove_holding",
  "import_holdings",
  "set_alert",
  "remove_alert",
  "set_watchlist",
  "set_schedule",
] as const;

/** `direct`: nothing to look up · `tool_required`: at most six turns · `plan`: research in rounds. */
const COMPLEXITIES = ["direct", "tool_required", "plan"] as const;

/** A name in a question, and a guess at its ticker. */
const SAID = z.object({ said: z.string().max(200), ticker: z.string().max(40).nullable().default(null) });

/** The reply of the agent `intent`. */
export const INTENT_REPLY = z.object({
  intent_summary: z.string().default(""),
  query_type: z.enum(QUERY_TYPES).catch("general"),
  complexity: z.enum(COMPLEXITIES).catch("tool_required"),
  parts: z.array(z.string()).max(16).default([]),
  raw_symbols: z.array(SAID).max(24).default([]),
  wants: z.array(z.enum(WANTS)).default([]),
  response_language: z.string().max(35).default("en"),
  confidence: z.number().min(0).max(1).catch(0.5),
  by: z.enum(["model", "demo"]).default("model"),
});

export type IntentReply = z.output<typeof INTENT_REPLY>;

const LISTING = z.object({
  symbol: z.string(),
  name: z.string(),
  exchange: z.string(),
  type: z.enum(["stock", "etf", "index", "crypto"]),
  currency: z.string(),
});

/** A question as it was understood, with the listings that the directory knows. */
export const INTENT = z.object({
  query_type: z.enum(QUERY_TYPES),
  requires_tools: z.boolean(),
  complexity: z.enum(COMPLEXITIES),
  raw_symbols: z.array(SAID),
  validated_symbols: z.array(z.string()),
  listings: z.array(LISTING),
  /** Names that can mean several listings; the likeliest is first. */
  ambiguous: z.array(z.object({ text: z.string(), candidates: z.array(LISTING) })),
  market_type: z.enum(["stock", "crypto", "both", "none"]),
  response_language: z.string(),
  reasoning: z.string(),
  intent_summary: z.string(),
  wants: z.array(z.enum(WANTS)),
  parts: z.array(z.string()),
  by: z.enum(["model", "demo", "none"]),
  confidence: z.number(),
  route: z.enum(["direct", "analyst", "planner"]),
});

export type Intent = z.output<typeof INTENT>;
