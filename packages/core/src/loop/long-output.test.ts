/** Output over 1 MiB: the log keeps its beginning and its length, the model and the readers are told both. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import { fold } from "../words/fold.ts";
import type { Settings } from "../definitions/limits.ts";
import { of, play } from "../testing/crew-runs.ts";
import { defineTool } from "../definitions/tool.ts";

const CHARS = 1_100_000;
const long = "x".repeat(CHARS);
/** More than 1 MiB may be read. */
const WIDE = { maxOutputChars: 2_000_000, maxTotalOutputChars: 4_000_000, maxContextTokens: 4_000_000 };

const fetchAll = defineTool({
  name: "FetchAll",
  description: "Gives all there is.",
  effect: "read",
  input: z.object({ as: z.enum(["text", "list"]) }),
  run: ({ as }) => (as === "text" ? long : [long]),
});
const keepAll = defineTool({
  name: "KeepAll",
  description: "Keeps all there is in the state.",
  effect: "read",
  input: z.object({}),
  run: (_, { state }) => {
    try {
      state.set("all", long);
      return "kept";
    } catch (error) {
      return error instanceof TypeError ? error.message : "another error";
    }
  },
});

/** Runs one call: what the log, the model and the readers are told. */
async function told(as: string, settings: Partial<Settings>) {
  const crew = defineCrew({
    name: "c",
    agents: [{ id: "a", tools: ["FetchAll"], isTerminal: true }],
    tools: [fetchAll],
    settings,
  });
  const { events, history } = await play(crew, { a: [{ call: [{ tool: "FetchAll", args: { as } }] }, { say: "ok" }] });
  assert.deepEqual(fold(events).history, history);
  const read = history.find(({ role }) => role === "tool")?.content ?? "";
  return {
    wholeChars: of(events, "call.ended")[0]?.wholeChars,
    note: read.slice(read.indexOf("…")),
    warnings: of(events, "warning.raised").map(({ text }) => text),
  };
}

test("a model that reads the beginning of a long output is told how long the output was", async () => {
  for (const [as, chars, figure] of [
    ["text", CHARS, "1,100,000"],
    ["list", CHARS + 4, "1,100,004"],
  ] as const) {
    assert.deepEqual(await told(as, {}), {
      wholeChars: chars,
      note: `… [cut: 16,000 of ${figure} characters]`,
      warnings: [`FetchAll gave ${figure} characters; the model reads 16,000 (max_tool_output_chars)`],
    });
  }
});

test("an output over 1 MiB is a warning that names the tool, though max_tool_output_chars is larger", async () => {
  const { wholeChars, note, warnings } = await told("text", WIDE);
  assert.deepEqual([wholeChars, note], [CHARS, "… [cut: 1,048,576 of 1,100,000 characters]"]);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0] ?? "", /^FetchAll gave 1,100,000 characters; the model reads 1,048,\d{3} \(.*1 MiB.*\)$/);
});

test("a value over 1 MiB is not taken into the state, and the tool is told its length", async () => {
  const crew = defineCrew({
    name: "c",
    agents: [{ id: "a", tools: ["KeepAll"], isTerminal: true }],
    tools: [keepAll],
  });
  const { events } = await play(crew, { a: [{ call: [{ tool: "KeepAll" }] }, { say: "ok" }] });
  const [ended] = of(events, "call.ended");
  assert.deepEqual(
    [ended?.output, ended?.state],
    ['state "all" has 1,100,000 characters; at most 1 MiB is kept', undefined],
  );
});

test("a value that JSON does not have is a warning that names its place", async () => {
  const measure = defineTool({
    name: "Measure",
    description: "Measures.",
    effect: "read",
    input: z.object({}),
    run: () => ({ rows: [{ at: Number.NaN }], book: new Map([["bid", 1]]) }),
  });
  const crew = defineCrew({ name: "c", agents: [{ id: "a", tools: ["Measure"], isTerminal: true }], tools: [measure] });
  const { events } = await play(crew, { a: [{ call: [{ tool: "Measure" }] }, { say: "ok" }] });
  assert.deepEqual(of(events, "call.ended")[0]?.output, { rows: [{ at: null }], book: { bid: 1 } });
  assert.deepEqual(
    of(events, "warning.raised").map(({ text, of: call }) => [call, text.slice(0, text.indexOf(":"))]),
    [["1.1.1", "Measure gave NaN at rows.0.at, a Map at book"]],
  );
});
