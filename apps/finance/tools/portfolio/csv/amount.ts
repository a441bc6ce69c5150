/**
 * Amount: numbers as brokers and people write them: `$1,234.50`, `1.234,50`, `1 234,50`, `(123)`, `12.5 %`.
 *
 * Whether the point or the comma is the decimal sign is decided for a whole table, by the cells that leave no doubt.
 */
import { type Currency, toCurrency } from "../valuation/currency.ts";

/** The decimal sign of a table. */
export type Decimal = "point" | "comma";

/** No number is longer. */
const MAX_CHARS = 60;
const AMOUNT = /^(\(?)([-−+]?) ?([^\d.,\s%()+−-]{0,4}) ?([-−+]?)([\d.,\s'’]*\d[\d.,]*) ?([^\d.,\s()]{0,4})\)?$/u;

interface Parts {
  readonly digits: string;
  readonly isNegative: boolean;
  readonly isPercent: boolean;
  readonly currency?: Currency;
}

/** A number in the table's style and the currency beside it; undefined if the cell is no number. */
export function toAmount(cell: string, decimal: Decimal): Readonly<{ value: number; currency?: Currency }> | undefined {
  const { digits, isNegative, isPercent, currency } = toParts(cell) ?? { digits: "", isPercent: true };
  const size = isPercent ? undefined : toSize(digits, decimal);
  if (size === undefined) return undefined;
  return { value: isNegative === true && size !== 0 ? -size : size, ...(currency === undefined ? {} : { currency }) };
}

/** Whether a cell is a number in some style. */
export function isNumeric(cell: string): boolean {
  const { digits } = toParts(cell) ?? {};
  return digits !== undefined && (toSize(digits, "point") ?? toSize(digits, "comma")) !== undefined;
}

function toParts(cell: string): Parts | undefined {
  const written = cell.trim();
  if (written === "" || written.length > MAX_CHARS) return undefined;
  const [, bracket, sign = "", before = "", inner = "", digits = "", after = ""] = AMOUNT.exec(written) ?? [];
  if (digits === "") return undefined;
  const unit = [before, after].filter((word) => word !== "" && word !== "$" && word !== "%");
  const currency = toCurrency(unit[0] ?? "");
  if (unit.length > 1 || (unit.length === 1 && currency === undefined)) return undefined;
  return {
    digits: digits.replaceAll(/[\s'’]/g, ""),
    isNegative: bracket === "(" || /[-−]/.test(sign + inner),
    isPercent: after === "%",
    ...(currency === undefined ? {} : { currency }),
  };
}

/** The value of digits with separators; undefined if they are not where this style has them. */
function toSize(digits: string, decimal: Decimal): number | undefined {
  const [point, group] = decimal === "point" ? [".", ","] : [",", "."];
  const [whole = "", fraction = "", ...more] = digits.split(point);
  const [lead = "", ...groups] = whole.split(group);
  const isGrouped = groups.length === 0 || (/^\d{1,3}$/.test(lead) && groups.every((part) => part.length === 3));
  if (more.length > 0 || fraction.includes(group) || !isGrouped) return undefined;
  const value = Number(`${lead}${groups.join("")}.${fraction}0`);
  return Number.isFinite(value) ? value : undefined;
}

/** Returns the decimal sign that a cell shows; with `group`, its one separator may also be that of thousands. */
function styleOf(cell: string): Decimal | "point group" | "comma group" | undefined {
  const { digits = "" } = toParts(cell) ?? {};
  if (!/[.,]/.test(digits)) return undefined;
  const [asPoint, asComma] = [toSize(digits, "point"), toSize(digits, "comma")];
  if (asPoint === undefined || asComma === undefined)
    return asPoint === asComma ? undefined : asPoint === undefined ? "comma" : "point";
  const sign = digits.includes(".") ? "point" : "comma";
  return digits.startsWith("0") ? sign : `${sign} group`;
}

/** The decimal sign of a table, and a cell that could have been read in another way. */
export function guessDecimal(
  cells: readonly string[],
  doubt: Decimal | "groups",
): Readonly<{ decimal: Decimal; doubtful?: string }> {
  const styles = cells.map(styleOf);
  const count = (style: string) => styles.filter((one) => one === style).length;
  const [points, commas] = [count("point"), count("comma")];
  if (points !== commas) return { decimal: points > commas ? "point" : "comma" };
  const doubtful = cells.find((_, index) => styles[index]?.endsWith("group"));
  const grouped = count("point group") > count("comma group") ? "comma" : "point";
  return { decimal: doubt === "groups" ? grouped : doubt, ...(doubtful === undefined ? {} : { doubtful }) };
}
