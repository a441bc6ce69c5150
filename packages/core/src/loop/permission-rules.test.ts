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

/** Makes one call under a rule of the crew and a hook of the tool, and returns the paused run. */
async function pay({ rule, hook }: Readonly<{ rule?: PermissionRule; hook?: "allow" | "ask" | "ask_operator" }>) {
  const paid: string[] = [];
  const tool = defineTool({
    name: "Pay",
    description: "Pays.",
    effect: "irreversible",
    input: z.object({}),
    run: (_, { call }) => {
      paid.push(call);
    },
    ...(hook === undefined ? {} : { permission: () => ({ decision: hook }) }),
  });
  const permissions = rule === undefined ? {} : { permissions: { Pay: rule } };
  const agents = [{ id: "a", tools: ["Pay"], isTerminal: true }];
  const crew = defineCrew({ name: "c", agents, tools: [tool], ...permissions });
  return { paid, ...(await play(crew, { a: [{ call: [{ tool: "Pay" }] }, { say: "ok" }] })) };
}

const BY_OPERATOR = [
  { rule: "ask_operator" },
  { rule: "ask_operator", hook: "allow" },
  { rule: "ask_operator", hook: "ask" },
  { hook: "ask_operator" },
  { rule: "ask", hook: "ask_operator" },
  { rule: "allow", hook: "ask_operator" },
] as const;

test("ask_operator, of the crew or of the tool's hook, is answered by an operator only", async () => {
  for (const asking of BY_OPERATOR) {
    const what = JSON.stringify(asking);
    const { run, paid, outcome, questions } = await pay(asking);
    assert.deepEqual([outcome, questions.map(({ who }) => who)], ["paused", ["operator"]], what);
    const allow = { type: "answer", question: "1.1.1", value: "allow" } as const;
    await assert.rejects(run.command({ ...allow, as: "user" }), { code: "forbidden" }, what);
    assert.deepEqual(paid, [], what);
    const { run: resumed } = await run.command({ ...allow, as: "operator" });
    assert.equal((await resumed.result).outcome, "done", what);
    assert.deepEqual(paid, ["1.1.1"], what);
  }
});

test("ask is answered by the user, or by an operator", async () => {
  for (const asking of [{ rule: "ask" }, { hook: "ask" }, { rule: "ask", hook: "allow" }, {}] as const) {
    for (const as of ["user", "operator"] as const) {
      const { run, paid, questions } = await pay(asking);
      assert.deepEqual(
        questions.map(({ who }) => who),
        ["user"],
      );
      const { run: resumed } = await run.command({ type: "answer", question: "1.1.1", value: "allow", as });
      assert.equal((await resumed.result).outcome, "done");
      assert.deepEqual(paid, ["1.1.1"], `${JSON.stringify(asking)} answered as ${as}`);
    }
  }
});

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
