import assert from "node:assert/strict";
import { test } from "node:test";
import { askFake, type Failure } from "../testing/ask-fake.ts";
import type { Scope } from "@baton/core/ports";
import type { LiveSource } from "../live-source.ts";
import type { Listing } from "../../port/listing.ts";
import { krakenSource } from "./kraken.ts";
import { testFaults } from "../testing/fault-suite.ts";

const coin = (symbol: string): Listing => ({
  symbol,
  name: symbol,
  exchange: "CRYPTO",
  type: "crypto",
  currency: "USD",
});
const BTC = coin("BTCUSD");
const askPrice = (source: LiveSource, scope: Scope) => source.coinPrice?.({ listing: BTC }, scope);

testFaults({
  name: "Kraken",
  open: krakenSource,
  ask: askPrice,
});
testFaults({
  name: "Kraken's candles",
  open: krakenSource,
  ask: (source, scope) => source.coinBars?.({ listing: BTC, interval: "1d", limit: 10 }, scope),
});

for (const [symbol, pair, ticker, price] of [
  ["BTCUSD", "XBTUSD", "BTC", 566.76],
  ["DOGEUSD", "XDGUSD", "DOGE", 134.38],
  ["ETHUSD", "ETHUSD", "ETH", 41.29],
  ["SOLUSD", "SOLUSD", "SOL", 260.28],
] as const) {
  test(`${symbol} is asked for as ${pair}, and found under whatever name the answer has for it`, async () => {
    await using kraken = await askFake("kraken");
    const { data, provenance } = await kraken.ask((source, scope) =>
      source.coinPrice?.({ listing: coin(symbol) }, scope),
    );
    assert.deepEqual(data, { price, quoteCurrency: "USD" });
    assert.equal(kraken.requests[0]?.query.get("pair"), pair);
    assert.match(provenance.note ?? "", new RegExp(`${ticker}/USD on Kraken`));
  });
}

test("a quote has the figures of 24 hours, not of the day in UTC", async () => {
  await using kraken = await askFake("kraken");
  const { data } = await kraken.ask((source, scope) => source.coinQuote?.({ listing: BTC }, scope));
  const [open, price] = [557.82, 566.76];
  assert.deepEqual([data.open, data.price], [open, price]);
  assert.ok(Math.abs((data.change ?? 0) - (price - open)) < 1e-6);
  assert.ok(Math.abs((data.changePercent ?? 0) - (price / open - 1) * 100) < 1e-9);
  assert.equal(data.volume, 250.25);
  assert.ok(Math.abs((data.high ?? 0) - price * 1.04) < 1e-4);
  assert.ok(Math.abs((data.quoteVolume ?? 0) - 250.25 * price * 0.98) < 1);
});

test("a quote stands without a change if the price of 24 hours ago cannot be had", async () => {
  await using kraken = await askFake("kraken", { allowed: 1 });
  const { data } = await kraken.ask((source, scope) => source.coinQuote?.({ listing: BTC }, scope));
  assert.deepEqual([data.change, data.changePercent, data.open], [undefined, undefined, undefined]);
  assert.equal(data.price, 566.76);
});

test("candles come oldest first in UTC seconds; there are 720 at most, and an answer that is shorter says so", async () => {
  await using kraken = await askFake("kraken");
  const long = await kraken.ask((source, scope) =>
    source.coinBars?.({ listing: BTC, interval: "4h", limit: 1_000 }, scope),
  );
  assert.equal(long.data.t.length, 60);
  assert.equal((long.data.t[1] ?? 0) - (long.data.t[0] ?? 0), 14_400);
  assert.equal(long.data.t.at(-1), Date.parse("2026-03-05T20:00:00Z") / 1_000);
  assert.equal(long.data.v.at(-1), 12.5);
  assert.equal(long.data.currency, "USD");
  assert.match(long.provenance.note ?? "", /newest 720/);
  const short = await kraken.ask((source, scope) =>
    source.coinBars?.({ listing: BTC, interval: "1d", limit: 5 }, scope),
  );
  assert.equal(short.data.t.length, 5);
  assert.doesNotMatch(short.provenance.note ?? "", /720/);
});

test("an error with status 200 is an error: an unknown pair is no data, a failure is not, a limit is throttled", async () => {
  await using kraken = await askFake("kraken", { allowed: 2 });
  const fails = (symbol: string, expected: Failure) =>
    kraken.fails((source, scope) => source.coinPrice?.({ listing: coin(symbol) }, scope), expected);
  await fails("NOPEUSD", { kind: "no_data" });
  await fails("ZZBUSYUSD", { kind: "upstream", message: /EService:Unavailable/ });
  await fails("BTCUSD", { kind: "throttled", message: /Rate limit exceeded/ });
  await fails("BTCUSD", { kind: "throttled" });
  assert.equal(kraken.requests.length, 3);
  assert.equal(kraken.source.stats(kraken.clock.now()).breaker, "open");
});

test("what is not a coin's pair with USD is no data, without a request", async () => {
  await using kraken = await askFake("kraken");
  for (const listing of [coin("USD"), coin("BTCEUR"), coin("B/TUSD"), { ...coin("TUSD"), type: "stock" } as const]) {
    await kraken.fails((source, scope) => source.coinPrice?.({ listing }, scope), { kind: "no_data" });
  }
  assert.equal(kraken.requests.length, 0);
});

test("an answer for another pair is an error, and a warning beside a result is not", async () => {
  const ticker = { c: ["5", "1"], v: ["1", "1"], p: ["5", "5"], l: ["5", "5"], h: ["5", "5"], o: "5" };
  let body: unknown = { error: [], result: { XETHZUSD: ticker } };
  await using server = await askFake("kraken", { answer: () => ({ body: JSON.stringify(body) }) });
  await server.fails(askPrice, { kind: "upstream", message: /another pair/ });
  body = { error: [], result: {} };
  await server.fails(askPrice, { kind: "upstream", message: /without a pair/ });
  body = { error: ["WGeneral:Deprecated"], result: { XXBTZUSD: ticker } };
  assert.equal((await server.ask(askPrice)).data.price, 5);
  body = { error: [], result: { XXBTZUSD: { ...ticker, c: [null] } } };
  await server.fails(askPrice, { kind: "upstream", message: /unexpected shape/ });
});
