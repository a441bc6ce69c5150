import assert from "node:assert/strict";
import { test } from "node:test";
import { defineProgram, type Json, type Prompt } from "@baton/core";
import { NO_RECORDED_CALLS, Scope, SystemClock } from "@baton/core/ports";
import { withSearchedTools } from "./searched-tools.ts";

const NAMES = ["getStockQuote", "tool_search", "getScreener", "getCurrentTime"];
const TOOLS = NAMES.map((name) => ({ name, description: "", inputSchema: {} }));

/** The tools that a model is shown under a mode, after these results. */
async function shown(mode: Json, results: Prompt["results"] = []): Promise<readonly string[]> {
  const seen: string[] = [];
  const model = defineProgram(({ tools }) => {
    seen.push(...tools.map(({ name }) => name));
    return { say: "done" };
  });
  const values = new Map<string, Json>([["options", { tool_search_mode: mode }]]);
  const base = { run: "r", agent: "analyst", system: "", messages: [], tools: TOOLS, attempt: 1, attempts: 1 };
  await using scope = Scope.root({ clock: new SystemClock(), name: "test" });
  const prompt: Prompt = { ...base, results, ...NO_RECORDED_CALLS, values };
  for await (const _ of withSearchedTools(model).stream(prompt, scope));
  return seen;
}

test("a request for a search begins with the search and the clock; what it names is offered after it", async () => {
  assert.deepEqual(await shown("auto"), NAMES);
  assert.deepEqual(await shown(false), NAMES);
  assert.deepEqual(await shown(true), ["tool_search", "getCurrentTime"]);
  const found = { call: "1.1.1", tool: "tool_search", args: {}, output: { tools: [{ name: "getScreener" }] } };
  assert.deepEqual(await shown(true, [found]), ["tool_search", "getScreener", "getCurrentTime"]);
});
