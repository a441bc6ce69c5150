import assert from "node:assert/strict";
import { test } from "node:test";
import type { Listing } from "../../port/listing.ts";
import { FakeKraken } from "../../testing/fake-kraken.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { krakenSource } from "./kraken.ts";
import { testFaults } from "../testing/fault-suite.ts";
import { NOW, scopeAt } from "../testing/scope-at.ts";

const coin = (symbol: string): Listing => ({
  symbol,
  name: symbol,
  exchange: "CRYPTO",
  type: "crypto",
  currency: "USD",
});
const BTC = coin("BTCUSD");
const HOUR_MS = 3_600_000;

testFaults({
  name: "Kraken",
  open: krakenSource,
  ask: (source, scope) => source.coinPrice?.({ listing: BTC }, scope),
});
testFaults({
  name: "Kraken's candles",
  open: krakenSource,
  ask: (source, scope) => source.coinBars?.({ listing: BTC, interval: "1d", limit: 10 }, scope),
});

for (const [symbol, pair, ticker] of [
  ["BTCUSD", "XBTUSD", "BTC"],
  ["DOGEUSD", "XDGUSD", "DOGE"],
  ["ETHUSD", "ETHUSD", "ETH"],
  ["SOLUSD", "SOLUSD", "SOL"],
] as const) {
  test(`${symbol} is asked for as ${pair}, and found under whatever name the answer has for it`, async () => {
    const { scope } = scopeAt();
    await using _ = scope;
    await using kraken = await FakeKraken.start({ now: () => NOW });
    const { data, provenance } =
      (await krakenSource({ baseUrl: kraken.url }).coinPrice?.({ listing: coin(symbol) }, scope)) ?? assert.fail();
    assert.deepEqual(data, { price: FakeKraken.priceOf(pair, NOW), quoteCurrency: "USD" });
    assert.equal(kraken.requests[0]?.query.get("pair"), pair);
    assert.match(provenance.note ?? "", new RegExp(`${ticker}/USD on Kraken`));
  });
}

test("a quote has the figures of 24 hours, not of the day in UTC", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using kraken = await FakeKraken.start({ now: () => NOW });
  const { data } = (await krakenSource({ baseUrl: kraken.url }).coinQuote?.({ listing: BTC }, scope)) ?? assert.fail();
  const open = FakeKraken.priceOf("XBTUSD", NOW - 24 * HOUR_MS);
  const price = FakeKraken.priceOf("XBTUSD", NOW);
  assert.equal(data.open, open);
  assert.notEqual(open, FakeKraken.priceOf("XBTUSD", Date.parse("2026-03-05T00:00:00Z")));
  assert.ok(Math.abs((data.change ?? 0) - (price - open)) < 1e-6);
  assert.ok(Math.abs((data.changePercent ?? 0) - (price / open - 1) * 100) < 1e-9);
  assert.equal(data.volume, 250.25);
  assert.ok(Math.abs((data.high ?? 0) - price * 1.04) < 1e-4);
  assert.ok(Math.abs((data.quoteVolume ?? 0) - 250.25 * price * 0.98) < 1);
});

test("a quote stands without a change if the price of 24 hours ago cannot be had", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using kraken = await FakeKraken.start({ now: () => NOW, allowed: 1 });
  const { data } = (await krakenSource({ baseUrl: kraken.url }).coinQuote?.({ listing: BTC }, scope)) ?? assert.fail();
  assert.deepEqual([data.change, data.changePercent, data.open], [undefined, undefined, undefined]);
  assert.equal(data.price, FakeKraken.priceOf("XBTUSD", NOW));
});

test("candles come oldest first in UTC seconds; there are 720 at most, and an answer that is shorter says so", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using kraken = await FakeKraken.start({ now: () => NOW });
  const source = krakenSource({ baseUrl: kraken.url });
  const long = (await source.coinBars?.({ listing: BTC, interval: "4h", limit: 1_000 }, scope)) ?? assert.fail();
  assert.equal(long.data.t.length, 720);
  assert.equal((long.data.t[1] ?? 0) - (long.data.t[0] ?? 0), 14_400);
  assert.equal(long.data.t.at(-1), Date.parse("2026-03-05T20:00:00Z") / 1_000);
  assert.equal(long.data.v.at(-1), 12.5);
  assert.equal(long.data.currency, "USD");
  assert.match(long.provenance.note ?? "", /newest 720/);
  const short = (await source.coinBars?.({ listing: BTC, interval: "1d", limit: 5 }, scope)) ?? assert.fail();
  assert.equal(short.data.t.length, 5);
  assert.doesNotMatch(short.provenance.note ?? "", /720/);
});

test("an error with status 200 is an error: an unknown pair is no data, a failure is not, a limit is throttled", async () => {
  const { scope, clock } = scopeAt();
  await using _ = scope;
  await using kraken = await FakeKraken.start({ now: () => NOW, allowed: 2 });
  const source = krakenSource({ baseUrl: kraken.url });
  const ask = (symbol: string) => async () => source.coinPrice?.({ listing: coin(symbol) }, scope);
  await assert.rejects(ask("NOPEUSD"), { kind: "no_data" });
  await assert.rejects(ask("ZZBUSYUSD"), { kind: "upstream", message: /EService:Unavailable/ });
  await assert.rejects(ask("BTCUSD"), { kind: "throttled", message: /Rate limit exceeded/ });
  await assert.rejects(ask("BTCUSD"), { kind: "throttled" });
  assert.equal(kraken.requests.length, 3);
  assert.equal(source.stats(clock.now()).breaker, "open");
});

test("what is not a coin's pair with USD is no data, without a request", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  await using kraken = await FakeKraken.start();
  const source = krakenSource({ baseUrl: kraken.url });
  for (const listing of [coin("USD"), coin("BTCEUR"), coin("B/TUSD"), { ...coin("TUSD"), type: "stock" } as const]) {
    await assert.rejects(async () => source.coinPrice?.({ listing }, scope), { kind: "no_data" });
  }
  assert.equal(kraken.requests.length, 0);
});

test("an answer for another pair is an error, and a warning beside a result is not", async () => {
  const { scope } = scopeAt();
  await using _ = scope;
  const ticker = { c: ["5", "1"], v: ["1", "1"], p: ["5", "5"], l: ["5", "5"], h: ["5", "5"], o: "5" };
  let body: unknown = { error: [], result: { XETHZUSD: ticker } };
  await using server = await FakeServer.start(() => ({ body: JSON.stringify(body) }));
  const source = krakenSource({ baseUrl: server.url });
  const ask = async () => source.coinPrice?.({ listing: BTC }, scope);
  await assert.rejects(ask, { kind: "upstream", message: /another pair/ });
  body = { error: [], result: {} };
  await assert.rejects(ask, { kind: "upstream", message: /without a pair/ });
  body = { error: ["WGeneral:Deprecated"], result: { XXBTZUSD: ticker } };
  assert.equal((await ask())?.data.price, 5);
  body = { error: [], result: { XXBTZUSD: { ...ticker, c: [null] } } };
  await assert.rejects(ask, { kind: "upstream", message: /unexpected shape/ });
});
