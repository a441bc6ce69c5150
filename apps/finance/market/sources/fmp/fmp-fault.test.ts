import assert from "node:assert/strict";
import { test } from "node:test";
import { Scope, SystemClock } from "@baton/core/ports";
import { SimulatedClock } from "@baton/core/testing";
import type { Listing } from "../../port/listing.ts";
import { FakeFmp } from "../../testing/fmp/fake-fmp.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { SkipShortWaitsClock } from "../../testing/skip-short-waits-clock.ts";
import { fmpSource } from "./fmp.ts";

const TODAY = "2026-03-06";
const HOUR_MS = 3_600_000;
const newScope = () => Scope.root({ clock: new SkipShortWaitsClock() });
const stock = (symbol: string): Listing => ({
  symbol,
  name: symbol,
  exchange: "NASDAQ",
  type: "stock",
  currency: "USD",
});
const income = (symbol: string, limit = 8) =>
  ({ listing: stock(symbol), statement: "income", period: "annual", limit }) as const;

for (const [symbol, kind, message, requests] of [
  ["ZZ401", "not_configured", /FMP_API_KEY/, 1],
  ["ZZ402", "plan", /'symbol' is not available/, 1],
  ["ZZ402END", "plan", /Restricted Endpoint/, 1],
  ["ZZ403", "upstream", /Legacy Endpoint/, 1],
  ["ZZ404", "upstream", /does not know/, 1],
  ["ZZ429", "throttled", /quota/, 1],
  ["ZZ200LIM", "throttled", /quota/, 1],
  ["ZZ200ERR", "plan", /Premium Query Parameter/, 1],
  ["ZZEMPTY", "no_data", /no .* for ZZEMPTY/, 1],
  ["ZZ500", "upstream", /500/, 3],
  ["ZZHTML", "upstream", /HTML page/, 1],
  ["ZZHTMLJSON", "upstream", /HTML page/, 1],
  ["ZZCUT", "upstream", /ended too early/, 3],
  ["ZZBOMB", "upstream", /larger than 8 MB/, 1],
  ["ZZBIG", "upstream", /larger than 8 MB/, 1],
  ["ZZTYPE", "upstream", /content type/, 1],
  ["ZZJSON", "upstream", /broken JSON/, 1],
  ["ZZREDIR", "upstream", /not a public address/, 1],
  ["ZZREDIRFILE", "upstream", /only http and https/, 1],
] as const) {
  test(`FMP's ${symbol} is ${kind} after ${requests} requests`, async () => {
    await using scope = newScope();
    await using fmp = await FakeFmp.start({ today: TODAY });
    const source = fmpSource({ key: "k", baseUrl: fmp.url });
    await assert.rejects(async () => source.statements?.(income(symbol), scope), {
      name: "MarketError",
      kind,
      message,
    });
    assert.equal(fmp.requests.length, requests);
  });
}

test("a server that never answers is an upstream error after its time limit", async () => {
  await using scope = Scope.root({ clock: new SystemClock() });
  await using fmp = await FakeFmp.start({ today: TODAY });
  const source = fmpSource({ key: "k", baseUrl: fmp.url, limits: { totalMs: 20 } });
  await assert.rejects(async () => source.quote?.({ listing: stock("ZZSLOW") }, scope), {
    kind: "upstream",
    message: /longer than 20 ms/,
  });
  assert.equal(fmp.requests.length, 1);
});

test("every error names the symbol and none has the key, though the server echoes it", async () => {
  await using scope = newScope();
  const key = "sup3r/secret";
  await using server = await FakeServer.start(() => ({
    status: 400,
    body: JSON.stringify({ "Error Message": `bad key ${key} or ${encodeURIComponent(key)}` }),
  }));
  const source = fmpSource({ key, baseUrl: server.url });
  const error: unknown = await source.quote?.({ listing: stock("AAPL") }, scope).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof Error && "details" in error);
  assert.match(error.message, /bad key \[key\]/);
  assert.doesNotMatch(JSON.stringify([error.message, error.stack, error.details, source.stats(0)]), /sup3r/);
});

test("a refused number of rows is asked for with five, remembered, and told", async () => {
  const clock = new SimulatedClock(1);
  await using scope = Scope.root({ clock });
  await using fmp = await FakeFmp.start({ today: TODAY });
  const source = fmpSource({ key: "k", baseUrl: fmp.url });
  const limits = () => fmp.requests.map(({ query }) => query.get("limit"));
  const first = await source.statements?.(income("ZZ402LIM"), scope);
  assert.deepEqual([first?.data.length, limits()], [5, ["8", "5"]]);
  assert.match(first?.provenance.note ?? "", /allows 5 rows/);
  await source.statements?.(income("ZZ402LIM"), scope);
  assert.deepEqual(limits(), ["8", "5", "5"]);
  await source.statements?.(income("ZZ402LIM", 4), scope);
  assert.deepEqual(limits(), ["8", "5", "5", "4"]);
  await clock.advance(24 * HOUR_MS);
  await source.statements?.(income("ZZ402LIM"), scope);
  assert.deepEqual(limits().slice(4), ["8", "5"]);
});

test("a refused symbol is not asked for again for a day, others are", async () => {
  const clock = new SimulatedClock(1);
  await using scope = Scope.root({ clock });
  await using fmp = await FakeFmp.start({ today: TODAY });
  const source = fmpSource({ key: "k", baseUrl: fmp.url });
  const ask = async (symbol: string) => source.quote?.({ listing: stock(symbol), detail: "price" }, scope);
  await assert.rejects(ask("ZZ402"), { kind: "plan", details: { cause: "plan_symbol", symbol: "ZZ402" } });
  await clock.advance(23 * HOUR_MS);
  await assert.rejects(ask("ZZ402"), { kind: "plan" });
  await ask("AAPL");
  assert.equal(fmp.requests.length, 2);
  await clock.advance(HOUR_MS);
  await assert.rejects(ask("ZZ402"), { kind: "plan" });
  assert.equal(fmp.requests.length, 3);
});

test("a refused endpoint is not asked for any symbol for a day, other endpoints are", async () => {
  const clock = new SimulatedClock(1);
  await using scope = Scope.root({ clock });
  await using fmp = await FakeFmp.start({ today: TODAY });
  const source = fmpSource({ key: "k", baseUrl: fmp.url });
  await assert.rejects(async () => source.statements?.(income("ZZ402END"), scope), { kind: "plan" });
  await assert.rejects(async () => source.statements?.(income("AAPL"), scope), { kind: "plan" });
  await source.quote?.({ listing: stock("AAPL"), detail: "price" }, scope);
  assert.deepEqual(
    fmp.requests.map(({ path }) => path),
    ["/income-statement", "/quote"],
  );
});

test("a used up quota stops the whole account: a probe after a minute, then hourly", async () => {
  const clock = new SimulatedClock(1);
  await using scope = Scope.root({ clock });
  await using fmp = await FakeFmp.start({ today: TODAY, quota: 0 });
  const source = fmpSource({ key: "k", baseUrl: fmp.url });
  const ask = async (symbol: string) => source.quote?.({ listing: stock(symbol), detail: "price" }, scope);
  await assert.rejects(ask("AAPL"), { kind: "throttled", details: { retryAt: clock.now() + 60_000, symbol: "AAPL" } });
  await assert.rejects(ask("MSFT"), { kind: "throttled" });
  assert.equal(fmp.requests.length, 1);
  await clock.advance(60_000);
  await assert.rejects(ask("MSFT"), { kind: "throttled", details: { retryAt: clock.now() + HOUR_MS, symbol: "MSFT" } });
  await clock.advance(HOUR_MS - 1);
  await assert.rejects(ask("MSFT"), { kind: "throttled" });
  assert.equal(fmp.requests.length, 2);
  await clock.advance(1);
  await assert.rejects(ask("MSFT"), { kind: "throttled" });
  assert.equal(fmp.requests.length, 3);
});

test("without a key nothing is asked", async () => {
  await using scope = newScope();
  await using fmp = await FakeFmp.start();
  const ask = async () => fmpSource({ key: "", baseUrl: fmp.url }).quote?.({ listing: stock("AAPL") }, scope);
  await assert.rejects(ask, { kind: "not_configured", details: { enable: "FMP_API_KEY", symbol: "AAPL" } });
  assert.equal(fmp.requests.length, 0);
});

test("a row that does not fit is an upstream error, not a row that is missing", async () => {
  await using scope = newScope();
  for (const body of [
    '[{"symbol":"AAPL","price":{}}]',
    '[{"symbol":"AAPL","price":"cheap"}]',
    '{"symbol":"AAPL"}',
    "[null]",
    "[1e999]",
    '[{"symbol":"AAPL","price":1e999}]',
  ]) {
    await using server = await FakeServer.start(() => ({ body }));
    const ask = async () => fmpSource({ key: "k", baseUrl: server.url }).quote?.({ listing: stock("AAPL") }, scope);
    await assert.rejects(ask, { kind: "upstream", message: /unexpected shape/ });
  }
});

test("every fault of the whole server is a typed error", async () => {
  await using scope = newScope();
  await using fmp = await FakeFmp.start({ today: TODAY });
  for (const [fault, kind] of [
    ["down", "upstream"],
    ["error", "upstream"],
    ["throttled", "throttled"],
    ["html", "upstream"],
    ["json", "upstream"],
  ] as const) {
    fmp.fault = fault;
    const source = fmpSource({ key: "k", baseUrl: fmp.url });
    await assert.rejects(async () => source.quote?.({ listing: stock("AAPL") }, scope), { name: "MarketError", kind });
  }
});
