import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { Listing } from "../../../market/port/listing.ts";
import { averageCostOf, type Lot, quantityOf, takeFrom } from "../holding.ts";
import { bySector, concentrationOf, type OrReason, type HoldingPrice, type Priced, value } from "./valuation.ts";

const ORIGIN = { kind: "live", source: "test", as_of: "2024-11-22T16:00:00Z" } as const;
const listing = (symbol: string): Listing => ({
  symbol,
  name: symbol,
  exchange: "NYSE",
  type: "stock",
  currency: "USD",
});
const priced = (symbol: string, lots: readonly Lot[], price: OrReason<HoldingPrice>): Priced => ({
  holding: { listing: listing(symbol), lots, version: 1, updatedAt: 0 },
  price,
});

const amount = fc.integer({ min: 1, max: 10_000_000 }).map((cents) => cents / 100);
const lot: fc.Arbitrary<Lot> = fc.record(
  { quantity: amount, cost: amount, currency: fc.constantFrom("USD", "EUR") },
  { requiredKeys: ["quantity", "currency"] },
);
const price: fc.Arbitrary<OrReason<HoldingPrice>> = fc.oneof(
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

/** Every figure again, from quantities, prices, costs and rates alone. */
function expected(rows: readonly Priced[]) {
  const single = rows.map(({ holding: { listing: of, lots }, price: at }) => {
    const quantity = lots.reduce((sum, one) => sum + one.quantity, 0);
    const rate = "reason" in at ? undefined : RATES.get(at.currency);
    const worth = "reason" in at || rate === undefined ? undefined : quantity * at.price * rate;
    const costs = lots.map((one) =>
      one.cost === undefined ? Number.NaN : toUsd(one.quantity * one.cost, one.currency),
    );
    const cost = costs.reduce((sum, one) => sum + one, 0);
    return { symbol: of.symbol, worth, cost: Number.isNaN(cost) ? undefined : cost };
  });
  const total = single.reduce((sum, { worth = 0 }) => sum + worth, 0);
  return new Map(single.map(({ symbol, worth, cost }) => [symbol, { worth, cost, weight: worth && worth / total }]));
}

const toUsd = (paid: number, currency: string): number => paid * (RATES.get(currency) ?? Number.NaN);

const isSame = (one: number | undefined, other: number | undefined): boolean =>
  one === undefined || other === undefined ? one === other : isNear(one, other);

test("values, costs and weights are what quantities, prices and rates give, and what is left out is named", () => {
  fc.assert(
    fc.property(portfolio, (rows) => {
      const { holdings, totals, leftOut } = value(rows, rateOf);
      const known = expected(rows);
      assert.equal(holdings.length, rows.length);
      for (const { holding, value: worth, cost, weight } of holdings) {
        const { symbol } = holding.listing;
        const own = known.get(symbol) ?? assert.fail();
        assert.ok(isSame(worth, own.worth) && isSame(cost, own.cost) && isSame(weight, own.weight), symbol);
        const named = leftOut.filter((one) => one.symbol === symbol).map(({ of }) => of);
        const missing = [...(own.worth === undefined ? ["value"] : []), ...(own.cost === undefined ? ["cost"] : [])];
        assert.deepEqual(named, missing);
      }
      const valued = [...known.values()].filter(({ worth }) => worth !== undefined);
      assert.equal(totals.valued, valued.length);
      if (valued.length === 0) return;
      const sum = valued.reduce((all, { worth = 0 }) => all + worth, 0);
      assert.ok(isSame(totals.value, sum));
      const both = valued.filter(({ cost }) => cost !== undefined);
      assert.equal(totals.costed, both.length);
      const profit = both.reduce((all, { worth = 0, cost = 0 }) => all + worth - cost, 0);
      const paid = both.reduce((all, { cost = 0 }) => all + cost, 0);
      assert.ok(Math.abs((totals.profit ?? 0) - profit) <= 1e-9 * (sum + paid + 1));
      const shares = bySector(holdings).reduce((all, { weight }) => all + weight, 0);
      assert.ok(isNear(shares, 1));
      const squares = valued.reduce((all, { weight = 0 }) => all + weight ** 2, 0);
      const { hhi, effective, topThree } =
        concentrationOf(holdings.flatMap(({ weight }) => (weight === undefined ? [] : [weight]))) ?? assert.fail();
      assert.ok(isNear(hhi, squares) && isNear(effective, 1 / squares) && topThree <= 1 + 1e-9);
      assert.ok(!JSON.stringify(holdings).includes("null"));
    }),
    { seed: 11, numRuns: 300 },
  );
});

test("a lot that was paid in euros costs its euros at the euro's rate, whatever the listing's currency is", () => {
  const lots = [
    { quantity: 10, cost: 100, currency: "EUR" },
    { quantity: 2, cost: 50, currency: "USD" },
  ];
  const { holdings, totals } = value([priced("SAP", lots, { price: 200, currency: "USD", origin: ORIGIN })], rateOf);
  assert.deepEqual([holdings[0]?.value, holdings[0]?.cost, holdings[0]?.profit], [2_400, 1_350, 1_050]);
  assert.deepEqual([totals.cost, totals.profit], [1_350, 1_050]);
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
