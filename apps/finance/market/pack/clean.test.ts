/**
 * Cleaning: the rules by which rows of the sources are kept, changed or dropped.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { adjustForSplits, faultOf, joinBars, lastRun, parseBars, toDaily } from "./clean-bars.ts";
import { cleanSnapshot } from "./clean-snapshot.ts";
import { cleanStatements } from "./clean-statements.ts";
import { parseDelimited } from "./delimited.ts";
import { toDay } from "./days.ts";

const COLUMNS = [
  "Ticker Symbol",
  "Period Ending",
  "Total Revenue",
  "Cost of Revenue",
  "Gross Profit",
  "Net Income",
  "Interest Expense",
  "Total Assets",
  "Total Liabilities",
  "Total Equity",
  "Total Liabilities & Equity",
  "Net Cash Flow-Operating",
  "Net Cash Flows-Investing",
  "Net Cash Flows-Financing",
  "Effect of Exchange Rate",
  "Net Cash Flow",
  "For Year",
  "Earnings Per Share",
  "Estimated Shares Outstanding",
];

const SOUND = [100, 60, 40, 10, 0, 500, 300, 200, 500, 30, -20, -5, 0, 5];

function module(...rows: readonly (readonly (string | number | null)[])[]): string {
  const columns = COLUMNS.map((name) => `  ${JSON.stringify(name)},`).join("\n");
  const lines = rows.map((row) => `  ${JSON.stringify(row)},`).join("\n");
  return `export const nyseColumns = [\n${columns}\n].map((c, i) => ({}));\n\nexport const nyseData = [\n${lines}\n]`;
}

const year = (symbol: string, end: string, [forYear, eps, shares]: readonly (number | null)[]) => [
  symbol,
  end,
  ...SOUND,
  forYear ?? null,
  eps ?? null,
  shares ?? null,
];

test("a year is kept only if gross profit, balance sheet and cash flow add up", () => {
  const sound = year("AA", "2014-12-31", [2014, null, null]);
  const broken = [4, 9, 15].map((column) => sound.map((value, at) => (at === column ? 41 : value)));
  assert.equal(cleanStatements(module(sound)).years.length, 1);
  for (const row of broken) {
    const { years, dropped } = cleanStatements(module(row));
    assert.deepEqual([years.length, dropped["does_not_add_up"]], [0, 1]);
  }
});

test("the rows of PG are another company's and are dropped", () => {
  const { years, dropped } = cleanStatements(module(year("PG", "2014-12-31", [2014, null, null])));
  assert.deepEqual([years.length, dropped["another_company"]], [0, 1]);
});

test("a zero expense is unknown, and a zero in a sum that adds up is zero", () => {
  const [only] = cleanStatements(module(year("AA", "2014-12-31", [2014, null, null]))).years;
  assert.equal(only?.values.has("income.interestExpense"), false);
  assert.equal(only?.values.get("cash_flow.effectOfForexChangesOnCash"), 0);
});

test("a year has the name its company gives it, and starts the day after the one before ended", () => {
  const rows = [
    year("GPS", "2014-02-01", [2013, null, null]),
    year("GPS", "2015-01-31", [null, null, null]),
    year("HBI", "2015-01-03", [2014, null, null]),
    year("HBI", "2016-01-02", [1215, null, null]),
    year("MS", "2014-02-28", [2014, null, null]),
  ];
  const { years } = cleanStatements(module(...rows));
  assert.deepEqual(
    years.map(({ symbol, fiscalYear, start, end }) => [symbol, fiscalYear, toDay(start), toDay(end)]),
    [
      ["GAP", 2013, "2013-02-03", "2014-02-01"],
      ["GAP", 2014, "2014-02-02", "2015-01-31"],
      ["HBI", 2014, "2014-01-05", "2015-01-03"],
      ["HBI", 2015, "2015-01-04", "2016-01-02"],
      ["MS", 2014, "2013-03-01", "2014-02-28"],
    ],
  );
});

test("EPS is kept only while the shares it implies stay close from year to year", () => {
  const eps = (...shares: readonly number[]) =>
    cleanStatements(
      module(...shares.map((count, at) => year("AA", `${2012 + at}-12-31`, [2012 + at, 1.5, count]))),
    ).years.map(({ values }) => values.has("income.eps"));
  assert.deepEqual(eps(100, 105, 101), [true, true, true]);
  assert.deepEqual(eps(100, 105), [false, false]);
  assert.deepEqual(eps(15, 100, 105, 101), [false, true, true, true]);
  assert.deepEqual(eps(100, 105, -101), [false, false, false]);
});

test("a quoted field may hold separators and quotes", () => {
  const [record] = parseDelimited('Symbol,Name\r\nA,"One, ""Two"" Inc."\r\n', ",");
  assert.equal(record?.get("name"), 'One, "Two" Inc.');
});

test("preferred stock does not get its company's capitalization, earnings and yield", () => {
  const head =
    'Symbol,Description,Price,Price - Currency,Price Change % 1 day,Volume 1 day,Relative Volume 1 day,Market capitalization,Market capitalization - Currency,Price to earnings ratio,"EPS diluted, Trailing 12 months","EPS diluted, Trailing 12 months - Currency","Dividend yield %, Trailing 12 months",Exchange,Sector,Industry';
  const numbers = "20,USD,1.5,100,1,7000,USD,12,3,USD,2,NYSE,Finance,Major banks";
  const rows = cleanSnapshot(
    [
      head,
      `JPM/PL,Bank,${numbers}`,
      `BRK.B,Berkshire,${numbers}`,
      `TBC,"AT&T 5.625% Global Notes",${numbers}`,
      `TSM,American Depositary Shares,${numbers}`,
    ].join("\n"),
  );
  assert.deepEqual(
    rows.map(({ symbol, marketCap, pe, price }) => [symbol, marketCap, pe, price]),
    [
      ["BRK-B", 7000, 12, 20],
      ["JPM-PL", Number.NaN, Number.NaN, 20],
      ["TBC", Number.NaN, Number.NaN, 20],
      ["TSM", 7000, 12, 20],
    ],
  );
});

const bars = (...rows: readonly string[]) => parseBars(["date,open,high,low,close,volume", ...rows].join("\n"), ",");

test("files that disagree on a close, or on the days, are not joined", () => {
  const names = { symbol: "A", kept: "b", dropped: "a" };
  const older = bars("2020-01-02,10,10,10,10,1", "2020-01-03,10,10,10,10,1");
  const join = (...newer: readonly string[]) => joinBars({ older, newer: bars(...newer) }, names);
  assert.equal(join("2020-01-03,10,10,10,10.001,1", "2020-01-06,5,5,5,5,1").bars.length, 3);
  assert.throws(() => join("2020-01-03,10,10,10,5,1"), { message: /disagree on a close/ });
  assert.throws(() => join("2020-01-02,10,10,10,10,1", "2020-01-06,5,5,5,5,1"), { message: /same days/ });
});

test("prices before a split are divided by it, the split's own day is not", () => {
  const adjusted = adjustForSplits(
    bars("2000-05-05,150,160,150,156,3", "2000-05-08,52,53,51,52,3"),
    '[{"date":"2000-05-08","multiplier":3}]',
  );
  assert.deepEqual(
    adjusted.map(({ c, v }) => [c, v]),
    [
      [52, 3],
      [52, 3],
    ],
  );
});

test("a bar whose close lies outside its range is found", () => {
  assert.equal(faultOf(bars("2020-01-02,10,11,9,10,1")), undefined);
  assert.match(faultOf(bars("2020-01-02,10,11,9,12,1")) ?? "", /not sound/);
  assert.match(faultOf(bars("2020-01-02,10,11,0,10,1")) ?? "", /not sound/);
});

test("padding after the last trade and days that are not whole are no daily bars", () => {
  const minutes = Array.from({ length: 700 }, (_, at) => {
    const t = new Date(Date.UTC(2016, 0, 1) + at * 300_000).toISOString();
    return `${t.slice(0, 10)} ${t.slice(11, 19)},10,10,10,10,${at < 300 ? 1 : 0}`;
  });
  assert.deepEqual(
    toDaily(bars(...minutes)).map(({ t, v }) => [t, v]),
    [[Date.UTC(2016, 0, 1) / 1000, 288]],
  );
});

test("the last run begins after the last gap", () => {
  const run = lastRun(bars("2020-01-02,1,1,1,1,1", "2020-03-02,1,1,1,1,1", "2020-03-03,1,1,1,1,1"), 2 * 86_400);
  assert.equal(run.length, 2);
});
