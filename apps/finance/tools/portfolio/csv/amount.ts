/**
 * Amount: numbers as brokers and people write them: `$1,234.50`, `1.234,50`, `1 234,50`, `(123)`, `12.5 %`.
 *
 * Whether the point or the comma is the decimal sign is decided for a whole table, by the cells that leave no doubt.
 */
import { wordsOf } from "./row-kind.ts";
import { type Currency, toCurrency } from "../valuation/currency.ts";

/** The decimal sign of a table. */
export type Decimal = "point" | "comma";

/** Content of a cell. */
export type CsvAmount =
  | Readonly<{ kind: "number"; value: number; currency?: Currency }>
  | Readonly<{ kind: "empty" | "percent" | "text" }>;

/** No number is longer. */
const MAX_CHARS = 60;

interface Parts {
  readonly digits: string;
  readonly isNegative: boolean;
  readonly isPercent: boolean;
  readonly currency?: Currency;
}

/** The cell as a number in the table's style. */
export function toAmount(cell: string, decimal: Decimal): CsvAmount {
  const written = cell.trim().toLowerCase();
  if (written === "" || wordsOf("empty").has(written)) return { kind: "empty" };
  const parts = toParts(cell);
  if (parts === undefined) return { kind: "text" };
  if (parts.isPercent) return { kind: "percent" };
  const size = toSize(parts.digits, decimal);
  if (size === undefined) return { kind: "text" };
  const { currency } = parts;
  const value = parts.isNegative && size !== 0 ? -size : size;
  return { kind: "number", value, ...(currency === undefined ? {} : { currency }) };
}

/** Whether a cell is a number in some style. */
export function isNumeric(cell: string): boolean {
  const { digits } = toParts(cell) ?? {};
  return digits !== undefined && (toSize(digits, "point") ?? toSize(digits, "comma")) !== undefined;
}

/** Digits and separators of a cell, without its signs, currency and spaces. */
function toParts(cell: string): Parts | undefined {
  let rest = cell.trim();
  if (rest === "" || rest.length > MAX_CHARS) return undefined;
  const isBracketed = rest.startsWith("(") && rest.endsWith(")");
  if (isBracketed) rest = rest.slice(1, -1).trim();
  const first = toSigned(rest);
  const { text, currency } = withoutCurrency(first.text);
  const second = toSigned(text);
  rest = second.text;
  const isPercent = rest.endsWith("%");
  if (isPercent) rest = rest.slice(0, -1);
  const digits = rest.replaceAll(/[\s'’]/g, "");
  if (!/^[\d.,]+$/.test(digits) || !/\d/.test(digits)) return undefined;
  const isNegative = isBracketed || first.isNegative || second.isNegative;
  return { digits, isNegative, isPercent, ...(currency === undefined ? {} : { currency }) };
}

function toSigned(text: string): Readonly<{ text: string; isNegative: boolean }> {
  const sign = text.at(0) ?? "";
  if (sign === "-" || sign === "−") return { text: text.slice(1).trim(), isNegative: true };
  if (sign === "+") return { text: text.slice(1).trim(), isNegative: false };
  return { text, isNegative: false };
}

/** Without a sign or code of a currency before or after the number. */
function withoutCurrency(text: string): Readonly<{ text: string; currency?: Currency }> {
  let start = 0;
  while (start < text.length && !isNumberCharacter(text, start)) start++;
  let end = text.length;
  while (end > start && !isNumberCharacter(text, end - 1)) end--;
  const words = [text.slice(0, start), text.slice(end)].map((word) => word.replaceAll("%", "").trim());
  const percent = text.slice(end).includes("%") ? "%" : "";
  const number = `${text.slice(start, end).trim()}${percent}`;
  const named = words.filter((word) => word !== "" && word !== "$" && word !== "-" && word !== "−" && word !== "+");
  if (named.length === 0) return { text: words[0] === "-" || words[0] === "−" ? `-${number}` : number };
  const [word = ""] = named;
  const sign = word.startsWith("-") || word.startsWith("−") ? "-" : "";
  const currency = toCurrency(word.slice(sign.length).trim());
  return named.length === 1 && currency !== undefined ? { text: `${sign}${number}`, currency } : { text };
}

const isNumberCharacter = (text: string, at: number): boolean => "0123456789.,".includes(text[at] ?? " ");

/** The value of digits with separators; undefined if they are not where this style has them. */
function toSize(digits: string, decimal: Decimal): number | undefined {
  const [point, group] = decimal === "point" ? [".", ","] : [",", "."];
  const [whole = "", fraction, ...more] = digits.split(point);
  if (more.length > 0 || fraction?.includes(group) === true) return undefined;
  const groups = whole.split(group);
  const isGrouped = groups.slice(1).every((part) => part.length === 3) && (groups.length === 1 || isLead(groups[0]));
  if (!isGrouped) return undefined;
  const value = Number(`${groups.join("") || "0"}.${fraction === undefined || fraction === "" ? "0" : fraction}`);
  return Number.isFinite(value) ? value : undefined;
}

const isLead = (part = ""): boolean => part.length >= 1 && part.length <= 3;

/** Returns the decimal sign that a cell shows for its table; `group` if its one separator may be either. */
function styleOf(cell: string): Decimal | "point group" | "comma group" | undefined {
  const { digits } = toParts(cell) ?? {};
  if (digits === undefined || !/[.,]/.test(digits)) return undefined;
  const [asPoint, asComma] = [toSize(digits, "point"), toSize(digits, "comma")];
  if (asPoint === undefined && asComma === undefined) return undefined;
  if (asPoint === undefined) return "comma";
  if (asComma === undefined) return "point";
  const isZero = digits.startsWith("0");
  if (digits.includes(".")) return isZero ? "point" : "point group";
  return isZero ? "comma" : "comma group";
}

/** Reading of doubtful cells: as groups of three, or by one sign. */
export type Doubt = Decimal | "groups";

/** The decimal sign of a table, and a cell that could have been read in another way. */
export function guessDecimal(
  cells: readonly string[],
  doubt: Doubt,
): Readonly<{ decimal: Decimal; doubtful?: string }> {
  const styles = cells.map(styleOf);
  const count = (style: string) => styles.filter((one) => one === style).length;
  const [points, commas] = [count("point"), count("comma")];
  if (points !== commas) return { decimal: points > commas ? "point" : "comma" };
  const doubtful = cells.find((_, index) => styles[index]?.endsWith("group"));
  const grouped = count("point group") > count("comma group") ? "comma" : "point";
  const decimal = doubt === "groups" ? grouped : doubt;
  return { decimal, ...(doubtful === undefined ? {} : { doubtful }) };
}
