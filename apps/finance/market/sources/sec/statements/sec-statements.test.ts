import assert from "node:assert/strict";
import { test } from "node:test";
import { parseJson } from "@baton/core/util";
import { askFake, type AskFakeOptions } from "../../testing/ask-fake.ts";
import type { Listing } from "../../../port/listing.ts";
import type { PeriodKind, StatementKind } from "../../../port/market-data.ts";
import { readAnswer } from "../../../testing/fake-source.ts";

const stock = (symbol: string, rest: Partial<Listing> = {}): Listing => ({
  symbol,
  name: symbol,
  exchange: "NASDAQ",
  type: "stock",
  currency: "USD",
  ...rest,
});

/** Asks for a statement of a fresh system. */
async function ask(
  asked: Readonly<{ symbol: string; period: PeriodKind; limit?: number; statement?: StatementKind }>,
  options: AskFakeOptions = {},
) {
  await using sec = await askFake("sec", options);
  const { symbol, period, limit = 8, statement = "income" } = asked;
  return await sec.ask((source, scope) =>
    source.statements?.({ listing: stock(symbol), statement, period, limit }, scope),
  );
}

test("revenue by quarter is what the company had, with the derived quarters named", async () => {
  const { data, provenance } = await ask({ symbol: "AAPL", period: "quarter", limit: 8 });
  assert.deepEqual(
    data.map(({ label, start, end, values }) => [label, start, end, values.get("revenue")]),
    [
      ["Q1 2026", "2025-09-28", "2025-12-27", 196_000_000],
      ["Q4 2025", "2025-06-29", "2025-09-27", 214_000_000],
      ["Q3 2025", "2025-03-30", "2025-06-28", 204_000_000],
      ["Q2 2025", "2024-12-29", "2025-03-29", 194_000_000],
      ["Q1 2025", "2024-09-29", "2024-12-28", 184_000_000],
      ["Q4 2024", "2024-06-30", "2024-09-28", 202_000_000],
      ["Q3 2024", "2024-03-31", "2024-06-29", 192_000_000],
      ["Q2 2024", "2023-12-31", "2024-03-30", 182_000_000],
    ],
  );
  assert.match(provenance.note ?? "", /derived, not reported: Q4 2025 = FY2025 − 9 months to 2025-06-28/);
  assert.deepEqual(provenance.derived_from?.slice(0, 2), ["FY2025", "9 months to 2025-06-28"]);
  assert.deepEqual([provenance.source, provenance.kind, provenance.as_of], ["sec", "live", "2026-01-29T00:00:00Z"]);
});

test("the last twelve months are the four newest quarters", async () => {
  const { data, provenance } = await ask({ symbol: "COST", period: "ttm" });
  const [row, ...rest] = data;
  assert.deepEqual([row?.label, rest.length], ["TTM", 0]);
  assert.deepEqual([row?.start, row?.end, row?.values.get("revenue")], ["2024-11-25", "2025-11-23", 213_600_000]);
  assert.deepEqual(provenance.derived_from, ["Q1 2026", "Q4 2025", "Q3 2025", "Q2 2025"]);
});

test("years of 52 and 53 weeks and quarters of 12 and 16 weeks keep their names and ends", async () => {
  const { data } = await ask({ symbol: "COST", period: "annual", limit: 4 });
  assert.deepEqual(
    data.map(({ label, end }) => [label, end]),
    [
      ["FY2025", "2025-08-31"],
      ["FY2024", "2024-09-01"],
      ["FY2023", "2023-09-03"],
      ["FY2022", "2022-08-28"],
    ],
  );
});

test("a restated year has the value that was filed last, and the note says so", async () => {
  const { data, provenance } = await ask({ symbol: "AAPL", period: "annual", limit: 4 });
  assert.equal(data.find(({ label }) => label === "FY2022")?.values.get("revenue"), 652_000_000 * 0.9);
  assert.match(provenance.note ?? "", /restated since first filed: FY2022 \(revenue; latest 10-K/);
});

test("a bank has revenue, and a company that changed its concept has it in every year", async () => {
  for (const symbol of ["JPM", "GOOGL", "AAPL"]) {
    const { data } = await ask({ symbol, period: "annual", limit: 20 });
    assert.ok(data.length >= 6);
    assert.ok(
      data.every(({ values }) => (values.get("revenue") ?? 0) > 0 && (values.get("netIncome") ?? 0) > 0),
      symbol,
    );
  }
});

test("two classes of shares have the statements of their one company", async () => {
  const [one, other] = await Promise.all([
    ask({ symbol: "GOOGL", period: "quarter" }),
    ask({ symbol: "GOOG", period: "quarter" }),
  ]);
  assert.deepEqual(one.data, other.data);
});

test("facts that lag behind a filed report are told with the report", async () => {
  const path = "/api/xbrl/companyfacts/CIK0000019617.json";
  const isNewest = (row: unknown) => JSON.stringify(row).includes("0000019617-25-000004");
  const body = JSON.stringify(parseJson(readAnswer("sec", path)), (_name, value: unknown) =>
    Array.isArray(value) ? value.filter((row) => !isNewest(row)) : value,
  );
  const { data, provenance } = await ask(
    { symbol: "JPM", period: "quarter" },
    { answer: (seen) => (seen.path === path ? { body } : undefined) },
  );
  assert.equal(data[0]?.end, "2025-09-30");
  assert.match(provenance.note ?? "", /the 10-K for 2025-12-31 \(filed 2026-02-02, 0000019617-25-000004\) is not yet/);
  const { provenance: current } = await ask({ symbol: "JPM", period: "quarter" });
  assert.doesNotMatch(current.note ?? "", /not yet/);
});

test("a company that reports only years has no quarters, and the error names its years", async () => {
  const annual = await ask({ symbol: "TSM", period: "annual", limit: 1 });
  assert.deepEqual([annual.data[0]?.currency, annual.data[0]?.label], ["TWD", "FY2025"]);
  for (const period of ["quarter", "ttm"] as const) {
    await assert.rejects(ask({ symbol: "TSM", period }), {
      kind: "no_data",
      details: { symbol: "TSM", available: "annual FY2020, FY2021, FY2022, FY2023, FY2024, FY2025" },
    });
  }
});

test("a listing elsewhere or of another kind is never taken for a US company with the same ticker", async () => {
  await using sec = await askFake("sec");
  for (const rest of [
    { exchange: "HOSE" },
    { exchange: "FICTIONAL" },
    { type: "crypto" },
    { type: "index" },
  ] as const) {
    const query = { listing: stock("AAPL", rest), statement: "income", period: "annual", limit: 1 } as const;
    await sec.fails((source, scope) => source.statements?.(query, scope), { kind: "no_data" });
  }
});

test("metrics follow from the statements; those that need a price are there only if it is given", async () => {
  await using sec = await askFake("sec");
  const metrics = async (set: "ratios" | "key_metrics" | "growth", period: PeriodKind, price?: number) => {
    const query = { listing: stock("AAPL"), set, period, limit: 2, ...(price === undefined ? {} : { price }) };
    return (await sec.ask((source, scope) => source.metrics?.(query, scope))).data;
  };
  const [ratios] = await metrics("ratios", "annual");
  assert.equal(ratios?.values.get("netProfitMargin"), 20);
  assert.deepEqual([ratios?.values.has("priceToEarningsRatio"), ratios?.values.has("dividendYield")], [false, false]);
  const [priced, older] = await metrics("ratios", "annual", 100);
  assert.ok((priced?.values.get("priceToEarningsRatio") ?? 0) > 0);
  assert.equal(older?.values.has("priceToEarningsRatio"), false);
  const trailing = await metrics("key_metrics", "ttm");
  assert.deepEqual([trailing.length, trailing[0]?.label, trailing[0]?.values.has("marketCap")], [1, "TTM", false]);
  const [growth] = await metrics("growth", "quarter");
  const expected = (196 / 184 - 1) * 100;
  assert.ok(Math.abs((growth?.values.get("revenueGrowth") ?? 0) - expected) < 1e-9);
});

test("earnings are EPS as filed, on the day on which results were told, without estimates", async () => {
  await using sec = await askFake("sec");
  const answer = await sec.ask((source, scope) => source.earnings?.({ listing: stock("AAPL"), limit: 2 }, scope));
  const [newest, fourth] = answer.data;
  assert.deepEqual([newest?.label, newest?.end, newest?.day], ["Q1 2026", "2025-12-27", "2026-01-24"]);
  assert.equal(newest?.epsActual, 2.61);
  assert.ok(answer.data.every((row) => !("epsEstimated" in row) && !("revenueEstimated" in row)));
  assert.equal(fourth?.label, "Q4 2025");
  assert.match(answer.provenance.note ?? "", /no estimates; derived from the year: Q4 2025/);
});

test("dividends are per share by quarter, and say that their days are the ends of quarters", async () => {
  await using sec = await askFake("sec");
  const query = { listing: stock("AAPL"), from: "2025-01-01" };
  const { data, provenance } = await sec.ask((source, scope) => source.dividends?.(query, scope));
  assert.deepEqual(
    data.map(({ day, amount }) => [day, amount]),
    [
      ["2025-12-27", 0.28],
      ["2025-09-27", 0.27],
      ["2025-06-28", 0.27],
      ["2025-03-29", 0.27],
    ],
  );
  assert.match(provenance.note ?? "", /no ex-dividend/);
  await sec.fails((source, scope) => source.dividends?.({ ...query, listing: stock("BRK-B") }, scope), {
    kind: "no_data",
  });
});

test("no value of any statement is missing its number", async () => {
  const asked = (["income", "balance", "cash_flow"] as const).flatMap((statement) =>
    (["annual", "quarter", "ttm"] as const).map((period) => ({ symbol: "AAPL", period, statement, limit: 30 })),
  );
  for (const query of asked) {
    const { data } = await ask(query);
    assert.ok(data.length > 0 && data.every(({ values }) => values.size > 3));
    const values = data.flatMap((row) => [...row.values]);
    assert.deepEqual(
      values.filter(([name, value]) => !Number.isFinite(value) || name.startsWith("#")),
      [],
    );
  }
});
