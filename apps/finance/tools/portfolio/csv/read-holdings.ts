/**
 * Read holdings: a pasted table of a broker, or plain lines such as `AAPL,10,150`, as rows that say what is held.
 *
 * Pure. It knows nothing of listings: which security a row means is decided later. Every line is a holding, refused with
 * a reason, or skipped because it is not about a holding.
 */
import { omitUndefined } from "@baton/core/util";
import { toNameKey } from "../../../market/directory/sectors.ts";
import { toSafeText } from "../../shared/untrusted.ts";
import { exact, MAX_AMOUNT } from "../holding.ts";
import { type Currency, toCurrency } from "../valuation/currency.ts";
import { type Decimal, guessDecimal, isNumeric, toAmount } from "./amount.ts";
import { type Columns, type Field, regionOf, toColumns, unitOf, wordsOf } from "./header.ts";
import { cleanText, guessDelimiters, type Row, toRows } from "./records.ts";

/** A row that says what is held. */
export interface ReadRow {
  readonly line: number;
  /** The row as text, safe to show. */
  readonly text: string;
  readonly symbol: string;
  readonly name: string;
  readonly quantity: number;
  /** Of one share, in `currency`. */
  readonly cost?: number;
  readonly currency?: Currency;
  readonly account: string;
  readonly exchange: string;
  readonly bought_on?: string;
}

/** A row that is not read as a holding. */
export type OtherRow = Readonly<{ line: number; text: string; reason: string }>;

/** A table that was read. */
export interface ReadTable {
  readonly lines: number;
  readonly region: "vietnam" | "europe" | undefined;
  readonly hasHeader: boolean;
  readonly rows: readonly ReadRow[];
  readonly refused: readonly OtherRow[];
  readonly skipped: readonly OtherRow[];
  readonly warnings: readonly string[];
}

interface Style {
  readonly delimiter: string;
  readonly decimal: Decimal;
  readonly isDayFirst: boolean;
  readonly columns: Columns | undefined;
}

/** So many rows are looked at for a header. */
const HEADER_WITHIN = 60;
const MAX_TEXT = 120;

/** Reads a table in whatever way gives the most holdings. */
export function readHoldings(text: string): ReadTable {
  const clean = cleanText(text);
  const tables = guessDelimiters(clean).map((delimiter) => readAs(clean, delimiter));
  const withHeader = tables.filter(({ hasHeader, rows }) => hasHeader && rows.length > 0);
  const [best] = (withHeader.length > 0 ? withHeader : tables).toSorted((a, b) => b.rows.length - a.rows.length);
  return best ?? readAs(clean, ",");
}

function readAs(text: string, delimiter: string): ReadTable {
  const all = toRows(text, delimiter);
  const headerAt = all.slice(0, HEADER_WITHIN).findIndex(({ cells }) => isHeader(cells));
  const header = all[headerAt]?.cells;
  const below = all.slice(headerAt + 1);
  const next = header === undefined ? -1 : below.findIndex(({ cells }) => isHeader(cells));
  const rows = next === -1 ? below : below.slice(0, next);
  const region = header === undefined ? undefined : regionOf(header);
  const doubt = region === "vietnam" ? "groups" : delimiter === ";" || region === "europe" ? "comma" : "point";
  const cells = rows.flatMap((row) => row.cells);
  const { decimal, doubtful } = guessDecimal(cells, doubt);
  const columns = header === undefined ? undefined : toColumns(header);
  const style: Style = {
    delimiter,
    decimal,
    columns,
    isDayFirst: isDayFirst(cells, region, decimal),
  };
  const others = [...all.slice(0, Math.max(0, headerAt)), ...(next === -1 ? [] : below.slice(next))];
  const outside = others.map((row) => toOther(row, "not a row of the table"));
  const read = rows.map((row) =>
    readRow(row, columns === undefined ? plainCells(row, style) : tableCells(row, columns), style),
  );
  const paid = columns?.get("cost_each");
  const isPrice = paid !== undefined && paid === columns?.get("price");
  return {
    lines: text.split("\n").length,
    region,
    hasHeader: columns !== undefined,
    rows: read.flatMap((one) => ("quantity" in one ? [one] : [])),
    refused: read.flatMap((one) => ("isRefused" in one ? [one.isRefused] : [])),
    skipped: [...outside, ...read.flatMap((one) => ("isSkipped" in one ? [one.isSkipped] : []))],
    warnings: [
      ...(doubtful === undefined
        ? []
        : [`numbers such as ${toSafeText(doubtful, 30)} are read with a decimal ${decimal}; say so if that is wrong`]),
      ...(isPrice ? [`the column “${toSafeText(paid.header, 40)}” is read as what one share cost`] : []),
    ],
  };
}

const isHeader = (cells: readonly string[]): boolean => !cells.some(isNumeric) && toColumns(cells) !== undefined;

const toOther = ({ line, cells }: Row, reason: string): OtherRow => ({
  line,
  text: toSafeText(cells.filter((cell) => cell !== "").join(" · "), MAX_TEXT),
  reason,
});

/** A text that a spreadsheet protects from becoming a number: `="0050"`. */
const unwrap = (cell: string): string =>
  cell.startsWith('="') && cell.endsWith('"') && cell.length > 3 ? cell.slice(2, -1) : cell;

type Cells = ReadonlyMap<Field, string>;

const tableCells = ({ cells }: Row, columns: Columns): Cells =>
  new Map([...columns].map(([field, { index }]) => [field, unwrap(cells[index] ?? "")]));

/** The cells of a line without a header: a symbol or name, then how many, then what one cost. */
function plainCells({ cells }: Row, style: Style): Cells {
  const parts = cells.filter((cell) => cell !== "");
  const pieces = (parts.length === 1 ? (parts[0] ?? "").split(/\s+/) : parts).map(unwrap);
  const [amounts, words]: [string[], string[]] = [[], []];
  const found = new Map<Field, string>();
  for (const piece of pieces) {
    if (wordsOf("filler").has(piece.toLowerCase())) continue;
    if (toDay(piece, style) !== undefined) found.set("bought_on", piece);
    else if (toAmount(piece, style.decimal) !== undefined) amounts.push(piece);
    else if (amounts.length > 0 && toCurrency(piece) !== undefined) found.set("currency", piece);
    else if (!isNumeric(piece)) words.push(piece);
  }
  const isName = pieces !== parts && pieces.length > 1 && parts.length === 1;
  const [symbol = "", name = ""] = isName ? [words.join(" ")] : words;
  found
    .set("symbol", symbol)
    .set("name", name)
    .set("quantity", amounts[0] ?? "");
  return found.set("cost_each", amounts[1] ?? "");
}

type Reading = ReadRow | Readonly<{ isRefused: OtherRow }> | Readonly<{ isSkipped: OtherRow }>;

/** Reads one row: the checks in the order in which a reader would make them. */
function readRow(row: Row, cells: Cells, style: Style): Reading {
  const of = (field: Field): string => cells.get(field) ?? "";
  const refuse = (reason: string): Reading => ({ isRefused: toOther(row, reason) });
  const skip = (reason: string): Reading => ({ isSkipped: toOther(row, reason) });
  const filled = row.cells.filter((cell) => cell !== "");
  const symbol = ISIN.test(of("symbol")) ? "" : of("symbol");
  const label = symbol || of("name");
  if ([label, filled[0] ?? ""].some((text) => wordsOf("totals").has(toNameKey(text)))) return skip("a total");
  if (isCash(symbol, of("name"), of("asset_class"))) return refuse("it is cash, which is not kept");
  const isAlone = filled.length === 1 || style.delimiter === " ";
  const isText = style.columns === undefined ? isAlone && of("quantity") === "" : filled.length === 1;
  if (isText) return skip("a line of text");
  if (of("action") !== "") return refuse("it is a trade; paste the list of positions instead");
  if (label === "") return refuse("it has no symbol and no name");
  if (/^[=@]|^[+-][A-Za-z(]/.test(label)) return refuse("its symbol is a formula, which is never computed");
  if (isOption(symbol, of("name"), of("asset_class")))
    return refuse("it is an option; only stocks, funds and coins are kept");
  const quantity = toAmount(of("quantity"), style.decimal)?.value;
  if (quantity === undefined)
    return refuse(of("quantity") === "" ? "it has no quantity" : notNumber("quantity", of("quantity")));
  if (quantity === 0) return skip("its quantity is 0");
  if (quantity < 0) return refuse("it is a short position; only long positions are kept");
  const paid = toCost(of, quantity, style);
  if ("reason" in paid) return refuse(paid.reason);
  if (Math.max(quantity, paid.cost ?? 0) > MAX_AMOUNT) return refuse(`an amount is above ${MAX_AMOUNT}`);
  const { line, text } = toOther(row, "");
  const where = {
    account: of("account"),
    exchange: of("exchange"),
    ...omitUndefined({ bought_on: toDay(of("bought_on"), style) }),
  };
  return { line, text, symbol, name: of("name"), quantity: exact(quantity), ...paid, ...where };
}

const ISIN = /^[A-Z]{2}[A-Z0-9]{9}\d$/;
const notNumber = (what: string, cell: string): string => `its ${what} “${toSafeText(cell, 40)}” is not a number`;

type Paid = Readonly<{ cost?: number; currency?: Currency }> | Readonly<{ reason: string }>;

/** Reads the cost of one share: as the table has it, else from the cost of all. */
function toCost(of: (field: Field) => string, quantity: number, { decimal, columns }: Style): Paid {
  const named = toCurrency(of("currency"));
  if (of("currency") !== "" && named === undefined)
    return { reason: `its currency “${toSafeText(of("currency"), 20)}” is not known` };
  const isWritten = (field: Field) => !wordsOf("empty").has(of(field).toLowerCase()) && of(field) !== "";
  const field = (["cost_each", "cost_total"] as const).find(isWritten);
  if (field === undefined) return omitUndefined({ currency: named });
  const amount = toAmount(of(field), decimal);
  if (amount === undefined) return { reason: notNumber("cost", of(field)) };
  if (amount.value < 0) return { reason: "its cost is below 0" };
  const unit = unitOf(columns?.get(field)?.header ?? "");
  const each = (field === "cost_total" ? amount.value / quantity : amount.value) * unit.scale;
  return { cost: exact(each), ...omitUndefined({ currency: amount.currency ?? named ?? unit.currency }) };
}

const DATE = /^(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})(?:[ T,].{0,30})?$/;

/** The day that a cell holds; undefined if it holds none. */
function toDay(cell: string, { isDayFirst: isFirst }: Pick<Style, "isDayFirst">): string | undefined {
  const [, a = "", b = "", c = ""] = DATE.exec(cell.trim().slice(0, 50)) ?? [];
  if (a.length !== 4 && c.length !== 4) return undefined;
  const [year, month, day] = a.length === 4 ? [a, b, c] : isFirst || cell.includes(".") ? [c, b, a] : [c, a, b];
  const iso = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const time = Date.parse(`${iso}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== iso ? undefined : iso;
}

/** Whether `03/04/2024` is in April: a cell above 12 shows it, else it is as usual. */
function isDayFirst(cells: readonly string[], region: ReadTable["region"], decimal: Decimal): boolean {
  const shown = cells.flatMap((cell) => {
    const [, a = "", b = ""] = DATE.exec(cell.trim().slice(0, 50)) ?? [];
    return a.length <= 2 && (Number(a) > 12 || Number(b) > 12) ? [Number(a) > 12] : [];
  });
  return shown[0] ?? (region !== undefined || decimal === "comma");
}

/** Whether a row is money: a stock whose ticker is CASH has a name of its own. */
function isCash(symbol: string, name: string, assetClass: string): boolean {
  const isMoney = (text: string) => {
    const key = toNameKey(text);
    return wordsOf("cash").has(key) || wordsOf("currencies").has(key) || key.startsWith("cash and ");
  };
  if (/^[A-Z]{3}XX\*{0,2}$/.test(symbol.toUpperCase()) || isMoney(assetClass)) return true;
  const isUnnamed = symbol === "" || /^[-–—\s]*$/.test(name) || isMoney(name);
  return isMoney(symbol || name) && isUnnamed;
}

const OPTION = /^-?[A-Z]{1,6} {0,6}\d{6}[CP]\d{1,8}(?:\.\d+)?$/;

/** Whether a row is an option, by its symbol or class. */
function isOption(symbol: string, name: string, assetClass: string): boolean {
  const words = toNameKey(`${symbol.slice(0, 100)} ${assetClass.slice(0, 100)}`).split(" ");
  const isDated = /\d{1,2}\/\d{1,2}\/\d{2,4}/.test(symbol.slice(0, 100)) || /\b(?:CALL|PUT)\b/.test(name.slice(0, 200));
  const isNamed = words.some((word) => wordsOf("option").has(word));
  return OPTION.test(symbol.trim().toUpperCase()) || isNamed || (isDated && /\d/.test(name.slice(0, 200)));
}
