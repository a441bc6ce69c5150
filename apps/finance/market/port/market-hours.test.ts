import assert from "node:assert/strict";
import { test } from "node:test";
import { newYorkDay, tradingDays, usMarketState } from "./market-hours.ts";

/** A moment in New York, summer or winter. */
const summer = (text: string) => Date.parse(`${text}:00-04:00`);
const winter = (text: string) => Date.parse(`${text}:00-05:00`);

test("a trading day has four states with exact borders", () => {
  for (const [time, state] of [
    ["00:00", "closed"],
    ["03:59", "closed"],
    ["04:00", "pre"],
    ["09:29", "pre"],
    ["09:30", "open"],
    ["15:59", "open"],
    ["16:00", "post"],
    ["19:59", "post"],
    ["20:00", "closed"],
  ] as const) {
    assert.equal(usMarketState(winter(`2024-11-22T${time}`)), state, `winter ${time}`);
    assert.equal(usMarketState(summer(`2024-07-22T${time}`)), state, `summer ${time}`);
  }
});

test("weekends are closed", () => {
  assert.equal(usMarketState(winter("2024-11-23T12:00")), "closed");
  assert.equal(usMarketState(winter("2024-11-24T12:00")), "closed");
});

const HOLIDAYS: readonly (readonly [year: string, days: string])[] = [
  ["2010", "01-01 01-18 02-15 04-02 05-31 07-05 09-06 11-25 12-24"],
  ["2011", "01-17 02-21 04-22 05-30 07-04 09-05 11-24 12-26"],
  ["2016", "01-01 01-18 02-15 03-25 05-30 07-04 09-05 11-24 12-26"],
  ["2020", "01-01 01-20 02-17 04-10 05-25 07-03 09-07 11-26 12-25"],
  ["2021", "01-01 01-18 02-15 04-02 05-31 07-05 09-06 11-25 12-24"],
  ["2022", "01-17 02-21 04-15 05-30 06-20 07-04 09-05 11-24 12-26"],
  ["2023", "01-02 01-16 02-20 04-07 05-29 06-19 07-04 09-04 11-23 12-25"],
  ["2024", "01-01 01-15 02-19 03-29 05-27 06-19 07-04 09-02 11-28 12-25"],
  ["2026", "01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25"],
  ["2027", "01-01 01-18 02-15 03-26 05-31 06-18 07-05 09-06 11-25 12-24"],
];

for (const [year, days] of HOLIDAYS) {
  test(`the weekdays without trading in ${year} are the exchange's holidays`, () => {
    const open = new Set(tradingDays(`${year}-01-01`, `${year}-12-31`));
    const closed: string[] = [];
    for (let ms = Date.parse(`${year}-01-01`); ms < Date.parse(`${year}-12-31`) + 1; ms += 86_400_000) {
      const date = new Date(ms);
      const day = date.toISOString().slice(0, 10);
      if (date.getUTCDay() % 6 !== 0 && !open.has(day)) closed.push(day.slice(5));
    }
    assert.deepEqual(closed, days.split(" "));
    for (const day of closed) assert.equal(usMarketState(winter(`${year}-${day}T12:00`)), "holiday", day);
  });
}

test("New Year's Day on a Saturday closes no other day", () => {
  assert.equal(usMarketState(winter("2021-12-31T12:00")), "open");
  assert.deepEqual(tradingDays("2021-12-31", "2022-01-03"), ["2021-12-31", "2022-01-03"]);
});

test("Juneteenth is a holiday since 2022", () => {
  assert.equal(usMarketState(summer("2020-06-19T12:00")), "open");
  assert.equal(usMarketState(summer("2024-06-19T12:00")), "holiday");
});

test("early closes end at one o'clock", () => {
  for (const day of ["2024-11-29", "2024-12-24", "2023-11-24", "2019-12-24"]) {
    assert.equal(usMarketState(winter(`${day}T12:59`)), "open", day);
    assert.equal(usMarketState(winter(`${day}T13:00`)), "post", day);
    assert.equal(usMarketState(winter(`${day}T17:00`)), "closed", day);
  }
  assert.equal(usMarketState(summer("2024-07-03T13:00")), "post");
  assert.equal(usMarketState(summer("2025-07-03T13:00")), "post");
  assert.equal(usMarketState(summer("2023-07-05T15:00")), "open");
});

test("summer time begins and ends with New York's", () => {
  assert.equal(usMarketState(Date.parse("2024-03-08T14:30:00Z")), "open");
  assert.equal(usMarketState(Date.parse("2024-03-08T14:29:00Z")), "pre");
  assert.equal(usMarketState(Date.parse("2024-03-11T13:30:00Z")), "open");
  assert.equal(usMarketState(Date.parse("2024-11-01T13:30:00Z")), "open");
  assert.equal(usMarketState(Date.parse("2024-11-04T13:30:00Z")), "pre");
  assert.equal(newYorkDay(Date.parse("2024-11-22T04:59:00Z")), "2024-11-21");
  assert.equal(newYorkDay(Date.parse("2024-11-22T05:00:00Z")), "2024-11-22");
  assert.equal(newYorkDay(Date.parse("2024-07-22T03:59:00Z")), "2024-07-21");
  assert.equal(newYorkDay(Date.parse("2024-07-22T04:00:00Z")), "2024-07-22");
});

test("New York's day agrees with the platform's time zone data over thirty years", () => {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone: "America/New_York", dateStyle: "short" });
  for (let ms = Date.UTC(1995, 0, 1); ms < Date.UTC(2027, 0, 1); ms += 5_400_000 * 7) {
    assert.equal(newYorkDay(ms), format.format(ms), new Date(ms).toISOString());
  }
});

test("a year has as many trading days as the exchange had", () => {
  for (const [year, count] of [
    ["2016", 252],
    ["2020", 253],
    ["2021", 252],
    ["2022", 251],
    ["2023", 250],
    ["2024", 252],
  ] as const) {
    assert.equal(tradingDays(`${year}-01-01`, `${year}-12-31`).length, count, year);
  }
});
