/**
 * The assistant's programs, and what is around its models: figures by reference and charts.
 */
import { contextProgram, planRunner, withFigures, withSummary } from "@baton/assistant";
import type { Agent, Json, Model } from "@baton/core";
import { lookInto } from "@baton/core/util";
import { withCharts } from "../answer/charts/with-charts.ts";
import { figureOptions } from "../answer/figures/figure-options.ts";
import { intentProgram } from "../intent/intent-program.ts";
import { clarifyProgram, offlineProgram } from "../offline/offline.ts";
import { withResults } from "../offline/results.ts";
import { toChartOptions } from "./chart-options.ts";
import { crewMeter, openCrewMarket } from "./market.ts";
import tools from "./tools.ts";

const openDirectory = async () => (await openCrewMarket()).directory;
const today = async (of?: "records") => (await openCrewMarket()).today(of === "records" ? "filings" : undefined);

/** A conversation with more tokens is summed up first. */
const COMPACT_ABOVE = 100_000;
const CONTEXT_BUDGET = 6_000;
const SUMMARY = { keep: 4, maxTokens: 20_000, tag: "CONV_SUMMARY" } as const;

/** Tools that load facts about the user and the session; one that the crew does not have is left out. */
const LOADS = [
  { tool: "loadProfile", id: "profile", tag: "USER_PROFILE", priority: 4 },
  { tool: "loadPortfolio", id: "portfolio", tag: "PORTFOLIO", priority: 3 },
  { tool: "loadWorking", id: "working", tag: "WORKING_MEMORY", priority: 2 },
  { tool: "loadSummary", id: "summary", tag: "CONV_SUMMARY", priority: 3 },
  { tool: "loadProcedural", id: "habits", tag: "TOOL_HABITS", priority: 1 },
  { tool: "loadRecent", id: "recent", tag: "RECENT", priority: 0 },
] as const;

/** Called by programs and by the store's clock. */
const UNOFFERED = /^(?:load|saveWorking$|saveCompaction$|checkAlert$)/;
const offered = tools.filter(({ name }) => !UNOFFERED.test(name));
const toolNames = offered.map(({ name }) => name);
/** A plan only looks things up. */
const toolList = offered
  .filter(({ name, effect }) => effect === "read" && !name.endsWith("Plan"))
  .map(({ name, description }) => `${name}: ${description.split(". ", 1)[0]}`)
  .join("\n");

export default {
  context: contextProgram({ loads: LOADS, budget: CONTEXT_BUDGET, compactAbove: COMPACT_ABOVE }),
  intent: intentProgram({ openDirectory, today, toolList, toolNames, meter: crewMeter }),
  runner: planRunner({ messageOf: toMissing, meter: crewMeter }),
  clarify: clarifyProgram(),
  offline: offlineProgram({ openDirectory, today, toolNames }),
};

const charts = toChartOptions(openCrewMarket);

/** Wraps the models of agents that write for users: figures are checked and charts are drawn. */
export function wrapModel(model: Model, { id, audience }: Agent): Model {
  if (id === "compactor") return withSummary(model, SUMMARY);
  if (audience !== "user") return model;
  return withResults(withFigures(withCharts(model, charts), { ...figureOptions, meter: crewMeter }));
}

/** Why a result has no data. */
function toMissing(output: Json): string | undefined {
  const message = lookInto(output, "message");
  return typeof message === "string" ? message : undefined;
}
