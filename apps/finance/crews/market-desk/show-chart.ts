/**
 * Show chart: a tool that puts the chart of a market tool's answer into the run's log, as a note that consoles draw.
 *
 * It makes the call once more, which the tools' cache answers, so that the chart shows what the analyst saw.
 */
import { type CallContext, defineTool, type Json, type Tool, ToolError } from "@baton/core";
import type { RunState } from "@baton/core/ports";
import { z } from "zod";
import { resolveCharts } from "../../answer/charts/resolve-charts.ts";
import type { MarketData } from "../../market/port/market-data.ts";

/** Tools of one symbol that a chart can be drawn of. */
const DRAWN = [
  "getTechnicalIndicators",
  "getVolatilityAnalysis",
  "getStockQuote",
  "getHistoricalPrice",
  "getIncomeStatement",
  "getBalanceSheet",
] as const;

/** A tool that draws what the given tools find. */
export function defineShowChart(open: () => Promise<MarketData>, tools: readonly Tool[]): Tool {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return defineTool({
    name: "showChart",
    description: "Draws what a market tool finds about one symbol, for the reader to see beside the answer.",
    effect: "read",
    input: z.strictObject({
      tool: z.enum(DRAWN).describe("The tool whose answer is drawn"),
      symbol: z.string().trim().min(1).max(80).describe("Ticker such as AAPL"),
    }),
    run: async ({ tool: name, symbol }, context) => {
      const args = { symbol };
      const output = await callQuietly(byName.get(name), args, context);
      const market = await open();
      const calls = [{ tool: name, args, output, call: context.call }];
      const charts = await resolveCharts({ calls, symbols: [symbol], market, scope: context.scope });
      for (const chart of charts) context.note("chart", toJson(chart));
      return charts.map(({ type, symbols, data: { provenance } }) => ({ type, symbols, kind: provenance.kind }));
    },
  });
}

/** The call as part of this one: what it would set or report is already done. */
async function callQuietly(tool: Tool | undefined, args: Json, context: CallContext): Promise<Json> {
  const prepared = await tool?.prepare(args);
  if (prepared === undefined || !prepared.ok) throw new ToolError("validation", "there is nothing to draw");
  const own = new Map<string, Json>();
  const state: RunState = { get: (key) => own.get(key), set: (key, value) => own.set(key, value), entries: () => own };
  const quiet = { ...context, state, note: () => undefined, progress: () => undefined };
  return toJson(await prepared.run(quiet));
}

/** What has passed through JSON. */
function toJson(value: unknown): Json {
  return z.json().parse(JSON.parse(JSON.stringify(value)));
}
