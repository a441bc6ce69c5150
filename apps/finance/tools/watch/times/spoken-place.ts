/**
 * Spoken place: the time zone that a sentence names, and the hours of a market it speaks of: `New York time`,
 * `giờ Việt Nam`, `after the close`, `trước giờ mở cửa`.
 */
import { areKeys, isPhrase, isVietnamese, keyAt, type SaidTime, type Spoken } from "./spoken.ts";
import type { ClockTime } from "./spoken-clock.ts";
import { isTimeZone } from "../../shared/time-zone.ts";

const NEW_YORK = "America/New_York";
const VIETNAM = "Asia/Ho_Chi_Minh";

/** Names as people say them, folded; longer ones first. */
const ZONES: readonly (readonly [name: string, zone: string])[] = [
  ["ho chi minh", VIETNAM],
  ["viet nam", VIETNAM],
  ["vietnam", VIETNAM],
  ["ha noi", VIETNAM],
  ["hanoi", VIETNAM],
  ["sai gon", VIETNAM],
  ["saigon", VIETNAM],
  ["vn", VIETNAM],
  ["new york", NEW_YORK],
  ["us eastern", NEW_YORK],
  ["eastern", NEW_YORK],
  ["wall street", NEW_YORK],
  ["ny", NEW_YORK],
  ["us", NEW_YORK],
  ["my", NEW_YORK],
  ["chicago", "America/Chicago"],
  ["pacific", "America/Los_Angeles"],
  ["california", "America/Los_Angeles"],
  ["london", "Europe/London"],
  ["uk", "Europe/London"],
  ["paris", "Europe/Paris"],
  ["berlin", "Europe/Berlin"],
  ["tokyo", "Asia/Tokyo"],
  ["japan", "Asia/Tokyo"],
  ["nhat ban", "Asia/Tokyo"],
  ["singapore", "Asia/Singapore"],
  ["hong kong", "Asia/Hong_Kong"],
  ["sydney", "Australia/Sydney"],
  ["utc", "UTC"],
  ["gmt", "UTC"],
];
/** Letters that mean a zone without a further word. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ["utc", "UTC"],
  ["gmt", "UTC"],
  ["est", NEW_YORK],
  ["edt", NEW_YORK],
  ["pst", "America/Los_Angeles"],
  ["pdt", "America/Los_Angeles"],
  ["ict", VIETNAM],
]);

/** The time zone that a sentence names. */
export function findZone(spoken: Spoken): SaidTime<string> | undefined {
  for (let at = 0; at < spoken.words.length; at++) {
    const found = writtenZone(spoken, at) ?? namedZone(spoken, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `Asia/Ho_Chi_Minh`: as many words as the name has. */
function writtenZone({ text, words }: Spoken, at: number): SaidTime<string> | undefined {
  const start = words[at]?.start;
  if (start === undefined || !/^[A-Z]/.test(text.slice(start, start + 1))) return undefined;
  for (let last = Math.min(words.length, at + 6); last > at + 1; last--) {
    const name = text.slice(start, words[last - 1]?.end);
    if (name.includes("/") && !name.includes(" ") && isTimeZone(name)) return { value: name, first: at, last };
  }
  return undefined;
}

function namedZone(spoken: Spoken, at: number): SaidTime<string> | undefined {
  const letters = LETTERS.get(keyAt(spoken, at));
  if (letters !== undefined)
    return { value: letters, first: at, last: at + (keyAt(spoken, at + 1) === "time" ? 2 : 1) };
  const isHour = isVietnamese(spoken, at, "giờ");
  const start = isHour ? at + 1 : at;
  const found = ZONES.find(([name]) => areKeys(spoken, start, name));
  if (found === undefined || (found[0] === "my" && !isHour)) return undefined;
  const last = start + found[0].split(" ").length;
  if (isHour) return { value: found[1], first: /^\d/.test(keyAt(spoken, at - 1)) ? start : at, last };
  return keyAt(spoken, last) === "time" ? { value: found[1], first: at, last: last + 1 } : undefined;
}

/** Hours of a market that a sentence speaks of, in the market's own zone. */
export interface MarketTime {
  readonly timeZone: string;
  /** Absent for `during market hours`. */
  readonly clock?: ClockTime;
  /** The full hours at which the market is open. */
  readonly hours: string;
  /** `after every close`. */
  readonly repeats: boolean;
}

type Moment = "before open" | "at open" | "at close" | "after close";

const HOURS: Readonly<Record<string, Readonly<{ hours: string } & Record<Moment, ClockTime>>>> = {
  [NEW_YORK]: {
    hours: "10-16",
    "before open": { hour: 9, minute: 0 },
    "at open": { hour: 9, minute: 30 },
    "at close": { hour: 16, minute: 0 },
    "after close": { hour: 16, minute: 15 },
  },
  [VIETNAM]: {
    hours: "9-14",
    "before open": { hour: 8, minute: 45 },
    "at open": { hour: 9, minute: 0 },
    "at close": { hour: 15, minute: 0 },
    "after close": { hour: 15, minute: 15 },
  },
};

const SIDES: readonly (readonly [word: string, side: "before" | "at" | "after" | "during"])[] = [
  ["before", "before"],
  ["after", "after"],
  ["following", "after"],
  ["at", "at"],
  ["during", "during"],
  ["while", "during"],
  ["trước", "before"],
  ["sau", "after"],
  ["lúc", "at"],
  ["trong", "during"],
  ["khi", "during"],
];
const FILLERS: ReadonlySet<string> = new Set(
  (
    "the each every us american my vietnamese vietnam viet nam vn hose market markets stock stocks is wall street trading " +
    "session khi gio phien thi truong chung khoan moi regular monday tuesday wednesday thursday friday us"
  ).split(" "),
);
const OPENINGS: readonly string[] = ["open", "opens", "opening"];
const CLOSINGS: readonly string[] = ["close", "closes", "closing", "closed", "bell"];
const MAX_FILLERS = 7;

/** The hours of a market that a sentence speaks of. */
export function findMarketTime(spoken: Spoken): SaidTime<MarketTime> | undefined {
  for (let at = 0; at < spoken.words.length; at++) {
    const side = SIDES.find(
      ([word]) => (/^\p{ASCII}+$/u.test(word) && keyAt(spoken, at) === word) || isVietnamese(spoken, at, word),
    )?.[1];
    const target = side === undefined ? undefined : targetAfter(spoken, at + 1);
    if (side === undefined || target === undefined) continue;
    const keys = spoken.words.slice(at, target.last).map(({ key }) => key);
    const timeZone = isOfVietnam(spoken, keys) ? VIETNAM : NEW_YORK;
    const table = HOURS[timeZone];
    const moment = toMoment(side, target.value);
    if (table === undefined || (side !== "during" && moment === undefined)) continue;
    const clock = moment === undefined ? {} : { clock: table[moment] };
    const repeats = keys.some((key) => ["each", "every", "moi"].includes(key));
    return { value: { timeZone, hours: table.hours, repeats, ...clock }, first: at, last: target.last };
  }
  return undefined;
}

/** A Vietnamese sentence that names no market means the one at home. */
function isOfVietnam({ language }: Spoken, keys: readonly string[]): boolean {
  if (keys.some((key) => ["us", "american", "my", "wall"].includes(key))) return false;
  return language === "vi" || keys.some((key) => ["vietnam", "vietnamese", "vn", "hose", "viet"].includes(key));
}

type Target = "open" | "close" | "session";

function targetAfter(spoken: Spoken, from: number): SaidTime<Target> | undefined {
  for (let at = from; at < from + MAX_FILLERS; at++) {
    const key = keyAt(spoken, at);
    if (OPENINGS.includes(key))
      return { value: "open", first: at, last: at + (keyAt(spoken, at + 1) === "bell" ? 2 : 1) };
    if (CLOSINGS.includes(key))
      return { value: "close", first: at, last: at + (keyAt(spoken, at + 1) === "bell" ? 2 : 1) };
    if (key === "hours" && at > from) return { value: "session", first: at, last: at + 1 };
    if (isPhrase(spoken, at, "mở cửa")) return { value: "open", first: at, last: at + 2 };
    if (isPhrase(spoken, at, "đóng cửa")) return { value: "close", first: at, last: at + 2 };
    if (isPhrase(spoken, at, "giờ giao dịch")) return { value: "session", first: at, last: at + 3 };
    if (isVietnamese(spoken, at, "phiên") && !isPhrase(spoken, at + 1, "giao dịch"))
      return { value: "session", first: at, last: at + 1 };
    if (!FILLERS.has(key)) return undefined;
  }
  return undefined;
}

function toMoment(side: "before" | "at" | "after" | "during", target: Target): Moment | undefined {
  if (side === "during") return undefined;
  if (side === "before") return target === "close" ? undefined : "before open";
  if (side === "after") return target === "open" ? undefined : "after close";
  return target === "open" ? "at open" : target === "close" ? "at close" : undefined;
}
