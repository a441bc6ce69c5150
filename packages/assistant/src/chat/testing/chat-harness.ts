/**
 * Desk: a small assistant for tests: it loads what is known, classifies by rules or with a model, looks things up or
 * carries out a plan, and answers. Its language models follow scripts.
 */
import { type Crew, type Decision, defineCrew, defineProgram, defineTool, type Prompt, ToolError } from "@baton/core";
import { z } from "zod";
import { contextProgram } from "../../context/context-program.ts";
import { planRunner } from "../../plan/plan-runner.ts";

/** More than a frame shows. */
export const LONG_TEXT = "ế".repeat(40_000);

const provenance = { source: "archive", kind: "history", as_of: "2024-11-22T21:00:00Z" };

const look = defineTool({
  name: "look",
  description: "Looks something up.",
  effect: "read",
  input: z.object({ word: z.string() }),
  run: ({ word }) => ({
    data: { word, size: word.length },
    provenance: { ...provenance, url: `https://a.org/${word}` },
  }),
});

const long = defineTool({
  name: "long",
  description: "Gives much.",
  effect: "read",
  input: z.object({}),
  run: () => ({ text: LONG_TEXT, provenance: { ...provenance, url: "javascript:alert(1)" } }),
});

const broken = defineTool({
  name: "broken",
  description: "Fails.",
  effect: "read",
  input: z.object({}),
  run: () => Promise.reject(new ToolError("permanent", "the archive is closed")),
});

const locked = defineTool({
  name: "locked",
  description: "Is never allowed.",
  effect: "read",
  input: z.object({}),
  permission: () => ({ decision: "deny", reason: "not for this question" }),
  run: () => "never",
});

const erase = defineTool({
  name: "erase",
  description: "Erases a file; a person is asked before.",
  effect: "irreversible",
  input: z.object({ path: z.string() }),
  run: ({ path }) => `erased ${path}`,
});

const loadProfile = defineTool({
  name: "loadProfile",
  description: "What is known of the user.",
  effect: "read",
  input: z.object({}),
  run: () => ({ text: "likes <short> answers" }),
});

const loadNothing = defineTool({
  name: "loadNothing",
  description: "Fails.",
  effect: "read",
  input: z.object({}),
  run: () => Promise.reject(new ToolError("permanent", "no such drawer")),
});

const ROUTES = ["direct", "analyst", "planner", "unsure"] as const;

const ROUTED = {
  type: "object",
  properties: { route: { type: "string", enum: ROUTES } },
  required: ["route"],
} as const;

/** The first word of the question is the route; after a model was asked, `direct`. */
function classify({ messages, values }: Prompt): Decision {
  const question = messages.findLast(({ role }) => role === "user")?.content ?? "";
  const isAsked = values.get("asked") === true;
  const route = ROUTES.find((one) => question.startsWith(one) && !(isAsked && one === "unsure")) ?? "direct";
  if (route === "unsure") return { output: { route }, set: { asked: true } };
  const data = {
    query_type: route === "direct" ? "greeting" : "general",
    complexity: route === "planner" ? "plan" : "tool_required",
    validated_symbols: ["A"],
    response_language: question.includes("xin") ? "vi" : "en",
    by: isAsked ? "model" : "rules",
  };
  return { output: { route }, notes: [{ kind: "intent", data }] };
}

const LOADS = [
  { tool: "loadProfile", id: "profile", tag: "PROFILE", priority: 2 },
  { tool: "loadNothing", id: "nothing", tag: "NOTHING", priority: 1 },
] as const;

const TOOLS = ["look", "long", "broken", "locked", "erase"] as const;

/** The assistant. */
export const DESK: Crew = defineCrew({
  name: "desk",
  agents: [
    {
      id: "context",
      model: { name: "code/context" },
      audience: "crew",
      tools: ["loadProfile", "loadNothing"],
      output: {},
    },
    { id: "intent", model: { name: "code/intent" }, audience: "crew", output: ROUTED },
    { id: "intent_model", audience: "crew", output: ROUTED },
    { id: "direct", isTerminal: true },
    { id: "analyst", audience: "crew", tools: TOOLS },
    { id: "planner", audience: "crew", output: { type: "object" } },
    { id: "runner", model: { name: "code/runner" }, audience: "crew", tools: TOOLS, maxSteps: 50 },
    { id: "writer", isTerminal: true },
  ],
  tools: [look, long, broken, locked, erase, loadProfile, loadNothing],
  programs: {
    context: contextProgram({ loads: LOADS, budget: 1_000, compactAbove: 100_000 }),
    intent: defineProgram(classify),
    runner: planRunner(),
  },
  signals: {
    intent: [
      { when: { route: "direct" }, target: "direct" },
      { when: { route: "analyst" }, target: "analyst" },
      { when: { route: "planner" }, target: "planner" },
      { when: { route: "unsure" }, target: "intent_model" },
    ],
    analyst: [{ signal: "[WRITE]", target: "writer" }],
  },
  defaults: { context: "intent", intent_model: "intent", analyst: "writer", planner: "runner", runner: "writer" },
});
