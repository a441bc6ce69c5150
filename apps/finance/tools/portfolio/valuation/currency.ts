/**
 * Currency: codes of currencies as people and brokers write them. Pence are hundredths of a pound.
 */
import { omitUndefined } from "@baton/core/util";

/** A code of ISO 4217 or of a stablecoin, and what an amount is multiplied with to be in it. */
export type Currency = Readonly<{ code: string; scale: number }>;

const SIGNS: ReadonlyMap<string, string> = new Map([
  ["€", "EUR"],
  ["£", "GBP"],
  ["¥", "JPY"],
  ["₫", "VND"],
  ["đ", "VND"],
  ["₩", "KRW"],
  ["₹", "INR"],
  ["US$", "USD"],
  ["VNĐ", "VND"],
  ["DONG", "VND"],
  ["ĐỒNG", "VND"],
  ["EURO", "EUR"],
]);

const CODES: ReadonlySet<string> = new Set([...Intl.supportedValuesOf("currency"), "USDT", "USDC", "FDUSD", "BUSD"]);

const PENCE: ReadonlySet<string> = new Set(["GBX", "GBp", "p", "pence"]);

/** The currency that a text names by code or sign; a bare `$` names none, for many countries have one. */
export function toCurrency(text: string): Currency | undefined {
  const written = text.trim();
  if (PENCE.has(written)) return { code: "GBP", scale: 0.01 };
  const code = SIGNS.get(written) ?? SIGNS.get(written.toUpperCase()) ?? written.toUpperCase();
  return CODES.has(code) ? { code, scale: 1 } : undefined;
}

/** A cost in a currency as it is kept. */
export function toKeptCost(
  cost: number | undefined,
  currency: Currency,
): Readonly<{ cost?: number; currency: string }> {
  const scaled = cost === undefined ? undefined : Number((cost * currency.scale).toPrecision(15));
  return { currency: currency.code, ...omitUndefined({ cost: scaled }) };
}

/** Below so much a share, a price in dong is usually one in thousand dong. */
export const LEAST_VND = 1_000;
