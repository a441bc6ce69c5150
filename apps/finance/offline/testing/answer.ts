/**
 * Answer: what the offline program writes about calls of the real tools on the embedded market, with its figures
 * replaced and held against the facts.
 */
import assert from "node:assert/strict";
import { withFigures } from "@baton/assistant";
import { type Json, type Model, type Prompt, type Tool, ToolError } from "@baton/core";
import { type PastCall, Scope, SystemClock } from "@baton/core/ports";
import { callTool, toolContext, toolOf } from "@baton/core/testing";
import { openMemory } from "@baton/store/sqlite";
import { z } from "zod";
import { openPackDirectory } from "../../market/directory/pack-directory.ts";
import type { MarketData } from "../../market/port/market-data.ts";
import { openMarket } from "../../market/chain/open-market.ts";
import { openPack } from "../../market/pack/pack.ts";
import { figureOptions } from "../../answer/figures/figure-options.ts";
import type { Intent, QuestionLanguage } from "../../intent/intent.ts";
import { createTools } from "../../tools/catalogue.ts";
import { withRecord } from "../../tools/frame/recorded-call.ts";
import { offlineProgram } from "../offline.ts";
import { withResults } from "../results.ts";

/** A call of a tool. */
export type Asked = readonly [tool: string, args: Json];

/** What a run knows when it is answered. */
export interface Situation {
  readonly language: QuestionLanguage;
  readonly calls?: readonly Asked[];
  readonly agent?: string;
  readonly question?: string;
  readonly intent?: Partial<Intent>;
  readonly values?: Readonly<Record<string, Json>>;
  readonly results?: readonly PastCall[];
}

const FIGURES = z.object({ figures: z.number(), unverified: z.array(z.json()) });
const SUGGESTIONS = z.object({ items: z.array(z.string()) });

/** An answer and what was noted with it. */
export interface Answered {
  readonly text: string;
  /** The text in the pieces it came in. */
  readonly pieces: readonly string[];
  readonly figures: number;
  readonly unverified: readonly Json[];
  readonly suggestions: readonly string[];
  readonly set: Readonly<Record<string, Json>>;
  readonly output: Json | undefined;
  readonly calls: readonly Readonly<{ tool: string; args: string }>[];
}

/** Tools, and the program that answers with them. */
export interface Harness {
  readonly tools: readonly Tool[];
  readonly program: Model;
}

/** The embedded market's tools, recorded; opened once. */
export async function openTools(): Promise<Harness> {
  return harnessOn(
    await openMarket({ env: { BATON_FINANCE_DATA: "offline" }, clock: { now: () => Date.UTC(2026, 2, 5) } }),
  );
}

/** The tools of a market, recorded. */
export function harnessOn(market: MarketData): Harness {
  const program = offlineProgram({
    openDirectory: async () => openPackDirectory(openPack()),
    today: async () => market.today(),
  });
  return { tools: createTools(market).map((tool) => withRecord(tool)), program };
}

/** Makes the calls, then lets the program write. */
export async function answer({ tools, program }: Harness, situation: Situation): Promise<Answered> {
  const { values, results } = await makeCalls(tools, situation);
  const outputs = new Map(results.map(({ call, output }) => [call, output]));
  const prompt: Prompt = {
    run: "run",
    agent: situation.agent ?? "writer",
    system: "",
    messages: [{ role: "user", content: situation.question ?? "" }],
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    attempt: 1,
    attempts: 1,
    values,
    results: situation.results ?? [],
    calls: results.map(({ call, tool, args }) => ({ call, tool, args, agent: "analyst", ok: true })),
    outputOf: async (call) => outputs.get(call),
  };
  return read(withResults(withFigures(program, figureOptions)), prompt);
}

/** Makes the calls one after the other, as one user. */
async function makeCalls(tools: readonly Tool[], situation: Situation) {
  const { calls = [], language, question = "", intent, values = {} } = situation;
  const documents = openMemory().documents({ tenant: "local", user: "lan" });
  const make = toolContext([], { documents });
  const failures: Json[] = [];
  const results: PastCall[] = [];
  for (const [index, [name, args]] of calls.entries()) {
    const call = `1.${index + 1}.1`;
    const context = { ...make(call), key: `run/${call}`, session: "s1", user: "lan" };
    try {
      const output = z.json().parse(await callTool(toolOf(tools, name), args, context));
      results.push({ call, tool: name, args, output });
    } catch (thrown) {
      assert.ok(thrown instanceof ToolError, String(thrown));
      failures.push({ tool: name, args, kind: thrown.kind, message: thrown.message });
    }
  }
  const symbols = intent?.validated_symbols ?? [];
  const whole: Intent = { ...BASE, response_language: language, validated_symbols: symbols, ...intent };
  const kept = { language, question, failures, ...(intent === undefined ? {} : { intent: z.json().parse(whole) }) };
  const set: readonly (readonly [string, Json])[] = Object.entries({ ...kept, ...values });
  return { values: new Map([...make().state.entries(), ...set]), results };
}

const BASE: Intent = {
  query_type: "stock_analysis",
  requires_tools: true,
  complexity: "tool_required",
  raw_symbols: [],
  validated_symbols: [],
  listings: [],
  ambiguous: [],
  market_type: "stock",
  response_language: "en",
  reasoning: "",
  intent_summary: "",
  by: "rules",
  confidence: 1,
  effects: [],
  route: "analyst",
};

async function read(model: Model, prompt: Prompt): Promise<Answered> {
  const pieces: string[] = [];
  const calls: Readonly<{ tool: string; args: string }>[] = [];
  const noted = new Map<string, Json>();
  let ended: Readonly<{ set?: Readonly<Record<string, Json>>; output?: Json }> = {};
  for await (const chunks of model.stream(prompt, Scope.root({ clock: new SystemClock() }))) {
    for (const chunk of chunks) {
      if (chunk.type === "text") pieces.push(chunk.text);
      if (chunk.type === "note") noted.set(chunk.kind, chunk.data);
      if (chunk.type === "call") calls.push({ tool: chunk.tool, args: chunk.args });
      if (chunk.type === "end") ended = chunk;
    }
  }
  const { figures, unverified } = FIGURES.parse(noted.get("figures"));
  const suggestions = SUGGESTIONS.safeParse(noted.get("suggestions")).data?.items ?? [];
  const text = pieces.join("");
  return { text, pieces, figures, unverified, suggestions, set: ended.set ?? {}, output: ended.output, calls };
}

/** English words that no Vietnamese sentence has. */
const ENGLISH = [
  "the",
  "of",
  "is",
  "and",
  "above",
  "below",
  "price",
  "from",
  "with",
  "change",
  "there",
  "data",
  "which",
];

const FOOTERS: Readonly<Record<QuestionLanguage, RegExp>> = {
  en: /^Offline rules, no language model( · data of \d{4}-\d{2}-\d{2})?$/,
  vi: /^Quy tắc ngoại tuyến, không có mô hình ngôn ngữ( · dữ liệu ngày \d{4}-\d{2}-\d{2})?$/,
};

/** What holds for every answer. */
export function assertSound({ text, unverified, suggestions }: Answered, { language, calls }: Situation): void {
  const told = `${JSON.stringify(calls)} ${language}:\n${text}`;
  assert.deepEqual(unverified, [], told);
  assert.doesNotMatch(text, /\{f\d|undefined|NaN|\[object|\(unknown\)|\(không rõ\)/, told);
  assert.match(text.split("\n").at(-1) ?? "", FOOTERS[language], told);
  assert.equal(new Set(suggestions).size, 3, told);
  if (language === "vi") assert.deepEqual(englishIn(text), [], told);
}

/** Tables, quotations, code and what stands in brackets are not sentences. */
function englishIn(text: string): readonly string[] {
  const prose = text
    .split("\n")
    .filter((line) => !line.startsWith("|") && !line.startsWith(">"))
    .join(" ")
    .replaceAll(/“[^”]*”|`[^`]*`|\([^)]*\)|"[^"]*"/g, " ");
  const words = new Set(prose.toLowerCase().split(/[^\p{L}]+/u));
  return ENGLISH.filter((word) => words.has(word));
}
