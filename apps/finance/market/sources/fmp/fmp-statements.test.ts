import assert from "node:assert/strict";
import { test } from "node:test";
import { askFake } from "../testing/ask-fake.ts";
import type { Listing } from "../../port/listing.ts";

const AAPL: Listing = { symbol: "AAPL", name: "Apple Inc.", exchange: "NASDAQ", type: "stock", currency: "USD" };

test("a statement has its period, currency and filing day, and only the values that are known", async () => {
  await using fmp = await askFake("fmp");
  const query = { listing: AAPL, statement: "income", period: "annual", limit: 3 } as const;
  const { data, provenance } = await fmp.ask((source, scope) => source.statements?.(query, scope));
  const [newest, ...older] = data;
  assert.equal(older.length, 2);
  assert.deepEqual(
    [newest?.label, newest?.end, newest?.filed, newest?.currency],
    ["FY2025", "2025-12-31", "2026-02-15", "USD"],
  );
  const values = newest?.values ?? new Map<string, number>();
  assert.equal((values.get("revenue") ?? 0) - (values.get("costOfRevenue") ?? 0), values.get("grossProfit"));
  assert.equal(values.has("generalAndAdministrativeExpenses"), false);
  assert.equal(values.get("sellingAndMarketingExpenses"), 0);
  assert.equal(values.has("fiscalYear"), false);
  assert.deepEqual([provenance.kind, provenance.as_of], ["live", "2026-02-15T00:00:00Z"]);
});

test("each statement and period has its endpoint", async () => {
  await using fmp = await askFake("fmp");
  const ask = (statement: "balance" | "cash_flow", period: "quarter" | "ttm") =>
    fmp.ask((source, scope) => source.statements?.({ listing: AAPL, statement, period, limit: 4 }, scope));
  const quarters = await ask("balance", "quarter");
  assert.deepEqual(
    quarters.data.map(({ label }) => label),
    ["Q4 2025", "Q3 2025", "Q2 2025", "Q1 2025"],
  );
  const ttm = await ask("cash_flow", "ttm");
  assert.deepEqual(
    ttm.data.map(({ label }) => label),
    ["TTM"],
  );
  assert.deepEqual(
    fmp.requests.map(({ path }) => path),
    ["/balance-sheet-statement", "/cash-flow-statement-ttm"],
  );
});

test("fractions become percent, the one percentage stays, and misspelt names are kept", async () => {
  await using fmp = await askFake("fmp");
  const ask = async (set: "ratios" | "key_metrics" | "growth") => {
    const answer = await fmp.ask((source, scope) =>
      source.metrics?.({ listing: AAPL, set, period: "annual", limit: 1 }, scope),
    );
    return answer.data[0]?.values ?? assert.fail();
  };
  const ratios = await ask("ratios");
  assert.deepEqual(
    ["grossProfitMargin", "dividendYield", "dividendYieldPercentage", "priceToEarningsRatio", "dividendPerShare"].map(
      (name) => ratios.get(name),
    ),
    [45, 0.42, 0.42, 30.5, 1.05],
  );
  const metrics = await ask("key_metrics");
  assert.deepEqual(
    ["returnOnEquity", "researchAndDevelopementToRevenue", "evToSales", "marketCap"].map((name) => metrics.get(name)),
    [83, 8, 7.5, 3e11],
  );
  const growth = await ask("growth");
  assert.deepEqual(
    ["revenueGrowth", "epsgrowth", "bookValueperShareGrowth", "fiveYRevenueGrowthPerShare"].map((name) =>
      growth.get(name),
    ),
    [5, 7, -2, 27.63],
  );
  assert.equal(growth.has("ebitdaGrowth"), false);
});

test("an interest coverage of 0 was not computed, so it is absent", async () => {
  await using server = await askFake("fmp", {
    body: [
      {
        symbol: "AAPL",
        date: "2025-09-27",
        fiscalYear: "2025",
        period: "FY",
        interestCoverageRatio: 0,
        currentRatio: 0,
      },
    ],
  });
  const answer = await server.ask((source, scope) =>
    source.metrics?.({ listing: AAPL, set: "ratios", period: "annual", limit: 1 }, scope),
  );
  assert.deepEqual([...(answer.data[0]?.values ?? [])], [["currentRatio", 0]]);
});

test("trailing metrics lose the suffix of their names, and say that the source gives no date", async () => {
  await using fmp = await askFake("fmp");
  const { data, provenance } = await fmp.ask((source, scope) =>
    source.metrics?.({ listing: AAPL, set: "ratios", period: "ttm", limit: 5 }, scope),
  );
  assert.equal(fmp.requests[0]?.path, "/ratios-ttm");
  assert.equal(data[0]?.values.get("netProfitMargin"), 25);
  assert.equal(data[0]?.end, provenance.fetched_at?.slice(0, 10));
  assert.match(provenance.note ?? "", /without a date/);
  await fmp.fails(
    (source, scope) => source.metrics?.({ listing: AAPL, set: "growth", period: "ttm", limit: 5 }, scope),
    { kind: "no_data" },
  );
});

test("rows of nothing but nulls are no data", async () => {
  await using fmp = await askFake("fmp");
  const listing = { ...AAPL, symbol: "ZZNULL" };
  await fmp.fails(
    (source, scope) => source.statements?.({ listing, statement: "income", period: "annual", limit: 2 }, scope),
    { kind: "no_data" },
  );
  await fmp.fails((source, scope) => source.metrics?.({ listing, set: "ratios", period: "ttm", limit: 2 }, scope), {
    kind: "no_data",
  });
});

test("earnings to come have no actual values", async () => {
  await using fmp = await askFake("fmp");
  const answer = await fmp.ask((source, scope) => source.earnings?.({ listing: AAPL, limit: 4 }, scope));
  assert.equal(answer.data.length, 4);
  const [next, last] = answer.data ?? [];
  assert.deepEqual([next?.epsActual, next?.revenueActual, next?.epsEstimated], [undefined, undefined, 1.6]);
  assert.equal(last?.revenueActual, 9.4e10);
  assert.ok((next?.day ?? "") > (last?.day ?? ""));
});

test("dividends are those since a day, and a day that is not given is absent", async () => {
  await using server = await askFake("fmp", {
    body: [
      {
        symbol: "AAPL",
        date: "2025-11-10",
        recordDate: "",
        paymentDate: "2025-11-13",
        declarationDate: "",
        adjDividend: 0.26,
        dividend: 0.26,
        yield: 0.38,
      },
      {
        symbol: "AAPL",
        date: "2024-11-08",
        recordDate: "2024-11-11",
        paymentDate: "2024-11-14",
        adjDividend: 0.25,
        dividend: 0.25,
        yield: 0.43,
      },
    ],
  });
  const answer = await server.ask((source, scope) => source.dividends?.({ listing: AAPL, from: "2025-01-01" }, scope));
  assert.deepEqual(answer.data, [
    { day: "2025-11-10", amount: 0.26, currency: "USD", paymentDay: "2025-11-13", yieldPercent: 0.38 },
  ]);
});
