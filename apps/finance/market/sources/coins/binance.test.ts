import assert from "node:assert/strict";
import { test } from "node:test";
import { coin } from "../testing/listings.ts";
import { askFake, type Question } from "../testing/ask-fake.ts";
import type { Reply } from "../../testing/fake-server.ts";

const BTC = coin("BTCUSD");
const PRICE = '{"symbol":"BTCUSDT","price":"1.5"}';
const askPrice: Question<unknown> = (source, scope) => source.coinPrice?.({ listing: BTC }, scope);

test("a coin's price is that of its pair with USDT, as numbers, and says so", async () => {
  await using binance = await askFake("binance");
  const { data, provenance } = await binance.ask((source, scope) => source.coinPrice?.({ listing: BTC }, scope));
  assert.equal(typeof data.price, "number");
  assert.equal(data.quoteCurrency, "USDT");
  assert.equal(provenance.url, `${binance.server.url}/api/v3/ticker/price?symbol=BTCUSDT`);
  assert.match(provenance.note ?? "", /BTC\/USDT/);
  const quote = await binance.ask((source, scope) => source.coinQuote?.({ listing: BTC }, scope));
  assert.equal(quote.data.price, data.price);
  assert.equal(quote.provenance.as_of, "2026-03-05T20:30:00.000Z");
  assert.ok(Math.abs((quote.data.change ?? 0) - (data.price - (quote.data.open ?? 0))) < 1e-6);
});

test("markets are the traded pairs with USDT, sorted, under their listings with USD", async () => {
  const directory = { get: (symbol: string) => (symbol === "BTCUSD" ? { ...BTC, name: "Bitcoin" } : undefined) };
  await using binance = await askFake("binance", { directory });
  const markets = async (sort: "volume" | "gainers" | "losers") =>
    (await binance.ask((source, scope) => source.coinMarkets?.({ limit: 50, sort }, scope))).data;
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

/** Weight that was used up in this minute, and a limit that the service has beside its answers. */
const weighed = (used: string, reply: Reply): Reply => ({
  ...reply,
  headers: { "x-mbx-used-weight-1m": used, "retry-after": "7" },
});

test("after a 429 nothing is asked until the server's time, so that no ban follows", async () => {
  const busy = { status: 429, body: '{"code":-1003,"msg":"Too much request weight used."}' };
  await using binance = await askFake("binance", { answer: () => weighed("6001", busy) });
  const retryAt = binance.clock.now() + 7_000;
  for (let call = 0; call < 10; call++) await binance.fails(askPrice, { kind: "throttled", details: { retryAt } });
  assert.equal(binance.requests.length, 1);
  const { source, clock } = binance;
  assert.deepEqual([source.stats(clock.now()).breaker, source.stats(retryAt).breaker], ["open", "half_open"]);
});

test("if others have used up the weight, the limit is read from the service and the rest of the minute is waited for", async () => {
  const limits = {
    rateLimits: [{ rateLimitType: "REQUEST_WEIGHT", interval: "MINUTE", intervalNum: 1, limit: 6_000 }],
  };
  await using binance = await askFake("binance", {
    answer: ({ path }) =>
      weighed("5900", { body: path.endsWith("/price") ? PRICE : JSON.stringify({ ...limits, symbols: [] }) }),
  });
  await binance.ask(askPrice);
  const retryAt = binance.clock.now() + 60_000;
  await binance.fails(askPrice, { kind: "throttled", details: { retryAt } });
  assert.deepEqual(
    binance.requests.map(({ path }) => path),
    ["/api/v3/ticker/price", "/api/v3/exchangeInfo"],
  );
});
