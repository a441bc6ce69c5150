/** The analysis when sources fail, prices are old, rates are missing, or almost nothing is held. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@baton/core";
import { parseJson } from "@baton/core/util";
import { z } from "zod";
import type { Capabilities } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { sourced } from "../testing/stub-market.ts";
import {
  analysed,
  bySymbol,
  closesOf,
  imported,
  LAST,
  marketWith,
  priceOf,
  toBars,
} from "./testing/twenty-companies.ts";
import { numbersOf } from "../testing/numbers-of.ts";

const NoDataSchema = z.object({ no_data: z.literal(true), message: z.string(), enable: z.string().optional() });
const down = async (): Promise<never> => {
  throw new MarketError("upstream", "the source is down");
};
const atOf = (symbol: string): number => bySymbol.get(symbol)?.at ?? 0;
const quoteOf = (symbol: string) => ({ price: priceOf(atOf(symbol)), sector: "Energy" });
const FEW = "TA,10,40\nTB,5,50\nTC,2,60";

test("a holding without a price is left out and named, and the totals say over how many they are", async () => {
  const quote: Capabilities["quote"] = async ({ listing }) =>
    listing.symbol === "TB" ? down() : sourced(quoteOf(listing.symbol));
  const { data } = await analysed(marketWith({ quote }), {}, FEW);
  assert.deepEqual([data.holdings_count, data.totals.valued, data.totals.costed, data.risk?.holdings], [3, 2, 2, 2]);
  assert.deepEqual(data.left_out, [{ symbol: "TB", of: "value", reason: "the source is down" }]);
  const weights = data.holdings.flatMap(({ weight_percent }) => weight_percent ?? []);
  assert.ok(Math.abs(weights.reduce((sum, weight) => sum + weight, 0) - 100) < 1e-9);
});

test("a price of another year is not carried over to today", async () => {
  const quote: Capabilities["quote"] = async ({ listing }) =>
    sourced(quoteOf(listing.symbol), listing.symbol === "TA" ? { as_of: "2016-04-19T20:28:00Z" } : {});
  const { data } = await analysed(marketWith({ quote }), {}, FEW);
  assert.equal(data.totals.valued, 2);
  assert.match(data.left_out?.[0]?.reason ?? "", /newest price is of 2016-04-19, and other prices are of 2024-11-22/);
});

test("without a rate a foreign holding is left out; with one the rate is named", async () => {
  const csv = `${FEW}\nTT,10,70`;
  const without = await analysed(marketWith({ fx: down }), {}, csv);
  assert.equal(without.data.totals.valued, 3);
  assert.deepEqual(
    without.data.left_out?.map(({ symbol, of }) => [symbol, of]),
    [
      ["TT", "value"],
      ["TT", "cost"],
    ],
  );
  assert.match(without.data.left_out?.[0]?.reason ?? "", /no rate from EUR to USD: the source is down/);
  const rated = await analysed(marketWith(), {}, csv);
  assert.deepEqual(rated.data.rates, [
    { from: "EUR", to: "USD", rate: 1.25, day: "2024-11-22", source: "ecb", kind: "live" },
  ]);
  const own = rated.data.holdings.find(({ symbol }) => symbol === "TT");
  assert.ok(Math.abs((own?.value ?? 0) - 10 * priceOf(19) * 1.25) < 1e-6);
  assert.match(JSON.stringify(rated.output), /moves of currencies are not in them/);
  const wrong: Capabilities["fx"] = async () => sourced({ from: "GBP", to: "USD", day: "2024-11-22", rate: 1 });
  assert.equal((await analysed(marketWith({ fx: wrong }), {}, csv)).data.totals.valued, 3);
  const old: Capabilities["fx"] = async ({ from, to }) => sourced({ from, to, day: "2023-01-02", rate: 1 });
  assert.equal((await analysed(marketWith({ fx: old }), {}, csv)).data.totals.valued, 3);
});

test("totals are in the one currency of all holdings, or in the one that is asked for", async () => {
  const alone = await analysed(marketWith({ fx: down }), {}, "TT,10,70");
  assert.deepEqual([alone.data.currency, alone.data.totals.valued], ["EUR", 1]);
  const asked = await analysed(marketWith(), { currency: "eur" }, FEW);
  assert.equal(asked.data.currency, "EUR");
  assert.ok(
    Math.abs((asked.data.totals.value ?? 0) - 1.25 * (10 * priceOf(0) + 5 * priceOf(1) + 2 * priceOf(2))) < 1e-6,
  );
});

test("the result is as real as its least real part and names its parts", async () => {
  const bars: Capabilities["bars"] = async ({ listing, limit = 250 }) =>
    sourced(toBars(closesOf(atOf(listing.symbol)).slice(-limit)), { kind: "history", source: "paths" });
  const quote: Capabilities["quote"] = async ({ listing }) =>
    sourced(quoteOf(listing.symbol), { kind: "live", source: "fmp" });
  const { provenance } = await analysed(marketWith({ bars, quote }), {}, FEW);
  assert.equal(provenance["kind"], "history");
  const parts = z.array(z.string()).parse(provenance["derived_from"]);
  assert.deepEqual(
    parts.map((part) => part.split(" ")[0]),
    ["fmp", "paths", "portfolio"],
  );
});

test("without daily prices there are values and no risk, with the reason", async () => {
  const { data } = await analysed(marketWith({ bars: down }), { shocks: [{ symbol: "TA", percent: -20 }] }, FEW);
  assert.equal(data.risk, undefined);
  assert.match(data.risk_missing ?? "", /TA: the source is down/);
  assert.equal(data.totals.valued, 3);
  assert.ok(Math.abs((data.shocks?.[0]?.change ?? 0) + 2 * priceOf(0)) < 1e-6);
});

test("a holding with few or old days leaves the risk, and one with few days in common does not shorten it to nothing", async () => {
  const bars: Capabilities["bars"] = async ({ listing, limit = 250 }) => {
    const closes = closesOf(atOf(listing.symbol)).slice(-limit);
    if (listing.symbol === "TB") return sourced(toBars(closes.slice(-20)));
    if (listing.symbol === "TC") return sourced(toBars(closes, LAST - 400 * 86_400));
    return sourced(toBars(closes));
  };
  const { data } = await analysed(marketWith({ bars }), {}, FEW);
  assert.deepEqual([data.risk?.holdings, data.risk?.returns], [1, 252]);
  const reasons = new Map(data.left_out?.map(({ symbol, reason }) => [symbol, reason]));
  assert.match(reasons.get("TB") ?? "", /there are 19 daily returns of it; 30 are needed/);
  assert.match(reasons.get("TC") ?? "", /newest daily price is of 2023-10-19/);
});

test("one holding is the whole portfolio", async () => {
  const { data } = await analysed(marketWith(), {}, "TA,10,40");
  assert.deepEqual([data.concentration.hhi, data.holdings[0]?.weight_percent, data.correlation], [1, 100, undefined]);
  assert.ok(Math.abs((data.holdings[0]?.risk_contribution_percent ?? 0) - 100) < 1e-9);
});

test("if nothing has a value the answer is no data that names each holding, and what the user said is still shown", async () => {
  const quote: Capabilities["quote"] = async () => {
    throw new MarketError("no_data", "nothing is known of it", { enable: "FMP_API_KEY" });
  };
  const { call } = await imported(marketWith({ quote }), FEW);
  const { message, enable } = NoDataSchema.parse(await call("analyzePortfolio", {}));
  assert.match(message, /TA: nothing is known of it; TB: .*; TC:/);
  assert.equal(enable, "FMP_API_KEY");
  const abroad = await imported(marketWith({ quote }), "TT,10,70");
  NoDataSchema.parse(await abroad.call("analyzePortfolio", { currency: "USD" }));
  const shown = z.object({
    data: z.looseObject({ holdings_count: z.number() }),
    provenance: z.looseObject({ source: z.string() }),
  });
  const { data, provenance } = shown.parse(await call("getPortfolio", {}));
  assert.deepEqual([data.holdings_count, provenance.source], [3, "portfolio"]);
});

test("prices that are not numbers never become a value", async () => {
  for (const price of [Number.NaN, 0, -5, Number.POSITIVE_INFINITY]) {
    const quote: Capabilities["quote"] = async ({ listing }) =>
      sourced(listing.symbol === "TA" ? { price, changePercent: Number.NaN } : quoteOf(listing.symbol));
    const bars: Capabilities["bars"] = async ({ listing, limit = 250 }) => {
      const closes = closesOf(atOf(listing.symbol)).slice(-limit);
      return sourced(toBars(closes.map((close, at) => (at % 50 === 7 ? Number.NaN : close))));
    };
    const { data, output } = await analysed(marketWith({ quote, bars }), {}, FEW);
    assert.equal(data.totals.valued, 2);
    assert.ok(numbersOf(output).every(({ value }) => Number.isFinite(value)));
    assert.ok(!JSON.stringify(output).includes("null"));
  }
});

test("a defect of the program is not taken for a source that failed", async () => {
  const quote: Capabilities["quote"] = async () => {
    throw new TypeError("undefined is not a function");
  };
  const { call } = await imported(marketWith({ quote }), FEW);
  await assert.rejects(call("getPortfolio", {}), /because of a defect/);
});

test("a run records which version of each holding it saw", async () => {
  const { call } = await imported(marketWith(), FEW);
  const versions = (output: unknown) =>
    z
      .object({ data: z.object({ holdings: z.array(z.looseObject({ symbol: z.string(), version: z.number() })) }) })
      .parse(parseJson(JSON.stringify(output)))
      .data.holdings.map(({ symbol, version }): Json => [symbol, version]);
  const before = versions(await call("analyzePortfolio", {}));
  assert.deepEqual(versions(await call("getPortfolio", {})), before);
  await call("setHolding", { symbol: "TA", quantity: 1, action: "add" });
  const after = versions(await call("analyzePortfolio", {}));
  assert.equal(after.filter((one, at) => JSON.stringify(one) !== JSON.stringify(before[at])).length, 1);
});
