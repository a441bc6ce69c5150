/** Code of a model: its calls are ordinary calls, and it goes on over its log after any event. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import { defineTool } from "../definitions/tool.ts";
import { Engine } from "../engine/engine.ts";
import { type CodeScript, scriptInterpreter } from "../ports/script-interpreter.ts";
import { type ScriptEntry, scriptModel } from "../ports/script.ts";
import { collect, of } from "../testing/index.ts";
import { crashEverywhere } from "../testing/crash-everywhere.ts";

const ID = z.object({ id: z.number() });
const get = defineTool({
  name: "get",
  description: "One order.",
  effect: "read",
  input: ID,
  run: ({ id }) => ({ id, usd: id * 10 }),
});

const run = (code: string): ScriptEntry => ({ call: [{ tool: "run_code", args: { code } }] });

function toCrew(scripts: Readonly<Record<string, CodeScript>>, paid: number[] = []) {
  const pay = defineTool({
    name: "pay",
    description: "Pays.",
    effect: "irreversible",
    input: ID,
    run: ({ id }) => {
      paid.push(id);
      return `paid ${id}`;
    },
  });
  return defineCrew({
    name: "shop",
    tools: [get, pay],
    agents: [{ id: "a", tools: ["get", "pay"], pinnedTools: ["get"], toolCalls: "code", isTerminal: true }],
    permissions: { pay: "allow" },
    interpreter: scriptInterpreter(scripts),
  });
}

const SUM: CodeScript = async (tools, now) => {
  const all = await Promise.all([3, 1, 2].map((id) => tools("get", { id })));
  const paid = await tools("pay", { id: 7 });
  return { all, paid, isLater: now() > 0 };
};

test("each call of code is an ordinary call within run_code, and the model reads what the code returns", async () => {
  const paid: number[] = [];
  const model = scriptModel({ a: [run("sum"), { say: "Done." }] });
  await using engine = new Engine({ model: () => model });
  const { events, ...result } = await collect(engine.start(toCrew({ sum: SUM }, paid), { input: "go" }));
  assert.equal(result.outcome, "done");
  const started = of(events, "call.started").map(({ call, tool, within, engine: name }) => [call, tool, within, name]);
  assert.deepEqual(started[0], ["1.1.1", "run_code", undefined, "script"]);
  assert.deepEqual(started.at(-1), ["1.1.1.4", "pay", "1.1.1", undefined]);
  const end = of(events, "call.ended").at(-1);
  assert.deepEqual(end?.output, {
    result: { all: [3, 1, 2].map((id) => ({ id, usd: id * 10 })), paid: "paid 7", isLater: true },
    calls: 4,
  });
  assert.deepEqual(paid, [7]);
  assert.equal(result.history.filter(({ role }) => role === "tool").length, 1);
});

test("code goes on over its log after a crash at any event", async () => {
  await crashEverywhere({
    crew: () => toCrew({ sum: async (tools) => [await tools("get", { id: 1 }), await tools("get", { id: 2 })] }),
    replies: { a: [run("sum"), { say: "Done." }] },
  });
});
