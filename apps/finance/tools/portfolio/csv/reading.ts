/**
 * Reading: what one line of a pasted table is: a holding, cash, skipped or refused, the last two with a reason.
 */
import { toSafeText } from "../../shared/untrusted.ts";
import type { Currency } from "../valuation/currency.ts";
import { exact, MAX_AMOUNT } from "../holding.ts";
import type { CsvAmount, Decimal } from "./amount.ts";
import type { Column, Field } from "./columns.ts";
import type { DayOrder } from "./day.ts";
import type { Delimiter, Row } from "./records.ts";

/** A row that says what is held. */
export interface ReadRow {
  readonly line: number;
  /** The row as text, safe to show. */
  readonly text: string;
  readonly symbol?: string;
  readonly isin?: string;
  readonly name?: string;
  readonly quantity: number;
  /** Of one share, in `currency`. */
  readonly cost?: number;
  readonly currency?: Currency;
  readonly account?: string;
  readonly bought_on?: string;
  readonly exchange?: string;
  readonly isSale?: boolean;
}

/** A row that is not read as a holding. */
export type OtherRow = Readonly<{ line: number; text: string; reason: string }>;
export type CashRow = Readonly<{ line: number; text: string; amount?: number; currency?: string }>;

/** Reading of one line. */
export type TableReading =
  | Readonly<{ kind: "holding"; row: ReadRow }>
  | Readonly<{ kind: "cash"; cash: CashRow }>
  | Readonly<{ kind: "skipped" | "refused"; other: OtherRow }>;

/** Style of the numbers and dates of a table, and its region. */
export interface Style {
  readonly decimal: Decimal;
  readonly dayOrder: DayOrder;
  readonly region?: "vietnam" | "europe";
  readonly columns?: ReadonlyMap<Field, Column>;
  readonly delimiter: Delimiter;
}

/** So much of a line is shown. */
const MAX_TEXT = 120;

/** A row as text for people. */
export function toRowText({ cells }: Row): string {
  return toSafeText(cells.filter((cell) => cell !== "").join(" · "), MAX_TEXT);
}

type Quantity = Readonly<{ value: number }> | Readonly<{ reason: string; isZero: boolean }>;

/** A quantity that can be held, or why it is not valid. */
export function toQuantity(amount: CsvAmount, { text, isSale }: Readonly<{ text: string; isSale: boolean }>): Quantity {
  if (amount.kind === "empty") return { reason: "it has no quantity", isZero: false };
  if (amount.kind !== "number")
    return { reason: `its quantity “${toSafeText(text, 40)}” is not a number`, isZero: false };
  const value = isSale ? Math.abs(amount.value) : amount.value;
  if (value === 0) return { reason: "its quantity is 0", isZero: true };
  if (value < 0) return { reason: "it is a short position; only long positions are kept", isZero: false };
  if (value > MAX_AMOUNT) return { reason: `its quantity is above ${MAX_AMOUNT}`, isZero: false };
  return { value: exact(value) };
}

/** A row that is not a holding and need not be one. */
export function skip(row: Row, reason: string): TableReading {
  return { kind: "skipped", other: { line: row.line, text: toRowText(row), reason } };
}

/** A row that should have been a holding. */
export function refuse(row: Row, reason: string): TableReading {
  return { kind: "refused", other: { line: row.line, text: toRowText(row), reason } };
}
