/** When schedules are due, and what cannot be read. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { nextTime } from "./next-time.ts";

const DAY = 86_400_000;

describe("the next time of a cron", () => {
  /** Some times of `cron | zone`. */
  const next = (when: string, from: string, count = 3): readonly (string | undefined)[] => {
    const [cron = "", timeZone = ""] = when.split(" | ");
    const times: (string | undefined)[] = [];
    for (let at: number | undefined = Date.parse(from); at !== undefined && times.length < count;) {
      at = nextTime({ cron, timeZone }, at);
      times.push(at === undefined ? undefined : new Date(at).toISOString().slice(0, 16));
    }
    return times;
  };

  test("that the clocks skip is right after the gap, once", () => {
    assert.deepEqual(next("30 2 * * * | America/New_York", "2025-03-08T12:00:00Z"), [
      "2025-03-09T07:00",
      "2025-03-10T06:30",
      "2025-03-11T06:30",
    ]);
    assert.deepEqual(next("0 0 * * * | Africa/Cairo", "2025-04-24T12:00:00Z", 2), [
      "2025-04-24T22:00",
      "2025-04-25T21:00",
    ]);
    assert.deepEqual(next("*/30 2 * * * | America/New_York", "2025-03-08T12:00:00Z", 1), ["2025-03-10T06:00"]);
  });

  test("is on a day of the month or of the week, also at the end of a short month", () => {
    const first = ["2025-03-01T05:00", "2025-03-02T05:00", "2025-03-09T05:00"];
    assert.deepEqual(next("0 0 1,2 1-3 0 | America/New_York", "2025-02-27T00:00:00Z"), first);
    assert.deepEqual(next("0 0 1 * 1 | UTC", "2025-02-27T00:00:00Z", 2), ["2025-03-01T00:00", "2025-03-03T00:00"]);
  });

  test("that comes twice is the first of the two, unless the cron has several hours or minutes", () => {
    assert.deepEqual(next("30 1 * * * | America/New_York", "2025-11-02T00:00:00Z", 2), [
      "2025-11-02T05:30",
      "2025-11-03T06:30",
    ]);
    assert.deepEqual(next("30 1 * * * | America/New_York", "2025-11-02T05:45:00Z", 1), ["2025-11-03T06:30"]);
    assert.deepEqual(next("0 * * * * | America/New_York", "2025-11-02T04:30:00Z", 4), [
      "2025-11-02T05:00",
      "2025-11-02T06:00",
      "2025-11-02T07:00",
      "2025-11-02T08:00",
    ]);
  });

  test("on a day that not every month or year has is in the next one that has it", () => {
    assert.deepEqual(next("0 0 31 * * | UTC", "2025-01-31T12:00:00Z"), [
      "2025-03-31T00:00",
      "2025-05-31T00:00",
      "2025-07-31T00:00",
    ]);
    assert.deepEqual(next("0 0 29 2 * | UTC", "2025-01-01T00:00:00Z", 2), ["2028-02-29T00:00", "2032-02-29T00:00"]);
    assert.deepEqual(next("0 0 29 2 * | UTC", "2096-03-01T00:00:00Z", 1), ["2104-02-29T00:00"]);
    assert.deepEqual(next("0 9 L * * | UTC", "2024-02-01T00:00:00Z", 2), ["2024-02-29T09:00", "2024-03-31T09:00"]);
    assert.deepEqual(next("0 0 30 2 * | UTC", "2025-01-01T00:00:00Z", 1), [undefined]);
  });

  test("is in the time zone, by names and numbers of days, also with more white space", () => {
    const brief = ["2025-01-03T01:30", "2025-01-06T01:30"];
    for (const cron of ["30 8 * * 1-5", "30 8 * * MON-FRI", " 30\t8 *  * mon-fri\n"])
      assert.deepEqual(next(`${cron} | Asia/Ho_Chi_Minh`, "2025-01-02T03:00:00Z", 2), brief, cron);
    assert.deepEqual(
      next("0 8 * * 7 | UTC", "2025-01-01T00:00:00Z", 1),
      next("0 8 * * 0 | UTC", "2025-01-01T00:00:00Z", 1),
    );
    assert.deepEqual(next("0 0 1 * 1 | UTC", "2025-01-27T12:00:00Z", 2), ["2025-02-01T00:00", "2025-02-03T00:00"]);
  });
});

describe("what cannot be read", () => {
  test("is refused with what is wrong and what to write", () => {
    const wrong: readonly [cron: string, message: RegExp][] = [
      ["", /the cron "" is not valid: it does not have five fields; write minute, hour/],
      ["30 8 * *", /does not have five fields/],
      ["0 30 8 * * 1-5", /does not have five fields/],
      ["@daily", /does not have five fields/],
      ["2025-01-05T00:00:00 a b c d", /does not have five fields/],
      ["60 8 * * *", /"60 8 \* \* \*" is not valid: Invalid value for minute: 60/],
      ["0 24 * * *", /not valid/],
      ["0 0 32 * *", /not valid/],
      ["0 0 * 13 *", /not valid/],
      ["0 0 * * 8", /not valid/],
      ["x 8 * * *", /not valid/],
      ["*/0 * * * *", /not valid/],
      ["5-1 * * * *", /not valid/],
      [`${"0,".repeat(1_000)}0 8 * * *`, /not valid/],
    ];
    for (const [cron, message] of wrong)
      assert.throws(() => nextTime({ cron, timeZone: "UTC" }, 0), { code: "invalid", message }, cron);
    for (const timeZone of ["", "Mars/Base", "Asia/Hochiminh", "x".repeat(9_999)])
      assert.throws(() => nextTime({ cron: "* * * * *", timeZone }, 0), {
        code: "invalid",
        message: /there is no time zone "/,
      });
    for (const everyMs of [0, 999, -1, 1_000.5, Number.NaN, Infinity, 400 * DAY])
      assert.throws(() => nextTime({ everyMs }, 0), { code: "invalid", message: /everyMs is/ });
    for (const at of [0.5, Number.NaN, Infinity, 1e16])
      assert.throws(() => nextTime({ at }, 0), { code: "invalid", message: /at is/ });
  });
});
