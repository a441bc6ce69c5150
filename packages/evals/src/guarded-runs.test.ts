/** Rules hold for calls that are written as text, in forks, and for calls that code makes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { type CrewDefinition, defineCrew, defineTool, Engine, type Json, type Model, scriptModel } from "@baton/core";
import { collect, of, scriptInterpreter } from "@baton/core/testing";
import { DurableEngine } from "@baton/durable";
import { toFork, toForkCrew } from "@baton/durable/replay";
import { withToolCalls } from "@baton/models";
import { toGuard, tryPolicies } from "@baton/policy";
import { readAll, Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";

const paid: number[] = [];
const pay = defineTool({
  name: "pay",
  description: "Pays.",
  effect: "irreversible",
  input: z.object({ amount: z.number() }),
  run: ({ amount }) => {
    paid.push(amount);
    return amount;
  },
});
const POLICIES: Json = {
  rules: [
    { name: "small", tools: "pay", when: "args.amount < 10", then: "allow" },
    { name: "large", tools: "pay", when: "args.amount >= 10", then: "deny", message: "Too much." },
  ],
};
const crewOf = (more: Partial<CrewDefinition> = {}) =>
  defineCrew({
    name: "shop",
    tools: [pay],
    agents: [{ id: "a", tools: ["pay"], isTerminal: true }],
    policies: POLICIES,
    ...more,
  });
const DENIED = "Too much. (policy large)";

async function play(crew: ReturnType<typeof crewOf>, model: Model) {
  paid.length = 0;
  await using engine = new Engine({ model: () => model, guardOf: toGuard });
  const { events } = await collect(engine.start(crew, { input: "go" }));
  const lab = tryPolicies(POLICIES, events, crew);
  assert.deepEqual(lab.changed, [], "the lab decides as the run did");
  assert.equal(lab.deny, 1);
  return { events, denied: of(events, "call.ended").flatMap(({ error }) => error?.message ?? []) };
}

test("a call that is written as text is denied like any other", async () => {
  const text = '<tool_call>{"name": "pay", "arguments": {"amount": 500}}</tool_call>';
  const model = withToolCalls(scriptModel({ a: [{ say: text }, { say: "Not done." }] }), "auto");
  const { denied } = await play(crewOf(), model);
  assert.deepEqual([denied, paid], [[DENIED], []]);
});

test("calls that code makes are denied one by one", async () => {
  const interpreter = scriptInterpreter({
    both: async (tools) => [await tools("pay", { amount: 5 }), await tools("pay", { amount: 500 }).catch(String)],
  });
  const crew = crewOf({ agents: [{ id: "a", tools: ["pay"], toolCalls: "code", isTerminal: true }], interpreter });
  const model = scriptModel({ a: [{ call: [{ tool: "run_code", args: { code: "both" } }] }, { say: "Done." }] });
  const { denied } = await play(crew, model);
  assert.deepEqual([denied, paid], [[DENIED], [5]]);
});

test("a fork from any event keeps the rules", async () => {
  const crew = crewOf();
  const model = scriptModel({ a: [{ call: [{ tool: "pay", args: { amount: 500 } }] }, { say: "Not done." }] });
  const { events } = await play(crew, model);
  await using store = await Store.open({ database: openMemory() });
  const own = toForkCrew(crew);
  await using engine = new DurableEngine({ store, crews: [own], model: () => model, guardOf: toGuard });
  for (const { seq } of events) {
    const run = await engine.fork(own, toFork(events, seq, `fork-${seq}`), { from: { run: "r", seq } });
    assert.equal((await run.result).outcome, "done", `forked at ${seq}`);
    const log = await readAll(store.database, `fork-${seq}`);
    assert.deepEqual(
      of(log, "call.ended").map(({ error }) => error?.message),
      [DENIED],
      `forked at ${seq}`,
    );
  }
  assert.deepEqual(paid, []);
});
