import assert from "node:assert/strict";
import { test } from "node:test";
import type { Tool } from "@baton/core";
import { z } from "zod";
import { createCatalogue, createTools } from "./catalogue.ts";
import { stubMarket } from "./testing/stub-market.ts";

/** The table of the specification: `*` is required, brackets hold the default. */
const TABLE = `
price getStockPrice symbol*
price getStockQuote symbol*
price getHistoricalPrice symbol* from to limit(250) adjust(true)
price getIntradayPrices symbol* interval("5min")
price getPriceChange symbol*
technical getTechnicalIndicators symbol* timeframe("1Y") indicators(["RSI","MACD","SMA","EMA","BB"])
technical getRSI symbol* period(14)
technical getMACD symbol* fast(12) slow(26) signal(9)
technical getSMA symbol* period(20)
technical getEMA symbol* period(20)
technical getBands symbol* period(20) stdDev(2)
fundamental getBalanceSheet symbol* period("annual") limit(8)
fundamental getIncomeStatement symbol* period("annual") limit(8)
fundamental getCashFlow symbol* period("annual") limit(8)
fundamental getKeyMetrics symbol* period("annual") limit(5)
fundamental getFinancialGrowth symbol* lookback_years(5)
fundamental getRatios symbol* period("annual") limit(8)
fundamental getEarnings symbol* limit(4)
fundamental getDividends symbol* lookback_days(365)
news getStockNews symbol* limit(20) page(0)
news getGeneralNews limit(20) page(0)
news webSearch query* max_results(5) use_finance_domains(false)
discovery getScreener sector industry market_cap_more_than market_cap_lower_than price_more_than price_lower_than beta_more_than beta_lower_than volume_more_than dividend_more_than exchange country limit(10)
discovery getGainers limit(20)
discovery getLosers limit(20)
discovery getMostActive limit(20)
crypto getCryptoPrice symbol*
crypto getCryptoQuote symbol*
crypto getCryptoHistorical symbol* interval("1h") limit(200)
crypto getCryptoNews symbol limit(20) page(0)
crypto getCryptoMarkets limit(20) sort("volume")
market getMarketOverview
market getSectorPerformance date
market getIndexComponents index("sp500") limit(50)
market getEconomicCalendar from to country impact
risk calculateVaR symbol* confidence(0.95) method("historical") portfolio_value(10000) days(252)
risk getSharpeRatio symbol* risk_free_rate days(252)
risk getVolatilityAnalysis symbol* days(252)
memory saveToMemory content* category
memory recallMemory query* timeframe("last_week") limit(5)
memory searchMemory query* limit(3)
meta tool_search query* top_k(10) exclude_tools
meta getCurrentTime timezone("UTC")
beyond resolveSymbol query* type("any") market
beyond calculate expression*
beyond compareMetrics symbols* metrics*
beyond getFilings symbol* forms(["10-K","10-Q","8-K"]) from to limit(10)
beyond readFilingSection accession* section* max_chars(8000)
beyond searchFilings query* forms([]) from to symbols([]) limit(10)
beyond getInsiderTrades symbol* limit(20)
beyond getInstitutionalHoldings manager* quarter
beyond getRates series("treasury_curve") from to
beyond getEconomicSeries series* country("US") from to
beyond convertCurrency amount* from* to* date
beyond runBacktest symbol* strategy* from to cash(100000) cost_bps(10)
beyond compareSources symbol* what("price")
beyond getPortfolio
beyond setHolding symbol* quantity cost currency account bought_on action("set")
beyond importHoldings csv dry_run(true) account
beyond analyzePortfolioTool shocks confidence(0.95) days(252) currency
beyond portfolioEventsTool from to
beyond setWatchlistTool symbols([]) action("add")
beyond setAlertTool symbol* kind* value direction("any") since("set") forms(["8-K","4"]) days_before(7) repeat(false)
beyond listAlertsTool
beyond removeAlertTool id symbol all
beyond setScheduleTool cron* time_zone ask*
`;

const Schema = z.object({
  properties: z
    .record(z.string(), z.looseObject({ default: z.unknown().optional(), description: z.string().optional() }))
    .default({}),
  required: z.array(z.string()).default([]),
  additionalProperties: z.literal(false),
});

/** A tool's arguments as the table writes them. */
function toArguments({ inputSchema }: Tool): readonly string[] {
  const { properties, required } = Schema.parse(inputSchema);
  return Object.entries(properties).map(([name, { default: standard }]) => {
    if (standard !== undefined) return `${name}(${JSON.stringify(standard)})`;
    return required.includes(name) ? `${name}*` : name;
  });
}

const CATALOGUE = createCatalogue(stubMarket({}));

test("names, categories, order, arguments and defaults are those of the specification", () => {
  const found = CATALOGUE.map(({ tool, category }) => [category, tool.name, ...toArguments(tool)].join(" "));
  assert.deepEqual(found, TABLE.trim().split("\n"));
});

test("the 43 are all there, 23 are beyond them, and two are for programs and the clock alone", () => {
  assert.equal(CATALOGUE.filter(({ isCore }) => isCore).length, 43);
  assert.equal(CATALOGUE.length, 66);
  assert.equal(createTools(stubMarket({})).length, 68);
});

/** Tools that change what is kept for the user. */
const CHANGES = /^(?:set|save|import|remove)/;

test("a tool reads only unless its name says what it changes, and says in words what it and each of its arguments is", () => {
  for (const { tool, phrases } of CATALOGUE) {
    assert.equal(tool.effect, CHANGES.test(tool.name) ? "idempotent" : "read", tool.name);
    assert.ok(tool.description.length > 40, tool.name);
    assert.ok(phrases.length >= 4, tool.name);
    for (const [name, { description }] of Object.entries(Schema.parse(tool.inputSchema).properties)) {
      assert.ok((description ?? "").length > 0, `${tool.name}.${name} has no description`);
    }
  }
});

test("an argument beyond the table is refused by its name", async () => {
  for (const { tool } of CATALOGUE.filter(({ tool: { name } }) => name !== "calculate")) {
    const prepared = await tool.prepare({ frobnicate: 1 });
    const said = prepared.ok ? "" : prepared.issues.map(({ path, message }) => `${path} ${message}`).join();
    assert.match(said, /frobnicate/, tool.name);
  }
});

test("each tool says whether it is one of the 43, and its category", () => {
  const tags = new Map(createTools(stubMarket({})).map((tool) => [tool.name, tool.tags]));
  assert.deepEqual(tags.get("getRSI"), ["core", "technical"]);
  assert.deepEqual(tags.get("tool_search"), ["core", "meta"]);
  assert.deepEqual(tags.get("runBacktest"), ["beyond", "beyond"]);
  const core = [...tags.values()].filter((own) => own?.[0] === "core");
  assert.equal(core.length, 43);
});
