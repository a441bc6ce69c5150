/**
 * Fake prices: a price path for any symbol, the same on every day it is asked, so that quotes, bars and changes agree.
 */

const DAY_MS = 86_400_000;

/** A day's prices. */
export interface FakeBar {
  readonly day: string;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** A number of at least 0 and below 1, by text. */
export function chance(text: string): number {
  let hash = 2_166_136_261;
  for (const sign of text) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}

export const toDayNumber = (day: string): number => Math.floor(Date.parse(`${day}T00:00:00Z`) / DAY_MS);
export const fromDayNumber = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);

/** Whether a day is one from Monday to Friday. */
export const isWeekday = (day: string): boolean => ![0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());

/** The last weekday up to a day. */
export function lastWeekday(day: string): string {
  let number = toDayNumber(day);
  while (!isWeekday(fromDayNumber(number))) number--;
  return fromDayNumber(number);
}

/** The prices of a day. */
export function barOf(symbol: string, day: string): FakeBar {
  const number = toDayNumber(day);
  const close = closeOf(symbol, number);
  const open = cents(close * (0.99 + 0.02 * chance(`${symbol}${day}o`)));
  return {
    day,
    open,
    high: cents(Math.max(open, close) * 1.01),
    low: cents(Math.min(open, close) * 0.99),
    close,
    volume: Math.round(1e6 + 9e6 * chance(`${symbol}${day}v`)) + 0.5,
  };
}

/** Bars of weekdays in a window, oldest first. */
export function barsOf(symbol: string, from: string, to: string): readonly FakeBar[] {
  const bars: FakeBar[] = [];
  for (let number = toDayNumber(from); number <= toDayNumber(to); number++) {
    const day = fromDayNumber(number);
    if (isWeekday(day)) bars.push(barOf(symbol, day));
  }
  return bars;
}

function closeOf(symbol: string, number: number): number {
  const base = 20 + 480 * chance(symbol);
  const wave = 0.2 * Math.sin(number / 40 + 10 * chance(`${symbol}w`));
  return cents(base * (1 + wave + 0.02 * chance(`${symbol}${number}`)));
}

export const cents = (price: number): number => Math.round(price * 100) / 100;
