/** The market with every keyless source on, against servers that speak their shapes and fail in each of their ways. */
import assert from "node:assert/strict";
import { after, beforeEach, suite, test } from "node:test";
import { Scope, SystemClock } from "@baton/core/ports";
import { MemoryCache } from "@baton/assistant";
import { inSlice, toolContext } from "@baton/core/testing";
import { createTools } from "../../tools/catalogue.ts";
import type { Listing } from "../port/listing.ts";
import type { MarketData } from "../port/market-data.ts";
import { MarketError } from "../port/market-error.ts";
import { openPackDirectory } from "../directory/pack-directory.ts";
import { type OpenedMarket, openMarket } from "./open-market.ts";
import { openPack } from "../pack/pack.ts";
import type { Provenance } from "../port/provenance.ts";
import { NOW, scopeAt } from "../sources/testing/scope-at.ts";
import type { Fault } from "../testing/fake-server.ts";
import "../testing/date-of-answers.ts";
import { FakeWorld } from "../testing/fake-world.ts";

const pack = openPack();
/** The SEC's list is filed once, by the first test that loads it. */
const directory = openPackDirectory(pack);
const world = await FakeWorld.start();
after(() => world[Symbol.asyncDispose]());
beforeEach(() => {
  world.fault = "none";
});

const AUTO = { BATON_FINANCE_DATA: "auto" };

/** A market with every keyless source; each has a state of its own. */
const open = (env: Readonly<Record<string, string>> = {}): Promise<OpenedMarket> =>
  openMarket({
    env: { ...world.env, BATON_FINANCE_DATA: "live", SEC_CONTACT: "lan@example.org", ...env },
    clock: { now: () => NOW },
    pack,
    directory,
  });

const find = (market: MarketData, symbol: string): Listing => market.directory.get(symbol) ?? assert.fail(symbol);

suite("live sources", () => {
  test("revenue of AAPL by quarter is the books', the fourth is derived and marked, restated years count", async () => {
    const { scope } = scopeAt();
    await using _ = scope;
    const market = await open();
    const listing = find(market, "AAPL");
    const ask = (period: "quarter" | "annual" | "ttm") =>
      market.statements({ listing, statement: "income", period, limit: 20 }, scope);
    const { data, provenance } = await ask("quarter");
    const shown = data.slice(0, 3).map(({ label, start, values }) => [label, start, values.get("revenue")]);
    assert.deepEqual(shown, [
      ["Q1 2026", "2025-09-28", 196_000_000],
      ["Q4 2025", "2025-06-29", 214_000_000],
      ["Q3 2025", "2025-03-30", 204_000_000],
    ]);
    assert.deepEqual(
      data.slice(0, 2).map(({ derived = "" }) => derived.startsWith("FY")),
      [false, true],
    );
    assert.match(provenance.note ?? "", /derived/);
    assert.deepEqual([provenance.source, provenance.kind], ["sec", "live"]);
    const [ttm] = (await ask("ttm")).data;
    assert.equal(ttm?.values.get("revenue"), 808_000_000);
    const restated = (await ask("annual")).data.find(({ end }) => end.startsWith("2022"));
    assert.equal(restated?.values.get("revenue"), 652_000_000 * 0.9);
  });

  test("without the SEC, the directory has only the pack's companies", async () => {
    const market = await openMarket({ env: world.env, clock: { now: () => NOW }, pack });
    assert.equal(market.directory.get("ZZNOFACTS"), undefined);
  });

  test("the directory has the SEC's companies: one CIK for GOOGL and GOOG, and companies newer than the pack", async () => {
    await using scope = Scope.root({ clock: new SystemClock() });
    const market = await open();
    await market.prepare(scope);
    const [one, other] = [find(market, "GOOGL"), find(market, "GOOG")];
    assert.deepEqual([one.cik, other.cik, one.exchange], ["0001652044", "0001652044", "NASDAQ"]);
    assert.equal(find(market, "AAPL").cik, "0000320193");
    assert.deepEqual(market.directory.get("ZZNOFACTS")?.exchange, "US");
  });

  test("a Bitcoin comes from Kraken if Binance does not serve the region, from CoinGecko if both fail", async () => {
    const { scope } = scopeAt();
    await using _ = scope;
    const market = await open();
    const listing = find(market, "BTCUSD");
    const from = async () => (await market.coinPrice({ listing }, scope)).provenance;
    assert.equal((await from()).source, "binance");
    world.of("binance").fault = "blocked";
    const second = await from();
    assert.equal(second.source, "kraken");
    assert.match(second.note ?? "", /; binance: upstream; from kraken$/);
    world.of("kraken").fault = "down";
    assert.match(
      (await from()).note ?? "",
      /averages over exchanges.*; binance: upstream; kraken: upstream; from coingecko$/,
    );
    const report = market.sources().sources.find(({ name }) => name === "kraken");
    assert.deepEqual([report?.on, report?.last_error?.kind, report?.capabilities[0]?.place], [true, "upstream", 2]);
  });

  test("dong, the yield curve, series, news and the web have their sources, with address and time", async () => {
    const { scope } = scopeAt();
    await using _ = scope;
    const market = await open();
    const aapl = find(market, "AAPL");
    const asked: readonly (readonly [string, Promise<{ provenance: Provenance }>])[] = [
      ["frankfurter", market.fx({ from: "USD", to: "VND" }, scope)],
      ["treasury", market.rates({ series: "treasury_curve" }, scope)],
      ["nyfed", market.rates({ series: "sofr" }, scope)],
      ["bls", market.series({ series: "CPI", country: "US" }, scope)],
      ["worldbank", market.series({ series: "GDP", country: "VNM" }, scope)],
      ["sec", market.news({ about: "stock", listing: aapl, limit: 5, page: 0 }, scope)],
      ["gdelt", market.news({ about: "stock", listing: find(market, "VNM.VN"), limit: 5, page: 0 }, scope)],
      ["tavily", market.search({ query: "fed", maxResults: 3, useFinanceDomains: false }, scope)],
      ["coingecko", market.coinSupply({ listing: find(market, "BTCUSD") }, scope)],
      ["sec", market.filings({ listing: aapl, forms: ["10-K"], limit: 2 }, scope)],
    ];
    for (const [source, one] of asked) {
      const { provenance } = await one;
      assert.equal(provenance.source, source);
      assert.match(provenance.url ?? "", /^http:\/\/127\.0\.0\.1/);
      assert.ok(Date.parse(provenance.as_of) > 0 && provenance.fetched_at !== undefined);
      assert.doesNotMatch(provenance.note ?? "", /; from /, "another source that does not serve it is not a fallback");
    }
  });

  test("prices come from the first source that has the market: dong are dong", async () => {
    const { scope } = scopeAt();
    await using _ = scope;
    const market = await open();
    const us = await market.quote({ listing: find(market, "AAPL") }, scope);
    const vn = await market.quote({ listing: find(market, "VNM.VN") }, scope);
    assert.deepEqual([us.provenance.source, vn.provenance.source], ["cboe", "vndirect"]);
    assert.deepEqual([us.provenance.unofficial, vn.provenance.unofficial], [true, true]);
    assert.ok(vn.data.price > 1_000, "thousands of dong");
    world.of("vndirect").fault = "error";
    const next = await market.quote({ listing: find(market, "VNM.VN") }, scope);
    assert.match(next.provenance.note ?? "", /vndirect: upstream; from yahoo$/);
  });
});

/** Everything a user can ask of live sources. */
function everything(market: MarketData, scope: Scope): readonly Promise<{ provenance: Provenance }>[] {
  const aapl = find(market, "AAPL");
  const vnm = find(market, "VNM.VN");
  const coin = find(market, "BTCUSD");
  const statements = { listing: aapl, statement: "income", limit: 4 } as const;
  return [
    market.quote({ listing: aapl }, scope),
    market.quote({ listing: vnm }, scope),
    market.bars({ listing: aapl, limit: 30 }, scope),
    market.change({ listing: aapl }, scope),
    market.intraday({ listing: aapl, interval: "5min" }, scope),
    market.overview({}, scope),
    market.statements({ ...statements, period: "annual" }, scope),
    market.statements({ ...statements, period: "quarter" }, scope),
    market.metrics({ listing: aapl, set: "ratios", period: "ttm", limit: 1 }, scope),
    market.earnings({ listing: aapl, limit: 4 }, scope),
    market.dividends({ listing: aapl, from: "2025-01-01" }, scope),
    market.news({ about: "stock", listing: aapl, limit: 5, page: 0 }, scope),
    market.coinPrice({ listing: coin }, scope),
    market.coinQuote({ listing: coin }, scope),
    market.coinBars({ listing: coin, interval: "1d", limit: 10 }, scope),
    market.coinMarkets({ limit: 5, sort: "volume" }, scope),
    market.coinSupply({ listing: coin }, scope),
    market.rates({ series: "treasury_curve" }, scope),
    market.rates({ series: "effr" }, scope),
    market.series({ series: "CPI", country: "US" }, scope),
    market.fx({ from: "USD", to: "VND" }, scope),
    market.search({ query: "fed", maxResults: 3, useFinanceDomains: false }, scope),
    market.filings({ listing: aapl, forms: [], limit: 2 }, scope),
    market.insiderTrades({ listing: aapl, limit: 2 }, scope),
    market.holdings({ manager: "Berkshire", limit: 2 }, scope),
  ];
}

const FAULTS: readonly Fault[] = ["down", "error", "throttled", "html", "json", "blocked", "slow"];
const SHORT = { BATON_FINANCE_TIMEOUT_SECONDS: "0.2" };

suite("live sources that fail", () => {
  for (const fault of FAULTS) {
    test(`with all of them ${fault}, live refuses every question with its reason`, async () => {
      // A limit in time is real, because the servers are; all other waits are over at once.
      const isSlow = fault === "slow";
      await using scope = isSlow ? Scope.root({ clock: new SystemClock() }) : scopeAt().scope;
      const market = await open(isSlow ? SHORT : {});
      world.fault = fault;
      for (const result of await Promise.allSettled(everything(market, scope))) {
        assert.ok(result.status === "rejected" && result.reason instanceof MarketError);
        const { kind, message } = result.reason;
        assert.ok(["upstream", "throttled"].includes(kind), `${kind}: ${message}`);
        assert.doesNotMatch(message, /lan@example\.org/);
      }
      const told = market.sources().sources.filter(({ last_error: error }) => error !== undefined);
      assert.ok(told.length >= 10, told.map(({ name }) => name).join());
      assert.ok(told.every(({ last_success_at: at }) => at === undefined));
    });

    test(`with all of them ${fault}, auto answers from the snapshot what it has, and says so`, async () => {
      const isSlow = fault === "slow";
      await using scope = isSlow ? Scope.root({ clock: new SystemClock() }) : scopeAt().scope;
      const market = await open({ ...AUTO, ...(isSlow ? SHORT : {}) });
      world.fault = fault;
      const results = await Promise.allSettled(everything(market, scope));
      const stored = results.flatMap((result) => (result.status === "fulfilled" ? [result.value.provenance] : []));
      // The price, daily bars, the change of a day, the overview, years of statements, ratios, bars of Bitcoin and CPI.
      assert.equal(stored.length, 8, stored.map(({ note }) => note).join("\n"));
      for (const { source, note = "" } of stored) {
        assert.equal(source, "snapshot");
        assert.match(note, /(?:upstream|throttled).*; from snapshot$/);
      }
      for (const result of results) {
        if (result.status === "fulfilled") continue;
        assert.ok(result.reason instanceof MarketError);
        assert.ok(["upstream", "throttled"].includes(result.reason.kind), result.reason.message);
      }
    });
  }

  test("one source that is down does not keep the others from answering", async () => {
    for (const [name, server] of inSlice([...world.servers])) {
      world.fault = "none";
      server.fault = "blocked";
      await using scope = Scope.root({ clock: new SystemClock() });
      const market = await open(AUTO);
      const results = await Promise.allSettled(everything(market, scope));
      const lost = results.filter(({ status }) => status === "rejected").length;
      assert.ok(lost <= (name === "sec" ? 6 : 3), `${name}: ${lost}`);
    }
  });

  test("what failed is not kept: once the sources are back, the next question has their answer", async () => {
    await using scope = Scope.root({ clock: new SystemClock() });
    const market = await open();
    const tools = new Map(createTools(market, { cache: new MemoryCache() }).map((tool) => [tool.name, tool]));
    const call = async (name: string, args: Readonly<Record<string, string | number>>) => {
      const prepared = await tools.get(name)?.prepare(args);
      if (prepared?.ok !== true) return assert.fail(name);
      return prepared.run({ ...toolContext()(), scope });
    };
    const asked = [
      ["getStockPrice", { symbol: "AAPL" }],
      ["getIncomeStatement", { symbol: "AAPL", period: "quarter", limit: 4 }],
      ["getCryptoPrice", { symbol: "BTC" }],
      ["getDividends", { symbol: "AAPL" }],
    ] as const;
    world.fault = "json";
    for (const [name, args] of asked) {
      await assert.rejects(async () => call(name, args), { name: "ToolError", message: /^upstream: / });
    }
    world.fault = "none";
    for (const [name, args] of asked) {
      const text = JSON.stringify(await call(name, args));
      assert.match(text, /"provenance":\{"kind":"(?:live|delayed)"/, text.slice(0, 300));
    }
  });
});
