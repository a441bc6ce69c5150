import assert from "node:assert/strict";
import { test } from "node:test";
import { Scope } from "@baton/core/ports";
import type { Listing } from "../../../port/listing.ts";
import type { PeriodKind, StatementKind } from "../../../port/market-data.ts";
import { FAKE_COMPANIES, toQuarters } from "../../../testing/sec/fake-sec-books.ts";
import { FakeSec, type FakeSecOptions } from "../../../testing/sec/fake-sec.ts";
import { SkipShortWaitsClock } from "../../../testing/skip-short-waits-clock.ts";
import { secSource } from "../sec.ts";

const newScope = () => Scope.root({ clock: new SkipShortWaitsClock() });
const stock = (symbol: string, rest: Partial<Listing> = {}): Listing => ({
  symbol,
  name: symbol,
  exchange: "NASDAQ",
  type: "stock",
  currency: "USD",
  ...rest,
});
const over = (sec: FakeSec) => secSource({ contact: "me@host.org", baseUrls: FakeSec.baseUrls(sec) });

/** Asks for a statement of a fresh system. */
async function ask(
  asked: Readonly<{ symbol: string; period: PeriodKind; limit?: number; statement?: StatementKind }>,
  options: FakeSecOptions = {},
) {
  await using scope = newScope();
  await using sec = await FakeSec.start(options);
  const { symbol, period, limit = 8, statement = "income" } = asked;
  return (await over(sec).statements?.({ listing: stock(symbol), statement, period, limit }, scope)) ?? assert.fail();
}

/** The quarters that a fake company really had, newest first. */
const truth = (symbol: string) => {
  const company = FAKE_COMPANIES.find(({ tickers }) => tickers.includes(symbol)) ?? assert.fail();
  return toQuarters(company).toReversed();
};

test("revenue by quarter is what the company had, with the derived quarters named", async () => {
  const { data, provenance } = await ask({ symbol: "AAPL", period: "quarter", limit: 8 });
  const real = truth("AAPL").filter(({ end }) => end <= "2026-01-31");
  assert.deepEqual(
    data.map(({ label, start, end, values }) => [label, start, end, values.get("revenue")]),
    real
      .slice(0, 8)
      .map(({ year, quarter, start, end, values }) => [`Q${quarter} ${year}`, start, end, values["revenue"]]),
  );
  assert.match(provenance.note ?? "", /derived, not reported: Q4 2025 = FY2025 − 9 months to 2025-06-28/);
  assert.deepEqual(provenance.derived_from?.slice(0, 2), ["FY2025", "9 months to 2025-06-28"]);
  assert.deepEqual([provenance.source, provenance.kind, provenance.as_of], ["sec", "live", "2026-01-29T00:00:00Z"]);
});

test("the last twelve months are the four newest quarters", async () => {
  const { data, provenance } = await ask({ symbol: "COST", period: "ttm" });
  const four = truth("COST")
    .filter(({ end }) => end <= "2025-12-01")
    .slice(0, 4);
  const [row, ...rest] = data;
  assert.deepEqual([row?.label, rest.length], ["TTM", 0]);
  assert.deepEqual([row?.start, row?.end], [four[3]?.start, four[0]?.end]);
  assert.equal(
    row?.values.get("revenue"),
    four.reduce((sum, { values }) => sum + (values["revenue"] ?? 0), 0),
  );
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
  const before = await ask({ symbol: "AAPL", period: "annual", limit: 1 }, { today: "2022-11-30" });
  const after = await ask({ symbol: "AAPL", period: "annual", limit: 1 }, { today: "2023-02-01" });
  const [first] = before.data;
  const [second] = after.data;
  assert.deepEqual([first?.label, second?.label], ["FY2022", "FY2022"]);
  assert.equal(second?.values.get("revenue"), (first?.values.get("revenue") ?? 0) * 0.9);
  assert.doesNotMatch(before.provenance.note ?? "", /restated/);
  assert.match(
    after.provenance.note ?? "",
    /restated since first filed: FY2022 \(revenue; latest 10-K\/A of 2023-01-22\)/,
  );
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
  const { data, provenance } = await ask({ symbol: "JPM", period: "quarter" }, { lagging: ["JPM"] });
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
  await using scope = newScope();
  await using sec = await FakeSec.start();
  for (const rest of [
    { exchange: "HOSE" },
    { exchange: "FICTIONAL" },
    { type: "crypto" },
    { type: "index" },
  ] as const) {
    const query = { listing: stock("AAPL", rest), statement: "income", period: "annual", limit: 1 } as const;
    await assert.rejects(async () => over(sec).statements?.(query, scope), { kind: "no_data" });
  }
});

test("metrics follow from the statements; those that need a price are there only if it is given", async () => {
  await using scope = newScope();
  await using sec = await FakeSec.start();
  const source = over(sec);
  const metrics = async (set: "ratios" | "key_metrics" | "growth", period: PeriodKind, price?: number) => {
    const query = { listing: stock("AAPL"), set, period, limit: 2, ...(price === undefined ? {} : { price }) };
    return (await source.metrics?.(query, scope))?.data ?? assert.fail();
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
  const [now, , , , before] = truth("AAPL").filter(({ end }) => end <= "2026-01-31");
  const expected = ((now?.values["revenue"] ?? 0) / (before?.values["revenue"] ?? 0) - 1) * 100;
  assert.ok(Math.abs((growth?.values.get("revenueGrowth") ?? 0) - expected) < 1e-9);
});

test("earnings are EPS as filed, on the day on which results were told, without estimates", async () => {
  await using scope = newScope();
  await using sec = await FakeSec.start();
  const answer = (await over(sec).earnings?.({ listing: stock("AAPL"), limit: 2 }, scope)) ?? assert.fail();
  const [newest, fourth] = answer.data;
  assert.deepEqual([newest?.label, newest?.end, newest?.day], ["Q1 2026", "2025-12-27", "2026-01-24"]);
  assert.equal(
    newest?.epsActual,
    truth("AAPL").find(({ end }) => end === "2025-12-27")?.values["EarningsPerShareDiluted"],
  );
  assert.ok(answer.data.every((row) => !("epsEstimated" in row) && !("revenueEstimated" in row)));
  assert.equal(fourth?.label, "Q4 2025");
  assert.match(answer.provenance.note ?? "", /no estimates; derived from the year: Q4 2025/);
});

test("dividends are per share by quarter, and say that their days are the ends of quarters", async () => {
  await using scope = newScope();
  await using sec = await FakeSec.start();
  const query = { listing: stock("AAPL"), from: "2025-01-01" };
  const { data, provenance } = (await over(sec).dividends?.(query, scope)) ?? assert.fail();
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
  await assert.rejects(async () => over(sec).dividends?.({ ...query, listing: stock("BRK-B") }, scope), {
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
