/** The program `intent`: working memory is saved once, and read when the conversation is not there. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, Prompt } from "@baton/core";
import { NO_RECORDED_CALLS, type PastCall, Scope, SystemClock } from "@baton/core/ports";
import { intentProgram } from "./intent-program.ts";
import { SITUATION } from "./testing/directory.ts";

const program = intentProgram({
  openDirectory: async () => SITUATION.directory,
  today: async () => SITUATION.today,
  toolList: "getRSI: RSI\ngetStockPrice: price",
});
const SAVE = { name: "saveWorking", description: "", inputSchema: {} };

interface Step {
  readonly question: string;
  readonly values?: Readonly<Record<string, Json>>;
  readonly results?: readonly PastCall[];
  readonly state?: Json;
  readonly tools?: Prompt["tools"];
}

/** What the program does in one step. */
async function step({ question, values = {}, results = [], state, tools = [SAVE] }: Step) {
  const prompt: Prompt = {
    run: "r",
    agent: "intent",
    system: "",
    messages: [{ role: "user", content: question }],
    tools,
    attempt: 1,
    attempts: 1,
    values: new Map(Object.entries({ question, ...values })),
    results,
    ...NO_RECORDED_CALLS,
    ...(state === undefined ? {} : { state }),
  };
  const calls: string[] = [];
  const warnings: string[] = [];
  let ended: Readonly<{ output?: Json; state?: Json; set?: { readonly [key: string]: Json } }> = {};
  for await (const chunks of program.stream(prompt, Scope.root({ clock: new SystemClock() }))) {
    for (const chunk of chunks) {
      if (chunk.type === "call") calls.push(`${chunk.tool} ${chunk.args}`);
      if (chunk.type === "warning") warnings.push(chunk.text);
      if (chunk.type === "end") ended = chunk;
    }
  }
  return { calls, warnings, ...ended };
}

test("working memory is saved once, with the symbols and the kind of question, before the output", async () => {
  const first = await step({ question: "RSI of NVDA" });
  assert.deepEqual(first.calls, [
    'saveWorking {"entries":[{"kind":"query_context","text":"technical analysis: NVDA","priority":"medium"}],"symbols":["NVDA"]}',
  ]);
  assert.equal(first.output, undefined);
  const { state = null } = first;
  const saved = { call: "1.1.1", tool: "saveWorking", args: {}, output: {} };
  const second = await step({ question: "RSI of NVDA", state, results: [saved] });
  assert.deepEqual([second.calls, second.warnings], [[], []]);
  assert.deepEqual(second.set?.["lock"], ["NVDA"]);
});

test("working memory that cannot be saved is warned about, and the question is answered", async () => {
  const { state = null } = await step({ question: "RSI of NVDA" });
  const error = { code: "tool", kind: "timeout", message: "took 5 s" } as const;
  const failed = { call: "1.1.1", tool: "saveWorking", args: {}, error };
  const { warnings, set } = await step({ question: "RSI of NVDA", state, results: [failed] });
  assert.deepEqual(warnings, ["working memory was not saved: took 5 s"]);
  assert.deepEqual(set?.["lock"], ["NVDA"]);
});

test("symbols of working memory are what 'its' means after a restart", async () => {
  const working = "<WORKING_MEMORY>\nquery_context: price: NVDA\nsymbols: NVDA\n</WORKING_MEMORY>";
  const { set } = await step({ question: "its RSI?", values: { working }, tools: [] });
  assert.deepEqual(set?.["lock"], ["NVDA"]);
});

test("only tools that are listed are chosen", async () => {
  const { output } = await step({ question: "show my portfolio", tools: [] });
  assert.match(JSON.stringify(output), /"requires_tools":false.*"route":"direct"/);
});
