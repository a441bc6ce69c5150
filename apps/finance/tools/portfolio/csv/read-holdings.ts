/**
 * Read holdings: a pasted table of a broker, or plain lines such as `AAPL,10,150`, as rows that say what is held.
 *
 * Pure. It knows nothing of listings: which security a row means is decided later. Every line is a holding, cash,
 * skipped or refused, the last two with a reason.
 */
import { omitUndefined } from "@baton/core/util";
import { toSafeText } from "../../shared/untrusted.ts";
import { type Doubt, guessDecimal, isNumeric } from "./amount.ts";
import { type Column, type Field, regionOf, toColumns } from "./columns.ts";
import { type DayOrder, guessDayOrder } from "./day.ts";
import { plainRow } from "./plain-row.ts";
import { cleanText, type Delimiter, guessDelimiters, type Row, toRows } from "./records.ts";
import { type CashRow, type OtherRow, type TableReading, type ReadRow, type Style, toRowText } from "./reading.ts";
import { tableRow } from "./table-row.ts";

/** A table that was read. */
export interface ReadTable {
  readonly lines: number;
  readonly style: Style;
  readonly headerLine?: number;
  readonly rows: readonly ReadRow[];
  readonly cash: readonly CashRow[];
  readonly skipped: readonly OtherRow[];
  readonly refused: readonly OtherRow[];
  readonly warnings: readonly string[];
}

/** So many rows are looked at for a header. */
const HEADER_WITHIN = 60;

/** Reads a table in whatever way gives the most holdings. */
export function readHoldings(text: string): ReadTable {
  const clean = cleanText(text);
  const tables = guessDelimiters(clean).map((delimiter) => readAs(clean, delimiter));
  const withHeader = tables.filter(({ headerLine, rows }) => headerLine !== undefined && rows.length > 0);
  const best = (withHeader.length > 0 ? withHeader : tables).toSorted((a, b) => b.rows.length - a.rows.length)[0];
  return best ?? readAs(clean, "comma");
}

function readAs(text: string, delimiter: Delimiter): ReadTable {
  const all = withoutRulers(toRows(text, delimiter));
  const rows = openPositions(all) ?? all;
  const headerAt = rows.slice(0, HEADER_WITHIN).findIndex(({ cells }) => isHeader(cells));
  const header = rows[headerAt];
  const body = header === undefined ? rows : rows.slice(headerAt + 1);
  const { style, doubtful } = toStyle(header?.cells, body, delimiter);
  const before = header === undefined ? [] : rows.slice(0, headerAt).map((row) => toSkipped(row, "before the table"));
  const readings = header === undefined ? body.map((row) => plainRow(row, style)) : readBody(body, style);
  const sorted = sortReadings(readings);
  const sign = style.decimal === "point" ? "point" : "comma";
  return {
    lines: text.split("\n").length,
    style,
    ...omitUndefined({ headerLine: header?.line }),
    ...sorted,
    skipped: [...before, ...sorted.skipped],
    warnings: [
      ...(doubtful === undefined
        ? []
        : [`numbers such as ${toSafeText(doubtful, 30)} are read with a decimal ${sign}; say so if that is wrong`]),
      ...toPaidWarning(style.columns),
    ],
  };
}

function toPaidWarning(columns: ReadonlyMap<Field, Column> | undefined): readonly string[] {
  const cost = columns?.get("cost_each");
  const isPrice = cost !== undefined && cost.index === columns?.get("price")?.index;
  return isPrice ? [`the column “${toSafeText(cost.header, 40)}” is read as what one share cost`] : [];
}

/** The rows below a header; another header begins another table. */
function readBody(body: readonly Row[], style: Style): readonly TableReading[] {
  let current: Style | undefined = style;
  return body.map((row): TableReading => {
    if (isHeader(row.cells)) {
      const columns = toColumns(row.cells);
      // a list of trades below the holdings would count them twice
      const isTrades = columns?.has("action") === true && style.columns?.has("action") !== true;
      current = columns === undefined || isTrades ? undefined : { ...style, columns };
      return { kind: "skipped", other: toSkipped(row, isTrades ? "the header of a list of trades" : "a header") };
    }
    if (isOtherHeader(row.cells)) {
      current = undefined;
      return { kind: "skipped", other: toSkipped(row, "the header of another table") };
    }
    return current === undefined
      ? { kind: "skipped", other: toSkipped(row, "a row of another table") }
      : tableRow(row, current);
  });
}

function isHeader(cells: readonly string[]): boolean {
  return !cells.some(isNumeric) && toColumns(cells) !== undefined;
}

/** A row of many words without a number, such as the header of a list of trades below the holdings. */
function isOtherHeader(cells: readonly string[]): boolean {
  const words = cells.filter((cell) => cell !== "");
  return words.length >= 5 && words.every((cell) => /^[\p{L}]/u.test(cell) && !isNumeric(cell)) && hasTradeWords(words);
}

const hasTradeWords = (words: readonly string[]): boolean =>
  words.some((word) => /^(?:trade date|settlement date|transaction type)$/i.test(word.trim()));

function toStyle(header: readonly string[] | undefined, body: readonly Row[], delimiter: Delimiter) {
  const region = header === undefined ? undefined : regionOf(header);
  const doubt: Doubt =
    region === "vietnam" ? "groups" : delimiter === "semicolon" || region === "europe" ? "comma" : "point";
  const cells = body.flatMap((row) => row.cells);
  const { decimal, doubtful } = guessDecimal(cells, doubt);
  const usual: DayOrder = region !== undefined || decimal === "comma" ? "day" : "month";
  const columns = header === undefined ? undefined : toColumns(header);
  const style: Style = {
    decimal,
    dayOrder: guessDayOrder(cells, usual),
    delimiter,
    ...omitUndefined({ region, columns }),
  };
  return { style, ...omitUndefined({ doubtful }) };
}

/** Lines of a drawn table, such as `|---|---|`. */
const withoutRulers = (rows: readonly Row[]): readonly Row[] =>
  rows.filter(({ cells }) => !cells.every((cell) => /^[-:=+_ ]*$/.test(cell)));

const SECTION_ROWS: ReadonlySet<string> = new Set(["Header", "Data", "Total", "SubTotal", "Notes"]);

/** The positions of a statement whose rows begin with their section; undefined if it is not such a statement. */
function openPositions(rows: readonly Row[]): readonly Row[] | undefined {
  const marked = rows.filter(({ cells }) => SECTION_ROWS.has(cells[1] ?? ""));
  if (marked.length === 0 || marked.length * 2 < rows.length) return undefined;
  return marked
    .filter(({ cells }) => cells[0] === "Open Positions" && (cells[1] === "Header" || cells[1] === "Data"))
    .map(({ line, cells }) => ({ line, cells: cells.slice(2) }));
}

function sortReadings(readings: readonly TableReading[]) {
  return {
    rows: readings.flatMap((one) => (one.kind === "holding" ? [one.row] : [])),
    cash: readings.flatMap((one) => (one.kind === "cash" ? [one.cash] : [])),
    skipped: readings.flatMap((one) => (one.kind === "skipped" ? [one.other] : [])),
    refused: readings.flatMap((one) => (one.kind === "refused" ? [one.other] : [])),
  };
}

function toSkipped(row: Row, reason: string): OtherRow {
  return { line: row.line, text: toRowText(row), reason };
}
