import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { Listing } from "../../../market/port/listing.ts";
import { averageCostOf, type Lot, quantityOf, takeFrom } from "../holding.ts";
import { bySector, concentrationOf, type Maybe, type Price, type Priced, value } from "./valuation.ts";

const ORIGIN = { kind: "live", source: "test", as_of: "2024-11-22T16:00:00Z" } as const;
const listing = (symbol: string): Listing => ({
  symbol,
  name: symbol,
  exchange: "NYSE",
  type: "stock",
  currency: "USD",
});
const priced = (symbol: string, lots: readonly Lot[], price: Maybe<Price>): Priced => ({
  holding: { listing: listing(symbol), lots, version: 1, updatedAt: 0 },
  price,
});

const amount = fc.integer({ min: 1, max: 10_000_000 }).map((cents) => cents / 100);
const lot: fc.Arbitrary<Lot> = fc.record(
  { quantity: amount, cost: amount, currency: fc.constantFrom("USD", "EUR") },
  { requiredKeys: ["quantity", "currency"] },
);
const price: fc.Arbitrary<Maybe<Price>> = fc.oneof(
  fc.record({
    price: amount,
    currency: fc.constantFrom("USD", "EUR", "VND"),
    changePercent: fc.double({ min: -50, max: 50, noNaN: true }),
    sector: fc.constantFrom("Technology", "Energy"),
    origin: fc.constant(ORIGIN),
  }),
  fc.constant({ reason: "the source is down" }),
);
const portfolio = fc
  .array(fc.tuple(fc.array(lot, { minLength: 1, maxLength: 4 }), price), { minLength: 1, maxLength: 12 })
  .map((rows) => rows.map(([lots, at], index) => priced(`S${index}`, lots, at)));

/** There is no rate for dong. */
const RATES = new Map([
  ["USD", 1],
  ["EUR", 1.25],
]);
const rateOf = (currency: string) => {
  const rate = RATES.get(currency);
  return rate === undefined ? { reason: `there is no rate from ${currency}` } : { rate };
};
const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other));

test("weights add up to 1 over what has a value, sums are sums, and what is left out is named", () => {
  fc.assert(
    fc.property(portfolio, (rows) => {
      const { holdings, totals, leftOut } = value(rows, rateOf);
      const valued = holdings.filter((one) => one.value !== undefined);
      assert.equal(totals.valued, valued.length);
      const named = leftOut.filter(({ of }) => of === "value").length;
      assert.equal(valued.length + named, rows.length);
      if (valued.length === 0) return;
      assert.ok(
        isNear(
          valued.reduce((sum, { weight = 0 }) => sum + weight, 0),
          1,
        ),
      );
      assert.ok(
        isNear(
          totals.value ?? 0,
          valued.reduce((sum, one) => sum + (one.value ?? 0), 0),
        ),
      );
      const both = valued.filter(({ cost }) => cost !== undefined);
      const profit = both.reduce((sum, one) => sum + (one.value ?? 0) - (one.cost ?? 0), 0);
      const size = both.reduce((sum, one) => sum + (one.value ?? 0) + (one.cost ?? 0), 1);
      assert.ok(Math.abs((totals.profit ?? 0) - profit) <= 1e-9 * size);
      const sectors = bySector(holdings);
      assert.ok(
        isNear(
          sectors.reduce((sum, { weight }) => sum + weight, 0),
          1,
        ),
      );
      const { hhi, effective, topThree } = concentrationOf(valued.map(({ weight = 0 }) => weight)) ?? assert.fail();
      assert.ok(hhi <= 1 + 1e-9 && hhi * valued.length >= 1 - 1e-9);
      assert.ok(isNear(hhi * effective, 1));
      assert.ok(topThree <= 1 + 1e-9);
      assert.ok(!JSON.stringify(holdings).includes("null"));
    }),
    { seed: 11, numRuns: 500 },
  );
});

test("twice of everything is worth twice as much, with the same weights; the order does not matter", () => {
  fc.assert(
    fc.property(portfolio, (rows) => {
      const doubled = rows.map((row) => ({
        ...row,
        holding: { ...row.holding, lots: row.holding.lots.map((one) => ({ ...one, quantity: one.quantity * 2 })) },
      }));
      const [one, two, turned] = [rows, doubled, rows.toReversed()].map((all) => value(all, rateOf));
      assert.ok(one && two && turned);
      assert.ok(isNear((one.totals.value ?? 0) * 2, two.totals.value ?? 0));
      one.holdings.forEach(({ weight = 0 }, at) => assert.ok(isNear(weight, two.holdings[at]?.weight ?? 0)));
      assert.deepEqual(
        one.holdings.map(({ holding }) => holding.listing.symbol),
        turned.holdings.map(({ holding }) => holding.listing.symbol),
      );
    }),
    { seed: 12, numRuns: 300 },
  );
});

test("a rate that nobody has is never 1: the holding is left out", () => {
  const dong = { price: 135_000, currency: "VND", origin: ORIGIN };
  const { totals, leftOut } = value([priced("FPT", [{ quantity: 10, currency: "USD", cost: 1 }], dong)], rateOf);
  assert.deepEqual(totals, { valued: 0, costed: 0 });
  assert.deepEqual(leftOut, [{ symbol: "FPT", of: "value", reason: "there is no rate from VND" }]);
});

test("half a cost is none, and its holding is named", () => {
  const lots = [
    { quantity: 1, cost: 10, currency: "USD" },
    { quantity: 1, currency: "USD" },
  ];
  const { totals, leftOut } = value([priced("A", lots, { price: 20, currency: "USD", origin: ORIGIN })], rateOf);
  assert.deepEqual([totals.value, totals.cost, totals.profit, totals.costed], [40, undefined, undefined, 0]);
  assert.deepEqual(leftOut, [{ symbol: "A", of: "cost", reason: "1 of its 2 lots has no cost" }]);
});

test("what is taken from lots and what is left add up, and the average cost lies between the lots' costs", () => {
  const lots = fc.array(fc.record({ quantity: amount, cost: amount, currency: fc.constant("USD") }), {
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(lots, amount, (all, taken) => {
      const before = quantityOf(all);
      const left = takeFrom(all, taken);
      assert.ok(isNear(quantityOf(left), Math.max(0, before - taken)));
      assert.ok(left.every(({ quantity }) => quantity > 0));
      const costs = all.map(({ cost }) => cost);
      const { average } = averageCostOf(all) ?? assert.fail();
      assert.ok(average >= Math.min(...costs) * (1 - 1e-12) && average <= Math.max(...costs) * (1 + 1e-12));
    }),
    { seed: 13, numRuns: 500 },
  );
});
