import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { easternDay, fromEastern, toDay } from "./eastern.ts";

const format = new Intl.DateTimeFormat("sv-SE", {
  timeZone: "America/New_York",
  dateStyle: "short",
  timeStyle: "medium",
});

test("every time since 1987 is read as New York's clocks showed it", () => {
  const moment = fc.integer({ min: Date.UTC(1987, 0, 2) / 1_000, max: Date.UTC(2035, 0, 1) / 1_000 });
  fc.assert(
    fc.property(moment, (seconds) => {
      const wall = format.format(seconds * 1_000);
      const read = fromEastern(wall);
      assert.ok(read !== undefined);
      // In the hour that comes twice the first is meant.
      assert.ok(read === seconds * 1_000 || read === seconds * 1_000 - 3_600_000, wall);
      assert.equal(format.format(read), wall);
      assert.equal(easternDay(seconds * 1_000), wall.slice(0, 10));
    }),
    { numRuns: 2_000 },
  );
});

test("the changes of the clock are at two in the morning", () => {
  assert.equal(fromEastern("2025-03-09 01:59:59"), Date.UTC(2025, 2, 9, 6, 59, 59));
  assert.equal(fromEastern("2025-03-09 03:00:00"), Date.UTC(2025, 2, 9, 7));
  assert.equal(fromEastern("2025-11-02 00:59:59"), Date.UTC(2025, 10, 2, 4, 59, 59));
  assert.equal(fromEastern("2025-11-02 02:00:00"), Date.UTC(2025, 10, 2, 7));
});

test("what is no time or no day of the calendar is not read", () => {
  for (const text of [
    "",
    "soon",
    "2025-02-30",
    "2025-13-01",
    "2025-01-01 25:00:00",
    "2025-01-01 10:61:00",
    "01/02/2025",
  ]) {
    assert.equal(fromEastern(text), undefined, text);
  }
  assert.deepEqual(
    [toDay("2025-02-28T10:00"), toDay("2025-02-30"), toDay(undefined)],
    ["2025-02-28", undefined, undefined],
  );
});
