/**
 * Trading days: the exchange's calendar by its rules.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { toDay, toDayNumber } from "../pack/days.ts";
import { openPack } from "../pack/pack.ts";
import { closeOf, tradingDays } from "./trading-days.ts";

test("the days of trading are those on which the S&P 500 really has bars", () => {
  const bars = openPack().series("^GSPC", "1day")?.bars;
  const first = toDayNumber("2012-01-01") * 86_400;
  const real = [...(bars?.t ?? [])].filter((t) => t >= first).map((t) => toDay(t / 86_400));
  assert.ok(real.length > 2_000);
  assert.deepEqual(tradingDays("2012-01-01", "2020-04-17").map(toDay), real);
});

test("holidays that fall on a weekend are kept as the exchange keeps them", () => {
  const isOpen = (day: string) => tradingDays(day, day).length === 1;
  const closed = ["2021-12-24", "2022-06-20", "2023-01-02", "2024-03-29", "2024-06-19", "2024-07-04", "2024-11-28"];
  const open = ["2021-12-31", "2021-06-18", "2024-11-22", "2024-11-29"];
  assert.deepEqual([closed.filter(isOpen), open.filter((day) => !isOpen(day))], [[], []]);
});

test("the close has New York's offset of that day", () => {
  assert.equal(closeOf("2024-11-22"), "2024-11-22T16:00:00-05:00");
  assert.equal(closeOf("2024-07-01"), "2024-07-01T16:00:00-04:00");
  assert.equal(closeOf("2024-03-11"), "2024-03-11T16:00:00-04:00");
});
