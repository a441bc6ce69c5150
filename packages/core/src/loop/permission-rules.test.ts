import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import type { PermissionRule } from "../definitions/definition.ts";
import type { Effect } from "../words/event.ts";
import { of, play } from "../testing/crew-runs.ts";
import { defineTool } from "../definitions/tool.ts";

type Rules = { readonly [tool: string]: PermissionRule };

/** Calls three tools in one reply; gives which of them ran, were asked about and were refused. */
async function callUnder(permissions: Rules) {
  const done = new Set<string>();
  const toolOf = (name: string, effect: Effect) => ({
    name,
    description: name,
    effect,
    concurrency: "parallel" as const,
    input: z.object({}),
    run: () => {
      done.add(name);
    },
  });
  const tools = [
    defineTool(toolOf("Look", "read")),
    defineTool({ ...toolOf("Hooked", "read"), permission: () => ({ decision: "allow" }) }),
    defineTool(toolOf("Pay", "irreversible")),
  ];
  const names = tools.map(({ name }) => name);
  const crew = defineCrew({ name: "c", agents: [{ id: "a", tools: names, isTerminal: true }], tools, permissions });
  const { events, questions } = await play(crew, { a: [{ call: names.map((tool) => ({ tool })) }, { say: "ok" }] });
  const refused = of(events, "call.ended").filter(({ error }) => error?.kind === "permission");
  const inOrder = (found: readonly { readonly tool?: string }[]) =>
    names.filter((name) => found.some(({ tool }) => tool === name));
  return { ran: names.filter((name) => done.has(name)), asked: inOrder(questions), refused: inOrder(refused) };
}

test('"*": ask asks about every tool, also one whose hook allows the call', async () => {
  assert.deepEqual(await callUnder({ "*": "ask" }), { ran: [], asked: ["Look", "Hooked", "Pay"], refused: [] });
});

test('"*": deny refuses every tool and asks nobody', async () => {
  assert.deepEqual(await callUnder({ "*": "deny" }), { ran: [], asked: [], refused: ["Look", "Hooked", "Pay"] });
});

test('"*": allow lets an irreversible tool run unasked', async () => {
  assert.deepEqual(await callUnder({ "*": "allow" }), { ran: ["Look", "Hooked", "Pay"], asked: [], refused: [] });
});

test('a rule that names the tool goes before "*"', async () => {
  assert.deepEqual(await callUnder({ "*": "deny", Look: "allow", Pay: "ask" }), {
    ran: ["Look"],
    asked: ["Pay"],
    refused: ["Hooked"],
  });
  assert.deepEqual(await callUnder({ Pay: "deny", Hooked: "ask", "*": "allow" }), {
    ran: ["Look"],
    asked: ["Hooked"],
    refused: ["Pay"],
  });
});
