import assert from "node:assert/strict";
import { before, test } from "node:test";
import { given, Scope } from "@baton/core";
import { SimulatedClock } from "@baton/core/testing";
import type { Ask, Source } from "./market-data.ts";
import { MarketError } from "./market-error.ts";
import { type LiveSources, openMarket } from "./open-market.ts";
import { openPack, type Pack } from "./pack/pack.ts";

let pack: Pack;
before(() => {
  pack = openPack();
});

const clock = { now: () => Date.parse("2026-03-05T02:00:00Z") };

interface Made {
  readonly name: string;
  readonly options: unknown;
}

/** Factories that note what they are asked to make, and sources that answer or fail. */
function fakes({ isDown = false } = {}): { readonly made: Made[]; readonly sources: LiveSources } {
  const made: Made[] = [];
  const source =
    (name: string, serves: (ask: Ask<unknown, never>) => Partial<Source>) =>
    ({ key, baseUrl }: { readonly key?: string; readonly baseUrl?: string }): Source => {
      made.push({ name, options: given({ key, baseUrl }) });
      const fail: Ask<unknown, never> = async () => {
        throw new MarketError(isDown ? "upstream" : "throttled", `${name} was asked`);
      };
      return { name, ...serves(fail) };
    };
  const stocks = (ask: Ask<unknown, never>) => ({ quote: ask, bars: ask, statements: ask, screener: ask, news: ask });
  return {
    made,
    sources: {
      fmp: source("fmp", stocks),
      binance: source("binance", (ask) => ({ coinPrice: ask, coinQuote: ask })),
      tavily: source("tavily", (ask) => ({ search: ask })),
    },
  };
}

const open = async (env: Record<string, string | undefined>, fake = fakes()) => ({
  market: await openMarket({ env, clock, pack, sources: fake.sources }),
  made: fake.made,
});

test("without settings no live source is made, and today is the day of the pack", async () => {
  for (const env of [{}, { FMP_API_KEY: "  ", FMP_BASE_URL: "http://127.0.0.1:1", BATON_FINANCE_LIVE: "off" }]) {
    const { market, made } = await open(env);
    assert.deepEqual(made, []);
    assert.equal(market.mode, "embedded");
    assert.equal(market.today(), "2024-11-22");
  }
});

test("each setting turns on its source alone, with its key and address", async () => {
  const url = "http://127.0.0.1:1";
  const cases = [
    [{ FMP_API_KEY: "k", FMP_BASE_URL: url }, [{ name: "fmp", options: { key: "k", baseUrl: url } }], "live fmp"],
    [{ TAVILY_API_KEY: "t" }, [{ name: "tavily", options: { key: "t" } }], "live tavily"],
    [
      { BATON_FINANCE_LIVE: "on", BINANCE_BASE_URL: url },
      [{ name: "binance", options: { baseUrl: url } }],
      "live binance",
    ],
  ] as const;
  for (const [env, expected, mode] of cases) {
    const { market, made } = await open(env);
    assert.deepEqual(made, expected);
    assert.equal(market.mode, mode);
  }
});

test("today is New York's day if prices are live, and the pack's if only coins or the web are", async () => {
  assert.equal((await open({ FMP_API_KEY: "k" })).market.today(), "2026-03-04");
  assert.equal((await open({ BATON_FINANCE_LIVE: "on", TAVILY_API_KEY: "t" })).market.today(), "2024-11-22");
});

test("a switch that is neither on nor off is an error that names it", async () => {
  await assert.rejects(open({ BATON_FINANCE_LIVE: "maybe" }), {
    message: 'BATON_FINANCE_LIVE is "maybe": set it to on or off',
  });
});

test("a key that no header takes is an error that names the setting and does not show the key", async () => {
  for (const name of ["FMP_API_KEY", "TAVILY_API_KEY"]) {
    await assert.rejects(open({ [name]: "abc\ndef" }), {
      kind: "not_configured",
      message: `${name} holds a space, a line break or another character that no key has`,
    });
  }
});

test("simulated prices never stand in for a live source that fails", async () => {
  await using scope = Scope.root({ clock: new SimulatedClock(1) });
  const { market } = await open({ FMP_API_KEY: "k", BATON_FINANCE_LIVE: "on" }, fakes({ isDown: true }));
  const listing = market.directory.get("AAPL");
  const coin = market.directory.get("BTCUSD");
  assert.ok(listing !== undefined && coin !== undefined);
  await assert.rejects(market.quote({ listing }, scope), { kind: "upstream", message: "fmp was asked" });
  await assert.rejects(market.bars({ listing }, scope), { kind: "upstream", message: "fmp was asked" });
  await assert.rejects(market.coinPrice({ listing: coin }, scope), { kind: "upstream", message: "binance was asked" });
});

test("embedded statements, which are real, follow a live source that fails, and the answer says so", async () => {
  await using scope = Scope.root({ clock: new SimulatedClock(1) });
  const { market } = await open({ FMP_API_KEY: "k" }, fakes({ isDown: true }));
  const listing = market.directory.get("AAPL");
  assert.ok(listing !== undefined);
  const answer = await market.statements({ listing, statement: "income", period: "annual", limit: 5 }, scope);
  assert.equal(answer.provenance.kind, "real-history");
  assert.match(answer.provenance.note ?? "", /fmp: upstream; from embedded/);
});

test("what no source serves names its switch", async () => {
  await using scope = Scope.root({ clock: new SimulatedClock(1) });
  const { market } = await open({});
  const asked = market.search({ query: "x", maxResults: 1, useFinanceDomains: false }, scope);
  await assert.rejects(asked, { kind: "not_configured", details: { enable: "TAVILY_API_KEY" } });
});

test("a capability that no live source serves stays embedded", async () => {
  await using scope = Scope.root({ clock: new SimulatedClock(1) });
  const { market } = await open({ TAVILY_API_KEY: "t" });
  const listing = market.directory.get("AAPL");
  assert.ok(listing !== undefined);
  const answer = await market.quote({ listing }, scope);
  assert.equal(answer.provenance.source, "embedded");
  assert.equal(answer.data.price, 229.87);
});
