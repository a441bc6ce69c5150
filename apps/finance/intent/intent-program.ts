/**
 * Intent program: rules first; if they are not sure, a model is asked, and what it says is checked by the rules.
 *
 * Symbols are resolved and locked here, before the first tool is called.
 */
import { type AssistantMeter, toBlock } from "@baton/assistant";
import { type Decision, defineProgram, type Json, type Model, type Prompt } from "@baton/core";
import { z } from "zod";
import { runState } from "../crew/run-state.ts";
import type { IndexedDirectory } from "../market/directory/directory.ts";
import { classify, type Situation } from "./classify.ts";
import { type Intent, QUERY_TYPES } from "./intent.ts";
import { toSpoken } from "./past-messages.ts";
import { chooseNext, chooseTools } from "./calls/tool-choice.ts";

/** What the rules stand on. */
export interface IntentOptions {
  readonly openDirectory: () => Promise<IndexedDirectory>;
  readonly today: () => Promise<string>;
  /** What the planner may use: a line a tool, `name: what it does`. */
  readonly toolList: string;
  /** Names of the tools that the analyst has; by default those of the list. */
  readonly toolNames?: readonly string[];
  readonly meter?: AssistantMeter;
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

/** What the program has done before in this run. */
const DONE = z.object({ asked: z.boolean().default(false), saved: z.boolean().default(false) });

const SAVE = "saveWorking";
const NAMES = { en: "English", vi: "Vietnamese" } as const;
/** Below this a model may know better what to look at. */
const SURE = 0.6;
const FROM_MODEL = "[intent_model] ";

/** The program `intent`. */
export function intentProgram(options: IntentOptions): Model {
  return defineProgram(async (prompt) => {
    const question = runState.get(prompt, "question");
    const situation = await toSituation(prompt, options);
    const guess = classify(question, situation);
    const done = DONE.safeParse(prompt.state).data ?? { asked: false, saved: false };
    if (guess.route === "unsure" && !done.asked) {
      return { output: guess, state: { ...done, asked: true }, set: toSet(guess, options) };
    }
    const said = done.asked ? readModel(prompt) : undefined;
    const intent = said === undefined ? settle(guess) : merge(guess, said, situation);
    if (!done.saved && prompt.tools.some(({ name }) => name === SAVE)) {
      return { call: [{ tool: SAVE, args: toWorking(intent) }], state: { ...done, saved: true } };
    }
    const warnings = done.asked && said === undefined ? ["the question was classified by rules alone"] : [];
    const scope = toScope(intent, question, situation);
    const { query_type, complexity } = intent;
    options.meter?.add("assistant_questions", { query_type, complexity });
    return toDecision({ ...options, intent, scope }, [...warnings, ...saveWarnings(prompt)]);
  });
}

/** What the session is about now. */
function toWorking({ intent_summary, validated_symbols }: Intent): Json {
  return { entries: [{ kind: "query_context", text: intent_summary, priority: "medium" }], symbols: validated_symbols };
}

function saveWarnings({ results }: Prompt): readonly string[] {
  const failed = results.find(({ tool, error }) => tool === SAVE && error !== undefined);
  return failed === undefined ? [] : [`working memory was not saved: ${failed.error?.message ?? "the call failed"}`];
}

type Decided = IntentOptions & Readonly<{ intent: Intent; scope: { readonly [key: string]: Json } }>;

function toDecision({ intent, scope, ...options }: Decided, warnings: readonly string[]): Decision {
  const data: Json = z.json().parse(intent);
  const set = { ...toSet(intent, options), ...scope };
  return { output: data, set, notes: [{ kind: "intent", data }], warnings };
}

/** The tools that the rules choose: others that take no symbol are not what the question asks for. */
function toScope(intent: Intent, question: string, situation: Situation): Decided["scope"] {
  if (intent.by !== "rules" || intent.confidence < SURE) return {};
  const first = chooseTools(intent, question, situation);
  const later = chooseNext({ intent, question, made: [] }, situation);
  return runState.toSet({ scope: [...new Set([...first, ...later].map(({ tool }) => tool))] });
}

const NAME = /^(\w+):/;

async function toSituation({ messages, values }: Prompt, options: IntentOptions): Promise<Situation> {
  const spoken = toSpoken(messages);
  const last = spoken.findLastIndex(({ role }) => role === "user");
  return {
    directory: await options.openDirectory(),
    today: await options.today(),
    history: spoken.slice(0, Math.max(0, last)),
    options: runState.get({ values }, "options"),
    tools: new Set(options.toolNames ?? options.toolList.split("\n").flatMap((line) => NAME.exec(line)?.[1] ?? [])),
    recent: symbolsOf(runState.get({ values }, "working")),
  };
}

function toSet(intent: Intent, { toolList }: IntentOptions): { readonly [key: string]: Json } {
  const lines = intent.listings.map(
    ({ symbol, name, exchange, currency }) => `${symbol}: ${name}, ${exchange}, ${currency}`,
  );
  return runState.toSet({
    intent,
    language: intent.response_language,
    language_name: NAMES[intent.response_language],
    lock: intent.validated_symbols,
    symbols_hint: lines.length === 0 ? "" : toBlock("SYMBOLS_HINT", lines.join("\n")),
    tool_list: intent.route === "planner" ? toolList : "",
  });
}

const SYMBOLS = "symbols: ";

/** The symbols of working memory: its last line that begins so. */
export function symbolsOf(working: string): readonly string[] {
  const line = working.split("\n").findLast((one) => one.startsWith(SYMBOLS)) ?? "";
  return line
    .slice(SYMBOLS.length)
    .split(", ")
    .filter((symbol) => symbol !== "");
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
