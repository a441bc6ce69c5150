/**
 * Table row: one row below a header, by the columns that the header names.
 */
import { omitUndefined } from "@baton/core/util";
import { toSafeText } from "../../shared/untrusted.ts";
import { type Currency, toCurrency } from "../valuation/currency.ts";
import { exact, MAX_AMOUNT } from "../holding.ts";
import { toAmount } from "./amount.ts";
import { type Field, unitOf } from "./columns.ts";
import { toDayText } from "./day.ts";
import { type TableReading, refuse, skip, type Style, toQuantity, toRowText } from "./reading.ts";
import type { Row } from "./records.ts";
import { isCash, isFormula, isOption, isTotal, type Labels, toTrade, unwrapText } from "./row-kind.ts";

/** A row with its style, and access to its cells by field. */
type Cells = Readonly<{ row: Row; style: Style; of: (field: Field) => string }>;

/** Reads a row of a table with a header. */
export function tableRow(row: Row, style: Style): TableReading {
  const of = (field: Field): string => unwrapText(row.cells[style.columns?.get(field)?.index ?? -1] ?? "");
  const cells = { row, style, of };
  const filled = row.cells.filter((cell) => cell !== "");
  const [first = ""] = filled;
  const labels = { symbol: of("symbol"), name: of("name"), assetClass: of("asset_class") };
  const label = labels.symbol || labels.name || of("isin");
  if (isTotal(label) || isTotal(first)) return skip(row, "a total");
  if (isCash(labels)) return toCash(cells);
  if (filled.length === 1) return skip(row, "a line of text");
  if (/^lot$/i.test(of("level"))) return skip(row, "a lot of the row before");
  const action = of("action");
  if (action !== "" && toTrade(action) === undefined) {
    return skip(row, `“${toSafeText(action, 40)}” is neither a purchase nor a sale`);
  }
  if (label === "") return refuse(row, "it has no symbol and no name");
  if (isFormula(label)) return refuse(row, "its symbol is a formula, which is never computed");
  if (isOption(labels)) return refuse(row, "it is an option; only stocks, funds and coins are kept");
  return toHolding(cells, labels);
}

function toCash({ row, style, of }: Cells): TableReading {
  const amounts = [of("value"), of("quantity"), ...row.cells.toReversed()].map((cell) => toAmount(cell, style.decimal));
  const found = amounts.find((amount) => amount.kind === "number");
  const named = [of("currency"), ...row.cells].map(toCurrency).find((one) => one !== undefined);
  const currency = found?.currency ?? named;
  const amount = found === undefined ? undefined : exact(found.value * (currency?.scale ?? 1));
  const cash = { line: row.line, text: toRowText(row), ...omitUndefined({ amount, currency: currency?.code }) };
  return { kind: "cash", cash };
}

function toHolding(cells: Cells, labels: Labels): TableReading {
  const { row, style, of } = cells;
  const trade = toTrade(of("action")) ?? "buy";
  const quantity = toQuantity(toAmount(of("quantity"), style.decimal), {
    text: of("quantity"),
    isSale: trade === "sell",
  });
  if ("reason" in quantity) return quantity.isZero ? skip(row, quantity.reason) : refuse(row, quantity.reason);
  const paid = toCost(cells, quantity.value);
  if ("reason" in paid) return refuse(row, paid.reason);
  const isin = of("isin") || (ISIN.test(labels.symbol) ? labels.symbol : "");
  const symbol = isin === labels.symbol ? "" : labels.symbol;
  return {
    kind: "holding",
    row: {
      line: row.line,
      text: toRowText(row),
      quantity: quantity.value,
      ...paid,
      ...omitUndefined({ symbol: symbol || undefined, isin: isin || undefined, name: labels.name || undefined }),
      ...omitUndefined({ account: toAccount(cells), exchange: of("exchange") || undefined }),
      ...omitUndefined({ bought_on: toDayText(of("bought_on"), style.dayOrder) }),
      ...(trade === "sell" ? { isSale: true } : {}),
    },
  };
}

const ISIN = /^[A-Z]{2}[A-Z0-9]{9}\d$/;

type Paid = Readonly<{ cost?: number; currency?: Currency }> | Readonly<{ reason: string }>;

/** Reads the cost of one share: as the table has it, else from the cost of all. */
function toCost({ style, of }: Cells, quantity: number): Paid {
  const written = of("currency");
  const named = written === "" ? undefined : toCurrency(written);
  if (written !== "" && named === undefined)
    return { reason: `its currency “${toSafeText(written, 20)}” is not known` };
  for (const field of ["cost_each", "cost", "cost_total"] as const) {
    const amount = toAmount(of(field), style.decimal);
    if (amount.kind === "empty") continue;
    if (amount.kind !== "number") return { reason: `its cost “${toSafeText(of(field), 40)}” is not a number` };
    if (amount.value < 0) return { reason: "its cost is below 0" };
    const unit = unitOf(style.columns?.get(field)?.header ?? "");
    const each = (field === "cost_total" ? amount.value / quantity : amount.value) * unit.scale;
    if (each > MAX_AMOUNT) return { reason: `its cost is above ${MAX_AMOUNT}` };
    return { cost: exact(each), ...omitUndefined({ currency: amount.currency ?? named ?? unit.currency }) };
  }
  return omitUndefined({ currency: named });
}

const SHOWN_DIGITS = 4;

/** The account by its name and the last digits of its number. */
function toAccount({ of }: Cells): string | undefined {
  const [name, number] = [of("account"), of("account_number")];
  const isLong = number.length > SHOWN_DIGITS;
  const short = isLong ? `…${number.slice(-SHOWN_DIGITS)}` : number;
  return [name, short].filter((part) => part !== "").join(" ") || undefined;
}
