/**
 * Row kind: which rows of a broker's table are not holdings: totals, cash, options, formulas.
 */
import { toNameKey } from "../../../market/directory/sectors.ts";
import { readTable, toNames } from "../../../market/tables.ts";

const WORDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  readTable("csv-words").map(([kind = "", words]) => [kind, new Set(toNames(words))]),
);

/** The words of a kind that stand in brokers' tables, folded. */
export const wordsOf = (kind: string): ReadonlySet<string> => WORDS.get(kind) ?? new Set();

/** Whether a label is that of a sum. */
export const isTotal = (label: string): boolean => wordsOf("totals").has(toNameKey(label));

const MONEY_FUND = /^[A-Z]{3}XX\*{0,2}$/;

function isCashLabel(label: string): boolean {
  const key = toNameKey(label);
  return (
    wordsOf("cash").has(key) ||
    wordsOf("currencies").has(key) ||
    key.startsWith("cash and ") ||
    key.startsWith("cash held")
  );
}

/** Labels of a row. */
export type Labels = Readonly<{ symbol: string; name: string; assetClass: string }>;

/** Whether a row is money: a stock whose ticker is CASH has a name of its own. */
export function isCash({ symbol, name, assetClass }: Labels): boolean {
  if (MONEY_FUND.test(symbol.trim().toUpperCase())) return true;
  const label = symbol === "" ? name : symbol;
  const isUnnamed = name === "" || symbol === "" || /^[-–—\s]*$/.test(name) || isCashLabel(name);
  const isClass = assetClass !== "" && wordsOf("cash").has(toNameKey(assetClass));
  return isClass || (isCashLabel(label) && isUnnamed);
}

/** Whether a cell is a formula of a spreadsheet: it is never computed. */
export function isFormula(cell: string): boolean {
  return /^[=@]/.test(cell) || /^[+-][A-Za-z(]/.test(cell);
}

/** A text that a spreadsheet protects from becoming a number: `="0050"`. */
export function unwrapText(cell: string): string {
  return cell.startsWith('="') && cell.endsWith('"') && cell.length > 3 ? cell.slice(2, -1) : cell;
}

const OPTION = /^-?[A-Z]{1,6} {0,6}\d{6}[CP]\d{1,8}(?:\.\d+)?$/;

/** Whether a row is an option, by its symbol, name or class. */
export function isOption({ symbol, name, assetClass }: Labels): boolean {
  if (OPTION.test(symbol.trim().toUpperCase())) return true;
  const words = toNameKey(`${symbol.slice(0, 100)} ${assetClass.slice(0, 100)}`).split(" ");
  const isDated = /\d{1,2}\/\d{1,2}\/\d{2,4}/.test(symbol.slice(0, 100)) || /\b(?:CALL|PUT)\b/.test(name.slice(0, 200));
  return words.some((word) => wordsOf("option").has(word)) || (isDated && /\d/.test(name.slice(0, 200)));
}

/** Returns the side of a trade; undefined if it is neither. */
export function toTrade(action: string): "buy" | "sell" | undefined {
  const words = toNameKey(action).split(" ");
  const has = (side: string) => words.some((word) => wordsOf(side).has(word));
  if (has("sell")) return "sell";
  return has("buy") ? "buy" : undefined;
}
