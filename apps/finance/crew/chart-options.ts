/**
 * Chart options: the calls of a run with their recorded outputs, for the charts of its answer.
 *
 * Outputs are read from the run's log, so that a chart shows what the answer was written from, in any process.
 */
import type { ChartCall } from "../answer/charts/chart-input.ts";
import { resolveCharts } from "../answer/charts/resolve-charts.ts";
import type { ChartOptions } from "../answer/charts/with-charts.ts";
import type { MarketData } from "../market/port/market-data.ts";
import { CHART_RULES } from "../tools/catalogue.ts";
import { runState } from "./run-state.ts";

/** Finds the charts of an answer; the market names listings and has the lines of price cards. */
export function toChartOptions(openMarket: () => Promise<MarketData>): ChartOptions {
  return {
    async callsOf({ calls, outputOf }) {
      const drawn = calls.filter(({ ok, tool }) => ok && CHART_RULES.has(tool));
      const found = drawn.map(async ({ tool, args, call }): Promise<readonly ChartCall[]> => {
        const output = await outputOf(call);
        return output === undefined ? [] : [{ tool, args, call, output }];
      });
      return (await Promise.all(found)).flat();
    },
    async resolve(calls, prompt, scope) {
      const symbols = runState.get(prompt, "intent")?.validated_symbols ?? [];
      return resolveCharts({ calls, symbols, market: await openMarket(), scope });
    },
  };
}
