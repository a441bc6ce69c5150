import assert from "node:assert/strict";
import { test } from "node:test";
import { parseJson } from "@baton/core/util";
import { stock } from "../../testing/listings.ts";
import { askFake, type AskFakeOptions } from "../../testing/ask-fake.ts";
import type { PeriodKind, StatementKind } from "../../../port/market-data.ts";
import { readAnswer } from "../../../testing/fake-source.ts";

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
