/**
 * Header: what the columns of a broker's table mean, by the words of its header in English, Vietnamese, German and
 * French (`tables/csv-columns.tsv`). Of all phrases in a header the longest decides.
 */
import { z } from "zod";
import { toNameKey } from "../../../market/directory/sectors.ts";
import { readTable, toNames } from "../../../market/tables.ts";
import { type Currency, toCurrency } from "../valuation/currency.ts";

const FIELD = z.enum([
  ...(["symbol", "name", "quantity", "available", "cost_each", "cost_total", "price", "value"] as const),
  ...(["currency", "account", "bought_on", "asset_class", "exchange", "action", "ignored"] as const),
]);
/** Meaning of a column. */
export type Field = z.infer<typeof FIELD>;

/** A column that is used. */
export type Column = Readonly<{ index: number; header: string }>;
export type Columns = ReadonlyMap<Field, Column>;

const FIELD_OF: ReadonlyMap<string, Field> = new Map(
  readTable("csv-columns").flatMap(([field, phrases]) =>
    toNames(phrases).map((phrase) => [phrase, FIELD.parse(field)] as const),
  ),
);
const WORDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  readTable("csv-words").map(([kind = "", words]) => [kind, new Set(toNames(words))]),
);
const MAX_WORDS = 5;
const MAX_HEADER = 80;

/** The words of a kind that stand in brokers' tables, folded. */
export const wordsOf = (kind: string): ReadonlySet<string> => WORDS.get(kind) ?? new Set();

/** The field that a header means, and how many characters say so. */
function fieldOf(header: string): Readonly<{ field: Field; size: number }> {
  let best: Readonly<{ field: Field; size: number }> = { field: "ignored", size: 0 };
  if (header.includes("%") || header.length > MAX_HEADER) return best;
  const words = toNameKey(header.replaceAll(/([a-z])([A-Z])/g, "$1 $2")).split(" ");
  words.forEach((_, start) => {
    for (let count = 1; count <= MAX_WORDS && start + count <= words.length; count++) {
      const phrase = words.slice(start, start + count).join(" ");
      const field = FIELD_OF.get(phrase);
      const least = field === "ignored" ? best.size : best.size + 1;
      if (field !== undefined && phrase.length >= least) best = { field, size: phrase.length };
    }
  });
  return best;
}

/** The columns of a header, at most one a field; undefined if it is not the header of holdings. */
export function toColumns(cells: readonly string[]): Columns | undefined {
  const found = cells.map((header, index) => ({ header, index, ...fieldOf(header) }));
  const columns = new Map<Field, Column>();
  for (const { field, header, index } of found.toSorted((a, b) => b.size - a.size || a.index - b.index))
    if (field !== "ignored" && !columns.has(field)) columns.set(field, { index, header });
  const [available, price] = [columns.get("available"), columns.get("price")];
  if (available !== undefined && !columns.has("quantity")) columns.set("quantity", available);
  // A price beside no other amount of money is what was paid.
  const hasMoney = (["cost_each", "cost_total", "value"] as const).some((field) => columns.has(field));
  if (price !== undefined && !hasMoney) columns.set("cost_each", price);
  return (columns.has("symbol") || columns.has("name")) && columns.has("quantity") ? columns : undefined;
}

/** Where a header is from, by its words; it decides what doubtful numbers and dates mean. */
export function regionOf(cells: readonly string[]): "vietnam" | "europe" | undefined {
  const words = cells.flatMap((cell) => toNameKey(cell).split(" "));
  const count = (kind: string) => words.filter((word) => wordsOf(kind).has(word)).length;
  if (count("vietnam") >= 2) return "vietnam";
  return count("europe") >= 1 ? "europe" : undefined;
}

/** The currency and scale that a header names, as `Giá vốn (nghìn đồng)` does. */
export function unitOf(header: string): Readonly<{ currency: Currency | undefined; scale: number }> {
  const words = toNameKey(header).split(" ");
  const code = words.find((word) => wordsOf("currencies").has(word)) ?? (words.includes("dong") ? "VND" : undefined);
  const sign = ["€", "£", "₫"].find((one) => header.includes(one));
  return {
    currency: toCurrency(code ?? sign ?? ""),
    scale: words.some((word) => wordsOf("thousands").has(word)) ? 1_000 : 1,
  };
}
