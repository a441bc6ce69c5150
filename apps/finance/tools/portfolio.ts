/**
 * Portfolio tools: what the user holds, how it is changed, and what follows from it. Nothing of them is ever cached.
 */
import type { MarketData } from "../data/market-data.ts";
import { importHoldings } from "../portfolio/import-holdings.ts";
import { getPortfolio, loadPortfolio } from "../portfolio/get-portfolio.ts";
import { getPortfolioEvents } from "../portfolio/portfolio-events.ts";
import { setHolding } from "../portfolio/set-holding.ts";
import { analyzePortfolio } from "../portfolio/analyze-portfolio.ts";
import type { CatalogueEntry, ToolDeps } from "./market-tool.ts";

/** Every tool of the portfolio on a market. */
export function portfolioTools(market: MarketData, deps: ToolDeps): readonly CatalogueEntry[] {
  const made = [getPortfolio, setHolding, importHoldings, analyzePortfolio, getPortfolioEvents].map((make) =>
    make(market, deps),
  );
  return [...made, loadPortfolio()];
}
