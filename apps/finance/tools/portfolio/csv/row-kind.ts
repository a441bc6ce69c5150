/**
 * Row kind: which rows of a broker's table are not holdings: totals, cash, options, formulas.
 */
import { toNameKey } from "../../../market/directory/sectors.ts";

const TOTALS: ReadonlySet<string> = new Set(
  (
    "total, totals, grand total, account total, sub total, subtotal, portfolio total, total value, total account value, " +
    "total portfolio, total positions, positions total, overall total, sum, tong, tong cong, tong so, tong tai san, " +
    "cong, gesamt, summe, gesamtsumme, zwischensumme, total general, sous total, totaux"
  ).split(", "),
);

/** Whether a label is that of a sum. */
export const isTotal = (label: string): boolean => TOTALS.has(toNameKey(label));

const CASH: ReadonlySet<string> = new Set(
  (
    "cash, cash and cash investments, cash and cash equivalents, cash balance, available cash, uninvested cash, " +
    "free cash, settled cash, pending activity, core, settlement fund, money market, held in money market, sweep, " +
    "cash and sweep, cash and money market, tien, tien mat, so du tien, tien gui, tien ban cho ve, so du tien mat, bargeld, guthaben, " +
    "verrechnungskonto, liquiditat, liquidites, especes, solde especes, us dollar, dollar, dollars, u s dollar, euro, " +
    "currency, forex, cash equivalent, cash equivalents, money market fund"
  ).split(", "),
);
const CODES: ReadonlySet<string> = new Set(
  "USD EUR GBP VND JPY CHF CAD AUD HKD SGD CNY KRW INR SEK NOK DKK NZD".toLowerCase().split(" "),
);
const MONEY_FUND = /^[A-Z]{3}XX\*{0,2}$/;

function isCashLabel(label: string): boolean {
  const key = toNameKey(label);
  return CASH.has(key) || CODES.has(key) || key.startsWith("cash and ") || key.startsWith("cash held");
}

/** Labels of a row. */
export type Labels = Readonly<{ symbol: string; name: string; assetClass: string }>;

/** Whether a row is money: a stock whose ticker is CASH has a name of its own. */
export function isCash({ symbol, name, assetClass }: Labels): boolean {
  if (MONEY_FUND.test(symbol.trim().toUpperCase())) return true;
  const label = symbol === "" ? name : symbol;
  const isUnnamed = name === "" || symbol === "" || /^[-–—\s]*$/.test(name) || isCashLabel(name);
  const isClass = assetClass !== "" && CASH.has(toNameKey(assetClass));
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
const OPTION_WORDS: ReadonlySet<string> = new Set(["call", "put", "calls", "puts", "option", "options", "warrant"]);

/** Whether a row is an option, by its symbol, name or class. */
export function isOption({ symbol, name, assetClass }: Labels): boolean {
  if (OPTION.test(symbol.trim().toUpperCase())) return true;
  const words = toNameKey(`${symbol.slice(0, 100)} ${assetClass.slice(0, 100)}`).split(" ");
  const isDated = /\d{1,2}\/\d{1,2}\/\d{2,4}/.test(symbol.slice(0, 100)) || /\b(?:CALL|PUT)\b/.test(name.slice(0, 200));
  return words.some((word) => OPTION_WORDS.has(word)) || (isDated && /\d/.test(name.slice(0, 200)));
}

/** Returns the side of a trade; undefined if it is neither. */
export function toTrade(action: string): "buy" | "sell" | undefined {
  const words = toNameKey(action).split(" ");
  const has = (...known: readonly string[]) => words.some((word) => known.includes(word));
  if (has("sell", "sold", "ban", "verkauf", "vente", "sale")) return "sell";
  return has("buy", "bought", "mua", "kauf", "achat", "purchase", "reinvestment") ? "buy" : undefined;
}
