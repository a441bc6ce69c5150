/**
 * Day: dates as brokers write them, as YYYY-MM-DD.
 */

/** The part that comes first in `03/04/2024`. */
export type DayOrder = "day" | "month";

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const NUMBERS = /^(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})(?:[ T,].{0,30})?$/;
const NAMED = /^(?:(\d{1,2})[ -])?([A-Za-z]{3,9})\.?[ -](?:(\d{1,2}),? )?(\d{4})$/;

/** The day that a cell holds; undefined if it holds none. */
export function toDayText(cell: string, order: DayOrder): string | undefined {
  const text = cell.trim();
  if (text.length > 50) return undefined;
  const [, a, b, c] = NUMBERS.exec(text) ?? [];
  if (a !== undefined && b !== undefined && c !== undefined) return ofNumbers([a, b, c], text, order);
  const [, before, name = "", after, year] = NAMED.exec(text) ?? [];
  const month = MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
  const day = before ?? after;
  return month === 0 || day === undefined ? undefined : toIso(Number(year), month, Number(day));
}

function ofNumbers([a, b, c]: readonly [string, string, string], text: string, order: DayOrder): string | undefined {
  if (a.length === 4) return toIso(Number(a), Number(b), Number(c));
  if (c.length !== 4 && c.length !== 2) return undefined;
  const year = c.length === 2 ? 2_000 + Number(c) : Number(c);
  const isDayFirst = text.includes(".") || order === "day";
  return isDayFirst ? toIso(year, Number(b), Number(a)) : toIso(year, Number(a), Number(b));
}

function toIso(year: number, month: number, day: number): string | undefined {
  if (year < 1900 || year > 2100 || month < 1 || month > 12 || day < 1) return undefined;
  const iso = new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
  return Number(iso.slice(8)) === day ? iso : undefined;
}

/** Guesses the order of a table: a cell above 12 shows it, else it is the usual one. */
export function guessDayOrder(cells: readonly string[], usual: DayOrder): DayOrder {
  for (const cell of cells) {
    const [, a = "", b = "", c = ""] = NUMBERS.exec(cell.trim().slice(0, 50)) ?? [];
    if (a.length > 2 || c === "") continue;
    if (Number(a) > 12) return "day";
    if (Number(b) > 12) return "month";
  }
  return usual;
}
