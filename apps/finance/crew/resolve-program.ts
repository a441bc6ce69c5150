/**
 * Resolve: the program that checks what `intent` understood against the directory, and says where the question goes.
 *
 * It drops nothing: a name with one clear match is resolved, one with several has candidates, and one that is not known
 * is told to be so. What the user's own words name is kept apart: only that may be written without asking.
 */
import { type AssistantMeter, ownText, toBlock } from "@baton/assistant";
import { type Decision, defineProgram, type Json, type Model, type Prompt } from "@baton/core";
import { lookInto } from "@baton/core/util";
import { z } from "zod";
import { resolveNames, type ResolvedName, type ScoredListing } from "../market/directory/resolve-names.ts";
import type { Directory } from "../market/port/listing.ts";
import { type Intent, INTENT_REPLY, type IntentReply } from "./intent.ts";
import { runState } from "./run-state.ts";

/** Dependencies of the program. */
export interface ResolveOptions {
  readonly openDirectory: () => Promise<Directory>;
  readonly meter?: AssistantMeter;
  /** The tools that a plan may use on the data in use, a line each, with their arguments. */
  readonly toolList: () => Promise<string>;
}

const SAVE = "saveWorking";
/** Nothing was understood: the analyst gets the question as it is. */
const NOTHING: Omit<IntentReply, "by"> & Readonly<{ by: "none" }> = {
  ...INTENT_REPLY.parse({ complexity: "tool_required", confidence: 0 }),
  by: "none",
};

/** The program `resolve`. */
export function resolveProgram(options: ResolveOptions): Model {
  return defineProgram(async (prompt) => {
    const understood = INTENT_REPLY.safeParse(runState.get(prompt, "understood")).data ?? NOTHING;
    const reply = { ...understood, response_language: toLanguage(understood) };
    const names = resolveNames(await options.openDirectory(), reply.raw_symbols.map(toNamed), {
      activeTab: toTab(prompt),
      language: reply.response_language,
    });
    const intent = toIntent(reply, names, toRoute(reply, prompt));
    const hasSaved = prompt.results.some(({ tool }) => tool === SAVE);
    if (!hasSaved && prompt.tools.some(({ name }) => name === SAVE)) {
      return { call: [{ tool: SAVE, args: toWorking(intent) }] };
    }
    options.meter?.add("assistant_questions", { query_type: intent.query_type, complexity: intent.complexity });
    const toolList = intent.route === "planner" ? await options.toolList() : "";
    return decide({ prompt, intent, names }, toolList);
  });
}

const toNamed = ({ said, ticker }: IntentReply["raw_symbols"][number]) => ({ said, ticker: ticker ?? undefined });

const TAB = z.enum(["stock", "crypto", "none"]).catch("none");

const optionOf = (prompt: Prompt, name: string): Json | undefined => lookInto(runState.get(prompt, "options"), name);

const toTab = (prompt: Prompt) => TAB.parse(optionOf(prompt, "ui_context.active_tab"));

type Understood = Omit<IntentReply, "by"> & Readonly<{ by: Intent["by"] }>;

/** A tag that formats numbers; English for any other text. */
function toLanguage({ response_language }: Pick<IntentReply, "response_language">): string {
  try {
    return Intl.getCanonicalLocales(response_language)[0] ?? "en";
  } catch {
    return "en";
  }
}

/** The flags of the request decide before the model's reading does. */
function toRoute({ complexity, by }: Understood, prompt: Prompt): Intent["route"] {
  const mode = by === "demo" ? "normal" : optionOf(prompt, "mode");
  if (complexity === "direct" || optionOf(prompt, "enable_tools") === false) return "direct";
  if (mode === "normal") return "analyst";
  return mode === "deep_research" || complexity === "plan" ? "planner" : "analyst";
}

function toIntent(reply: Understood, names: readonly ResolvedName[], route: Intent["route"]): Intent {
  const listings = names.flatMap(({ kind, listings: [first] }) =>
    kind === "unknown" || first === undefined ? [] : [withoutScore(first)],
  );
  const unique = [...new Map(listings.map((one) => [one.symbol, one])).values()];
  const coins = unique.filter(({ type }) => type === "crypto").length;
  const kinds = coins === 0 ? ("stock" as const) : coins === unique.length ? ("crypto" as const) : ("both" as const);
  return {
    query_type: reply.query_type,
    requires_tools: reply.complexity !== "direct",
    complexity: reply.complexity,
    raw_symbols: reply.raw_symbols,
    validated_symbols: unique.map(({ symbol }) => symbol),
    listings: unique,
    ambiguous: names
      .filter(({ kind }) => kind === "candidates")
      .map(({ said, listings: candidates }) => ({ text: said, candidates: candidates.map(withoutScore) })),
    market_type: unique.length === 0 ? "none" : kinds,
    response_language: reply.response_language,
    reasoning: "",
    intent_summary: reply.intent_summary,
    wants: reply.wants,
    parts: reply.parts,
    by: reply.by,
    confidence: reply.confidence,
    route,
  };
}

const withoutScore = ({ symbol, name, exchange, type, currency }: ScoredListing): Intent["listings"][number] => ({
  symbol,
  name,
  exchange,
  type,
  currency,
});

/** Arguments that keep the topic of the session. */
function toWorking({ intent_summary, validated_symbols, query_type }: Intent): Json {
  const entries = intent_summary === "" ? [] : [{ kind: "query_context", text: intent_summary, priority: "medium" }];
  return { entries, symbols: validated_symbols, topic: query_type };
}

type Resolved = Readonly<{ prompt: Prompt; intent: Intent; names: readonly ResolvedName[] }>;

function decide({ prompt, intent, names }: Resolved, toolList: string): Decision {
  const failed = prompt.results.find(({ tool, error }) => tool === SAVE && error !== undefined);
  const warnings = [
    ...(failed === undefined ? [] : [`working memory was not saved: ${failed.error?.message ?? "the call failed"}`]),
    ...(intent.by === "none" ? ["the question was not classified; it is answered as it is"] : []),
  ];
  return {
    output: { route: intent.route },
    set: runState.toSet({
      intent,
      language: intent.response_language,
      own_symbols: findOwn(prompt, names),
      unknown_names: names.filter(({ kind }) => kind === "unknown").map(({ said }) => said),
      symbols: names.length === 0 ? "" : toBlock("SYMBOLS", names.map(toSymbolLine).join("\n")),
      parts: toPartsBlock(intent),
      switches: optionOf(prompt, "enable_tools") === false ? LOOKUPS_OFF : "",
      // The demo knows which tool it needs; a model searches unless the request names all tools.
      search_tools: intent.by !== "demo" && optionOf(prompt, "tool_search_mode") !== false,
      tool_list: toolList,
    }),
    notes: [{ kind: "intent", data: z.json().parse(intent) }],
    warnings,
  };
}

const LOOKUPS_OFF =
  " Looking things up is switched off for this question: say what it would need, and give no figures.";

function toPartsBlock({ parts, wants }: Intent): string {
  if (parts.length === 0) return "";
  const lines = parts.map((part, index) => `${index + 1} ${part}`);
  return toBlock(
    "PARTS",
    [
      ...lines,
      ...(wants.length === 0
        ? []
        : [`to be changed: ${wants.join(", ")} (tool_search finds a tool that is not offered)`]),
    ].join("\n"),
  );
}

/** `AAPL Apple Inc., NASDAQ, USD ("apple")`; candidates and unknown names say so. */
function toSymbolLine({ said, kind, listings, note }: ResolvedName): string {
  const told = listings.map(({ symbol, name, exchange, currency }) => `${symbol} ${name}, ${exchange}, ${currency}`);
  const more = note === undefined ? "" : ` · ${note}`;
  if (kind === "resolved") return `${told[0] ?? ""} ("${said}")${more}`;
  if (kind === "candidates") return `"${said}" may be: ${told.join(" · or ")}${more}`;
  return `"${said}" is not in the directory${told.length === 0 ? "" : `; near it: ${told.join(" · ")}`}${more}`;
}

/** Letters that neither English nor Vietnamese has. */
const OTHER_SCRIPT = /(?!\p{Script=Latin})\p{L}/u;
const SYMBOLS_LINE = "symbols: ";

/** The symbols that the message itself names, or that "it" means in this session. */
function findOwn(prompt: Prompt, names: readonly ResolvedName[]): string[] {
  const question = ownText(runState.get(prompt, "question")).toLowerCase();
  const recent = new Set(symbolsOf(runState.get(prompt, "working")));
  return names.flatMap(({ said, kind, listings: [listing] }) => {
    if (kind !== "resolved" || listing === undefined || !question.includes(said.toLowerCase())) return [];
    const { symbol, score } = listing;
    const isByWords = score !== GUESSED || (OTHER_SCRIPT.test(said) && said.length > 1);
    return isByWords || recent.has(symbol) ? [symbol.toUpperCase()] : [];
  });
}

/** The score of a listing that only the model's guess names. */
const GUESSED = 0.8;

/** The symbols of working memory: its last line that begins so. */
function symbolsOf(working: string): readonly string[] {
  const line = working.split("\n").findLast((one) => one.startsWith(SYMBOLS_LINE)) ?? "";
  return line.slice(SYMBOLS_LINE.length).split(", ");
}
