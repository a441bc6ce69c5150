import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@baton/core";
import { callTool, refusedPaths, toolContext, toolOf } from "@baton/core/testing";
import { parseJson } from "@baton/core/util";
import { ChartSchema } from "../../answer/charts/chart.ts";
import type { MarketData } from "../../market/port/market-data.ts";
import { createTools } from "../../tools/catalogue.ts";
import { barsOf, sourced, stubMarket } from "../../tools/testing/stub-market.ts";
import { defineShowChart } from "./show-chart.ts";

const CLOSES = Array.from({ length: 600 }, (_, at) => 100 + 10 * Math.sin(at / 9));
const MARKET = stubMarket({ bars: async ({ limit = 600 }) => sourced(barsOf(CLOSES.slice(-limit))) });

/** Returns the tool's answer, notes and state after a call of each of these tools about the same symbol. */
async function show({ tool, symbol }: Readonly<{ tool: string; symbol: string }>, market: MarketData = MARKET) {
  const own = toolContext()();
  const output = parseJson(JSON.stringify(await callTool(toolOf(createTools(market), tool), { symbol }, own))) ?? null;
  const notes: (readonly [kind: string, data: Json])[] = [];
  const context = {
    ...toolContext()("1.2.1"),
    calls: [{ call: "1.1.1", tool, agent: "technical", args: { symbol }, ok: true }],
    outputOf: async (call: string) => (call === "1.1.1" ? output : undefined),
    note: (...note: readonly [string, Json]) => notes.push(note),
  };
  const drawn = await callTool(showChartOn(market), { tool, symbol }, context);
  return { output: drawn, notes, state: [...context.state.entries()] };
}

const showChartOn = (market: MarketData) => defineShowChart(async () => market);

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
  const tool = showChartOn(MARKET);
  assert.deepEqual(await refusedPaths(tool, { tool: "webSearch", symbol: "ACME" }), ["tool"]);
});

test("what no call of the run has found is not drawn, and the reason says which call is missing", async () => {
  const context = toolContext()();
  await assert.rejects(callTool(showChartOn(MARKET), { tool: "getTechnicalIndicators", symbol: "ACME" }, context), {
    message: "there is nothing to draw: call getTechnicalIndicators for ACME first",
  });
});
