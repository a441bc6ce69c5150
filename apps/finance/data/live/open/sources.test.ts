import assert from "node:assert/strict";
import { test } from "node:test";
import { SWITCHES } from "../../chain.ts";
import type { Source } from "../../market-data.ts";
import { fmpSource } from "../fmp.ts";
import { secSource } from "../sec/sec.ts";
import { findSource, SOURCES, sourcesOf } from "./sources.ts";

const servedBy = (source: Source): readonly string[] =>
  Object.keys(source)
    .filter((key) => key !== "name" && key !== "stats")
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

test("names are unique, and each capability exists", () => {
  assert.equal(new Set(SOURCES.map(({ name }) => name)).size, SOURCES.length);
  for (const { capabilities } of SOURCES) for (const one of capabilities) assert.ok(Object.hasOwn(SWITCHES, one), one);
});

test("coins are asked of Binance, then Kraken; what the user has to name comes after all else", () => {
  const chain = (capability: Parameters<typeof sourcesOf>[0]) => sourcesOf(capability).map(({ name }) => name);
  assert.deepEqual(chain("coinPrice"), ["binance", "kraken"]);
  assert.deepEqual(chain("coinMarkets"), ["binance", "coingecko"]);
  assert.deepEqual(chain("series"), ["bls", "fiscaldata", "worldbank"]);
  assert.deepEqual(chain("rates"), ["treasury", "nyfed"]);
  assert.deepEqual(chain("quote"), ["fmp", "cboe", "vndirect", "yahoo"]);
  const groups = SOURCES.map(({ group }) => ["keyed", "open", "unofficial"].indexOf(group));
  assert.deepEqual(
    groups,
    groups.toSorted((one, other) => one - other),
  );
  assert.equal(findSource("stooq"), undefined);
});
