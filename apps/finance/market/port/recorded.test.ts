import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@baton/core";
import { Scope } from "@baton/core/ports";
import { parseJson } from "@baton/core/util";
import { SimulatedClock } from "@baton/core/testing";
import * as fc from "fast-check";
import type { Bars } from "./bars.ts";
import { type Chains, toMarketData } from "../chain/chain.ts";
import { openDirectory } from "../directory/directory.ts";
import type { Listing } from "./listing.ts";
import { MarketError } from "./market-error.ts";
import { emptyRecords, playMarket, recordMarket } from "./recorded.ts";
import { decodeValue, encodeValue, toCanonicalJson } from "./recorded-value.ts";

const directory = openDirectory([]);
const listing: Listing = { symbol: "AAPL", name: "Apple Inc.", exchange: "NASDAQ", type: "stock", currency: "USD" };
const provenance = { kind: "history", source: "test", as_of: "2024-11-22T16:00:00-05:00" } as const;

const open = () => Scope.root({ clock: new SimulatedClock(1) });
const build = (chains: Chains) => toMarketData({ directory, mode: "test", today: () => "2024-11-22", chains });

test("bars, maps and errors are played as they were recorded, after a way through JSON text", async () => {
  await using scope = open();
  const column = (...values: readonly number[]) => Float64Array.from(values);
  const bars: Bars = {
    t: column(1, 2),
    o: column(1.5, -0),
    h: column(3, 4),
    l: column(0, 1),
    c: column(2, 2),
    v: column(0, 9),
  };
  const rows = [{ label: "FY2016", end: "2016-12-31", currency: "USD", values: new Map([["revenue", 12.5]]) }];
  const candidates = [listing];
  const records = emptyRecords();
  const market = recordMarket(
    build({
      bars: [{ name: "a", bars: async () => ({ data: bars, provenance }) }],
      statements: [{ name: "a", statements: async () => ({ data: rows, provenance }) }],
      quote: [
        {
          name: "a",
          quote: async () => {
            throw new MarketError("throttled", "too many", { symbol: "AAPL", retryAt: 5, candidates });
          },
        },
      ],
    }),
    records,
  );
  const statementQuery = { listing, statement: "income", period: "annual", limit: 5 } as const;
  await market.bars({ listing, limit: 2 }, scope);
  await market.statements(statementQuery, scope);
  await assert.rejects(market.quote({ listing }, scope));
  await assert.rejects(market.fx({ from: "USD", to: "VND" }, scope));

  const text = JSON.stringify(records);
  const played = playMarket({ ...records, answers: [...records.answers] }, directory);
  assert.equal(JSON.stringify(parseJson(text)), text);
  assert.deepEqual(await played.bars({ limit: 2, listing }, scope), { data: bars, provenance });
  assert.deepEqual(await played.statements(statementQuery, scope), { data: rows, provenance });
  await assert.rejects(played.quote({ listing }, scope), {
    kind: "throttled",
    message: "too many",
    details: { symbol: "AAPL", retryAt: 5, candidates },
  });
  await assert.rejects(played.fx({ from: "USD", to: "VND" }, scope), { kind: "no_data" });
  assert.equal(played.today(), "2024-11-22");
  assert.equal(played.mode, "recorded test");
});

test("a query that was not recorded is an error that names it", async () => {
  await using scope = open();
  const records = emptyRecords();
  const market = recordMarket(
    build({ quote: [{ name: "a", quote: async () => ({ data: { price: 1 }, provenance }) }] }),
    records,
  );
  await market.quote({ listing }, scope);
  const other = { ...listing, symbol: "MSFT" };
  await assert.rejects(playMarket(records, directory).quote({ listing: other }, scope), {
    kind: "no_data",
    message: /nothing is recorded for quote .*MSFT/,
  });
});

test("an abort is not recorded", async () => {
  await using scope = open();
  const records = emptyRecords();
  const failing = { name: "a", quote: async () => Promise.reject(new RangeError("a defect")) };
  await assert.rejects(recordMarket(build({ quote: [failing] }), records).quote({ listing }, scope), {
    name: "RangeError",
  });
  assert.deepEqual(records.answers, []);
});

const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.double(),
    fc.string(),
    fc.boolean(),
    fc.float64Array(),
    fc.array(tie("value")),
    fc
      .dictionary(fc.oneof(fc.string(), fc.constantFrom("$map", "$column", "__proto__")), tie("value"))
      .map((made) => ({ ...made })),
    fc.array(fc.tuple(fc.string(), tie("value"))).map((pairs) => new Map(pairs)),
  ),
})).value;

test("any value comes back as it was, through JSON text", () => {
  fc.assert(
    fc.property(value, (original) => {
      const text = JSON.stringify(encodeValue(original));
      const parsed: Json | undefined = parseJson(text);
      assert.ok(parsed !== undefined);
      assert.deepEqual(decodeValue(parsed), original);
    }),
    { numRuns: 500 },
  );
});

test("equal queries have equal texts, whatever the order of their fields and whether absent ones are named", () => {
  assert.equal(
    toCanonicalJson({ b: 1, a: { d: undefined, c: 2 } }),
    toCanonicalJson({ a: { c: 2 }, b: 1, e: undefined }),
  );
  assert.notEqual(toCanonicalJson({ a: 1 }), toCanonicalJson({ a: "1" }));
});
