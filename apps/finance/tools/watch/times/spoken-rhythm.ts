/**
 * Spoken rhythm: the words that say that something repeats, and how often: `every`, `daily`, `hàng tuần`, `every 15
 * minutes`, `2 giờ một lần`.
 */
import { isVietnamese, isPhrase, keyAt, type SaidTime, type Spoken } from "./spoken.ts";
import { partAt } from "./spoken-clock.ts";

/** How often: days come from other words. */
export type RhythmUnit = "minute" | "hour" | "day" | "week" | "month" | "quarter";

/** What repeats: `count` units; `every other` is 2. */
export type Rhythm = Readonly<{ unit: RhythmUnit; count: number }>;

const ADVERBS: ReadonlyMap<string, RhythmUnit> = new Map([
  ["hourly", "hour"],
  ["daily", "day"],
  ["everyday", "day"],
  ["nightly", "day"],
  ["weekly", "week"],
  ["monthly", "month"],
  ["quarterly", "quarter"],
]);
const ENGLISH_UNITS: ReadonlyMap<string, RhythmUnit> = new Map([
  ["minute", "minute"],
  ["min", "minute"],
  ["hour", "hour"],
  ["hr", "hour"],
  ["day", "day"],
  ["week", "week"],
  ["month", "month"],
  ["quarter", "quarter"],
]);
const VIETNAMESE_UNITS: readonly (readonly [marked: string, unit: RhythmUnit])[] = [
  ["phút", "minute"],
  ["giờ", "hour"],
  ["tiếng", "hour"],
  ["ngày", "day"],
  ["hôm", "day"],
  ["phiên", "day"],
  ["tuần", "week"],
  ["tháng", "month"],
  ["quý", "quarter"],
];
const COUNTS: ReadonlyMap<string, number> = new Map([
  ["other", 2],
  ["second", 2],
  ["single", 1],
  ["two", 2],
  ["three", 3],
  ["four", 4],
  ["five", 5],
  ["ten", 10],
  ["fifteen", 15],
  ["twenty", 20],
  ["thirty", 30],
]);

/** What the sentence says about repeating, in order; a rhythm without a unit is only the word "every". */
export function findRhythms(spoken: Spoken): readonly SaidTime<Rhythm | undefined>[] {
  const found: SaidTime<Rhythm | undefined>[] = [];
  for (let at = 0; at < spoken.words.length; at++) {
    const said = rhythmAt(spoken, at);
    if (said === undefined) continue;
    found.push(said);
    at = said.last - 1;
  }
  return found;
}

function rhythmAt(spoken: Spoken, at: number): SaidTime<Rhythm | undefined> | undefined {
  const adverb = ADVERBS.get(keyAt(spoken, at));
  if (adverb !== undefined) return { value: { unit: adverb, count: 1 }, first: at, last: at + 1 };
  return onceAt(spoken, at) ?? timesAt(spoken, at) ?? alwaysAt(spoken, at) ?? everyAt(spoken, at);
}

/** `once a week`. */
function onceAt(spoken: Spoken, at: number): SaidTime<Rhythm> | undefined {
  const unit =
    keyAt(spoken, at) === "once" && ["a", "an", "per", "every", "each"].includes(keyAt(spoken, at + 1))
      ? unitAt(spoken, at + 2)
      : undefined;
  return unit === undefined ? undefined : { value: { unit, count: 1 }, first: at, last: at + 3 };
}

/** `2 giờ một lần`. */
function timesAt(spoken: Spoken, at: number): SaidTime<Rhythm> | undefined {
  const count = toCount(keyAt(spoken, at));
  const unit = count === undefined ? undefined : unitAt(spoken, at + 1);
  const isTimes =
    isPhrase(spoken, at + 2, "một lần") || (keyAt(spoken, at + 2) === "1" && isVietnamese(spoken, at + 3, "lần"));
  return count === undefined || unit === undefined || !isTimes
    ? undefined
    : { value: { unit, count }, first: at, last: at + 4 };
}

/** `sáng nào cũng`, `ngày nào cũng`. */
function alwaysAt(spoken: Spoken, at: number): SaidTime<Rhythm | undefined> | undefined {
  if (!isPhrase(spoken, at, "nào cũng")) return undefined;
  const unit = unitAt(spoken, at - 1) ?? (partAt(spoken, at - 1) === undefined ? undefined : "day");
  return { value: unit === undefined ? undefined : { unit, count: 1 }, first: at, last: at + 2 };
}

/** `every day`, `each of`, `every 15 minutes`, `every half hour`, `mỗi ngày`, `hàng tuần`, `cứ 2 tiếng`. */
function everyAt(spoken: Spoken, at: number): SaidTime<Rhythm | undefined> | undefined {
  const isEvery = ["every", "each"].includes(keyAt(spoken, at));
  if (!isEvery && !["mỗi", "mọi", "hàng", "hằng", "cứ"].some((marked) => isVietnamese(spoken, at, marked)))
    return undefined;
  const start = isVietnamese(spoken, at, "cứ") && isVietnamese(spoken, at + 1, "mỗi") ? at + 1 : at;
  const next = start + 1;
  const isHalf = keyAt(spoken, next) === "half" || isVietnamese(spoken, next, "nửa");
  if (isHalf) {
    const skipped = ["an", "a"].includes(keyAt(spoken, next + 1)) ? 2 : 1;
    if (unitAt(spoken, next + skipped) === "hour")
      return { value: { unit: "minute", count: 30 }, first: at, last: next + skipped + 1 };
  }
  const count = toCount(keyAt(spoken, next));
  const unit = unitAt(spoken, count === undefined ? next : next + 1);
  if (unit !== undefined)
    return { value: { unit, count: count ?? 1 }, first: at, last: next + (count === undefined ? 1 : 2) };
  const isPart = partAt(spoken, next) !== undefined || isVietnamese(spoken, next, "buổi");
  if (isPart) return { value: { unit: "day", count: 1 }, first: at, last: next };
  return isEvery || leads(spoken, next) ? { value: undefined, first: at, last: next } : undefined;
}

/** Whether a word can stand after `mỗi`: without marks that is also "new", and `hàng` are goods. */
function leads(spoken: Spoken, at: number): boolean {
  const isDay = ["thứ", "chủ", "cuối", "đầu"].some((marked) => isVietnamese(spoken, at, marked));
  return isDay || /^t[2-7]$/.test(keyAt(spoken, at)) || keyAt(spoken, at).endsWith("day");
}

function toCount(key: string): number | undefined {
  return /^\d{1,3}$/.test(key) ? Number(key) : COUNTS.get(key);
}

function unitAt(spoken: Spoken, at: number): RhythmUnit | undefined {
  const key = keyAt(spoken, at);
  const english = ENGLISH_UNITS.get(key.endsWith("s") ? key.slice(0, -1) : key);
  return english ?? VIETNAMESE_UNITS.find(([marked]) => isVietnamese(spoken, at, marked))?.[1];
}
