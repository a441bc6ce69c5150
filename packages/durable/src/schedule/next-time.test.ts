/** When schedules are due: against every minute of the local calendar, as `Intl` reads it. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { newestTime, nextTime } from "./next-time.ts";

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const HORIZON = 4 * DAY;

/** A minute of a wall clock. */
interface Local {
  readonly minute: number;
  readonly hour: number;
  readonly day: number;
  readonly month: number;
  readonly weekday: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function toLocal(at: number, timeZone: string): Local {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("en-GB", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
    });
  formats.set(timeZone, format);
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? Number.NaN;
  const weekday = new Date(Date.UTC(of("year"), of("month") - 1, of("day"))).getUTCDay();
  return { minute: of("minute"), hour: of("hour"), day: of("day"), month: of("month"), weekday };
}

/** One field of cron: what is written, and which values that means. */
interface Field {
  readonly text: string;
  readonly values: ReadonlySet<number>;
}

interface Pattern {
  readonly minute: Field;
  readonly hour: Field;
  readonly day: Field;
  readonly month: Field;
  readonly weekday: Field;
}

const range = (from: number, to: number, step = 1): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);

function fieldOf(from: number, to: number): fc.Arbitrary<Field> {
  const value = fc.integer({ min: from, max: to });
  return fc.oneof(
    fc.constant({ text: "*", values: new Set(range(from, to)) }),
    value.map((one) => ({ text: `${one}`, values: new Set([one]) })),
    fc
      .uniqueArray(value, { minLength: 2, maxLength: 3 })
      .map((many) => ({ text: many.join(","), values: new Set(many) })),
    fc.tuple(value, value).map(([one, other]) => {
      const [low, high] = [Math.min(one, other), Math.max(one, other)];
      return { text: `${low}-${high}`, values: new Set(range(low, high)) };
    }),
    fc
      .integer({ min: 2, max: Math.max(2, Math.floor((to - from) / 2)) })
      .map((step) => ({ text: `*/${step}`, values: new Set(range(from, to, step)) })),
  );
}

const free: Field = { text: "*", values: new Set(range(0, 31)) };
/** Days and months are mostly free, else hardly anything is due within a few days. */
const mostly = (field: fc.Arbitrary<Field>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(free) }, { weight: 1, arbitrary: field });

const patterns: fc.Arbitrary<Pattern> = fc.record({
  minute: fieldOf(0, 59),
  hour: fc.oneof(
    fieldOf(0, 23),
    fieldOf(0, 3).filter(({ text }) => !text.startsWith("*")),
  ),
  day: mostly(fieldOf(1, 31).filter(({ text }) => !text.startsWith("*/"))),
  month: mostly(fieldOf(1, 12)),
  weekday: mostly(fieldOf(0, 6).filter(({ text }) => !text.startsWith("*/"))),
});

const isSingle = ({ values }: Field): boolean => values.size === 1;

/** Days that are both of the month and of the week are due if they are either, unless one of the two is free. */
function isDay({ day, month, weekday }: Pattern, local: Local): boolean {
  if (!month.values.has(local.month)) return false;
  const [isOfMonth, isOfWeek] = [day.values.has(local.day), weekday.values.has(local.weekday)];
  return day.text === "*" || weekday.text === "*" ? isOfMonth && isOfWeek : isOfMonth || isOfWeek;
}

/** The first time after `after`, by going through every minute; undefined if there is none for some days. */
function findTime(pattern: Pattern, timeZone: string, after: number): number | undefined {
  const isFixed = isSingle(pattern.minute) && isSingle(pattern.hour);
  const first = Math.floor(after / MINUTE) * MINUTE + MINUTE;
  for (let at = first; at <= after + HORIZON; at += MINUTE) {
    const local = toLocal(at, timeZone);
    if (!isDay(pattern, local)) continue;
    const isHit = pattern.minute.values.has(local.minute) && pattern.hour.values.has(local.hour);
    if (isHit && !(isFixed && isSecond(at, local, timeZone))) return at;
    if (isFixed && isAfterGap(pattern, { at, local, timeZone })) return at;
  }
  return undefined;
}

/** Whether the clocks went back and show this minute for the second time. */
function isSecond(at: number, local: Local, timeZone: string): boolean {
  return range(1, 180).some((minutes) => {
    const { hour, minute, day } = toLocal(at - minutes * MINUTE, timeZone);
    return hour === local.hour && minute === local.minute && day === local.day;
  });
}

type Moment = Readonly<{ at: number; local: Local; timeZone: string }>;

/** Whether the clocks have just gone forward, past the time that is meant. */
function isAfterGap({ minute, hour }: Pattern, { at, local, timeZone }: Moment): boolean {
  const before = toLocal(at - MINUTE, timeZone);
  const [meant = 0] = hour.values;
  const [minuteMeant = 0] = minute.values;
  const wanted = meant * 60 + minuteMeant;
  const now = local.hour * 60 + local.minute;
  const last = before.day === local.day ? before.hour * 60 + before.minute : -1;
  return now - last > 1 && wanted > last && wanted < now;
}

/** Places where clocks change, by an hour or less, at night or at midnight, north and south, and one where they do not. */
const ZONES = [
  "America/New_York",
  "Europe/London",
  "Africa/Cairo",
  "Asia/Beirut",
  "Australia/Lord_Howe",
  "America/Santiago",
  "Asia/Ho_Chi_Minh",
  "UTC",
];

/** The minutes of 2024 and 2025 at which the clocks of a zone change. */
function changesOf(timeZone: string): readonly number[] {
  const offset = (at: number): number => {
    const { hour, minute } = toLocal(at, timeZone);
    const difference = hour * 60 + minute - (Math.floor(at / MINUTE) % 1_440);
    return (difference + 1_440) % 1_440;
  };
  return range(0, 24 * 731)
    .map((hours) => Date.UTC(2024, 0, 1) + hours * 60 * MINUTE)
    .filter((at) => offset(at) !== offset(at + 60 * MINUTE));
}

const CHANGES = new Map(ZONES.map((zone) => [zone, changesOf(zone)]));
/** Ends of months of every length, and of years. */
const ENDS = [Date.UTC(2024, 1, 28), Date.UTC(2025, 1, 27), Date.UTC(2025, 3, 29), Date.UTC(2025, 11, 30)];

const cases = fc
  .record({
    zone: fc.constantFrom(...ZONES),
    pattern: patterns,
    pick: fc.nat(),
    back: fc.integer({ min: 0, max: DAY * 2 }),
  })
  .map(({ zone, pattern, pick, back }) => {
    const near = [...(CHANGES.get(zone) ?? []), ...ENDS];
    return { zone, pattern, after: (near[pick % near.length] ?? 0) - back };
  });

const toText = ({ minute, hour, day, month, weekday }: Pattern): string =>
  [minute, hour, day, month, weekday].map(({ text }) => text).join(" ");

describe("the next time of a cron", () => {
  test("is the one that a look at every minute finds, around changes of clocks and ends of months", () => {
    fc.assert(
      fc.property(cases, ({ zone, pattern, after }) => {
        const found = findTime(pattern, zone, after);
        const next = nextTime({ cron: toText(pattern), timeZone: zone }, after);
        if (found === undefined) assert.ok(next === undefined || next > after + HORIZON, toText(pattern));
        else assert.equal(next && new Date(next).toISOString(), new Date(found).toISOString());
      }),
      { numRuns: 50 },
    );
  });

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

test("the newest time and how many were passed over are those of going through them one by one", () => {
  const whens = fc.oneof(
    fc.integer({ min: 1_000, max: 9 * MINUTE }).map((everyMs) => ({ everyMs })),
    fc.record({ pattern: patterns, zone: fc.constantFrom(...ZONES) }).map(({ pattern, zone }) => ({
      cron: toText({ ...pattern, day: free, month: free, weekday: free }),
      timeZone: zone,
    })),
  );
  const from = Date.UTC(2025, 2, 8);
  const spans = fc.integer({ min: 0, max: 1.5 * DAY });
  fc.assert(
    fc.property(whens, spans, (when, span) => {
      const first = nextTime(when, from) ?? 0;
      const now = first + span;
      let [at, missed] = [first, 0];
      for (let next = nextTime(when, at); next !== undefined && next <= now; next = nextTime(when, at)) {
        at = next;
        missed++;
      }
      assert.deepEqual(newestTime(when, first, now), { at, missed: Math.min(missed, 1_000) });
    }),
    { numRuns: 12 },
  );
});
