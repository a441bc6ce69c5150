/**
 * Plain row: a line without a header, such as `AAPL,10,150`: a symbol or name, then how many, then what one cost.
 */
import { omitUndefined } from "@baton/core/util";
import { type Currency, toCurrency } from "../valuation/currency.ts";
import { exact, MAX_AMOUNT } from "../holding.ts";
import { toAmount } from "./amount.ts";
import { toDayText } from "./day.ts";
import { type TableReading, refuse, skip, type Style, toQuantity, toRowText } from "./reading.ts";
import type { Row } from "./records.ts";
import { isCash, isFormula, isOption, isTotal, unwrapText, wordsOf } from "./row-kind.ts";

interface Parts {
  readonly words: readonly string[];
  readonly amounts: readonly Readonly<{ value: number; currency?: Currency }>[];
  readonly day?: string;
  readonly currency?: Currency;
}

/** Reads a line of a table without a header. */
export function plainRow({ line, cells }: Row, table: Style): TableReading {
  const filled = cells.filter((cell) => cell !== "");
  const isOneCell = filled.length === 1 && table.delimiter !== "space";
  const style: Style = isOneCell ? { ...table, delimiter: "space" } : table;
  return readPlain({ line, cells: isOneCell ? (filled[0] ?? "").split(/\s+/) : cells }, style);
}

function readPlain(row: Row, style: Style): TableReading {
  const { words, amounts, day, currency } = toParts(row, style);
  const [symbol = "", name = ""] = words;
  if (isTotal(symbol)) return skip(row, "a total");
  const [quantity, cost] = amounts;
  if (isCash({ symbol, name, assetClass: "" }) && symbol !== "") return toCash(row, quantity, currency);
  if (quantity === undefined) {
    return row.cells.filter((cell) => cell !== "").length > 1 && style.delimiter !== "space"
      ? refuse(row, "it has no quantity")
      : skip(row, "a line of text");
  }
  if (symbol === "") return refuse(row, "it has no symbol and no name");
  if (isFormula(symbol)) return refuse(row, "its symbol is a formula, which is never computed");
  if (isOption({ symbol, name, assetClass: "" }))
    return refuse(row, "it is an option; only stocks, funds and coins are kept");
  const held = toQuantity({ kind: "number", value: quantity.value }, { text: "", isSale: false });
  if ("reason" in held) return held.isZero ? skip(row, held.reason) : refuse(row, held.reason);
  if (cost !== undefined && (cost.value < 0 || cost.value > MAX_AMOUNT)) return refuse(row, "its cost is not possible");
  return {
    kind: "holding",
    row: {
      line: row.line,
      text: toRowText(row),
      symbol,
      ...omitUndefined({ name: name || undefined }),
      quantity: held.value,
      ...omitUndefined({
        cost: cost === undefined ? undefined : exact(cost.value),
        currency: cost?.currency ?? currency,
      }),
      ...omitUndefined({ bought_on: day }),
    },
  };
}

function toCash(row: Row, amount: Parts["amounts"][number] | undefined, currency: Currency | undefined): TableReading {
  const paid = amount?.currency ?? currency;
  const text = toRowText(row);
  return {
    kind: "cash",
    cash: { line: row.line, text, ...omitUndefined({ amount: amount?.value, currency: paid?.code }) },
  };
}

function toParts({ cells }: Row, { decimal, dayOrder, delimiter }: Style): Parts {
  const words: string[] = [];
  const amounts: { value: number; currency?: Currency }[] = [];
  let day: string | undefined;
  let currency: Currency | undefined;
  for (const cell of cells.map(unwrapText)) {
    if (cell === "" || wordsOf("filler").has(cell.toLowerCase())) continue;
    const date = toDayText(cell, dayOrder);
    const amount = toAmount(cell, decimal);
    if (date !== undefined) day ??= date;
    else if (amount.kind === "number") amounts.push(amount);
    else if (amount.kind === "percent" || amount.kind === "empty") continue;
    else if (words.length > 0 && amounts.length > 0 && toCurrency(cell) !== undefined) currency ??= toCurrency(cell);
    else words.push(cell);
  }
  // a name of several words is one name
  const joined = delimiter === "space" && words.length > 1 ? [words.join(" ")] : words;
  return { words: joined, amounts, ...omitUndefined({ day, currency }) };
}
