/**
 * Finance tools: how long each tool of apps/finance takes on the embedded pack, without its cache; what opening the pack
 * takes in time and memory; and how many requests ten equal calls make.
 *
 * `node --expose-gc bench/finance-tools.ts [--json]`. What the figures mean is in this folder's README.
 */
import { parseArgs } from "node:util";
import { MemoryCache } from "@baton/assistant";
import type { Json, Tool } from "@baton/core";
import { SystemClock } from "@baton/core/ports";
import { callTool, toolContext } from "@baton/core/testing";
import { openMarket } from "@baton/finance/market/chain/open-market.ts";
import { openPack } from "@baton/finance/market/pack/pack.ts";
import { startFake } from "@baton/finance/market/testing/fake-source.ts";
import { createTools } from "@baton/finance/tools/catalogue.ts";

const ROUNDS = 100;
const WARM_UP = 5;
const EQUAL_CALLS = 10;
const MEGABYTE = 1_024 * 1_024;

/** Arguments of tools that need some beside a symbol. */
const ARGUMENTS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ["webSearch", { query: "interest rates" }],
  ["getScreener", { sector: "technology", price_lower_than: 50 }],
  ["tool_search", { query: "is it overbought" }],
  ["resolveSymbol", { query: "Apple" }],
  ["calculate", { expression: "growth(120, 100)" }],
  ["compareMetrics", { symbols: ["AAPL", "MSFT", "GOOGL"], metrics: ["growth", "correlation", "drawdown"] }],
  ["runBacktest", { symbol: "AAPL", strategy: "sma_cross", from: "2010-01-04", to: "2016-12-30" }],
]);

interface Row {
  readonly name: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const { values: options } = parseArgs({ options: { json: { type: "boolean" } } });
const before = memory();
const start = performance.now();
const pack = openPack();
const openMs = performance.now() - start;
const market = await openMarket({ env: {}, clock: new SystemClock(), pack });
const rows: Row[] = [];
for (const { name } of createTools(market)) rows.push(await measure(name));
const packMegabytes = memory() - before;
const requests = await countRequests();
if (options.json === true) {
  console.log(JSON.stringify({ node: process.version, openMs, packMegabytes, requests, rows }, null, 2));
} else {
  print();
}

/** Every call on tools of its own, so that no cache answers. */
async function measure(name: string): Promise<Row> {
  const times: number[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const tool = createTools(market, { cache: new MemoryCache() }).find((one) => one.name === name);
    if (tool === undefined) throw new Error(`there is no tool ${name}`);
    const began = performance.now();
    await callOnce(tool);
    if (round >= 0) times.push(performance.now() - began);
  }
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { name, p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** A tool without a source on the pack refuses, which is its answer here. */
async function callOnce(tool: Tool): Promise<void> {
  await callTool(tool, toArguments(tool.name), toolContext()()).catch(() => undefined);
}

function toArguments(name: string): Json {
  const given = ARGUMENTS.get(name);
  if (given !== undefined) return given;
  const needsNone = ["getGeneralNews", "getGainers", "getLosers", "getMostActive", "getCurrentTime"].includes(name);
  if (needsNone || name.includes("Market") || name.includes("Sector") || name.includes("Index")) return {};
  if (name === "getEconomicCalendar" || name === "getCryptoNews") return {};
  return { symbol: name.includes("Crypto") ? "BTC" : "AAPL" };
}

/** Ten equal calls at once, on a server that counts. */
async function countRequests(): Promise<number> {
  await using fmp = await startFake("fmp");
  const live = await openMarket({
    env: { FMP_API_KEY: "k", FMP_BASE_URL: fmp.url },
    clock: new SystemClock(),
    pack,
  });
  const price = createTools(live).find(({ name }) => name === "getStockPrice");
  if (price === undefined) throw new Error("there is no tool getStockPrice");
  await Promise.all(Array.from({ length: EQUAL_CALLS }, () => callTool(price, { symbol: "AAPL" }, toolContext()())));
  return fmp.requests.length;
}

/** Megabytes in use after a collection: the heap and what typed arrays hold. */
function memory(): number {
  globalThis.gc?.();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return (heapUsed + Math.max(external, arrayBuffers)) / MEGABYTE;
}

function print(): void {
  console.log(
    `opening the pack: ${openMs.toFixed(0)} ms · memory with every series used: ${packMegabytes.toFixed(1)} MB`,
  );
  console.log(`${EQUAL_CALLS} equal calls at once: ${requests} request(s)\n`);
  for (const { name, p50Ms, p99Ms } of rows.toSorted((one, other) => other.p50Ms - one.p50Ms)) {
    console.log(`${name.padEnd(24)} ${p50Ms.toFixed(2).padStart(8)} ${p99Ms.toFixed(2).padStart(8)} ms`);
  }
}
