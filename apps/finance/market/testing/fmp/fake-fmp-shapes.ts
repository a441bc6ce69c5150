/**
 * Fake FMP shapes: one row in the shape of each endpoint that has no data of its own here.
 */
import type { Asked, Rows } from "./fake-fmp-asked.ts";
import { chance } from "../fake-prices.ts";

const QUOTE = "symbol,price,change,volume";
const SHAPES: ReadonlyMap<string, string> = new Map([
  ["/batch-index-quotes", QUOTE],
  ["/batch-crypto-quotes", QUOTE],
  ["/batch-forex-quotes", QUOTE],
  ["/batch-commodity-quotes", QUOTE],
  ["/batch-etf-quotes", QUOTE],
  ["/stock-peers", "symbol,companyName,price,mktCap"],
  ["/market-capitalization", "symbol,date,marketCap"],
  ["/financial-scores", "symbol,altmanZScore,piotroskiScore,workingCapital,totalAssets"],
  ["/discounted-cash-flow", "symbol,date,dcf,Stock Price"],
  ["/levered-discounted-cash-flow", "symbol,date,dcf,Stock Price"],
  ["/earnings-calendar", "symbol,date,epsActual,epsEstimated,revenueActual,revenueEstimated"],
  ["/dividends-calendar", "symbol,date,recordDate,paymentDate,adjDividend,dividend,yield"],
  ["/splits", "symbol,date,numerator,denominator"],
  ["/splits-calendar", "symbol,date,numerator,denominator"],
  ["/ipos-calendar", "symbol,date,company,exchange,actions,shares,marketCap"],
  ["/analyst-estimates", "symbol,date,revenueAvg,epsAvg,epsHigh,epsLow,numAnalystsRevenue,numAnalystsEps"],
  ["/price-target-consensus", "symbol,targetHigh,targetLow,targetConsensus,targetMedian"],
  ["/price-target-summary", "symbol,lastMonthCount,lastMonthAvgPriceTarget,allTimeCount,publishers"],
  ["/grades", "symbol,date,gradingCompany,previousGrade,newGrade,action"],
  ["/grades-consensus", "symbol,strongBuy,buy,hold,sell,strongSell,consensus"],
  ["/ratings-snapshot", "symbol,rating,overallScore,returnOnEquityScore,debtToEquityScore"],
  ["/fmp-articles", "title,date,content,tickers,image,link,author,site"],
  ["/industry-performance-snapshot", "date,industry,exchange,averageChange"],
  ["/sector-pe-snapshot", "date,sector,exchange,pe"],
  ["/historical-sector-performance", "date,sector,exchange,averageChange"],
  ["/economic-indicators", "name,date,value"],
  ["/treasury-rates", "date,month1,month3,month6,year1,year2,year5,year10,year30"],
  ["/search-symbol", "symbol,name,currency,exchangeFullName,exchange"],
  ["/search-name", "symbol,name,currency,exchangeFullName,exchange"],
  ["/stock-list", "symbol,companyName"],
  ["/etf-list", "symbol,name"],
  ["/index-list", "symbol,name"],
  ["/exchange-market-hours", "exchange,name,openingHour,closingHour,timezone,isMarketOpen"],
  ["/insider-trading/search", "symbol,filingDate,transactionDate,reportingName,securitiesTransacted,price"],
]);

const WORDS =
  /symbol|name|company|exchange|currency|grade|action|rating$|consensus|title|content|tickers|image|link|author|site|industry|sector|hour|timezone|publishers/i;

/** One row in the endpoint's shape. */
export function toShapeRows({ path, symbol, today }: Asked): Rows | undefined {
  const fields = SHAPES.get(path)?.split(",");
  if (fields === undefined) return undefined;
  const toValue = (name: string): unknown => {
    if (name === "symbol") return symbol === "" ? "AAPL" : symbol;
    if (/date$/i.test(name)) return today;
    if (name === "publishers") return '["Example Wire"]';
    return WORDS.test(name) && !name.endsWith("Consensus") ? name : Math.round(1_000 * chance(`${symbol}${name}`)) / 10;
  };
  return [Object.fromEntries(fields.map((name) => [name, toValue(name)]))];
}
