import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { MemoryCache, numbersOf } from "@baton/assistant";
import { type Json, type Tool, ToolError } from "@baton/core";
import { parseJson } from "@baton/core/util";
import { callTool, refusedPaths, SimulatedClock, toolContext } from "@baton/core/testing";
import { z } from "zod";
import type { MarketData } from "../market/port/market-data.ts";
import { openMarket } from "../market/chain/open-market.ts";
import { openPack } from "../market/pack/pack.ts";
import type { Fault } from "../market/testing/fake-server.ts";
import { createTools } from "./catalogue.ts";
import { openLiveWorld } from "./testing/live-world.ts";

type Args = Readonly<Record<string, Json>>;

/** What each tool is asked, with a company of the pack, a coin, and a window that is inside real history. */
const ASKED: ReadonlyMap<string, Args> = new Map<string, Args>([
  ["getStockPrice", { symbol: "AAPL" }],
  ["getStockQuote", { symbol: "AAPL" }],
  ["getHistoricalPrice", { symbol: "AAPL" }],
  ["getIntradayPrices", { symbol: "AAPL" }],
  ["getPriceChange", { symbol: "AAPL" }],
  ["getTechnicalIndicators", { symbol: "AAPL" }],
  ["getRSI", { symbol: "AAPL" }],
  ["getMACD", { symbol: "AAPL" }],
  ["getSMA", { symbol: "AAPL" }],
  ["getEMA", { symbol: "AAPL" }],
  ["getBands", { symbol: "AAPL" }],
  ["getBalanceSheet", { symbol: "AAPL" }],
  ["getIncomeStatement", { symbol: "AAPL" }],
  ["getCashFlow", { symbol: "AAPL" }],
  ["getKeyMetrics", { symbol: "AAPL" }],
  ["getFinancialGrowth", { symbol: "AAPL" }],
  ["getRatios", { symbol: "AAPL" }],
  ["getEarnings", { symbol: "AAPL" }],
  ["getDividends", { symbol: "AAPL" }],
  ["getStockNews", { symbol: "AAPL" }],
  ["getGeneralNews", {}],
  ["webSearch", { query: "interest rates" }],
  ["getScreener", { sector: "technology", price_lower_than: 50 }],
  ["getGainers", {}],
  ["getLosers", {}],
  ["getMostActive", {}],
  ["getCryptoPrice", { symbol: "BTC" }],
  ["getCryptoQuote", { symbol: "BTC" }],
  ["getCryptoHistorical", { symbol: "BTC" }],
  ["getCryptoNews", {}],
  ["getCryptoMarkets", {}],
  ["getMarketOverview", {}],
  ["getSectorPerformance", {}],
  ["getIndexComponents", {}],
  ["getEconomicCalendar", {}],
  ["calculateVaR", { symbol: "AAPL" }],
  ["getSharpeRatio", { symbol: "AAPL" }],
  ["getVolatilityAnalysis", { symbol: "AAPL" }],
  ["tool_search", { query: "relative strength" }],
  ["getCurrentTime", {}],
  ["resolveSymbol", { query: "Apple" }],
  ["calculate", { expression: "1 + 2" }],
  ["compareMetrics", { symbols: ["AAPL", "MSFT"], metrics: ["growth", "correlation"] }],
  ["getFilings", { symbol: "AAPL" }],
  ["readFilingSection", { accession: "0000320193-25-000004", section: "1A" }],
  ["searchFilings", { query: "climate risk" }],
  ["getInsiderTrades", { symbol: "AAPL" }],
  ["getInstitutionalHoldings", { manager: "Bridgewater Associates" }],
  ["getRates", {}],
  ["getEconomicSeries", { series: "unemployment" }],
  ["convertCurrency", { amount: 100, from: "USD", to: "VND" }],
  ["runBacktest", { symbol: "AAPL", strategy: "sma_cross", from: "2012-01-03", to: "2016-12-30" }],
  ["compareSources", { symbol: "AAPL", what: "revenue" }],
]);

/** These ask no source: they answer whatever happens to the world. */
const LOCAL: ReadonlySet<string> = new Set(["tool_search", "getCurrentTime", "resolveSymbol", "calculate"]);

/** Numbers that are no facts: arguments that are echoed, times, counts, rows of a series, and points of a drawing. */
const PLAIN: readonly RegExp[] = [
  /(^|\.)(t|limit|count|page|days|period|fast|slow|signal|std_dev|observations|returns|shown|total|rank)$/,
  /(^|\.)(days_per_year|horizon_days|confidence|portfolio_value|cash|cost_bps|lookback_days|lookback_years|delay_s)$/,
  /^data\.(amount|total_chars)$/,
  /\.(criteria)\.\w+$/,
  /\.(prices|bars|trades|levels)\[\d+\]\.\w+$/,
  /\.(points|equity|spark)\[\d+\]\[\d\]$/,
];

const OUTPUT = z.looseObject({
  data: z.json().optional(),
  no_data: z.literal(true).optional(),
  ambiguous: z.literal(true).optional(),
  message: z.string().optional(),
  candidates: z.array(z.looseObject({ symbol: z.string(), name: z.string(), exchange: z.string() })).optional(),
  provenance: z
    .looseObject({ kind: z.string(), source: z.string(), as_of: z.string().regex(/T.*(Z|[+-]\d\d:\d\d)$/) })
    .optional(),
});

const FACTS = z.array(
  z.looseObject({
    path: z.string(),
    value: z.number(),
    unit: z.string(),
    currency: z.string().optional(),
    symbol: z.string(),
    metric: z.string().min(1),
    period: z.looseObject({ end: z.iso.date() }),
    as_of: z.string(),
    kind: z.string(),
    source: z.string().min(1),
  }),
);

const NOW = Date.parse("2024-11-22T15:00:00Z");
const pack = openPack();

const CALLED = z.object({ output: OUTPUT, facts: FACTS });
type Called = z.output<typeof CALLED>;

/** Calls a tool as the engine would, and reads what it gave and set. */
async function call(tool: Tool, args: Json): Promise<Called> {
  const contextOf = toolContext();
  const context = contextOf("1.1.1");
  const given = await callTool(tool, args, context);
  const output = OUTPUT.parse(parseJson(JSON.stringify(given)) ?? {});
  return { output, facts: FACTS.parse(context.state.get("facts/1.1.1") ?? []) };
}

const tools = (market: MarketData) => createTools(market, { cache: new MemoryCache() });

const embedded = tools(await openMarket({ env: {}, clock: new SimulatedClock(NOW), pack }));

function toolOf(all: readonly Tool[], name: string): Tool {
  const found = all.find((tool) => tool.name === name);
  assert.ok(found, `there is no tool ${name}`);
  return found;
}

/** What every answer must hold, with data or without. */
function assertHonest(name: string, { output, facts }: Called): void {
  const text = JSON.stringify(output);
  assert.ok(!text.includes("null") && !text.includes("NaN"), `${name} has a null or NaN: ${text.slice(0, 300)}`);
  if (output.no_data === true || output.ambiguous === true) {
    assert.ok((output.message ?? "").length > 10, `${name} says why`);
    assert.deepEqual(facts, []);
    return;
  }
  if (LOCAL.has(name)) return;
  assert.ok(output.data !== undefined && output.provenance !== undefined, `${name} gave ${text.slice(0, 200)}`);
  const declared = new Set(facts.map(({ path }) => path));
  const loose = numbersOf({ data: output.data }).filter(
    ({ path }) => !declared.has(path) && !PLAIN.some((rule) => rule.test(path)),
  );
  assert.deepEqual(loose.slice(0, 5), [], `numbers of ${name} without a unit`);
  for (const { unit, currency, metric, path } of facts) {
    assert.equal(unit.startsWith("money"), currency !== undefined, `${name} ${path} ${metric} is ${unit}`);
  }
}

/** What is kept for a user has tests of its own. */
const KEPT = /Memory$|Portfolio|^(?:set|import)Holding|Watchlist|Alert|Schedule/;

suite("every tool", () => {
  test("has its arguments in the table", async () => {
    const names = embedded.map(({ name }) => name).filter((name) => !KEPT.test(name));
    assert.deepEqual(names.toSorted(), [...ASKED.keys()].toSorted());
  });

  for (const [name, args] of ASKED) {
    test(`${name} answers from the pack with data whose numbers are facts, or says why there are none`, async () => {
      const outcome = await call(toolOf(embedded, name), args).catch((thrown: unknown) => thrown);
      if (name !== "webSearch") return assertHonest(name, CALLED.parse(outcome));
      assert.ok(outcome instanceof ToolError);
      assert.match(outcome.message, /^not_configured: .*BATON_FINANCE_LIVE=on/);
    });

    test(`${name} refuses arguments of the wrong type`, async () => {
      const tool = toolOf(embedded, name);
      for (const [field, value] of Object.entries(args)) {
        const wrong = typeof value === "string" ? { $: 1 } : "no";
        const refused = await refusedPaths(tool, { ...args, [field]: wrong });
        assert.ok(
          refused.some((path) => path.includes(field)),
          `${field} of ${name}: ${refused.join(", ")}`,
        );
      }
      if (Object.keys(args).length > 0 && name !== "getScreener") assert.notDeepEqual(await refusedPaths(tool, {}), []);
    });

    if (!("symbol" in args)) continue;

    test(`${name} has no data for a symbol that does not exist, and a choice for one that can mean several`, async () => {
      const tool = toolOf(embedded, name);
      const unknown = await call(tool, { ...args, symbol: "QQZZX" });
      assert.equal(unknown.output.no_data, true);
      assertHonest(name, unknown);
      if (name.includes("Crypto")) return;
      const several = await call(tool, { ...args, symbol: "VNM" });
      assert.equal(several.output.ambiguous, true);
      const symbols = (several.output.candidates ?? []).map(({ symbol }) => symbol);
      assert.deepEqual(symbols.toSorted(), ["VNM", "VNM.VN"]);
    });
  }
});

/** Without GDELT, which answers once in five seconds. */
const env = { BATON_FINANCE_CHAINS: "news=fmp,sec" };
const openLive = (fault: Fault = "none") => openLiveWorld({ pack, clock: { now: () => Date.now() }, fault, env });

const KINDS = /^(throttled|not_configured|plan|upstream)\b/;
const FAULTS: readonly Fault[] = ["down", "error", "throttled", "html", "json"];

suite("every tool on live sources", () => {
  test("answers with live data whose numbers are facts", async () => {
    await using live = await openLive();
    const all = tools(live.market);
    const answer = async (name: string, args: Args) => {
      // the made-up history is not as old as the real one
      const { from: _, to: __, ...recent } = args;
      const called = await call(toolOf(all, name), name === "runBacktest" ? recent : args);
      assertHonest(name, called);
      if (LOCAL.has(name)) return;
      const { provenance, data } = called.output;
      // The made-up market has no stock that fits: it must not be answered from the pack of another year.
      if (name === "getScreener") assert.equal(called.output.no_data, true);
      if (name === "getScreener") return;
      assert.ok(data !== undefined, `${name}: ${called.output.message}`);
      assert.ok(!JSON.stringify(called).includes("secret-key"), `${name} shows a key`);
      assert.ok(["live", "delayed", "real-history"].includes(provenance?.kind ?? ""), `${name}: ${provenance?.kind}`);
    };
    for (const [name, args] of ASKED) await answer(name, args);
  });
});

/** At once, because each waits for retries. */
suite("every tool on live sources that fail", { concurrency: true }, () => {
  for (const fault of FAULTS) {
    test(`says what is wrong in a typed way when all sources are ${fault}, and makes nothing up`, async () => {
      await using live = await openLive(fault);
      const all = tools(live.market);
      const check = async (name: string, args: Args) => {
        const outcome = await call(toolOf(all, name), args).catch((thrown: unknown) => thrown);
        if (outcome instanceof Error) {
          assert.ok(outcome instanceof ToolError, `${name} threw ${outcome.name}: ${outcome.message}`);
          assert.match(outcome.message, KINDS, name);
          assert.ok(!outcome.message.includes("secret-key"));
          return;
        }
        const { output } = CALLED.parse(outcome);
        const isHonest =
          LOCAL.has(name) || output.no_data === true || output.provenance?.kind.startsWith("real") === true;
        assert.ok(isHonest, `${name} answered ${JSON.stringify(output).slice(0, 200)}`);
      };
      await Promise.all([...ASKED].map(([name, args]) => check(name, args)));
    });
  }
});
