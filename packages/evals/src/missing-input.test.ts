/** Nothing passes because its input is missing, and no real tool writes wherever in a crew it is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { BatonError, type Crew, defineCrew, defineTool, type Model, scriptModel } from "@baton/core";
import { Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { type CodeCheck, scoreRun } from "./checks.ts";
import { parseCase } from "./eval-case.ts";
import { evaluate } from "./evaluate.ts";
import type { ScoredRun } from "./scored-run.ts";

const EMPTY: ScoredRun = {
  events: [],
  outcome: "done",
  text: "",
  output: undefined,
  route: [],
  calls: [],
  denied: [],
  said: [],
  costUsd: undefined,
  seconds: 0,
};
const silent = z.custom<CodeCheck>().parse(() => undefined);
const throwing: CodeCheck = () => {
  throw new Error("broken");
};
const code = new Map([
  ["silent", silent],
  ["throwing", throwing],
]);

for (const [checks, status] of [
  [{ text: { not_contains: "secret" } }, "fail"],
  [{ text: { max_chars: 5 } }, "fail"],
  [{ grounded: true }, "fail"],
  [{ output: { fields: {} } }, "fail"],
  [{ limits: { cost_usd: 1 } }, "error"],
  [{ code: "unwritten" }, "error"],
  [{ code: "silent" }, "error"],
  [{ code: "throwing" }, "error"],
  [{ judge: { criteria: ["is kind"] } }, "error"],
] as const) {
  test(`${JSON.stringify(checks)} of a run without an answer is no pass`, async () => {
    const [outcome] = await scoreRun(EMPTY, parseCase({ id: "x", input: "x", checks }).checks, { code });
    assert.deepEqual([outcome?.pass, outcome?.isError ?? false], [false, status === "error"]);
  });
}

test("what a case expects is not taken as there if it is missing", async () => {
  const [outcome] = await scoreRun({ ...EMPTY, text: "x" }, { expected: true }, {});
  assert.deepEqual([outcome?.pass, outcome?.isError], [false, true]);
});

test("a check that asks for nothing is refused", () => {
  for (const checks of [
    {},
    { text: {} },
    { text: { contains: [] } },
    { output: {} },
    { limits: {} },
    { code: [] },
    { calls: [] },
    { never: [] },
  ])
    assert.throws(() => parseCase({ id: "x", input: "x", checks }), JSON.stringify(checks));
});

const written: string[] = [];
const pay = defineTool({
  name: "Pay",
  description: "Pays.",
  effect: "irreversible",
  input: z.object({}),
  run: () => {
    written.push("paid");
    return "paid";
  },
});
const payer = (name: string) =>
  defineCrew({
    name,
    tools: [pay],
    agents: [{ id: "payer", tools: ["Pay"], isTerminal: true }],
    permissions: { Pay: "allow" },
  });
const REPLIES = { payer: [{ call: [{ tool: "Pay", args: {} }] }, { say: "Paid." }], a: [{ say: "Hi. [PAY]" }] };
const inner = defineCrew({
  name: "shop",
  agents: [{ id: "a" }, { id: "end", isTerminal: true }],
  subCrews: { inner: payer("inner") },
  signals: { a: [{ signal: "[PAY]", target: "inner" }] },
});

async function play(crew: Crew, model: Model) {
  await using store = await Store.open({ database: openMemory() });
  const cases = [parseCase({ id: "x", input: "pay", checks: { outcome: ["done", "limit", "failed"] } })];
  return (await evaluate({ crew, store, cases, version: "v", model: () => () => model })).results;
}

test("a tool of a sub-crew never writes without a double", async () => {
  const [result] = await play(inner, scriptModel(REPLIES));
  assert.deepEqual([result?.status, written], ["error", []]);
  assert.match(result?.checks[0]?.why ?? "", /Pay is irreversible and has no double/);
});

test("a crew that runs after the answer does not run in an eval", async () => {
  const crew = { ...defineCrew({ name: "shop", agents: [{ id: "a", isTerminal: true }] }), after: payer("later") };
  const [result] = await play(crew, scriptModel(REPLIES));
  assert.deepEqual([result?.status, result?.checks[0]?.why, written], ["pass", "", []]);
});

test("money that ran out is an error, even if the case allows a limit", async () => {
  const broke: Model = {
    name: "paid/x",
    async *stream() {
      yield [];
      throw new BatonError("limit", "all is spent", { limit: { name: "max_usd", value: 1 } });
    },
  };
  const [result] = await play(defineCrew({ name: "shop", agents: [{ id: "a", isTerminal: true }] }), broke);
  assert.deepEqual([result?.status, result?.checks[0]?.why], ["error", "the cost cap was reached: all is spent"]);
});
