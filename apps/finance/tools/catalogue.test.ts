import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Json } from "@baton/core";
import { refusedPaths } from "@baton/core/testing";
import { parseJson } from "@baton/core/util";
import { z } from "zod";
import { ALL_TOOLS, CHART_RULES, COMMON_TOOLS, createCatalogue, createTools } from "./catalogue.ts";
import { stubMarket } from "./testing/stub-market.ts";

/** The table of the specification: each line is a category, a tool and arguments that it takes; `*` is required. */
const TABLE = `
price getStockPrice {"symbol*":"A"}
price getStockQuote {"symbol":"A"} {"symbols":["A","B"]}
price getHistoricalPrice {"symbol":"A","from":"2020-01-01","to":"2020-12-31","limit":250,"adjust":true} {"symbols":["A"],"interval":"week"}
price getIntradayPrices {"symbol*":"A","interval":"4hour"}
price getPriceChange {"symbol*":"A"}
technical getTechnicalIndicators {"symbol*":"A","timeframe":"1M","indicators":["ATR","STOCH","ADX","VWAP","OBV"]}
technical getRSI {"symbol*":"A","period":14}
technical getMACD {"symbol*":"A","fast":12,"slow":26,"signal":9}
technical getSMA {"symbol*":"A","period":200}
technical getEMA {"symbol*":"A","period":20}
technical getBands {"symbol*":"A","period":20,"stdDev":2}
fundamental getBalanceSheet {"symbol*":"A","period":"quarter","limit":8}
fundamental getIncomeStatement {"symbol*":"A","period":"ttm","limit":8} {"symbol*":"A","statement":"all"}
fundamental getCashFlow {"symbol*":"A","period":"annual","limit":8}
fundamental getKeyMetrics {"symbol*":"A","period":"ttm","limit":5}
fundamental getFinancialGrowth {"symbol*":"A","lookback_years":5}
fundamental getRatios {"symbol*":"A","period":"ttm","limit":8}
fundamental getEarnings {"symbol*":"A","limit":4}
fundamental getDividends {"symbol*":"A","lookback_days":365}
news getStockNews {"symbol":"A","limit":50,"page":0} {}
news getGeneralNews {"limit":20,"page":0}
news webSearch {"query*":"x","max_results":5,"use_finance_domains":false}
discovery getScreener {"sector":"technology","industry":"banks","market_cap_more_than":1,"market_cap_lower_than":9,"price_more_than":1,"price_lower_than":9,"beta_more_than":1,"beta_lower_than":2,"pe_more_than":1,"pe_lower_than":10,"yield_percent_more_than":4,"yield_percent_lower_than":9,"week52_position_percent_more_than":1,"week52_position_percent_lower_than":20,"revenue_growth_percent_more_than":10,"debt_to_equity_lower_than":1,"volume_more_than":1,"exchange":"NYSE","country":"US","sort_by":"market_cap","order":"desc","limit":100} {"where":["pe < 10","dividend_yield > 4","market_cap > 1e9","price < 50","week52_position < 20","revenue_growth > 10","debt_to_equity < 1","volume > 1e6"],"sort_by":"pe asc"}
discovery getGainers {"limit":20}
discovery getLosers {"limit":20}
discovery getMostActive {"limit":20}
crypto getCryptoPrice {"symbol*":"BTC"}
crypto getCryptoQuote {"symbol*":"BTCUSDT"}
crypto getCryptoHistorical {"symbol*":"BTC","interval":"1h","limit":1000}
crypto getCryptoNews {"symbol":"BTC","limit":20,"page":0}
crypto getCryptoMarkets {"limit":20,"sort":"gainers"}
market getMarketOverview {} {"with":["sectors","gainers","losers","active","crypto"]}
market getSectorPerformance {"date":"2024-11-22"}
market getIndexComponents {"index":"dowjones","limit":50}
market getEconomicCalendar {"from":"2024-11-01","to":"2024-11-30","country":"US","impact":"High"}
risk calculateVaR {"symbol*":"A","confidence":0.99,"method":"parametric","portfolio_value":10000,"days":252}
risk getSharpeRatio {"symbol*":"A","risk_free_rate":0.045,"days":252}
risk getVolatilityAnalysis {"symbol*":"A","days":1260}
memory saveToMemory {"content*":"x","category":"goal"}
memory recallMemory {"query*":"x","timeframe":"all","limit":5}
memory searchMemory {"query*":"x","limit":3}
meta tool_search {"query*":"x","top_k":20,"exclude_tools":["a"]}
meta getCurrentTime {"timezone":"UTC"}
beyond resolveSymbol {"query":"Apple","type":"stock","market":"US"} {"queries":["a","b"]}
beyond calculate {"expression":"1 + 1"} {"expressions":["1","2"]}
beyond compareMetrics {"symbols*":["A"],"metrics*":["valuation","growth","margins","returns","debt","dividend","risk","quality","pe","pb","ps","ev_to_ebitda","fcf_yield","dividend_yield","payout","market_cap","revenue_growth","eps_growth","revenue_cagr","net_margin","roe","roic","debt_to_equity","volatility","drawdown","beta","sharpe","correlation","piotroski","altman_z"],"years":5}
beyond getFilings {"symbol*":"A","forms":["10-K"],"from":"2020-01-01","to":"2021-01-01","limit":10}
beyond readFilingSection {"accession*":"0000320193-24-000123","section*":"1A","max_chars":8000}
beyond searchFilings {"query*":"x","forms":["10-K"],"from":"2020-01-01","to":"2021-01-01","symbols":["A"],"limit":10}
beyond getInsiderTrades {"symbol*":"A","limit":20}
beyond getInstitutionalHoldings {"manager*":"x","quarter":"2024Q3"}
beyond getRates {"series":"real_curve","from":"2020-01-01","to":"2021-01-01"}
beyond getEconomicSeries {"series*":"CPI","country":"US","from":"2020-01-01","to":"2021-01-01"} {"series*":["treasury_10y","effr"]}
beyond convertCurrency {"amount*":1,"from*":"USD","to*":"VND","date":"2024-01-02"}
beyond runBacktest {"symbol*":"A","strategy*":"bollinger","from":"2020-01-01","to":"2021-01-01","cash":100000,"cost_bps":10}
beyond getPortfolio {} {"with_risk":true,"shocks":[{"symbol":"A","percent":-20}]}
beyond setHolding {"symbol*":"A","quantity*":1,"cost":2,"currency":"USD","action":"add"} {"holdings*":[{"symbol":"A","quantity":1,"cost":2,"currency":"USD","action":"set"}]}
beyond importHoldings {"csv":"AAPL,1,2"}
beyond analyzePortfolio {}
beyond setWatchlist {"symbols":["A"]}
beyond setAlert {"symbol*":"A","kind*":"price_crosses","value*":1,"repeat":true}
beyond listAlerts {}
beyond removeAlert {"id":"a"}
beyond setSchedule {"cron*":"30 8 * * 1-5","time_zone":"Asia/Ho_Chi_Minh","ask*":"x"}
beyond forgetMemory {"query":"x"}
beyond valueDcf {"symbol*":"A","growth_percent":5,"years":5,"terminal_growth_percent":2.5,"discount_percent":9,"shares":1000}
beyond compareChart {"symbols*":["A","B"],"from":"2020-01-01","to":"2021-01-01"}
beyond getOptionsChain {"symbol*":"A","expiry":"2025-01-17","kind":"call","strikes":10}
`;

const ROWS = TABLE.trim()
  .split("\n")
  .map((line) => {
    const [category = "", name = "", ...rest] = line.split(" ");
    return { category, name, calls: rest.join(" ").split(/(?<=\}) (?=\{)/) };
  });

const CATALOGUE = createCatalogue(stubMarket({}));
const Arguments = z.record(z.string(), z.json());

test("names, categories and order are those of the specification; 43 are of the reference", () => {
  const found = CATALOGUE.map(({ tool, category }) => `${category} ${tool.name}`);
  assert.deepEqual(
    found,
    ROWS.map(({ category, name }) => `${category} ${name}`),
  );
  assert.equal(CATALOGUE.filter(({ isCore }) => isCore).length, 43);
  const tags = createTools(stubMarket({})).map((tool) => tool.tags?.[0]);
  assert.equal(tags.filter((tag) => tag === "core").length, 43);
});

test("every argument of the specification is accepted, a required one is missed, another is refused by its name", async () => {
  for (const { name, calls } of ROWS) {
    const tool = CATALOGUE.find((entry) => entry.tool.name === name)?.tool;
    assert.ok(tool);
    for (const text of calls) {
      const given = Object.entries(Arguments.parse(parseJson(text)));
      const args: Json = Object.fromEntries(given.map(([field, value]) => [field.replace("*", ""), value]));
      assert.deepEqual(await refusedPaths(tool, args), [], `${name} ${text}`);
      for (const [field] of given.filter(([key]) => key.endsWith("*"))) {
        const { [field.slice(0, -1)]: _, ...without } = Arguments.parse(args);
        assert.notDeepEqual(await refusedPaths(tool, without), [], `${name} without ${field}`);
      }
      const prepared = await tool.prepare({ ...Arguments.parse(args), frobnicate: 1 });
      assert.ok(!prepared.ok, `${name} takes frobnicate`);
    }
  }
});

test("the tools that are offered at once are sixteen and small, and lists are derived", () => {
  assert.equal(COMMON_TOOLS.length, 16);
  const schemas = CATALOGUE.filter(({ tool }) => COMMON_TOOLS.includes(tool.name)).map(({ tool }) =>
    JSON.stringify([tool.name, tool.description, tool.inputSchema]),
  );
  assert.ok(schemas.join("").length < 11_500, `${schemas.join("").length}`);
  assert.deepEqual(
    ALL_TOOLS,
    CATALOGUE.map(({ tool }) => tool.name),
  );
  assert.equal(CHART_RULES.get("getScreener")?.type, "showTrendingStocks");
  assert.ok(!CHART_RULES.has("getIndexComponents"));
});

const CHANGES = /^(?:set|save|import|remove|forget)/;

test("a tool reads only unless its name says what it changes, and has phrases that it is found by", () => {
  for (const { tool, phrases } of CATALOGUE) {
    assert.equal(tool.effect, CHANGES.test(tool.name) ? "idempotent" : "read", tool.name);
    assert.ok(tool.description.length > 25 && phrases.length >= 4, tool.name);
  }
});

const FINANCE = join(import.meta.dirname, "..");

function* sourcesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== "testing" && entry.name !== "node_modules") yield* sourcesIn(path);
    else if (/(?<!\.test)\.ts$|\.yaml$/.test(entry.name)) yield path;
  }
}

/** Names that programs of the crew call themselves, beside the lists of its agents. */
const CALLED = new Set(["importHoldings", "tool_search", "calculate"]);

test("a tool's name stands in at most three files: its own and the lists of two agents", () => {
  const texts = [...sourcesIn(FINANCE)].map((path) => ({ path, text: readFileSync(path, "utf8") }));
  const crowded = ALL_TOOLS.filter((name) => !CALLED.has(name)).flatMap((name) => {
    const found = texts.filter(({ text }) => new RegExp(`\\b${name}\\b`).test(text)).map(({ path }) => path);
    return found.length > 3 ? [`${name}: ${found.join(" ")}`] : [];
  });
  assert.deepEqual(crowded, []);
});
