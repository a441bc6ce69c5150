/**
 * Show chart: a tool that puts the chart of an earlier call into the run's log, as a note that consoles draw.
 *
 * It draws the recorded output of that call, so that the chart shows what the analyst saw.
 */
import { type CallContext, defineTool, type Tool, ToolError } from "@baton/core";
import { lookInto } from "@baton/core/util";
import { z } from "zod";
import type { ChartCall } from "../../answer/charts/chart-input.ts";
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

/** A tool that draws what a call of this run has found. */
export function defineShowChart(open: () => Promise<MarketData>): Tool {
  return defineTool({
    name: "showChart",
    description: "Draws what a market tool has found about one symbol, for the reader to see beside the answer.",
    effect: "read",
    input: z.strictObject({
      tool: z.enum(DRAWN).describe("The tool whose answer is drawn; call it first"),
      symbol: z.string().trim().min(1).max(80).describe("Ticker such as AAPL, as the tool was called with"),
    }),
    run: async ({ tool, symbol }, context) => {
      const calls = [await findCall(context, tool, symbol)];
      const charts = await resolveCharts({ calls, symbols: [symbol], market: await open(), scope: context.scope });
      for (const chart of charts) context.note("chart", z.json().parse(chart));
      return charts.map(({ type, symbols, data: { provenance } }) => ({ type, symbols, kind: provenance.kind }));
    },
  });
}

/** The newest call of a tool about a symbol, with its recorded output. */
async function findCall({ calls, outputOf }: CallContext, tool: string, symbol: string): Promise<ChartCall> {
  const isAsked = (args: ChartCall["args"]) => {
    const asked = lookInto(args, "symbol");
    return typeof asked === "string" && asked.trim().toUpperCase() === symbol.toUpperCase();
  };
  const found = calls.findLast((one) => one.ok && one.tool === tool && isAsked(one.args));
  const output = found === undefined ? undefined : await outputOf(found.call);
  if (found === undefined || output === undefined)
    throw new ToolError("validation", `there is nothing to draw: call ${tool} for ${symbol} first`);
  return { tool, args: found.args, call: found.call, output };
}
