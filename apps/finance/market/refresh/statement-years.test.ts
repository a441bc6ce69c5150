import assert from "node:assert/strict";
import { test } from "node:test";
import { toFrames } from "./frame-concepts.ts";
import { type FetchedFrame, toStatementYears } from "./statement-years.ts";

const CONCEPTS = new Map(toFrames([2024]).map(({ concept }) => [concept.concept.slice("us-gaap:".length), concept]));

type Row = Readonly<{ start?: string; end: string; value: number; cik?: string }>;

const frame = (name: string, ...rows: readonly Row[]): FetchedFrame => ({
  concept: CONCEPTS.get(name) ?? assert.fail(name),
  rows: rows.map((row) => ({ cik: "0000000001", name: "One", accession: "0000000001-24-000001", ...row })),
});

const YEAR = { start: "2024-01-01", end: "2024-12-31" };
const years = (...frames: readonly FetchedFrame[]) =>
  toStatementYears(frames).map(({ start, end, fiscalYear, values }) => ({
    start,
    end,
    fiscalYear,
    values: Object.fromEntries(values),
  }));

test("values are one year's only if start and end are equal, and a balance is of the day on which it ends", () => {
  const found = years(
    frame("NetIncomeLoss", { ...YEAR, value: 10 }),
    frame("GrossProfit", { start: "2023-12-31", end: "2024-12-28", value: 7 }, { ...YEAR, value: 8 }),
    frame("Assets", { end: "2024-12-31", value: 100 }, { end: "2024-09-30", value: 90 }),
    frame("PaymentsToAcquirePropertyPlantAndEquipment", { ...YEAR, value: 3 }),
  );
  assert.deepEqual(found, [
    {
      ...YEAR,
      fiscalYear: 2024,
      values: {
        "income.netIncome": 10,
        "income.grossProfit": 8,
        "cash_flow.capitalExpenditure": -3,
        "balance.totalAssets": 100,
      },
    },
  ]);
});

test("quarters, years to date and longer spans are not years; a value without a start is not one", () => {
  const spans = [
    { start: "2024-10-01", end: "2024-12-31", value: 1 },
    { start: "2024-04-01", end: "2024-12-31", value: 2 },
    { start: "2023-07-01", end: "2024-12-31", value: 3 },
    { end: "2024-12-31", value: 4 },
  ];
  assert.deepEqual(years(frame("NetIncomeLoss", ...spans)), []);
  const weeks = { start: "2023-01-01", end: "2024-01-06", value: 5 };
  assert.equal(years(frame("NetIncomeLoss", weeks))[0]?.fiscalYear, 2023, "a year of 53 weeks that ends in January");
});

test("a bank's revenue is net of interest; of revenue and its part from contracts the larger counts", () => {
  const parts = [
    frame("Revenues", { ...YEAR, value: 30 }),
    frame("RevenueFromContractWithCustomerExcludingAssessedTax", { ...YEAR, value: 20 }),
  ];
  const revenueOf = (frames: readonly FetchedFrame[]) => years(...frames)[0]?.values["income.revenue"];
  assert.deepEqual([revenueOf(parts), revenueOf(parts.toReversed())], [30, 30]);
  const bank = frame("RevenuesNetOfInterestExpense", { ...YEAR, value: 25 });
  assert.deepEqual([revenueOf([...parts, bank]), revenueOf([bank, ...parts])], [25, 25]);
});

test("years are by company, oldest first", () => {
  const found = toStatementYears([
    frame(
      "NetIncomeLoss",
      { ...YEAR, value: 1, cik: "0000000002" },
      { ...YEAR, value: 2 },
      { start: "2023-01-01", end: "2023-12-31", value: 3 },
    ),
  ]);
  assert.deepEqual(
    found.map(({ cik, fiscalYear }) => [Number(cik), fiscalYear]),
    [
      [1, 2023],
      [1, 2024],
      [2, 2024],
    ],
  );
});
