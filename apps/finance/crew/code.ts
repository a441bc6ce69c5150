/**
 * The assistant's programs, and what is around its models: figures by reference and charts.
 */
import {
  confirmProgram,
  contextProgram,
  factsFrom,
  planRunner,
  withConfirmSignal,
  withFigures,
  withKeptReply,
  withSummary,
} from "@baton/assistant";
import type { Agent, Json, Model, Tool } from "@baton/core";
import { lookInto } from "@baton/core/util";
import { figureOptions } from "../answer/figures/figure-options.ts";
import { withOpenPoints } from "../answer/open-points.ts";
import { withCharts } from "../answer/charts/with-charts.ts";
import type { MarketData } from "../market/port/market-data.ts";
import { ASKS } from "../tools/catalogue.ts";
import { demoProgram } from "../demo/demo-program.ts";
import { toChartOptions } from "./chart-options.ts";
import { crewMeter, openCrewMarket } from "./market.ts";
import { resolveProgram } from "./resolve-program.ts";
import { withSearchedTools } from "./searched-tools.ts";
import { toToolLine } from "./tool-line.ts";
import tools from "./tools.ts";

/** The facts of a run, from the recorded outputs of its calls. */
const factsOf = factsFrom(tools);

const openDirectory = async () => (await openCrewMarket()).directory;

/** A conversation with more tokens is summed up first. */
const COMPACT_ABOVE = 100_000;
const CONTEXT_BUDGET = 6_000;
const SUMMARY = { keep: 4, maxTokens: 20_000, tag: "CONV_SUMMARY" } as const;
/** Reviews that may ask for more. */
const REVIEWS = 2;

/** Tools that load facts about the data, the user and the session; one that the crew does not have is left out. */
const LOADS = [
  { tool: "loadMarket", id: "market", priority: 5 },
  { tool: "loadProfile", id: "profile", tag: "USER_PROFILE", priority: 4 },
  { tool: "loadPortfolio", id: "portfolio", tag: "PORTFOLIO", priority: 3 },
  { tool: "loadWorking", id: "working", tag: "WORKING_MEMORY", priority: 2 },
  { tool: "loadSummary", id: "summary", tag: "CONV_SUMMARY", priority: 3 },
  { tool: "loadRecent", id: "recent", tag: "RECENT", priority: 0 },
] as const;

/** Called by programs and by the store's clock. */
const UNOFFERED = /^(?:load|saveWorking$|saveCompaction$|checkAlert$|tool_search$|createPlan$|updatePlan$)/;

/** A plan only looks things up, and only what a source that is on may have. */
function toPlanned({ serves }: Pick<MarketData, "serves">): readonly Tool[] {
  return tools.filter(({ name, effect }) => {
    const asks = ASKS.get(name);
    return effect === "read" && !UNOFFERED.test(name) && (asks === undefined || serves(asks));
  });
}

export default {
  context: contextProgram({ loads: LOADS, budget: CONTEXT_BUDGET, compactAbove: COMPACT_ABOVE }),
  resolve: resolveProgram({
    openDirectory,
    meter: crewMeter,
    toolList: async () =>
      toPlanned(await openCrewMarket())
        .map(toToolLine)
        .join("\n"),
  }),
  runner: planRunner({ messageOf: toMissing, reviews: REVIEWS, meter: crewMeter }),
  confirm: confirmProgram(),
  offline: demoProgram({ openMarket: openCrewMarket, factsOf }),
};

const charts = toChartOptions(openCrewMarket);

/** Wraps the models: what is understood and planned is kept as state; answers have figures checked and charts drawn. */
export function wrapModel(model: Model, { id, audience }: Agent): Model {
  if (id === "compactor") return withSummary(model, SUMMARY);
  if (id === "intent") return withKeptReply(model, "understood");
  if (id === "planner" || id === "reviewer") return withKeptReply(model, "plan_draft");
  if (audience !== "user") return model;
  const options = { ...figureOptions, factsOf, meter: crewMeter };
  const answering = withFigures(withCharts(withSearchedTools(model), charts), options);
  return withConfirmSignal(id === "direct" ? answering : withOpenPoints(answering));
}

/** Why a result has no data. */
function toMissing(output: Json): string | undefined {
  if (lookInto(output, "no_data") !== true) return undefined;
  const message = lookInto(output, "message");
  return typeof message === "string" ? message : "there is no data";
}
