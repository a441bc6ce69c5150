import assert from "node:assert/strict";
import { test } from "node:test";
import { refusedPaths } from "@baton/core/testing";
import { z } from "zod";
import type { Capabilities, PeriodRow } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { compareMetrics } from "./compare.ts";
import { answerOf, barsOf, inspect, sourced, stubMarket, toolOn } from "../testing/stub-market.ts";

/** Two fiscal years, the older first: order must not matter. */
const YEARS: Readonly<Record<string, readonly (readonly [end: string, revenue: number, profit: number])[]>> = {
  ACME: [
    ["2023-09-30", 200, 20],
    ["2024-09-30", 250, 30],
  ],
  BOLT: [
    ["2015-12-31", 400, -10],
    ["2016-12-31", 300, 15],
  ],
};

const rowsOf = (
  symbol: string,
  values: (revenue: number, profit: number) => Record<string, number>,
): readonly PeriodRow[] =>
  (YEARS[symbol] ?? []).map(([end, revenue, profit]) => ({
    label: `FY${end.slice(0, 4)}`,
    end,
    currency: "USD",
    values: new Map(Object.entries(values(revenue, profit))),
  }));

const statements: Capabilities["statements"] = async ({ listing, statement }) => {
  const rows = {
    income: rowsOf(listing.symbol, (revenue, netIncome) => ({
      revenue,
      netIncome,
      grossProfit: revenue / 2,
      ebitda: revenue / 5,
    })),
    balance: rowsOf(listing.symbol, () => ({ totalDebt: 10, cashAndCashEquivalents: 60 })),
    cash_flow: rowsOf(listing.symbol, () => ({ freeCashFlow: 25, netIncome: 999 })),
  }[statement];
  if (rows.length === 0) throw new MarketError("no_data", `no statements of ${listing.symbol}`);
  return sourced(rows, { kind: "history", as_of: "2016-12-31T00:00:00Z" });
};

const MARKET = stubMarket({
  statements,
  quote: async () => sourced({ price: 10, marketCap: 500, pe: 20 }, { kind: "snapshot" }),
  bars: async ({ listing }) =>
    sourced(barsOf(Array.from({ length: 60 }, (_, day) => 100 + (listing.symbol === "ACME" ? 1 : -1) * Math.sin(day)))),
});

const Compared = z.looseObject({
  data: z.looseObject({
    rows: z.array(
      z.looseObject({
        metric: z.string(),
        values: z.array(
          z.looseObject({
            symbol: z.string(),
            value: z.number(),
            kind: z.string(),
            period: z.looseObject({ end: z.string() }),
          }),
        ),
      }),
    ),
    correlations: z.array(z.looseObject({ symbols: z.array(z.string()), value: z.number() })).optional(),
    missing: z.array(z.object({ metric: z.string(), symbol: z.string(), reason: z.string() })).optional(),
  }),
  provenance: z.looseObject({ kind: z.string() }),
});

const compare = async (metrics: readonly string[], symbols = ["ACME", "BOLT"]) =>
  Compared.parse(await answerOf(MARKET, compareMetrics, { symbols, metrics }));

const valueOf = ({ data }: z.infer<typeof Compared>, metric: string, symbol: string) =>
  data.rows.find((row) => row.metric === metric)?.values.find((value) => value.symbol === symbol);

test("each value is of its own company and its own latest year, whatever order the rows come in", async () => {
  const compared = await compare(["growth", "margins"]);
  assert.equal(valueOf(compared, "revenue_growth", "ACME")?.value, 25);
  assert.equal(valueOf(compared, "revenue_growth", "BOLT")?.value, -25);
  assert.equal(valueOf(compared, "net_income_growth", "ACME")?.value, 50);
  assert.equal(valueOf(compared, "net_margin", "ACME")?.value, 12);
  assert.equal(valueOf(compared, "gross_margin", "BOLT")?.value, 50);
  assert.equal(valueOf(compared, "gross_margin", "ACME")?.period.end, "2024-09-30");
  assert.equal(valueOf(compared, "gross_margin", "BOLT")?.period.end, "2016-12-31");
});

test("what cannot be computed is missing by metric, symbol and reason", async () => {
  const { data } = await compare(["net_income_growth", "operating_margin"]);
  const reasons = new Map(data.missing?.map(({ metric, symbol, reason }) => [`${metric} ${symbol}`, reason]));
  assert.match(reasons.get("net_income_growth BOLT") ?? "", /not positive/);
  assert.match(reasons.get("operating_margin ACME") ?? "", /operatingIncome/);
});

test("a market cap is never joined with statements of another time", async () => {
  const compared = await compare(["EV/EBITDA", "FCF yield"]);
  assert.equal(valueOf(compared, "ev_to_ebitda", "ACME")?.value, 9);
  assert.equal(valueOf(compared, "fcf_yield", "ACME")?.value, 5);
  assert.equal(valueOf(compared, "ev_to_ebitda", "BOLT"), undefined);
  const missing = compared.data.missing?.find(({ symbol }) => symbol === "BOLT");
  assert.equal(missing?.reason, "the market cap is of 2024-11-22, the latest statement of 2016-12-31");
});

test("correlation is of pairs, and a comparison is no more real than its least real value", async () => {
  const compared = await compare(["correlation", "drawdown", "net_margin"]);
  assert.deepEqual(
    compared.data.correlations?.map(({ symbols, value }) => [symbols, value < -0.99]),
    [[["ACME", "BOLT"], true]],
  );
  assert.equal(compared.provenance.kind, "synthetic");
  assert.equal(valueOf(compared, "net_margin", "ACME")?.kind, "history");
});

test("every value is a fact with its own kind and unit, and what is missing reaches the model", async () => {
  const args = { symbols: ["ACME", "BOLT"], metrics: ["margins", "correlation", "market_cap", "pe"] };
  const { facts, uncited, digest } = await inspect(toolOn(MARKET, compareMetrics), args);
  assert.deepEqual(uncited, []);
  const cap = facts.find(({ metric }) => metric === "market cap");
  assert.deepEqual([cap?.unit, cap?.currency, cap?.["kind"]], ["money", "USD", "snapshot"]);
  assert.equal(facts.find(({ metric }) => metric === "net margin")?.["kind"], "history");
  assert.match(digest, /missing: operating_margin of ACME/);
});

test("one unknown or ambiguous symbol is told, and one company alone is no comparison", async () => {
  const unknown = await answerOf(MARKET, compareMetrics, { symbols: ["ACME", "QQQQQ"], metrics: ["pe"] });
  assert.match(JSON.stringify(unknown), /"no_data":true/);
  const both = await answerOf(MARKET, compareMetrics, { symbols: ["ACME", "VNM"], metrics: ["pe"] });
  assert.match(JSON.stringify(both), /"ambiguous":true/);
  const same = answerOf(MARKET, compareMetrics, { symbols: ["ACME", "acme"], metrics: ["pe"] });
  await assert.rejects(same, { kind: "validation" });
  const nothing = await answerOf(MARKET, compareMetrics, { symbols: ["FAKE", "^GSPC"], metrics: ["growth"] });
  assert.match(JSON.stringify(nothing), /"no_data":true.*no statements of FAKE/);
});

test("metrics are taken in the spelling of people, and unknown ones are refused with those there are", async () => {
  const compared = await compare(["P/E", "Piotroski F-Score"]);
  assert.equal(valueOf(compared, "pe", "ACME")?.value, 20);
  const tool = toolOn(MARKET, compareMetrics);
  assert.deepEqual(await refusedPaths(tool, { symbols: ["A", "B"], metrics: ["vibes"] }), ["metrics.0"]);
  assert.deepEqual(await refusedPaths(tool, { symbols: ["A"], metrics: ["pe"] }), ["symbols"]);
});
