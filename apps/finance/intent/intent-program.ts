/**
 * Intent program: rules first; if they are not sure, a model is asked, and what it says is checked by the rules.
 *
 * Symbols are resolved and locked here, before the first tool is called.
 */
import { toBlock } from "@baton/assistant";
import { type Decision, defineProgram, type Json, type Model, type Prompt } from "@baton/core";
import { z } from "zod";
import type { IndexedDirectory } from "../data/directory/directory.ts";
import { classify, type Situation } from "./classify.ts";
import { type Intent, QUERY_TYPES } from "./intent.ts";
import { toSpoken } from "./past-messages.ts";

/** What the rules stand on. */
export interface IntentOptions {
  readonly openDirectory: () => Promise<IndexedDirectory>;
  readonly today: () => Promise<string>;
  /** What the planner may use: a line a tool. */
  readonly toolList: string;
}

/** What a model says about a question. */
const MODEL_INTENT = z.object({
  query_type: z.enum(QUERY_TYPES),
  symbols: z.array(z.string().max(100)).max(20),
  requires_tools: z.boolean(),
  needs_plan: z.boolean(),
  reasoning: z.string(),
  summary: z.string(),
});

/** What of the request's options the rules look at. */
const ASKED_OPTIONS = z.object({
  mode: z.string().optional(),
  enable_tools: z.boolean().optional(),
  enable_web_search: z.boolean().optional(),
  ui_context: z
    .object({
      active_tab: z.string().optional(),
      recent_symbols: z.array(z.string()).optional(),
      preferred_quote_currency: z.string().optional(),
    })
    .optional(),
});

const ASKED = { asked: true } as const;
const NAMES = { en: "English", vi: "Vietnamese" } as const;
const FROM_MODEL = "[intent_model] ";

/** The program `intent`. */
export function intentProgram(options: IntentOptions): Model {
  return defineProgram(async (prompt) => {
    const question = toText(prompt.values.get("question"));
    const situation = await toSituation(prompt, options);
    const guess = classify(question, situation);
    const hasAsked = z.object({ asked: z.literal(true) }).safeParse(prompt.state).success;
    if (guess.route === "unsure" && !hasAsked) return { output: guess, state: ASKED, set: toSet(guess, options) };
    const said = hasAsked ? readModel(prompt) : undefined;
    const intent = said === undefined ? settle(guess) : merge(guess, said, situation);
    const warnings = hasAsked && said === undefined ? ["the question was classified by rules alone"] : [];
    return toDecision(intent, options, warnings);
  });
}

function toDecision(intent: Intent, options: IntentOptions, warnings: readonly string[]): Decision {
  const data: Json = z.json().parse(intent);
  return { output: data, set: toSet(intent, options), notes: [{ kind: "intent", data }], warnings };
}

async function toSituation({ messages, values }: Prompt, options: IntentOptions): Promise<Situation> {
  const spoken = toSpoken(messages);
  const last = spoken.findLastIndex(({ role }) => role === "user");
  return {
    directory: await options.openDirectory(),
    today: await options.today(),
    history: spoken.slice(0, Math.max(0, last)),
    options: ASKED_OPTIONS.safeParse(values.get("options")).data ?? {},
  };
}

function toSet(intent: Intent, { toolList }: IntentOptions): { readonly [key: string]: Json } {
  const lines = intent.listings.map(
    ({ symbol, name, exchange, currency }) => `${symbol}: ${name}, ${exchange}, ${currency}`,
  );
  return {
    intent: z.json().parse(intent),
    language: intent.response_language,
    language_name: NAMES[intent.response_language],
    lock: intent.validated_symbols,
    symbols_hint: lines.length === 0 ? "" : toBlock("SYMBOLS_HINT", lines.join("\n")),
    tool_list: intent.route === "planner" ? toolList : "",
  };
}

function readModel({ messages }: Prompt): z.output<typeof MODEL_INTENT> | undefined {
  const text = messages.findLast(({ content }) => content.startsWith(FROM_MODEL))?.content ?? "";
  try {
    return MODEL_INTENT.safeParse(JSON.parse(text.slice(FROM_MODEL.length))).data;
  } catch {
    return undefined;
  }
}

/** Without a model the rules' best guess has to do. */
function settle(guess: Intent): Intent {
  if (guess.route !== "unsure") return guess;
  return { ...guess, route: guess.requires_tools ? "analyst" : "direct" };
}

/** The model says what is asked; which listings that is about is found by the same rules as ever. */
function merge(guess: Intent, said: z.output<typeof MODEL_INTENT>, situation: Situation): Intent {
  const named = classify(said.symbols.map((symbol) => `$${symbol.replaceAll("$", "")}`).join(" "), situation);
  const isNamed = named.validated_symbols.length > 0;
  const found = isNamed ? named : guess;
  const needsTools = said.requires_tools || found.validated_symbols.length > 0;
  const complexity = !needsTools ? "direct" : said.needs_plan ? "plan" : "tool_required";
  const route =
    said.query_type === "clarification"
      ? "clarify"
      : complexity === "direct"
        ? "direct"
        : complexity === "plan"
          ? "planner"
          : "analyst";
  return {
    ...guess,
    query_type: said.query_type,
    requires_tools: needsTools,
    complexity,
    raw_symbols: said.symbols,
    validated_symbols: found.validated_symbols,
    listings: found.listings,
    ambiguous: found.ambiguous,
    market_type: found.market_type,
    reasoning: said.reasoning,
    intent_summary: said.summary,
    by: "model",
    confidence: 0.8,
    route,
  };
}

const toText = (value: Json | undefined): string => (typeof value === "string" ? value : "");
