import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@baton/core";
import { callTool, refusedPaths, toolContext } from "@baton/core/testing";
import { ChartSchema } from "../../answer/charts/chart.ts";
import type { MarketData } from "../../market/port/market-data.ts";
import { createTools } from "../../tools/catalogue.ts";
import { barsOf, sourced, stubMarket } from "../../tools/testing/stub-market.ts";
import { defineShowChart } from "./show-chart.ts";

const CLOSES = Array.from({ length: 600 }, (_, at) => 100 + 10 * Math.sin(at / 9));
const MARKET = stubMarket({ bars: async ({ limit = 600 }) => sourced(barsOf(CLOSES.slice(-limit))) });

/** What the tool answers, and what it notes and sets. */
async function show(args: Json, market: MarketData = MARKET) {
  const notes: (readonly [kind: string, data: Json])[] = [];
  const context = { ...toolContext()(), note: (...note: readonly [string, Json]) => notes.push(note) };
  const output = await callTool(
    defineShowChart(async () => market, createTools(market)),
    args,
    context,
  );
  return { output, notes, state: [...context.state.entries()] };
}

test("a chart is a note, the answer says what was drawn, and facts are those of the analyst's own call", async () => {
  const { output, notes, state } = await show({ tool: "getTechnicalIndicators", symbol: "ACME" });
  assert.deepEqual(output, [{ type: "showStockChart", symbols: ["ACME"], kind: "synthetic" }]);
  assert.deepEqual(
    notes.map(([kind]) => kind),
    ["chart"],
  );
  assert.equal(ChartSchema.parse(notes[0]?.[1]).primary, true);
  assert.deepEqual(state, []);
});

test("what has no data, or is not known, is not drawn", async () => {
  for (const symbol of ["QQQQQ", "ACNE"]) {
    const { output, notes } = await show({ tool: "getTechnicalIndicators", symbol });
    assert.deepEqual([output, notes], [[], []]);
  }
  const { output } = await show(
    { tool: "getIncomeStatement", symbol: "ACME" },
    stubMarket({ statements: async () => sourced([]) }),
  );
  assert.deepEqual(output, []);
});

test("only tools that can be drawn are taken", async () => {
  const tool = defineShowChart(async () => MARKET, createTools(MARKET));
  assert.deepEqual(await refusedPaths(tool, { tool: "webSearch", symbol: "ACME" }), ["tool"]);
});
