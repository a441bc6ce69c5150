/**
 * Rules: when an alert fires. Pure: the alert, what was seen before and what is observed now decide.
 */
import { percentChange } from "../../shared/number.ts";
import { addDays } from "../../shared/calendar-day.ts";
import type { Alert, Seen } from "./alert.ts";
import { type Fired, toFiredText } from "./alert-text.ts";
import type { Observed, ObservedFiling } from "./observed.ts";

/** Result of a check: the state to remember, and the message if the alert fires. */
export type Checked = Readonly<
  { fires: false; seen: Seen | undefined } | { fires: true; text: string; fired: Fired; seen: Seen }
>;

/**
 * Looks at what is observed.
 *
 * - A level is crossed if the value was on the other side when it was last seen: nothing fires at first sight, and a
 *   jump across the level fires. A value that equals the level is not above it and not below it, so `above 150` fires on
 *   the way from 150 to 150.01, and `below 150` on the way from 150 to 149.99.
 * - A move in percent is reached at its value: exactly 5 % is a move of 5 %. Since the alert was set, a repeated alert
 *   measures its next move from where it fired. In a day, it fires at most once a day.
 * - A filing fires if it was not known. The day of a report fires once, within the days before it, at first sight too.
 * - What is stale, older than what was seen, in another currency or not a number changes nothing.
 */
export function toCheck(alert: Alert, seen: Seen | undefined, observed: Observed): Checked {
  if (!isUsable(alert, observed) || isOlder(observed, seen)) return { fires: false, seen };
  const { fired, next } = decide(alert, seen, observed);
  const now: Seen = { ...next, as_of: observed.as_of };
  if (fired === undefined) return { fires: false, seen: now };
  return { fires: true, text: toFiredText(alert, fired, observed), fired, seen: now };
}

/** Whether the condition of an alert holds at this moment, whatever was before. */
export function isMet(alert: Alert, observed: Observed): boolean {
  if (!isUsable(alert, observed)) return false;
  const { kind, value = Number.NaN } = alert;
  switch (observed.what) {
    case "price":
      if (kind === "percent_move") return alert.since === "day" && reaches(alert, observed.change_percent);
      if (kind === "price_crosses") return false;
      return sideOf(kind, observed.price, value) === (kind === "price_above" ? "above" : "below");
    case "rsi":
      return sideOf(kind, observed.rsi, value) === (kind === "rsi_above" ? "above" : "below");
    case "filings":
      return false;
    case "earnings":
      return isNear(alert, observed);
  }
}

type Decided = Readonly<{ fired?: Fired; next: Seen }>;

function decide(alert: Alert, before: Seen | undefined, observed: Observed): Decided {
  switch (observed.what) {
    case "price":
      if (alert.kind !== "percent_move") return toCrossing(alert, before, observed.price);
      return alert.since === "day" ? toDayMove(alert, before, observed) : toMove(alert, before, observed.price);
    case "rsi":
      return toCrossing(alert, before, observed.rsi);
    case "filings":
      return toNewFilings(before, observed.filings);
    case "earnings":
      return toReport(alert, before, observed);
  }
}

/** Returns the side of the level; an equal value is on neither side and counts as the one that does not fire. */
function sideOf(kind: Alert["kind"], value: number, level: number): "above" | "below" {
  const isAbove = kind === "price_below" || kind === "rsi_below" ? value >= level : value > level;
  return isAbove ? "above" : "below";
}

function toCrossing({ kind, value: level = Number.NaN }: Alert, before: Seen | undefined, value: number): Decided {
  const side = sideOf(kind, value, level);
  const wanted = kind === "price_above" || kind === "rsi_above" ? "above" : "below";
  const isCrossed = before?.side !== undefined && before.side !== side && (kind === "price_crosses" || side === wanted);
  return { next: { side }, ...(isCrossed && { fired: { value } }) };
}

function toMove(alert: Alert, before: Seen | undefined, price: number): Decided {
  const base = before?.base;
  if (base === undefined) return { next: { base: price } };
  const percent = percentChange(base, price);
  if (!reaches(alert, percent) || percent === undefined) return { next: { base } };
  return { next: { base: price }, fired: { value: price, percent, base } };
}

type Price = Extract<Observed, { what: "price" }>;

/** The move of a stock starts anew each day; that of a coin covers the last 24 hours, so it continues. */
function toDayMove(alert: Alert, before: Seen | undefined, observed: Price): Decided {
  const { change_percent: percent, price, as_of } = observed;
  const day = as_of.slice(0, 10);
  const isSameDay = alert.listing.type === "crypto" || before?.day === day;
  const wasReached = isSameDay && before?.reached === true;
  const isReached = reaches(alert, percent);
  const keeps = alert.listing.type !== "crypto" && wasReached;
  const next: Seen = { day, reached: isReached || keeps };
  const isNew = before?.day !== undefined && !wasReached && isReached && percent !== undefined;
  return { next, ...(isNew && { fired: { value: price, percent } }) };
}

function reaches({ value = Number.NaN, direction = "any" }: Alert, percent: number | undefined): boolean {
  if (percent === undefined) return false;
  if (direction === "up") return percent >= value;
  return direction === "down" ? -percent >= value : Math.abs(percent) >= value;
}

/** More are not remembered; what was filed before the oldest of them is known too. */
const MAX_ACCESSIONS = 200;

function toNewFilings(before: Seen | undefined, filings: readonly ObservedFiling[]): Decided {
  const known = new Set(before?.accessions);
  const since = before?.filed ?? "";
  const found = filings.filter(({ accession, filed }) => !known.has(accession) && filed >= since);
  const accessions = [...new Set([...filings.map(({ accession }) => accession), ...known])].slice(0, MAX_ACCESSIONS);
  const filed = filings.reduce((newest, filing) => (filing.filed > newest ? filing.filed : newest), since);
  const fires = before?.accessions !== undefined && found.length > 0;
  return { next: { accessions, filed }, ...(fires && { fired: { filings: found } }) };
}

type Report = Extract<Observed, { what: "earnings" }>;

function isNear({ days_before = 0 }: Alert, { next, today }: Report): boolean {
  return next !== undefined && next >= today && next <= addDays(today, days_before);
}

function toReport(alert: Alert, before: Seen | undefined, observed: Report): Decided {
  const { next: day } = observed;
  const told = before?.told;
  if (day === undefined || told === day || !isNear(alert, observed))
    return { next: { ...(told !== undefined && { told }) } };
  return { next: { told: day }, fired: { day } };
}

function isUsable({ listing }: Alert, observed: Observed): boolean {
  if (observed.is_stale || Number.isNaN(Date.parse(observed.as_of))) return false;
  if (observed.what === "price") {
    const isPrice = Number.isFinite(observed.price) && observed.price > 0;
    return isPrice && toMoney(observed.currency) === toMoney(listing.currency);
  }
  return observed.what !== "rsi" || (observed.rsi >= 0 && observed.rsi <= 100);
}

/** Coins of the dollar count as dollars: sources differ in which of them they price other coins. */
const DOLLARS: readonly string[] = ["USD", "USDT", "USDC", "FDUSD", "TUSD", "BUSD"];

const toMoney = (currency: string): string => (DOLLARS.includes(currency) ? "USD" : currency);

/** A source that stands in for another may have older values: they would seem to cross back. */
function isOlder({ as_of }: Observed, seen: Seen | undefined): boolean {
  return seen?.as_of !== undefined && Date.parse(as_of) < Date.parse(seen.as_of);
}
