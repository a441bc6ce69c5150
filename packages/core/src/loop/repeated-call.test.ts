import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import { ToolError } from "../words/error.ts";
import { of, play } from "../testing/crew-runs.ts";
import { defineTool } from "../definitions/tool.ts";

/** Makes the same call four times; each fails with the next of the messages. Gives the warnings of the run. */
async function failWith(...messages: readonly string[]) {
  const left = [...messages];
  const open = defineTool({
    name: "Open",
    description: "Opens the file.",
    effect: "read",
    input: z.object({}),
    run: () => {
      throw new ToolError("permanent", left.shift() ?? "called too often");
    },
  });
  const crew = defineCrew({ name: "c", agents: [{ id: "a", tools: ["Open"], isTerminal: true }], tools: [open] });
  const call = { call: [{ tool: "Open" }] };
  const { outcome, events } = await play(crew, { a: [call, call, call, call, { say: "ok" }] });
  assert.equal(outcome, "done");
  return {
    calls: of(events, "call.ended").map(({ error }) => error?.message),
    warnings: of(events, "warning.raised").map(({ text }) => text),
  };
}

test("a call that fails with the same error for the third time is repeated, and the agent has to answer", async () => {
  const { calls, warnings } = await failWith("no such file", "no such file", "no such file");
  assert.equal(calls.length, 3);
  assert.deepEqual(warnings, [
    "a called Open 3 times with the same arguments and result; it must now answer without tools (max_repeated_calls)",
  ]);
});

test("a call that fails with another error each time is not repeated", async () => {
  const messages = ["line 1", "line 2", "line 3", "line 4"];
  assert.deepEqual(await failWith(...messages), { calls: messages, warnings: [] });
});

test("equal calls of one reply count once", async () => {
  const look = defineTool({
    name: "Look",
    description: "Looks.",
    effect: "read",
    input: z.object({}),
    run: () => "same",
  });
  const crew = defineCrew({ name: "c", agents: [{ id: "a", tools: ["Look"], isTerminal: true }], tools: [look] });
  const thrice = { call: [{ tool: "Look" }, { tool: "Look" }, { tool: "Look" }] };
  const twice = await play(crew, { a: [thrice, thrice, { say: "ok" }] });
  assert.deepEqual(of(twice.events, "warning.raised"), []);
  const often = await play(crew, { a: [thrice, thrice, thrice, thrice, { say: "ok" }] });
  assert.deepEqual([of(often.events, "call.ended").length, of(often.events, "warning.raised").length], [9, 1]);
});
