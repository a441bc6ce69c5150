import assert from "node:assert/strict";
import { test } from "node:test";
import { Scope } from "@baton/core/ports";
import { SimulatedClock } from "@baton/core/testing";
import type { Listing } from "../../port/listing.ts";
import { FakeBinance } from "../../testing/fake-binance.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { SkipShortWaitsClock } from "../../testing/skip-short-waits-clock.ts";
import { binanceSource } from "./binance.ts";

const newScope = () => Scope.root({ clock: new SkipShortWaitsClock() });
const coin = (symbol: string): Listing => ({
  symbol,
  name: symbol,
  exchange: "CRYPTO",
  type: "crypto",
  currency: "USD",
});
const BTC = coin("BTCUSD");
const NOW = Date.UTC(2024, 11, 6, 12, 34);

test("a coin's price is that of its pair with USDT, as numbers, and says so", async () => {
  await using scope = newScope();
  await using binance = await FakeBinance.start({ now: () => NOW });
  const source = binanceSource({ baseUrl: binance.url });
  const { data, provenance } = (await source.coinPrice?.({ listing: BTC }, scope)) ?? assert.fail();
  assert.equal(typeof data.price, "number");
  assert.equal(data.quoteCurrency, "USDT");
  assert.equal(provenance.url, `${binance.url}/api/v3/ticker/price?symbol=BTCUSDT`);
  assert.match(provenance.note ?? "", /BTC\/USDT/);
  const quote = (await source.coinQuote?.({ listing: BTC }, scope)) ?? assert.fail();
  assert.equal(quote.data.price, data.price);
  assert.equal(quote.provenance.as_of, new Date(NOW).toISOString());
  assert.ok(Math.abs((quote.data.change ?? 0) - (data.price - (quote.data.open ?? 0))) < 1e-6);
});

test("a pair whose price is nothing is not traded", async () => {
  await using scope = newScope();
  const body = JSON.stringify({ symbol: "BTCUSDT", price: "0.00", lastPrice: "0.00" });
  await using server = await FakeServer.start(() => ({ body }));
  const source = binanceSource({ baseUrl: server.url });
  await assert.rejects(async () => source.coinPrice?.({ listing: BTC }, scope), { kind: "no_data" });
  await assert.rejects(async () => source.coinQuote?.({ listing: BTC }, scope), { kind: "no_data" });
});

test("candles come oldest first in UTC seconds, at most a thousand", async () => {
  await using scope = newScope();
  await using binance = await FakeBinance.start({ now: () => NOW });
  const { data } =
    (await binanceSource({ baseUrl: binance.url }).coinBars?.({ listing: BTC, interval: "4h", limit: 5_000 }, scope)) ??
    assert.fail();
  assert.equal(data.t.length, 1_000);
  assert.equal(data.t.at(-1), Date.UTC(2024, 11, 6, 12) / 1_000);
  assert.equal((data.t[1] ?? 0) - (data.t[0] ?? 0), 14_400);
  assert.equal(binance.requests[0]?.query.get("limit"), "1000");
});

test("markets are the traded pairs with USDT, sorted, under their listings with USD", async () => {
  await using scope = newScope();
  await using binance = await FakeBinance.start();
  const source = binanceSource({
    baseUrl: binance.url,
    directory: { get: (symbol) => (symbol === "BTCUSD" ? { ...BTC, name: "Bitcoin" } : undefined) },
  });
  const markets = async (sort: "volume" | "gainers" | "losers") =>
    (await source.coinMarkets?.({ limit: 50, sort }, scope))?.data ?? [];
  const byVolume = await markets("volume");
  assert.equal(byVolume.length, 8);
  assert.ok(byVolume.every(({ listing, quote }) => listing.symbol.endsWith("USD") && quote.quoteCurrency === "USDT"));
  assert.equal(byVolume.find(({ listing }) => listing.symbol === "BTCUSD")?.listing.name, "Bitcoin");
  const volumes = byVolume.map(({ quote }) => quote.quoteVolume ?? 0);
  assert.deepEqual(
    volumes,
    volumes.toSorted((one, other) => other - one),
  );
  const gains = (await markets("gainers")).map(({ quote }) => quote.changePercent ?? 0);
  assert.deepEqual(
    gains,
    gains.toSorted((one, other) => other - one),
  );
  assert.deepEqual(
    (await markets("losers")).map(({ quote }) => quote.changePercent ?? 0),
    gains.toReversed(),
  );
});

for (const [symbol, kind, message] of [
  ["ZZEMPTY", "no_data", /does not trade/],
  ["ZZHALT", "no_data", /does not trade/],
  ["ZZ451", "upstream", /region/],
  ["ZZ403", "upstream", /firewall/],
  ["ZZCODE", "upstream", /-1120/],
  ["ZZNULL", "upstream", /unexpected shape/],
  ["ZZ500", "upstream", /500/],
  ["ZZHTML", "upstream", /HTML/],
  ["ZZJSON", "upstream", /broken JSON/],
  ["ZZTYPE", "upstream", /content type/],
  ["ZZREDIR", "upstream", /not a public address/],
  ["ZZ429", "throttled", /slow down/],
  ["ZZ418", "throttled", /banned/],
] as const) {
  test(`Binance's ${symbol} is ${kind}`, async () => {
    await using scope = newScope();
    await using binance = await FakeBinance.start();
    const ask = async () =>
      binanceSource({ baseUrl: binance.url }).coinQuote?.({ listing: coin(`${symbol}USD`) }, scope);
    await assert.rejects(ask, { name: "MarketError", kind, message });
  });
}

test("what is not a coin's pair with USD is no data, without a request", async () => {
  await using scope = newScope();
  await using binance = await FakeBinance.start();
  const source = binanceSource({ baseUrl: binance.url });
  for (const listing of [coin("USD"), coin("BTCEUR"), { ...coin("TUSD"), type: "stock" } as const]) {
    await assert.rejects(async () => source.coinPrice?.({ listing }, scope), { kind: "no_data" });
  }
  assert.equal(binance.requests.length, 0);
});

test("after a 429 nothing is asked until the server's time, so that no ban follows", async () => {
  const clock = new SimulatedClock(1);
  await using scope = Scope.root({ clock });
  await using binance = await FakeBinance.start({ weightLimit: 3 });
  const source = binanceSource({ baseUrl: binance.url });
  const ask = async () => source.coinPrice?.({ listing: BTC }, scope);
  await ask();
  const retryAt = clock.now() + 7_000;
  for (let call = 0; call < 10; call++) await assert.rejects(ask, { kind: "throttled", details: { retryAt } });
  assert.equal(binance.requests.length, 2);
  assert.deepEqual([source.stats(clock.now()).breaker, source.stats(retryAt).breaker], ["open", "half_open"]);
});

test("if others have used up the weight, the limit is read from the service and the rest of the minute is waited for", async () => {
  const clock = new SimulatedClock(1);
  await using scope = Scope.root({ clock });
  await using binance = await FakeBinance.start({ usedWeight: 5_900 });
  const source = binanceSource({ baseUrl: binance.url });
  const ask = async () => source.coinPrice?.({ listing: BTC }, scope);
  await ask();
  await assert.rejects(ask, { kind: "throttled", details: { retryAt: clock.now() + 60_000 } });
  assert.deepEqual(
    binance.requests.map(({ path }) => path),
    ["/api/v3/ticker/price", "/api/v3/exchangeInfo"],
  );
});

test("an answer for another pair is an error, not a price", async () => {
  await using scope = newScope();
  await using server = await FakeServer.start(() => ({ body: '{"symbol":"ETHUSDT","price":"1"}' }));
  await assert.rejects(async () => binanceSource({ baseUrl: server.url }).coinPrice?.({ listing: BTC }, scope), {
    kind: "upstream",
    message: /another pair/,
  });
});
