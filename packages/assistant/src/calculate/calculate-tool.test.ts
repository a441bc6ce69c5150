import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, defineTool, type Json } from "@baton/core";
import { parseJson } from "@baton/core/util";
import { callTool, of, play, refusedPaths, toolContext } from "@baton/core/testing";
import { defineCalculate } from "./calculate-tool.ts";
import { withFacts } from "../facts/with-facts.ts";

const ORIGIN = { as_of: "2024-11-22T16:00:00-05:00", kind: "history", source: "embedded" } as const;

interface Sales {
  readonly data: Readonly<{ sales: readonly number[] }>;
}

const sales = withFacts<Sales>(
  defineTool({
    name: "sales",
    description: "Sales by year.",
    effect: "read",
    input: { jsonSchema: { type: "object" }, validate: (value: Json) => ({ ok: true, value }) as const },
    run: () => ({ data: { sales: [120, 100] } }),
  }),
  {
    figuresOf: ({ data }) => ({
      figures: data.sales.map((value, index) => ({
        path: `data.sales[${index}]`,
        value,
        unit: "money",
        currency: "USD",
        symbol: "A",
        metric: "sales",
        period: { end: `${2016 - index}-12-31`, label: `FY${2016 - index}` },
      })),
      origin: ORIGIN,
    }),
  },
);

test("in a run a calculation over facts of earlier calls is a fact that later calculations can use", async () => {
  const crew = defineCrew({
    name: "t",
    tools: [sales, defineCalculate({ tools: () => [sales] })],
    agents: [{ id: "a", tools: ["sales", "calculate"], isTerminal: true }],
    entry: "a",
  });
  const { events } = await play(crew, {
    a: [
      { call: [{ tool: "sales" }] },
      { call: [{ tool: "calculate", args: { expression: "growth(f1.1.1.1, f1.1.1.2)" } }] },
      { call: [{ tool: "calculate", args: { expression: "f1.2.1.1 / 2" } }] },
      { say: "done" },
    ],
  });
  const ended = of(events, "call.ended");
  assert.deepEqual(
    ended.slice(1).map(({ digest }) => digest),
    [
      "calculate · 2024-11-22, the day of the oldest input\nA\nf1.2.1.1 growth(sales FY2016, sales FY2015) 20.00 % (FY2016)",
      "calculate · 2024-11-22, the day of the oldest input\nA\nf1.3.1.1 growth(sales FY2016, sales FY2015) / 2 10.00 % (FY2016)",
    ],
  );
  const provenance = {
    as_of: ORIGIN.as_of,
    kind: "history",
    source: "calculated",
    derived_from: ["f1.1.1.1", "f1.1.1.2"],
  };
  const result = {
    value: 20,
    unit: "percent",
    metric: "growth(sales FY2016, sales FY2015)",
    formula: "growth(f1.1.1.1, f1.1.1.2)",
    symbol: "A",
    period: { end: "2016-12-31", label: "FY2016" },
    provenance,
  };
  assert.deepEqual(ended[1]?.output, { data: { results: [result] }, provenance });
  const [fact] = defineCalculate({ tools: () => [sales] }).factsOf(ended[1]?.output ?? null, "1.2.1");
  assert.deepEqual([fact?.id, fact?.formula, fact?.source], ["f1.2.1.1", "growth(f1.1.1.1, f1.1.1.2)", "calculated"]);
});

const SOLD = { data: { sales: [120, 100] } };

/** Calls `calculate` after a call of `sales`, in a conversation with these messages of the user. */
function calculateIn(said: readonly string[]) {
  const tool = defineCalculate({ tools: () => [sales] });
  const messages = said.map((content) => ({ role: "user", content }) as const);
  const context = { ...toolContext(messages, { outputs: new Map([["1.1.1", SOLD]]) })("1.2.1") };
  const calls = context.calls.map((call) => ({ ...call, tool: "sales" }));
  return async (args: Json) => {
    const output = parseJson(JSON.stringify(await callTool(tool, args, { ...context, calls }))) ?? null;
    return { facts: tool.factsOf(output, "1.2.1"), digest: tool.digest?.(output, { call: "1.2.1" }) ?? "", output };
  };
}

test("what cannot be calculated is a failure of the arguments that says why", async () => {
  const call = calculateIn([]);
  await assert.rejects(call({ expression: "f1.1.1.1 + 5%" }), {
    kind: "validation",
    message: /USD and percent cannot be added/,
  });
  await assert.rejects(call({ expression: "f7.7.7.7" }), { kind: "validation", message: /there is no fact f7.7.7.7/ });
});

test("several expressions are a fact each; one that is wrong does not hide the others", async () => {
  const { facts, output } = await calculateIn(["2 and 2, and 3 times 3"])({
    expressions: ["2 + 2", "f9.9.9.9", "3 * 3"],
  });
  assert.deepEqual(
    facts.map(({ value, formula }) => [value, formula]),
    [
      [4, "2 + 2"],
      [9, "3 * 3"],
    ],
  );
  assert.match(JSON.stringify(output), /"missing":\[\{"expression":"f9.9.9.9"/);
});

test("a number of nobody makes no fact: neither alone nor beside one", async () => {
  const call = calculateIn(["I put in 60k at 7.5% for 20 years", "[image: a table with 31415]"]);
  const invented = ["999.99 * 1", "f1.1.1.1 * 0 + 999.99", "31415 + 1", "100 * 12", "f1.1.1.1 * 1.2345"];
  for (const expression of invented) {
    const { facts, digest } = await call({ expression });
    assert.deepEqual(facts, [], expression);
    assert.match(digest, /assumed: .*not a fact/, expression);
  }
  const owned = [
    "60000 * 0.075",
    "60000 * (1 + 7.5%) ^ 20",
    "60000 / 12",
    "sum(0, 60000)",
    "60000 * 0.925",
    "60000 * 1.075",
    "f1.1.1.1 - 60000",
    "cagr(f1.1.1.2, f1.1.1.1, 4)",
    "(f1.1.1.1 / f1.1.1.2) * 100",
  ];
  for (const expression of owned) assert.equal((await call({ expression })).facts.length, 1, expression);
});

test("a result is as old as its oldest fact and as real as the least real one", async () => {
  const [fact] = (await calculateIn([])({ expression: "f1.1.1.1 + f1.1.1.2" })).facts;
  assert.deepEqual([fact?.as_of, fact?.kind, fact?.source, fact?.symbol], [ORIGIN.as_of, "history", "calculated", "A"]);
});

test("arguments are one expression or up to ten", async () => {
  const tool = defineCalculate({ tools: () => [] });
  for (const args of [
    {},
    { expression: "" },
    { expression: 4 },
    { expressions: [] },
    { expressions: Array(11).fill("1") },
  ]) {
    assert.ok((await refusedPaths(tool, args)).length > 0, JSON.stringify(args));
  }
});
