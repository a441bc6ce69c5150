import assert from "node:assert/strict";
import { test } from "node:test";
import { CHAIN_TABLE, CAPABILITIES } from "../chain/chain-table.ts";
import type { MarketSource } from "../port/market-data.ts";
import { fmpSource } from "./fmp/fmp.ts";
import { secSource } from "./sec/sec.ts";
import { findSource, marketOf, SOURCES } from "./sources.ts";

const servedBy = (source: MarketSource): readonly string[] =>
  Object.keys(source)
    .filter((key) => Object.hasOwn(CHAIN_TABLE, key))
    .toSorted();

for (const entry of SOURCES) {
  const { open, name, hosts, baseUrlSettings, capabilities } = entry;
  if (open === undefined) continue;
  test(`${name} is in the table as it is: what it serves, where it asks, what sets its address`, () => {
    const source = open({});
    assert.equal(source.name, name);
    assert.deepEqual(servedBy(source), capabilities.toSorted());
    assert.deepEqual([source.stats(0).host], hosts);
    assert.deepEqual(open({ baseUrl: "http://127.0.0.1:9/x" }).stats(0).host, "127.0.0.1:9");
    const [enable = ""] = baseUrlSettings;
    assert.throws(() => open({ baseUrl: "nonsense" }), { kind: "not_configured", details: { enable } });
  });
}

test("the sources that need a key or a contact serve what the table says", () => {
  assert.deepEqual(servedBy(fmpSource({ key: "secret-key" })), findSource("fmp")?.capabilities.toSorted());
  const sec = secSource({ contact: "lan@example.com" });
  assert.deepEqual(servedBy(sec), findSource("sec")?.capabilities.toSorted());
});

test("names are unique, and every source is in the chain of all that it serves and of nothing else", () => {
  assert.equal(new Set(SOURCES.map(({ name }) => name)).size, SOURCES.length);
  for (const { name, capabilities } of SOURCES) {
    const places = CAPABILITIES.filter((capability) => CHAIN_TABLE[capability].includes(name));
    assert.deepEqual(places.toSorted(), capabilities.toSorted(), name);
  }
});

test("coins are asked of Binance, then Kraken, then CoinGecko; keys come first, unofficial ones last", () => {
  assert.deepEqual(CHAIN_TABLE.coinPrice, ["binance", "kraken", "coingecko"]);
  assert.deepEqual(CHAIN_TABLE.statements, ["fmp", "sec", "pack", "snapshot"]);
  assert.deepEqual(CHAIN_TABLE.quote, ["fmp", "cboe", "vndirect", "yahoo", "snapshot"]);
  assert.deepEqual(CHAIN_TABLE.news, ["fmp", "sec", "gdelt"]);
  const groups = SOURCES.map(({ group }) => ["keyed", "open", "unofficial"].indexOf(group));
  assert.deepEqual(
    groups,
    groups.toSorted((one, other) => one - other),
  );
  assert.equal(findSource("stooq"), undefined);
});

test("a listing belongs to the market of its exchange, a coin to that of coins", () => {
  const cases = [
    ["stock", "NASDAQ", "US"],
    ["index", "INDEX", "US"],
    ["stock", "HOSE", "VN"],
    ["crypto", "CRYPTO", "coins"],
  ] as const;
  for (const [type, exchange, market] of cases) assert.equal(marketOf({ type, exchange }), market);
});
