/**
 * Spoken clock: the times of day that a sentence names: `08:30`, `7pm`, `half past eight`, `9h30`, `7 giờ rưỡi tối`.
 *
 * A part of the day decides between morning and evening (`every evening at 8` is 20:00); without one, hours are those
 * of a clock with 24.
 */
import { areKeys, gapAfter, isPhrase, isVietnamese, keyAt, type SaidTime, type Spoken } from "./spoken.ts";

/** A time of day. */
export type ClockTime = Readonly<{ hour: number; minute: number }>;

export const DAY_PARTS = ["morning", "noon", "afternoon", "evening", "night"] as const;
export type DayPart = (typeof DAY_PARTS)[number];

/** When a part of the day is, if nothing else is said. */
export const PART_TIMES: Readonly<Record<DayPart, ClockTime>> = {
  morning: { hour: 8, minute: 0 },
  noon: { hour: 12, minute: 0 },
  afternoon: { hour: 15, minute: 0 },
  evening: { hour: 19, minute: 0 },
  night: { hour: 21, minute: 0 },
};

const VIETNAMESE_PARTS: readonly (readonly [marked: string, part: DayPart])[] = [
  ["sáng", "morning"],
  ["trưa", "noon"],
  ["chiều", "afternoon"],
  ["tối", "evening"],
  ["đêm", "night"],
];

/** Before these, a word without marks is a part of the day: `toi` alone is "I". */
const BEFORE_PARTS: readonly string[] = ["moi", "hang", "buoi", "gio", "h", "g", "cac", "ruoi", "phut"];

/** The part of the day that a word names. */
export function partAt(spoken: Spoken, at: number): DayPart | undefined {
  const key = keyAt(spoken, at);
  const english = DAY_PARTS.find((part) => key === part || key === `${part}s`);
  if (english !== undefined) return english;
  if (key === "midday") return "noon";
  if (key === "nightly") return "night";
  const found = VIETNAMESE_PARTS.find(([marked]) => isVietnamese(spoken, at, marked))?.[1];
  if (found === undefined || !spoken.isBare) return found;
  const before = keyAt(spoken, at - 1);
  const isLed = BEFORE_PARTS.includes(before) || /^\d{1,2}([hg]\d{0,2})?$/.test(before);
  const isFollowed = ["thu", "nao", "chu"].includes(keyAt(spoken, at + 1));
  return isLed || isFollowed ? found : undefined;
}

/**
 * Every time of day of a sentence in order, undefined for one that no clock shows (`25:00`); words for which `isFree` is
 * false belong to something else.
 */
export function findClocks(
  spoken: Spoken,
  isFree: (at: number) => boolean,
): readonly SaidTime<ClockTime | undefined>[] {
  const found: SaidTime<ClockTime | undefined>[] = [];
  const general = spoken.words.map((_, at) => partAt(spoken, at)).find((part) => part !== undefined);
  for (let at = 0; at < spoken.words.length; at++) {
    const bare = isFree(at) ? (bareClockAt(spoken, at) ?? listedHour(spoken, at, found.at(-1)?.last)) : undefined;
    if (bare === undefined) continue;
    const { value, last } = withPart(spoken, bare, general);
    found.push({ value, first: at, last });
    at = last - 1;
  }
  return found;
}

/** A time before it is known whether it is of the morning; `half` if that is said with it. */
type Bare = SaidTime<ClockTime & Readonly<{ half?: "am" | "pm" }>>;

function bareClockAt(spoken: Spoken, at: number): Bare | undefined {
  return namedTime(spoken, at) ?? pastTime(spoken, at) ?? digitalTime(spoken, at) ?? hourTime(spoken, at);
}

function namedTime(spoken: Spoken, at: number): Bare | undefined {
  if (keyAt(spoken, at) === "midnight") return { value: { hour: 0, minute: 0 }, first: at, last: at + 1 };
  if (isPhrase(spoken, at, "nửa đêm")) return { value: { hour: 0, minute: 0 }, first: at, last: at + 2 };
  return undefined;
}

/** `half past eight`, `quarter to nine`. */
function pastTime(spoken: Spoken, at: number): Bare | undefined {
  const minutes = new Map([
    ["half", 30],
    ["quarter", 15],
  ]).get(keyAt(spoken, at));
  const side = keyAt(spoken, at + 1);
  const hour = toHour(keyAt(spoken, at + 2));
  if (minutes === undefined || hour === undefined || (side !== "past" && side !== "to")) return undefined;
  const value = side === "past" ? { hour, minute: minutes } : { hour: (hour + 23) % 24, minute: 60 - minutes };
  return withHalf(spoken, { value, first: at, last: at + 3 });
}

/** `8:30`, `08:30am`; `8.30` after "at" or before "am". */
function digitalTime(spoken: Spoken, at: number): Bare | undefined {
  const gap = gapAfter(spoken, at);
  const [, digits = "", half] = /^(\d{2})(am|pm)?$/.exec(keyAt(spoken, at + 1)) ?? [];
  if (!/^\d{1,2}$/.test(keyAt(spoken, at)) || digits === "" || (gap !== ":" && gap !== ".")) return undefined;
  const value = { hour: Number(keyAt(spoken, at)), minute: Number(digits) };
  const said: Bare =
    half === "am" || half === "pm" ? toSaid({ ...value, half }, at, 2) : withHalf(spoken, toSaid(value, at, 2));
  return gap === ":" || said.value.half !== undefined || isLead(spoken, at - 1) ? said : undefined;
}

/** `8am`, `8 o'clock`, `at 8`, `9h30`, `9 giờ 30`, `9 giờ rưỡi`, `9 giờ kém 15`. */
function hourTime(spoken: Spoken, at: number): Bare | undefined {
  const key = keyAt(spoken, at);
  const [, short = "", minute = "0"] = /^(\d{1,2})[hg](\d{2})?p?$/.exec(key) ?? [];
  if (short !== "")
    return withMinutes(spoken, { value: { hour: Number(short), minute: Number(minute) }, first: at, last: at + 1 });
  const [, glued = "", half] = /^(\d{1,2})(am|pm)$/.exec(key) ?? [];
  if (half === "am" || half === "pm") return toSaid({ hour: Number(glued), minute: 0, half }, at, 1);
  const words = vietnameseHour(spoken, at);
  if (words !== undefined) return withMinutes(spoken, words);
  const hour = toHour(key);
  if (hour === undefined) return undefined;
  if (keyAt(spoken, at + 1) === "oclock") return withHalf(spoken, toSaid({ hour, minute: 0 }, at, 2));
  const spelt = ENGLISH_MINUTES.get(keyAt(spoken, at + 1));
  const said = withHalf(spoken, toSaid({ hour, minute: spelt ?? 0 }, at, spelt === undefined ? 1 : 2));
  const isLone = gapAfter(spoken, at) !== "/" && gapAfter(spoken, at) !== "%" && !/^\d/.test(keyAt(spoken, at + 1));
  const isNamed = partAt(spoken, said.last) !== undefined && /^\d+$/.test(key);
  return said.value.half !== undefined || isNamed || (isLead(spoken, at - 1) && isLone) ? said : undefined;
}

/** The 15 of `at 9 and 15`. */
function listedHour(spoken: Spoken, at: number, before: number | undefined): Bare | undefined {
  const link = keyAt(spoken, at - 1);
  const isJoined = at - 1 === before && (link === "and" || isVietnamese(spoken, at - 1, "và"));
  const isListed = isJoined || (at === before && gapAfter(spoken, at - 1).trim() === ",");
  const isLast = spoken.words[at + 1] === undefined || AFTER_HOURS.has(keyAt(spoken, at + 1));
  const isHour = isListed && isLast && /^\d{1,2}$/.test(keyAt(spoken, at)) && Number(keyAt(spoken, at)) < 24;
  return isHour ? toSaid({ hour: Number(keyAt(spoken, at)), minute: 0 }, at, 1) : undefined;
}

/** Words that may follow a list of hours. */
const AFTER_HOURS: ReadonlySet<string> = new Set("every each on and moi hang va in".split(" "));

const toSaid = <T>(value: T, first: number, count: number): SaidTime<T> => ({ value, first, last: first + count });

/** `9 giờ`, `chín giờ`, `9 h`. */
function vietnameseHour(spoken: Spoken, at: number): Bare | undefined {
  const isHour = (place: number) =>
    isVietnamese(spoken, place, "giờ") || keyAt(spoken, place) === "h" || keyAt(spoken, place) === "g";
  const two = VIETNAMESE_HOURS.get(`${keyAt(spoken, at)} ${keyAt(spoken, at + 1)}`);
  if (two !== undefined && isHour(at + 2)) return toSaid({ hour: two, minute: 0 }, at, 3);
  const one = toHour(keyAt(spoken, at)) ?? VIETNAMESE_HOURS.get(keyAt(spoken, at));
  return one !== undefined && isHour(at + 1) ? toSaid({ hour: one, minute: 0 }, at, 2) : undefined;
}

/** What comes after `9 giờ`. */
function withMinutes(spoken: Spoken, said: Bare): Bare {
  const { value, first, last } = said;
  if (value.minute !== 0) return said;
  if (isVietnamese(spoken, last, "rưỡi")) return { value: { ...value, minute: 30 }, first, last: last + 1 };
  const isLess = isVietnamese(spoken, last, "kém");
  const from = isLess ? last + 1 : last;
  const minute =
    /^\d{1,2}$/.test(keyAt(spoken, from)) && gapAfter(spoken, from - 1).trim() === ""
      ? Number(keyAt(spoken, from))
      : undefined;
  const isUnit = isVietnamese(spoken, from + 1, "phút");
  if (minute === undefined || (!isUnit && !isLess && keyAt(spoken, from).length !== 2)) return said;
  const end = isUnit ? from + 2 : from + 1;
  if (!isLess) return { value: { ...value, minute }, first, last: end };
  return { value: { hour: (value.hour + 23) % 24, minute: (60 - minute) % 60 }, first, last: end };
}

/** `am`, `pm`, `a.m.` behind a time. */
function withHalf(spoken: Spoken, said: Bare): Bare {
  const { value, first, last } = said;
  for (const half of ["am", "pm"] as const) {
    if (keyAt(spoken, last) === half) return { value: { ...value, half }, first, last: last + 1 };
    if (areKeys(spoken, last, half.split("").join(" "))) return { value: { ...value, half }, first, last: last + 2 };
  }
  return said;
}

type Placed = Readonly<{ value: ClockTime | undefined; last: number }>;

/** The time on a clock with 24 hours; undefined if there is no such time. */
function withPart(spoken: Spoken, { value, last }: Bare, general: DayPart | undefined): Placed {
  const { hour, minute, half } = value;
  const isSplit = areKeys(spoken, last, "in the") || areKeys(spoken, last, "at the");
  const isOne = keyAt(spoken, last) === "at" || isVietnamese(spoken, last, "buổi");
  const skipped = isSplit ? 2 : isOne ? 1 : 0;
  const own = partAt(spoken, last + skipped);
  const end = own === undefined ? last : last + skipped + 1;
  if (minute > 59 || hour > 23 || (half !== undefined && (hour > 12 || hour === 0)))
    return { value: undefined, last: end };
  if (half !== undefined) return { value: { hour: (hour % 12) + (half === "pm" ? 12 : 0), minute }, last: end };
  return { value: { hour: toHourOf(hour, own ?? general), minute }, last: end };
}

function toHourOf(hour: number, part: DayPart | undefined): number {
  if (hour === 0 || hour > 12) return hour;
  switch (part) {
    case "morning":
      return hour % 12;
    case "noon":
      return hour <= 4 ? hour + 12 : hour;
    case "afternoon":
      return (hour % 12) + 12;
    case "evening":
      return hour === 12 ? 0 : hour + 12;
    case "night":
      return hour === 12 ? 0 : hour < 6 ? hour : hour + 12;
    case undefined:
      return hour;
  }
}

/** Words before an hour that has no other sign of being one. */
function isLead(spoken: Spoken, at: number): boolean {
  const isEnglish = ["at", "around", "about", "by"].includes(keyAt(spoken, at));
  return isEnglish || isVietnamese(spoken, at, "lúc");
}

const ENGLISH_HOURS: ReadonlyMap<string, number> = new Map(
  "one two three four five six seven eight nine ten eleven twelve".split(" ").map((word, at) => [word, at + 1]),
);
const ENGLISH_MINUTES: ReadonlyMap<string, number> = new Map([
  ["fifteen", 15],
  ["thirty", 30],
]);
const VIETNAMESE_HOURS: ReadonlyMap<string, number> = new Map(
  "mot,hai,ba,bon,nam,sau,bay,tam,chin,muoi,muoi mot,muoi hai".split(",").map((word, at) => [word, at + 1]),
);

function toHour(key: string): number | undefined {
  return /^\d{1,2}$/.test(key) ? Number(key) : ENGLISH_HOURS.get(key);
}
