/**
 * The crew's tools: those of the assistant's catalogue that its agents use, and one that draws. The data is embedded
 * unless the environment names a live source; the first call opens it.
 */
import { marketTools, openCrewMarket } from "../../crew/market.ts";
import { defineShowChart } from "./show-chart.ts";

const USED: ReadonlySet<string> = new Set([
  "resolveSymbol",
  "getTechnicalIndicators",
  "getVolatilityAnalysis",
  "getStockQuote",
  "getIncomeStatement",
]);

export default [...marketTools.filter(({ name }) => USED.has(name)), defineShowChart(openCrewMarket)];
