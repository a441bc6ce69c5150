/**
 * Intent: what a question asks for, whichever way it was found out: by rules or by a model.
 */
import { z } from "zod";

export const QUERY_TYPES = [
  "stock_price",
  "stock_analysis",
  "technical",
  "fundamental",
  "comparison",
  "news",
  "screener",
  "crypto",
  "market",
  "greeting",
  "help",
  "general",
  "chitchat",
  "clarification",
  "memory_recall",
  "follow_up",
] as const;

/** The topic of a question. */
export type QueryType = (typeof QUERY_TYPES)[number];

/** `direct`: nothing to look up · `tool_required`: at most six turns · `plan`: at most fifteen steps. */
export const COMPLEXITIES = ["direct", "tool_required", "plan"] as const;

/** A listing that a question is about, as it is locked before the first tool call. */
const LOCKED = z.object({
  symbol: z.string(),
  name: z.string(),
  exchange: z.string(),
  type: z.enum(["stock", "etf", "index", "crypto"]),
  currency: z.string(),
});

/** What the user's own words may ask to be changed. */
const EFFECTS = ["memory", "portfolio", "watch"] as const;

/** What a question asks for. */
export const INTENT = z.object({
  query_type: z.enum(QUERY_TYPES),
  requires_tools: z.boolean(),
  complexity: z.enum(COMPLEXITIES),
  /** As the user wrote them. */
  raw_symbols: z.array(z.string()),
  /** Canonical. */
  validated_symbols: z.array(z.string()),
  listings: z.array(LOCKED),
  /** Symbols that can mean several listings, with what they can mean; the first is taken. */
  ambiguous: z.array(z.object({ text: z.string(), candidates: z.array(LOCKED) })),
  market_type: z.enum(["stock", "crypto", "both", "none"]),
  response_language: z.enum(["en", "vi"]),
  reasoning: z.string(),
  intent_summary: z.string(),
  by: z.enum(["rules", "model"]),
  confidence: z.number().min(0).max(1),
  /** Which kinds of change the user's own words ask for; only these are made without asking a person. */
  effects: z.array(z.enum(EFFECTS)).default([]),
  /** Where the crew goes: to `clarify` with this question, or on. */
  route: z.enum(["direct", "analyst", "planner", "clarify", "unsure"]),
});

export type Intent = z.output<typeof INTENT>;
export type QuestionLanguage = Intent["response_language"];
