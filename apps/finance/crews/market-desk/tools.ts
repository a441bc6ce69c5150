/**
 * The desk's tools: those of the assistant's catalogue that its agents use, and one that draws. The data is embedded
 * unless the environment names a live source; the first call opens it.
 */
import { SystemClock } from "@baton/core";
import { openMarket } from "../../data/open-market.ts";
import { deferTools, once } from "../../tools/deferred-tools.ts";
import { defineShowChart } from "./show-chart.ts";

const USED: ReadonlySet<string> = new Set([
  "resolveSymbol",
  "getTechnicalIndicators",
  "getVolatilityAnalysis",
  "getStockQuote",
  "getIncomeStatement",
]);

const open = once(() => openMarket({ env: process.env, clock: new SystemClock() }));
const tools = deferTools(open);

export default [...tools.filter(({ name }) => USED.has(name)), defineShowChart(open, tools)];
