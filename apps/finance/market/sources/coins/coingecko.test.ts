import assert from "node:assert/strict";
import { test } from "node:test";
import type { Listing } from "../../port/listing.ts";
import { FakeCoinGecko } from "../../testing/fake-coingecko.ts";
import { coinGeckoSource } from "./coingecko.ts";
import { testFaults } from "../testing/fault-suite.ts";
import { scopeAt } from "../testing/scope-at.ts";

const coin = (symbol: string): Listing => ({
  symbol,
  name: symbol,
  exchange: "CRYPTO",
  type: "crypto",
  currency: "USD",
});
const BTC = coin("BTCUSD");

testFaults({
  name: "CoinGecko",
  open: coinGeckoSource,
  ask: (source, scope) => source.coinSupply?.({ listing: BTC }, scope),
});

test("a coin's market cap and supply are those of the largest coin of that ticker", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using gecko = await FakeCoinGecko.start();
  const source = coinGeckoSource({ baseUrl: gecko.url });
  const { data, provenance } = (await source.coinSupply?.({ listing: BTC }, scope)) ?? assert.fail();
  assert.deepEqual(data, {
    currency: "USD",
    marketCap: 1.25e12,
    marketCapRank: 1,
    circulating: 19_800_000,
    total: 19_800_000,
    max: 21_000_000,
  });
  assert.equal(provenance.as_of, "2026-03-05T20:29:00.000Z");
});

test("what is null or a zero that means unknown is absent; a coin beyond the list is no data", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using gecko = await FakeCoinGecko.start();
  const source = coinGeckoSource({ baseUrl: gecko.url });
  assert.deepEqual((await source.coinSupply?.({ listing: coin("NEWUSD") }, scope))?.data, {
    currency: "USD",
    total: 0,
  });
  assert.deepEqual((await source.coinSupply?.({ listing: coin("NOPUSD") }, scope))?.data, {
    currency: "USD",
    marketCapRank: 1,
  });
  await assert.rejects(async () => source.coinSupply?.({ listing: coin("ZZZUSD") }, scope), { kind: "no_data" });
  const asked = gecko.requests.length;
  await assert.rejects(async () => source.coinSupply?.({ listing: { ...BTC, type: "etf" } }, scope), {
    kind: "no_data",
  });
  assert.equal(gecko.requests.length, asked);
});

test("the list of coins is by volume, one row a ticker, without coins that lack a price or a listing", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using gecko = await FakeCoinGecko.start();
  const directory = { get: (symbol: string) => (symbol === "ETHUSD" ? { ...coin(symbol), name: "Ether" } : undefined) };
  const source = coinGeckoSource({ baseUrl: gecko.url, directory });
  const list = async (sort: "volume" | "gainers" | "losers") =>
    ((await source.coinMarkets?.({ limit: 4, sort }, scope))?.data ?? []).map(({ listing }) => listing.symbol);
  assert.deepEqual(await list("volume"), ["USDTUSD", "BTCUSD", "ETHUSD", "SOLUSD"]);
  assert.deepEqual((await list("gainers")).slice(0, 2), ["NEWUSD", "SOLUSD"]);
  assert.deepEqual((await list("losers"))[0], "BTCUSD");
  const { data } = (await source.coinMarkets?.({ limit: 10, sort: "volume" }, scope)) ?? assert.fail();
  const ether = data.find(({ listing }) => listing.symbol === "ETHUSD");
  assert.equal(ether?.listing.name, "Ether");
  assert.deepEqual([ether?.quote.quoteVolume, ether?.quote.changePercent], [2e10, -2.25]);
  assert.ok(data.every(({ quote }) => quote.quoteCurrency === "USD" && quote.price > 0));
});

test("its price of a coin says that it is an average; bars are not offered", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using gecko = await FakeCoinGecko.start();
  const source = coinGeckoSource({ baseUrl: gecko.url });
  const { data, provenance } = (await source.coinPrice?.({ listing: BTC }, scope)) ?? assert.fail();
  assert.deepEqual(data, { price: 63_243.8, quoteCurrency: "USD" });
  assert.match(provenance.note ?? "", /averages over exchanges/);
  const quote = (await source.coinQuote?.({ listing: BTC }, scope)) ?? assert.fail();
  assert.deepEqual([quote.data.changePercent, quote.data.quoteVolume], [1.5, 3e10]);
  await assert.rejects(async () => source.coinPrice?.({ listing: coin("NOPUSD") }, scope), { kind: "no_data" });
  assert.equal(source.coinBars, undefined);
});
