/**
 * Columns: what the columns of a broker's table mean, by the words of its header in English, Vietnamese, German and
 * French.
 *
 * Of all phrases in a header the longest decides. Percentages, gains and changes are not holdings and are ignored.
 */
import { z } from "zod";
import { toNameKey } from "../../../market/directory/sectors.ts";
import { readTable, toNames } from "../../../market/tables.ts";
import { wordsOf } from "./row-kind.ts";
import { type Currency, toCurrency } from "../valuation/currency.ts";

const FIELD = z.enum([
  "symbol",
  "isin",
  "name",
  "quantity",
  "available",
  "cost_each",
  "cost_total",
  "cost",
  "price",
  "value",
  "currency",
  "account",
  "account_number",
  "bought_on",
  "type",
  "asset_class",
  "exchange",
  "action",
  "level",
  "ignored",
]);
/** Meaning of a column. */
export type Field = z.infer<typeof FIELD>;

const FIELD_OF: ReadonlyMap<string, Field> = new Map(
  readTable("csv-columns").flatMap(([field, phrases]) =>
    toNames(phrases).map((phrase) => [phrase, FIELD.parse(field)] as const),
  ),
);
const MAX_WORDS = 5;

/** Returns the field that a header means; undefined if nothing in it is known. */
function fieldOf(header: string): Readonly<{ field: Field; size: number }> | undefined {
  if (header.includes("%") || header.length > 80) return { field: "ignored", size: 99 };
  const words = toNameKey(header.replaceAll(/([a-z])([A-Z])/g, "$1 $2")).split(" ");
  let best: { readonly field: Field; readonly size: number } | undefined;
  words.forEach((_, start) => {
    for (let count = 1; count <= MAX_WORDS && start + count <= words.length; count++) {
      const phrase = words.slice(start, start + count).join(" ");
      const field = FIELD_OF.get(phrase);
      const isBetter = field === "ignored" ? phrase.length >= (best?.size ?? 0) : phrase.length > (best?.size ?? 0);
      if (field !== undefined && isBetter) best = { field, size: phrase.length };
    }
  });
  return best;
}

/** A column that is used. */
export interface Column {
  readonly index: number;
  readonly header: string;
  readonly field: Field;
}

/** The columns of a header, at most one a field; undefined if it is not the header of holdings. */
export function toColumns(cells: readonly string[]): ReadonlyMap<Field, Column> | undefined {
  const found = cells.map((header, index) => ({ header, index, ...(header === "" ? undefined : fieldOf(header)) }));
  const columns = new Map<Field, Column>();
  for (const { header, index, field, size = 0 } of found.toSorted(
    (a, b) => (b.size ?? 0) - (a.size ?? 0) || a.index - b.index,
  )) {
    if (field !== undefined && field !== "ignored" && size > 0 && !columns.has(field))
      columns.set(field, { index, header, field });
  }
  const available = columns.get("available");
  if (available !== undefined && !columns.has("quantity")) columns.set("quantity", available);
  const isNamed = columns.has("symbol") || columns.has("name") || columns.has("isin");
  return isNamed && columns.has("quantity") ? withPaidPrice(columns) : undefined;
}

/** A price beside no other amount of money is what was paid. */
function withPaidPrice(columns: Map<Field, Column>): ReadonlyMap<Field, Column> {
  const price = columns.get("price");
  const hasMoney = (["cost_each", "cost_total", "cost", "value"] as const).some((field) => columns.has(field));
  if (price !== undefined && !hasMoney) columns.set("cost_each", { ...price, field: "cost_each" });
  return columns;
}

/** Where a header is from, by its words; it decides what doubtful numbers and dates mean. */
export function regionOf(cells: readonly string[]): "vietnam" | "europe" | undefined {
  const words = cells.flatMap((cell) => toNameKey(cell).split(" "));
  const count = (known: ReadonlySet<string>) => words.filter((word) => known.has(word)).length;
  if (count(wordsOf("vietnam")) >= 2) return "vietnam";
  return count(wordsOf("europe")) >= 1 ? "europe" : undefined;
}

/** The currency and scale that a header names, as `Giá vốn (nghìn đồng)` does. */
export function unitOf(header: string): Readonly<{ currency?: Currency; scale: number }> {
  const words = toNameKey(header).split(" ");
  const codes = words.filter((word) => wordsOf("currencies").has(word));
  const [code] = words.includes("dong") ? [...codes, "VND"] : codes;
  const sign = ["€", "£", "₫"].find((one) => header.includes(one));
  const currency = toCurrency(code ?? sign ?? "");
  const scale = words.some((word) => wordsOf("thousands").has(word)) ? 1_000 : 1;
  return { scale, ...(currency === undefined ? {} : { currency }) };
}
