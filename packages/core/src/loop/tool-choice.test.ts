/** A tool choice holds until a tool has run; what a model is warned of and asked again while its tools are off. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import type { AgentDefinition } from "../definitions/agent.ts";
import { defineCrew } from "../definitions/crew.ts";
import { Engine } from "../engine/engine.ts";
import type { RunEvent } from "../words/event.ts";
import type { Settings } from "../definitions/limits.ts";
import type { Chunk, Model, Prompt } from "../ports/model.ts";
import { type ScriptEntry, scriptModel } from "../ports/script.ts";
import { collect, of, play } from "../testing/crew-runs.ts";
import { defineTool } from "../definitions/tool.ts";

const look = defineTool({
  name: "Look",
  description: "Looks.",
  effect: "read",
  input: z.object({ at: z.string().optional() }),
  run: () => "seen",
});
const forbidden = defineTool({ ...look, name: "Forbidden", input: z.object({}), run: () => "seen" });
const pay = defineTool({
  name: "Pay",
  description: "Pays.",
  effect: "irreversible",
  input: z.object({}),
  run: () => "paid",
});
const tools = [look, forbidden, pay];

const crewOf = (agent: Partial<AgentDefinition> = {}, settings: Partial<Settings> = {}) =>
  defineCrew({
    name: "c",
    agents: [{ id: "a", tools: tools.map(({ name }) => name), isTerminal: true, ...agent }],
    tools,
    permissions: { Forbidden: "deny" },
    settings,
  });

const calling = (tool: string, args: { readonly [name: string]: number | string } = {}): ScriptEntry => ({
  call: [{ tool, args }],
});
const warnings = (events: readonly RunEvent[]) => of(events, "warning.raised").map(({ text }) => text);

/** An engine on a script, and the tool choice of each model call. */
function spy(entries: readonly ScriptEntry[]) {
  const script = scriptModel({ a: entries });
  const choices: Prompt["toolChoice"][] = [];
  const model: Model = {
    name: "spy",
    stream(prompt, scope) {
      choices.push(prompt.toolChoice);
      return script.stream(prompt, scope);
    },
  };
  return { engine: new Engine({ model: () => model }), choices };
}

test("a tool choice holds after calls that were refused, until a tool has run", async () => {
  const refused = [calling("Look", { at: 1 }), calling("Forbidden"), calling("Lok")];
  for (const [toolChoice, expected] of [
    ["required", "required"],
    ["Look", { tool: "Look" }],
  ] as const) {
    const { engine, choices } = spy([...refused, calling("Look"), { say: "ok" }]);
    const { outcome, events } = await collect(engine.start(crewOf({ toolChoice }), { input: "x" }));
    assert.equal(outcome, "done");
    assert.deepEqual(
      of(events, "call.ended").map(({ error }) => error?.kind),
      ["validation", "permission", "validation", undefined],
    );
    assert.deepEqual(choices, [expected, expected, expected, expected, undefined]);
  }
});

test("a tool choice holds after a pause if the person refused the call, and no longer if it was allowed", async () => {
  for (const [value, after] of [
    ["deny", "required"],
    ["allow", undefined],
  ] as const) {
    const { engine, choices } = spy([calling("Pay"), { say: "ok" }]);
    const run = engine.start(crewOf({ toolChoice: "required" }), { input: "x" });
    await run.result;
    const answered = await run.command({ type: "answer", question: "1.1.1", value });
    assert.equal((await answered.run.result).outcome, "done");
    assert.deepEqual(choices, ["required", after]);
  }
});

test("an agent whose tool choice is none is not told to answer now, nor are its readers", async () => {
  const { outcome, events } = await play(crewOf({ toolChoice: "none", maxSteps: 1 }), { a: [{ say: "ok" }] });
  assert.equal(outcome, "done");
  assert.deepEqual([warnings(events), of(events, "limit.reached")], [[], []]);
});

const stuck = [calling("Look"), calling("Look"), calling("Look")];
const STUCK =
  "a called Look 3 times with the same arguments and result; it must now answer without tools (max_repeated_calls)";

test("an empty reply of an agent that repeats a call is asked for once more if there is a round left", async () => {
  const { outcome, content, events } = await play(crewOf({ maxSteps: 5 }), {
    a: [...stuck, { say: "" }, { say: "ok" }],
  });
  assert.deepEqual([outcome, content], ["done", "ok"]);
  assert.deepEqual(warnings(events), [STUCK, "the model of a gave an empty reply; it is called again"]);
});

test("an empty reply in the last round fails the turn, with a warning", async () => {
  const message = "the model of a gave an empty reply in its last round (max_rounds)";
  for (const [maxSteps, entries] of [
    [4, [...stuck, { say: "" }, { say: "ok" }]],
    [1, [{ say: "" }, { say: "ok" }]],
  ] as const) {
    const { outcome, error, events } = await play(crewOf({ maxSteps }), { a: entries });
    assert.deepEqual([outcome, error], ["failed", { code: "empty_reply", message }]);
    assert.equal(of(events, "step.ended").length, maxSteps);
    assert.equal(warnings(events).at(-1), message);
  }
});

test("a model that asks for a tool while tools are off causes a warning, and no call", async () => {
  const stubborn: Model = {
    name: "stubborn",
    async *stream(): AsyncGenerator<readonly Chunk[]> {
      yield [
        { type: "text", text: "Let me look." },
        { type: "call", tool: "Look", args: "{}" },
        { type: "end", finish: "calls", usage: { inputTokens: 1, outputTokens: 1 } },
      ];
    },
  };
  await using engine = new Engine({ model: () => stubborn });
  const { outcome, content, events } = await collect(engine.start(crewOf({ toolChoice: "none" }), { input: "x" }));
  assert.deepEqual([outcome, content, of(events, "call.started")], ["done", "Let me look.", []]);
  assert.deepEqual(
    of(events, "warning.raised").map(({ text, of: step }) => [text, step]),
    [["the model of a called Look, but tools are switched off for this reply", "1.1"]],
  );
});
