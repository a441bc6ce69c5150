import assert from "node:assert/strict";
import { test } from "node:test";
import { readPeriods, startOfSpan } from "./periods.ts";
import { readQuestion } from "../reading.ts";
import { SITUATION } from "../testing/directory.ts";

const { directory, today } = SITUATION;
const periods = (text: string, language: "en" | "vi" = "en") =>
  readPeriods(readQuestion(directory, text), { language, today });

test("dates of the calendar make windows", () => {
  const windows: readonly (readonly [string, string, string?])[] = [
    ["AAPL in 2015", "2015-01-01", "2015-12-31"],
    ["between 2014 and 2016", "2014-01-01", "2016-12-31"],
    ["from March 2010 to June 2011", "2010-03-01", "2011-06-30"],
    ["on 3 May 2010", "2010-05-03", "2010-05-03"],
    ["on May 3rd, 2010", "2010-05-03", "2010-05-03"],
    ["2010-05-03", "2010-05-03", "2010-05-03"],
    ["since 2015", "2015-01-01"],
    ["in February 2016", "2016-02-01", "2016-02-29"],
    ["Q3 2015", "2015-07-01", "2015-09-30"],
    ["last year", "2023-01-01", "2023-12-31"],
    ["last month", "2024-10-01", "2024-10-31"],
    ["last week", "2024-11-11", "2024-11-17"],
    ["yesterday", "2024-11-21", "2024-11-21"],
    ["this year", "2024-01-01"],
  ];
  for (const [text, from, to] of windows) {
    assert.deepEqual(periods(text).window, to === undefined ? { from } : { from, to }, text);
  }
});

test("Vietnamese dates make the same windows", () => {
  const windows: readonly (readonly [string, string, string?])[] = [
    ["từ 2012 đến 2015", "2012-01-01", "2015-12-31"],
    ["tháng 3 năm 2015", "2015-03-01", "2015-03-31"],
    ["tháng 3/2015", "2015-03-01", "2015-03-31"],
    ["ngày 3 tháng 5 năm 2010", "2010-05-03", "2010-05-03"],
    ["03/05/2010", "2010-05-03", "2010-05-03"],
    ["quý 3 năm 2015", "2015-07-01", "2015-09-30"],
    ["năm ngoái", "2023-01-01", "2023-12-31"],
    ["tháng trước", "2024-10-01", "2024-10-31"],
    ["hôm qua", "2024-11-21", "2024-11-21"],
    ["từ năm 2000", "2000-01-01"],
  ];
  for (const [text, from, to] of windows) {
    assert.deepEqual(periods(text, "vi").window, to === undefined ? { from } : { from, to }, text);
  }
});

test("a span that ends today is rolling; the length of an average is not", () => {
  for (const text of ["over the last 3 months", "3 tháng qua", "past 3 months", "trong 3 tháng gần đây"]) {
    const { rolling } = periods(`AAPL ${text}`);
    assert.deepEqual([rolling?.count, rolling?.unit], [3, "month"], text);
  }
  assert.equal(periods("AAPL 6M").rolling?.unit, "month");
  assert.equal(periods("50-day average of AAPL").rolling, undefined);
  assert.equal(periods("năm năm qua").rolling?.count, 5);
  assert.equal(periods("the last five years").rolling?.unit, "year");
});

test("spans are counted back by the calendar, and the month's end is kept", () => {
  assert.equal(startOfSpan({ count: 3, unit: "month" }, "2024-11-22"), "2024-08-22");
  assert.equal(startOfSpan({ count: 1, unit: "month" }, "2024-03-31"), "2024-02-29");
  assert.equal(startOfSpan({ count: 5, unit: "year" }, "2024-02-29"), "2019-02-28");
  assert.equal(startOfSpan({ count: 2, unit: "week" }, "2024-11-22"), "2024-11-08");
});
