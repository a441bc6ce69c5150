import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { PeriodKind, PeriodRow, StatementKind } from "../../../port/market-data.ts";
import type { CompanyFacts, ReportedFact } from "./company-facts.ts";
import { openBooks, statedRows } from "./company-statements.ts";

const RFC = "us-gaap:RevenueFromContractWithCustomerExcludingAssessedTax";
const REVENUES = "us-gaap:Revenues";
const DAY_MS = 86_400_000;
const addDays = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

type Row = Partial<ReportedFact> & Pick<ReportedFact, "end" | "value">;
const fact = (row: Row): ReportedFact => ({
  accession: "0000000001-24-000001",
  filed: addDays(row.end, 30),
  form: "10-Q",
  ...row,
});
const table = (rows: Readonly<Record<string, readonly Row[]>>, unit = "USD"): CompanyFacts => ({
  cik: "0000000001",
  concepts: new Map(Object.entries(rows).map(([concept, facts]) => [concept, new Map([[unit, facts.map(fact)]])])),
  url: "",
  fetchedAt: 0,
});
const read = (facts: CompanyFacts, period: PeriodKind, statement: StatementKind = "income"): readonly PeriodRow[] =>
  statedRows(openBooks(facts), statement, period).map(({ row }) => row);
const show = (rows: readonly PeriodRow[], name = "revenue") =>
  rows.map(({ label, end, values }) => [label, end, values.get(name)]);

const YEAR = { start: "2024-01-01", end: "2024-12-31", value: 100, form: "10-K", filingYear: 2024 } as const;
const QUARTERS = [
  { start: "2024-01-01", end: "2024-03-31", value: 10 },
  { start: "2024-04-01", end: "2024-06-30", value: 20 },
  { start: "2024-07-01", end: "2024-09-30", value: 30 },
] as const;

test("a quarter and the year to date with the same end in the same filing are two periods", () => {
  const toDate = { start: "2024-01-01", end: "2024-09-30", value: 60 };
  const rows = read(table({ [RFC]: [toDate, ...QUARTERS, YEAR] }), "quarter");
  assert.deepEqual(show(rows), [
    ["Q4 2024", "2024-12-31", 40],
    ["Q3 2024", "2024-09-30", 30],
    ["Q2 2024", "2024-06-30", 20],
    ["Q1 2024", "2024-03-31", 10],
  ]);
});

test("spans that are neither a quarter nor a year are not periods of a statement", () => {
  const stub = { start: "2024-01-01", end: "2024-02-15", value: 1 };
  const half = { start: "2024-01-01", end: "2024-06-30", value: 30 };
  const long = { start: "2023-01-01", end: "2024-03-31", value: 99, form: "10-K" };
  const facts = table({ [RFC]: [stub, half, long] });
  assert.deepEqual([read(facts, "quarter"), read(facts, "annual"), read(facts, "ttm")], [[], [], []]);
});

test("the fourth quarter is the year minus nine months, and is marked as derived; the reported ones are not", () => {
  const nine = { start: "2024-01-01", end: "2024-09-30", value: 61 };
  const rows = read(table({ [RFC]: [...QUARTERS, nine, YEAR] }), "quarter");
  assert.deepEqual(
    rows.map(({ values, derived }) => [values.get("revenue"), derived]),
    [
      [39, "FY2024 − 9 months to 2024-09-30"],
      [30, undefined],
      [20, undefined],
      [10, undefined],
    ],
  );
});

test("a fourth quarter that is reported is not derived", () => {
  const fourth = { start: "2024-10-01", end: "2024-12-31", value: 41, form: "10-K" };
  const [newest] = read(table({ [RFC]: [...QUARTERS, fourth, YEAR] }), "quarter");
  assert.deepEqual([newest?.values.get("revenue"), newest?.derived], [41, undefined]);
});

test("without the third quarter there is no fourth", () => {
  const [first, second] = QUARTERS;
  const rows = read(table({ [RFC]: [first, second, YEAR] }), "quarter");
  assert.deepEqual(
    rows.map(({ label }) => label),
    ["Q2 2024", "Q1 2024"],
  );
});

test("the year of a filing does not name the older periods that it repeats", () => {
  const older = { start: "2022-01-01", end: "2022-12-31", value: 80, form: "10-K", filingYear: 2024 };
  const before = { start: "2023-01-01", end: "2023-12-31", value: 90, form: "10-K", filingYear: 2024 };
  const rows = read(table({ [RFC]: [older, before, before, before, YEAR] }), "annual");
  assert.deepEqual(
    rows.map(({ label }) => label),
    ["FY2024", "FY2023", "FY2022"],
  );
});

test("years are counted as the company counts them, and their ends are shown", () => {
  const year = { start: "2024-01-29", end: "2025-01-26", value: 5, form: "10-K" };
  const named = (filingYear: number) => read(table({ [RFC]: [{ ...year, filingYear }] }), "annual")[0]?.label;
  assert.deepEqual([named(2025), named(2024), named(1990)], ["FY2025", "FY2024", "FY2025"]);
  const sunday = { start: "2019-12-30", end: "2021-01-03", value: 5, form: "10-K" };
  assert.deepEqual(show(read(table({ [RFC]: [sunday] }), "annual")), [["FY2020", "2021-01-03", 5]]);
});

test("twelve months that end with a quarter, as utilities report them, are not a fiscal year", () => {
  const rolling = { start: "2023-07-01", end: "2024-06-30", value: 95, form: "10-Q", filed: "2026-01-01" };
  const rows = read(table({ [RFC]: [rolling, rolling, YEAR, ...QUARTERS] }), "annual");
  assert.deepEqual(show(rows), [["FY2024", "2024-12-31", 100]]);
});

test("of several filings for a period the one filed last counts, and what was restated is known", () => {
  const later = { ...YEAR, value: 90, filed: "2026-02-01", form: "10-K/A" };
  const same = { ...YEAR, filed: "2025-05-01" };
  const [year] = statedRows(openBooks(table({ [RFC]: [later, YEAR, same] })), "income", "annual");
  assert.deepEqual([year?.row.values.get("revenue"), year?.row.filed], [90, "2026-02-01"]);
  assert.deepEqual(year?.restated, [{ line: "revenue", form: "10-K/A", filed: "2026-02-01" }]);
  const [unchanged] = statedRows(openBooks(table({ [RFC]: [same, YEAR] })), "income", "annual");
  assert.deepEqual(unchanged?.restated, []);
});

test("the concept of revenue is chosen for each period, not for the company", () => {
  const year = (of: number, value: number) => ({ ...YEAR, start: `${of}-01-01`, end: `${of}-12-31`, value });
  const facts = table({
    "us-gaap:SalesRevenueNet": [year(2017, 1), year(2018, 2)],
    [REVENUES]: [year(2020, 4)],
    [RFC]: [year(2018, 2), year(2019, 3)],
    "us-gaap:NetIncomeLoss": [year(2017, 10), year(2020, 40), year(2021, 50)],
  });
  const rows = read(facts, "annual");
  assert.deepEqual(
    rows.map(({ label, values }) => [label, values.get("revenue"), values.get("netIncome")]),
    [
      ["FY2021", undefined, 50],
      ["FY2020", 4, 40],
      ["FY2019", 3, undefined],
      ["FY2018", 2, undefined],
      ["FY2017", 1, 10],
    ],
  );
});

test("all revenue counts, not only that from contracts; a bank's is net of its interest expense", () => {
  const of = (value: number) => [{ ...YEAR, value }];
  const revenue = (rows: Readonly<Record<string, readonly Row[]>>) =>
    read(table(rows), "annual")[0]?.values.get("revenue");
  assert.equal(revenue({ [RFC]: of(90), [REVENUES]: of(100) }), 100);
  assert.equal(revenue({ [RFC]: of(90), "us-gaap:SalesRevenueNet": of(100) }), 90);
  const bank = "us-gaap:RevenuesNetOfInterestExpense";
  assert.equal(revenue({ [RFC]: of(20), [bank]: of(70), [REVENUES]: of(100) }), 70);
});

test("a fourth quarter is derived within one concept, though the other quarters use another", () => {
  const nine = { start: "2024-01-01", end: "2024-09-30", value: 58 };
  const facts = table({ [RFC]: [...QUARTERS, { ...nine, value: 60 }], [REVENUES]: [nine, YEAR] });
  assert.equal(read(facts, "quarter")[0]?.values.get("revenue"), 42);
});

test("quarters of a cash flow statement come from years to date", () => {
  const cash = [
    { start: "2024-01-01", end: "2024-03-31", value: 5 },
    { start: "2024-01-01", end: "2024-06-30", value: 12 },
    { start: "2024-01-01", end: "2024-09-30", value: 21 },
    { ...YEAR, value: 33 },
  ];
  const concept = "us-gaap:NetCashProvidedByUsedInOperatingActivities";
  const rows = read(table({ [RFC]: [...QUARTERS, YEAR], [concept]: cash }), "quarter", "cash_flow");
  assert.deepEqual(
    rows.map(({ values, derived }) => [values.get("operatingCashFlow"), derived]),
    [
      [12, "FY2024 − 9 months to 2024-09-30"],
      [9, "9 months to 2024-09-30 − 6 months to 2024-06-30"],
      [7, "6 months to 2024-06-30 − 3 months to 2024-03-31"],
      [5, undefined],
    ],
  );
});

test("a split of the shares within the year leaves EPS of the derived quarter out instead of inventing it", () => {
  const perShare = (values: readonly number[]) => new Map([["USD/shares", toSpans(values)]]);
  const shares = (values: readonly number[]) => new Map([["shares", toSpans(values)]]);
  const toSpans = ([nine = 0, year = 0]: readonly number[]) => [
    fact({ start: "2024-01-01", end: "2024-09-30", value: nine }),
    fact({ ...YEAR, value: year }),
  ];
  const books = (counts: readonly number[]): CompanyFacts => ({
    ...table({}),
    concepts: new Map([
      [RFC, new Map([["USD", [...QUARTERS, YEAR].map(fact)]])],
      ["us-gaap:EarningsPerShareBasic", perShare([9.3, 12.4])],
      ["us-gaap:WeightedAverageNumberOfSharesOutstandingBasic", shares(counts)],
    ]),
  });
  const [steady] = read(books([1_000, 1_000]), "quarter");
  assert.deepEqual([steady?.values.get("eps"), steady?.values.get("weightedAverageShsOut")], [3.1, 1_000]);
  const [split] = read(books([250, 1_000]), "quarter");
  assert.deepEqual([split?.values.has("eps"), split?.values.has("weightedAverageShsOut")], [false, false]);
});

test("a line that one of four quarters does not have is absent from the last twelve months", () => {
  const taxes = [...QUARTERS.slice(0, 2), { ...YEAR, value: 60 }];
  const fourth = { start: "2024-10-01", end: "2024-12-31", value: 40, form: "10-K" };
  const [trailing] = read(
    table({ [RFC]: [...QUARTERS, fourth, YEAR], "us-gaap:IncomeTaxExpenseBenefit": taxes }),
    "ttm",
  );
  assert.deepEqual([trailing?.values.get("revenue"), trailing?.values.has("incomeTaxExpense")], [100, false]);
});

test("statements are in the company's own currency, not in one that it translates the last year into", () => {
  const before = { ...YEAR, start: "2023-01-01", end: "2023-12-31" };
  const facts: CompanyFacts = {
    ...table({}),
    concepts: new Map([
      [
        "ifrs-full:Revenue",
        new Map([
          ["USD", [fact({ ...YEAR, value: 14 })]],
          ["CNY", [fact({ ...YEAR, form: "20-F" }), fact({ ...before, form: "20-F" })]],
        ]),
      ],
    ]),
  };
  assert.deepEqual(
    read(facts, "annual").map(({ currency, values }) => [currency, values.get("revenue")]),
    [
      ["CNY", 100],
      ["CNY", 100],
    ],
  );
});

test("what follows from reported lines is computed, and what is not known is absent, never 0", () => {
  const at = (value: number) => [{ end: "2024-12-31", value, form: "10-K" }];
  const facts = table({
    [RFC]: [YEAR],
    "us-gaap:CostOfRevenue": [{ ...YEAR, value: 60 }],
    "us-gaap:LongTermDebtCurrent": at(5),
    "us-gaap:CommercialPaper": at(2),
    "us-gaap:LongTermDebt": at(25),
    "us-gaap:LiabilitiesAndStockholdersEquity": at(200),
    "us-gaap:StockholdersEquity": at(80),
    "us-gaap:NetCashProvidedByUsedInOperatingActivities": [{ ...YEAR, value: 30 }],
    "us-gaap:PaymentsToAcquirePropertyPlantAndEquipment": [{ ...YEAR, value: 8 }],
  });
  assert.equal(read(facts, "annual")[0]?.values.get("grossProfit"), 40);
  const balance = read(facts, "annual", "balance")[0];
  const lines = ["shortTermDebt", "longTermDebt", "totalDebt", "totalLiabilities", "inventory", "#borrowings"];
  assert.deepEqual(
    lines.map((name) => balance?.values.get(name)),
    [7, 20, 27, 120, undefined, undefined],
  );
  assert.equal(balance?.start, undefined);
  const cash = read(facts, "annual", "cash_flow")[0];
  assert.deepEqual([cash?.values.get("capitalExpenditure"), cash?.values.get("freeCashFlow")], [-8, 22]);
});

const WEEKS = [
  [13, 13, 13, 13],
  [12, 12, 12, 16],
  [16, 12, 12, 12],
  [13, 13, 13, 14],
] as const;

/** Years whose quarters, years to date and sums agree, reported in any order, several times, and not always all. */
const arbitraryBooks = fc
  .record({
    values: fc.array(fc.integer({ min: -1_000_000, max: 1_000_000_000 }), { minLength: 5, maxLength: 16 }),
    weeks: fc.constantFrom(...WEEKS),
    firstDay: fc.integer({ min: 0, max: 364 }),
    modes: fc.array(fc.constantFrom("both", "quarters", "to_date"), { minLength: 4, maxLength: 4 }),
    copies: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 8, maxLength: 8 }),
    change: fc.integer({ min: 0, max: 4 }),
    order: fc.array(fc.integer(), { minLength: 90, maxLength: 90 }),
  })
  .map(({ values, weeks, firstDay, modes, copies, change, order }) => {
    let start = addDays("2018-01-01", firstDay);
    const quarters = values.map((value, at) => {
      const end = addDays(start, (weeks[at % 4] ?? 13) * 7 - 1);
      const quarter = { start, end, value, year: Math.floor(at / 4), place: at % 4 };
      start = addDays(end, 1);
      return quarter;
    });
    const rows = quarters.flatMap(({ start: own, end, value, year, place }) => {
      const mode = modes[year] ?? "both";
      const first = quarters[year * 4]?.start ?? own;
      const sum = quarters.slice(year * 4, year * 4 + place + 1).reduce((total, each) => total + each.value, 0);
      const direct = place === 0 || (place < 3 && mode !== "to_date") ? [{ start: own, end, value }] : [];
      const toDate = place === 3 || (place > 0 && mode !== "quarters") ? [{ start: first, end, value: sum }] : [];
      const form = place === 3 ? "10-K" : "10-Q";
      return [...direct, ...toDate].map((row) => ({ ...row, form, year }));
    });
    const repeated = rows.flatMap((row, at) =>
      Array.from({ length: copies[at % 8] ?? 1 }, (_, copy) => ({ ...row, filed: addDays(row.end, 30 + copy * 365) })),
    );
    const shuffled = repeated
      .map((row, at) => ({ row, key: order[at % 90] ?? 0 }))
      .toSorted((a, b) => a.key - b.key)
      .map(({ row }) => row);
    const facts = table({
      [RFC]: shuffled.filter(({ year }) => year < change),
      [REVENUES]: shuffled.filter(({ year }) => year >= change),
    });
    return { quarters, facts };
  });

test("four quarters add up to their year, in whatever order, however often and by whatever spans they are reported", () => {
  fc.assert(
    fc.property(arbitraryBooks, ({ quarters, facts }) => {
      const byEnd = new Map(read(facts, "quarter").map((row) => [row.end, row]));
      assert.deepEqual([...byEnd.keys()].toSorted(), quarters.map(({ end }) => end).toSorted());
      for (const { start, end, value } of quarters) {
        assert.deepEqual([byEnd.get(end)?.start, byEnd.get(end)?.values.get("revenue")], [start, value]);
      }
      for (const year of read(facts, "annual")) {
        const own = quarters.filter(({ start, end }) => start >= (year.start ?? "") && end <= year.end);
        assert.equal(own.length, 4);
        assert.equal(
          own.reduce((sum, { end }) => sum + (byEnd.get(end)?.values.get("revenue") ?? Number.NaN), 0),
          year.values.get("revenue"),
        );
      }
    }),
  );
});

test("the last twelve months are the sum of four quarters in a row, at the end of every quarter", () => {
  fc.assert(
    fc.property(arbitraryBooks, ({ quarters, facts }) => {
      const trailing = read(facts, "ttm");
      assert.deepEqual(
        trailing.map(({ start, end, values }) => [start, end, values.get("revenue")]),
        quarters
          .flatMap(({ end }, at) => {
            const four = quarters.slice(at - 3, at + 1);
            return at < 3 ? [] : [[four[0]?.start, end, four.reduce((sum, { value }) => sum + value, 0)]];
          })
          .toReversed(),
      );
      assert.ok(trailing.every(({ label, derived }) => label === "TTM" && derived?.split(" + ").length === 4));
    }),
  );
});
