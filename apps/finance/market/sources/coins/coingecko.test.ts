import assert from "node:assert/strict";
import { test } from "node:test";
import { coin } from "../testing/listings.ts";
import { askFake } from "../testing/ask-fake.ts";

const BTC = coin("BTCUSD");

test("the list of coins is by volume, one row a ticker, without coins that lack a price or a listing", async () => {
  const directory = { get: (symbol: string) => (symbol === "ETHUSD" ? { ...coin(symbol), name: "Ether" } : undefined) };
  await using gecko = await askFake("coingecko", { directory });
  const list = async (sort: "volume" | "gainers" | "losers") => {
    const { data } = await gecko.ask((source, scope) => source.coinMarkets?.({ limit: 4, sort }, scope));
    return data.map(({ listing }) => listing.symbol);
  };
  assert.deepEqual(await list("volume"), ["USDTUSD", "BTCUSD", "ETHUSD", "SOLUSD"]);
  assert.deepEqual((await list("gainers")).slice(0, 2), ["NEWUSD", "SOLUSD"]);
  assert.deepEqual((await list("losers"))[0], "BTCUSD");
  const { data } = await gecko.ask((source, scope) => source.coinMarkets?.({ limit: 10, sort: "volume" }, scope));
  const ether = data.find(({ listing }) => listing.symbol === "ETHUSD");
  assert.equal(ether?.listing.name, "Ether");
  assert.deepEqual([ether?.quote.quoteVolume, ether?.quote.changePercent], [2e10, -2.25]);
  assert.ok(data.every(({ quote }) => quote.quoteCurrency === "USD" && quote.price > 0));
});

test("its price of a coin says that it is an average; bars are not offered", async () => {
  await using gecko = await askFake("coingecko");
  const { data, provenance } = await gecko.ask((source, scope) => source.coinPrice?.({ listing: BTC }, scope));
  assert.deepEqual(data, { price: 63_243.8, quoteCurrency: "USD" });
  assert.match(provenance.note ?? "", /averages over exchanges/);
  const quote = await gecko.ask((source, scope) => source.coinQuote?.({ listing: BTC }, scope));
  assert.deepEqual([quote.data.changePercent, quote.data.quoteVolume], [1.5, 3e10]);
  await gecko.fails((source, scope) => source.coinPrice?.({ listing: coin("NOPUSD") }, scope), { kind: "no_data" });
  assert.equal(gecko.source.coinBars, undefined);
});
