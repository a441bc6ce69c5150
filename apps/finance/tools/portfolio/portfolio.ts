/**
 * Portfolio tools: what the user holds, how it is changed, and what follows from it. Nothing of them is ever cached.
 */
import type { MarketData } from "../../market/port/market-data.ts";
import { importHoldings } from "./import-holdings.ts";
import { getPortfolio, loadPortfolio } from "./get-portfolio.ts";
import { getPortfolioEvents } from "./portfolio-events.ts";
import { setHolding } from "./set-holding.ts";
import { analyzePortfolio } from "./analyze-portfolio.ts";
import type { CatalogueEntry, ToolDeps } from "../frame/market-tool.ts";

/** Every tool of the portfolio on a market. */
export function portfolioTools(market: MarketData, deps: ToolDeps): readonly CatalogueEntry[] {
  const made = [getPortfolio, setHolding, importHoldings, analyzePortfolio, getPortfolioEvents].map((make) =>
    make(market, deps),
  );
  return [...made, loadPortfolio()];
}
