/** The three data modes against servers that speak as the real ones do. */
import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { Scope, SystemClock } from "@baton/core/ports";
import { openPack } from "../pack/pack.ts";
import { MarketError } from "../port/market-error.ts";
import { NOW, scopeAt } from "../sources/testing/scope-at.ts";
import { FakeWorld } from "../testing/fake-world.ts";
import { type OpenedMarket, openMarket } from "./open-market.ts";

const pack = openPack();
const world = await FakeWorld.start();
after(() => world[Symbol.asyncDispose]());
beforeEach(() => {
  world.fault = "none";
});

const AUTO = { BATON_FINANCE_DATA: "auto" };

const open = (env: Readonly<Record<string, string>>): Promise<OpenedMarket> =>
  openMarket({ env: { ...world.env, SEC_CONTACT: "lan@example.org", ...env }, clock: { now: () => NOW }, pack });

test("auto takes live prices where there are some and marks unofficial ones; live does the same", async () => {
  await using scope = Scope.root({ clock: new SystemClock() });
  for (const mode of ["auto", "live"]) {
    const market = await open({ BATON_FINANCE_DATA: mode });
    const listing = market.directory.get("MSFT") ?? assert.fail();
    const { provenance } = await market.quote({ listing }, scope);
    assert.deepEqual([provenance.source, provenance.kind, provenance.unofficial], ["cboe", "delayed", true]);
  }
});

test("live refuses what it cannot reach", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  const market = await open({ BATON_FINANCE_DATA: "live" });
  world.fault = "html";
  const listing = market.directory.get("AAPL") ?? assert.fail();
  await assert.rejects(market.quote({ listing }, scope), (error) => {
    return error instanceof MarketError && error.kind === "upstream";
  });
});

test("auto answers within two seconds if nothing answers, and after that at once", async () => {
  await using scope = Scope.root({ clock: new SystemClock() });
  const market = await open(AUTO);
  world.fault = "slow";
  const listing = market.directory.get("AAPL") ?? assert.fail();
  const took: number[] = [];
  for (let question = 0; question < 2; question++) {
    const started = performance.now();
    const { data, provenance } = await market.quote({ listing }, scope);
    took.push(performance.now() - started);
    assert.deepEqual([data.price, provenance.kind], [229.87, "snapshot"]);
  }
  assert.ok((took[0] ?? 0) < 2_300 && (took[1] ?? 0) < 100, took.join());
});

test("offline asks nothing of the network, whatever is asked; opening asks nothing in any mode", async () => {
  const before = world.requests;
  for (const mode of ["auto", "live", "offline"]) await open({ BATON_FINANCE_DATA: mode });
  const { scope } = scopeAt();
  await using _ = scope;
  const market = await open({ BATON_FINANCE_DATA: "offline", FMP_API_KEY: "k", TAVILY_API_KEY: "t" });
  await market.prepare(scope);
  const listing = market.directory.get("AAPL") ?? assert.fail();
  const coin = market.directory.get("BTCUSD") ?? assert.fail();
  const results = await Promise.allSettled([
    market.quote({ listing }, scope),
    market.statements({ listing, statement: "income", period: "quarter", limit: 4 }, scope),
    market.news({ about: "stock", listing, limit: 5, page: 0 }, scope),
    market.filings({ listing, forms: [], limit: 2 }, scope),
    market.coinPrice({ listing: coin }, scope),
    market.search({ query: "fed", maxResults: 3, useFinanceDomains: false }, scope),
    market.fx({ from: "USD", to: "VND" }, scope),
  ]);
  assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
  market.sources();
  market.dataLine(NOW);
  assert.equal(world.requests, before);
});
