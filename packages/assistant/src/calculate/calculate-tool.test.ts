import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, defineTool, type Json } from "@baton/core";
import { callTool, of, play, refusedPaths, toolContext } from "@baton/core/testing";
import { defineCalculate } from "./calculate-tool.ts";
import { factsOfState } from "../facts/fact-state.ts";
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
    tools: [sales, defineCalculate()],
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
      "calculate · 2024-11-22, the day of the oldest input\nf1.2.1.1 growth(sales FY2016, sales FY2015) 20.00 % (FY2016)",
      "calculate · 2024-11-22, the day of the oldest input\nf1.3.1.1 growth(sales FY2016, sales FY2015) / 2 10.00 % (FY2016)",
    ],
  );
  assert.deepEqual(ended[1]?.output, {
    data: {
      value: 20,
      unit: "percent",
      metric: "growth(sales FY2016, sales FY2015)",
      formula: "growth(f1.1.1.1, f1.1.1.2)",
      symbol: "A",
      period: { end: "2016-12-31", label: "FY2016" },
    },
    provenance: {
      as_of: ORIGIN.as_of,
      kind: "history",
      source: "calculated",
      derived_from: ["f1.1.1.1", "f1.1.1.2"],
    },
  });
  const [fact] = factsOfState({ entries: () => Object.entries(ended[1]?.state ?? {}) });
  assert.deepEqual([fact?.id, fact?.formula, fact?.source], ["f1.2.1.1", "growth(f1.1.1.1, f1.1.1.2)", "calculated"]);
});

test("what cannot be calculated is a failure of the arguments that says why", async () => {
  const context = toolContext();
  await callTool(sales, {}, context("1.1.1"));
  const call = (expression: string) => callTool(defineCalculate(), { expression }, context("1.2.1"));
  await assert.rejects(call("f1.1.1.1 + 5%"), { kind: "validation", message: /USD and percent cannot be added/ });
  await assert.rejects(call("f7.7.7.7"), { kind: "validation", message: /there is no fact f7.7.7.7/ });
  assert.equal(context().state.get("facts/1.2.1"), undefined);
});

test("several expressions are a fact each; one that is wrong does not hide the others", async () => {
  const context = toolContext()();
  const output = await callTool(defineCalculate(), { expressions: ["2 + 2", "f9.9.9.9", "3 * 3"] }, context);
  const facts = factsOfState({ entries: () => [["facts/1.1.1", context.state.get("facts/1.1.1") ?? []]] });
  assert.deepEqual(
    facts.map(({ value, formula }) => [value, formula]),
    [
      [4, "2 + 2"],
      [9, "3 * 3"],
    ],
  );
  assert.match(JSON.stringify(output), /"missing":\[\{"expression":"f9.9.9.9"/);
});

test("arguments are one expression or up to ten", async () => {
  const tool = defineCalculate();
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

test("state that is not a fact is left out", () => {
  const good = { id: "f1.1.1.1", call: "1.1.1", value: 1, unit: "ratio", kind: "live", as_of: "2024-11-22T00:00:00Z" };
  const odd: readonly Json[] = [
    null,
    1,
    "f",
    {},
    { ...good, value: "1" },
    { ...good, unit: "stones" },
    { ...good, unit: "money" },
    { ...good, kind: "made up" },
    { ...good, id: 1 },
    good,
  ];
  const entries = [["facts/1.1.1", odd] as const, ["facts/x", "text"] as const, ["other/1.1.1", [good]] as const];
  assert.deepEqual(factsOfState({ entries: () => entries }), [
    { ...good, path: "", symbol: "", metric: "", source: "" },
  ]);
});
