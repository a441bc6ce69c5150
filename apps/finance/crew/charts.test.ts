/** Charts are drawn from the outputs that the run's log has, whichever process draws them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryCache } from "@baton/assistant";
import { defineCrew, defineTool, scriptModel } from "@baton/core";
import { of } from "@baton/core/testing";
import { DurableEngine } from "@baton/durable";
import { type Database, readAll, Store } from "@baton/store";
import { openLasting } from "@baton/store/testing";
import { z } from "zod";
import { ChartSchema } from "../answer/charts/chart.ts";
import { withCharts } from "../answer/charts/with-charts.ts";
import type { MarketData } from "../market/port/market-data.ts";
import { createTools } from "../tools/catalogue.ts";
import { barsOf, sourced, stubMarket } from "../tools/testing/stub-market.ts";
import { toChartOptions } from "./chart-options.ts";
import type { Intent } from "./intent.ts";
import { runState } from "./run-state.ts";

/** What a question about one company was understood as. */
const INTENT_OF_ACME: Intent = {
  query_type: "technical",
  requires_tools: true,
  complexity: "tool_required",
  raw_symbols: [],
  validated_symbols: ["ACME"],
  listings: [],
  ambiguous: [],
  market_type: "stock",
  response_language: "en",
  reasoning: "",
  intent_summary: "",
  wants: [],
  parts: [],
  by: "model",
  confidence: 1,
  route: "analyst",
};

const closesFrom = (first: number) => Array.from({ length: 600 }, (_, at) => first + 10 * Math.sin(at / 9));
const marketOf = (closes: readonly number[], asked: string[] = []): MarketData =>
  stubMarket({
    bars: async ({ limit = closes.length }) => {
      asked.push("bars");
      return sourced(barsOf(closes.slice(-limit)));
    },
  });

/** A process: tools with a cache of their own, on a market, and an analyst that waits for a person before it answers. */
async function openProcess(database: Database, market: MarketData) {
  const wait = defineTool({
    name: "Wait",
    description: "Waits for a person.",
    effect: "read",
    input: z.object({}),
    permission: () => ({ decision: "ask" }),
    run: (_, context) => runState.set(context, "intent", INTENT_OF_ACME),
  });
  const crew = defineCrew({
    name: "charts",
    agents: [{ id: "analyst", tools: ["getRSI", "calculateVaR", "Wait"], isTerminal: true }],
    tools: [...createTools(market, { cache: new MemoryCache() }), wait],
  });
  const lookUp = ["getRSI", "calculateVaR"].map((tool) => ({ tool, args: { symbol: "ACME" } }));
  const script = scriptModel({ analyst: [{ call: lookUp }, { call: [{ tool: "Wait" }] }, { say: "Done." }] });
  const store = await Store.open({ database });
  const model = withCharts(
    script,
    toChartOptions(async () => market),
  );
  const engine = new DurableEngine({ store, crews: [crew], model: () => model });
  const stop = async () => {
    await engine.stop();
    await store[Symbol.asyncDispose]();
  };
  return { crew, engine, stop };
}

test("a chart shows the bars of the answer, though another process draws it on a source that now has others", async () => {
  const database = openLasting();
  const [before, after] = [closesFrom(100), closesFrom(900)];
  const one = await openProcess(database, marketOf(before));
  const begun = await one.engine.start(one.crew, { input: "RSI and risk of ACME", id: "r" });
  assert.equal((await begun.result).outcome, "paused");
  await one.stop();
  const asked: string[] = [];
  const two = await openProcess(database, marketOf(after, asked));
  const { run } = await two.engine.command("r", { type: "answer", question: "1.2.1", value: "allow" });
  assert.equal((await run.result).outcome, "done");
  const notes = of(await readAll(database, "r"), "note.made").filter(({ kind }) => kind === "chart");
  await two.stop();
  const chart = ChartSchema.parse(notes[0]?.data);
  assert.ok(chart.type === "showStockChart" && notes.length === 1);
  const closes = chart.data.bars.map(({ c }) => c);
  assert.deepEqual(closes, before.slice(-closes.length));
  assert.deepEqual(asked, [], "no source is asked again");
});
