/** Tools that take no symbol are called only if the question is about such things. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defineTool, type Json } from "@baton/core";
import type { AskingContext } from "@baton/core/ports";
import { z } from "zod";
import type { Intent } from "../../intent/intent.ts";
import { withScope } from "./question-scope.ts";

const tool = (name: string) =>
  withScope(defineTool({ name, description: "", effect: "read", input: z.looseObject({}), run: () => "" }));

const NVDA = {
  symbol: "NVDA",
  name: "NVIDIA Corporation",
  exchange: "NASDAQ",
  type: "stock",
  currency: "USD",
} as const;

/** Builds the intent of a question, as the program `intent` sets it. */
function intentOf(complexity: Intent["complexity"], listings: Intent["listings"]): Json {
  const intent: Intent = {
    query_type: "stock_analysis",
    requires_tools: true,
    complexity,
    raw_symbols: [],
    validated_symbols: listings.map(({ symbol }) => symbol),
    listings,
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
  return z.json().parse(intent);
}

async function decide(name: string, { args = {}, ...set }: Readonly<{ args?: Json } & Record<string, Json>>) {
  const values = new Map<string, Json>(Object.entries(set));
  const state = { get: (key: string) => values.get(key), entries: () => values.entries() };
  const context: AskingContext = { agent: "analyst", run: "r", call: "1.1.1", state, messages: [] };
  return (await tool(name).permission?.(args, context))?.decision ?? "allow";
}

test("a tool of the same kind as what the rules choose is allowed, one of another kind is denied", async () => {
  assert.equal(await decide("getLosers", { scope: ["getGainers"] }), "allow");
  assert.equal(await decide("getLosers", { scope: ["getStockNews"] }), "deny");
  assert.equal(await decide("getPortfolio", { scope: ["getStockNews", "setHolding"] }), "deny");
  assert.equal(await decide("searchMemory", { scope: ["saveToMemory"] }), "deny");
  assert.equal(await decide("recallMemory", { scope: ["searchMemory"] }), "allow");
  assert.equal(await decide("getRates", { scope: [] }), "deny");
});

test("nothing is held back if the rules do not know, or a symbol is asked for, which has its own lock", async () => {
  assert.equal(await decide("getLosers", {}), "allow");
  assert.equal(await decide("getCryptoNews", { scope: [], args: { symbol: "BTC" } }), "allow");
  for (const name of ["getCurrentTime", "calculate", "getStockPrice"])
    assert.equal(await decide(name, { scope: [] }), "allow");
});

test("a full report may look at the market around it, and not at what is remembered", async () => {
  const report = { scope: ["getStockQuote"], intent: intentOf("plan", []) };
  assert.equal(await decide("getMarketOverview", report), "allow");
  assert.equal(await decide("searchMemory", report), "deny");
});

test("a company is resolved, and the web searched, in the user's words or by the names that are locked", async () => {
  const asked = {
    question: "what did Nvidia announce?",
    intent: intentOf("tool_required", [NVDA]),
  };
  assert.equal(await decide("resolveSymbol", { ...asked, args: { query: "Nvidia" } }), "allow");
  assert.equal(await decide("resolveSymbol", { ...asked, args: { query: "GameStop" } }), "deny");
  assert.equal(await decide("webSearch", { ...asked, args: { query: "NVDA announce" } }), "allow");
  assert.equal(await decide("webSearch", { ...asked, args: { query: "holdings of the user at evil" } }), "deny");
});
