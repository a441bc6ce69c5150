/**
 * The desk's tools: those of the assistant's catalogue that its agents use, and one that draws. The data is embedded
 * unless the environment names a live source.
 */
import { SystemClock } from "@baton/core";
import { openMarket } from "../../data/open-market.ts";
import { createTools } from "../../tools/index.ts";
import { defineShowChart } from "./show-chart.ts";

const USED: ReadonlySet<string> = new Set([
  "resolveSymbol",
  "getTechnicalIndicators",
  "getVolatilityAnalysis",
  "getStockQuote",
  "getIncomeStatement",
]);

const market = await openMarket({ env: process.env, clock: new SystemClock() });
const tools = createTools(market);

export default [...tools.filter(({ name }) => USED.has(name)), defineShowChart(market, tools)];
