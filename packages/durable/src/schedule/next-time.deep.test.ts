/** When schedules are due: against every minute of the local calendar, as `Intl` reads it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inSlice } from "@baton/core/testing";
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

const SEEDS = Array.from({ length: 10 }, (_, index) => index + 1);

function assertInSlice<T>(property: fc.IProperty<T>, numRuns: number): void {
  for (const seed of inSlice(SEEDS)) fc.assert(property, { seed, numRuns });
}

test("the next time of a cron is the one that a look at every minute finds, around changes of clocks and ends of months", () => {
  assertInSlice(
    fc.property(cases, ({ zone, pattern, after }) => {
      const found = findTime(pattern, zone, after);
      const next = nextTime({ cron: toText(pattern), timeZone: zone }, after);
      if (found === undefined) assert.ok(next === undefined || next > after + HORIZON, toText(pattern));
      else assert.equal(next && new Date(next).toISOString(), new Date(found).toISOString());
    }),
    50,
  );
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
  assertInSlice(
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
    12,
  );
});
