/**
 * Chart options: the calls of a run with their outputs, for the charts of its answer.
 *
 * The run's state has what was asked and, of the user's own holdings, what was answered. All other calls are made once
 * more, which the tools' cache answers, so that a chart shows what the answer was written from.
 */
import type { CallContext, Json, Prompt } from "@baton/core";
import { NO_RECORDED_CALLS, noDocuments, type Scope } from "@baton/core/ports";
import { z } from "zod";
import { ruleOf } from "../answer/charts/chart-rules.ts";
import type { ChartCall } from "../answer/charts/chart-input.ts";
import { resolveCharts } from "../answer/charts/resolve-charts.ts";
import type { ChartOptions } from "../answer/charts/with-charts.ts";
import { outputOf, recordsOf } from "../tools/frame/recorded-call.ts";
import { marketTools, openCrewMarket } from "./market.ts";

/** How the charts of an answer are found. */
export const chartOptions: ChartOptions = {
  async callsOf({ values, run }, scope) {
    const drawn = recordsOf({ entries: () => values }).filter(({ status, tool }) => status === "ok" && ruleOf(tool));
    const calls = drawn.map(async ({ tool, args, call }) => {
      const output = outputOf(values, call);
      return output === undefined ? callAgain({ tool, args, call, run, scope }) : { tool, args, call, output };
    });
    return (await Promise.all(calls)).filter((call) => call !== undefined);
  },
  async resolve(calls, { values }: Prompt, scope) {
    const symbols = z.array(z.string()).safeParse(values.get("lock")).data ?? [];
    return resolveCharts({ calls, symbols, market: await openCrewMarket(), scope });
  },
};

type Again = Readonly<{ tool: string; args: Json; call: string; run: string; scope: Scope }>;

/** A call that fails now gives no chart. */
async function callAgain({ tool: name, args, call, run, scope }: Again): Promise<ChartCall | undefined> {
  const tool = marketTools.find((one) => one.name === name);
  const prepared = await tool?.prepare(args);
  if (prepared?.ok !== true) return undefined;
  const context: CallContext = {
    key: `${run}/${call}/chart`,
    scope,
    run,
    call,
    attempt: 1,
    messages: [],
    state: { get: () => undefined, set: () => undefined, entries: () => [] },
    documents: noDocuments("a chart shows market data, not a user's"),
    ...NO_RECORDED_CALLS,
    progress: () => undefined,
    note: () => undefined,
  };
  try {
    const output = z.json().parse(await prepared.run(context));
    return { tool: name, args, output, call };
  } catch {
    return undefined;
  }
}
