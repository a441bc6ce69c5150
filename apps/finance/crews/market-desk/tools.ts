/**
 * The desk's tools: those of the assistant's catalogue that its agents use, on embedded data, and one that draws.
 */
import { createTools } from "../../tools/index.ts";
import { openDeskMarket } from "./desk-market.ts";
import { defineShowChart } from "./show-chart.ts";

const USED: ReadonlySet<string> = new Set([
  "resolveSymbol",
  "getTechnicalIndicators",
  "getVolatilityAnalysis",
  "getStockQuote",
  "getIncomeStatement",
]);

const market = openDeskMarket();
const tools = createTools(market);

export default [...tools.filter(({ name }) => USED.has(name)), defineShowChart(market, tools)];
