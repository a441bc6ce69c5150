/**
 * Currency: the code of a currency from its code, its sign or its name in English or Vietnamese, and how its amounts
 * are rounded.
 */
import { toFolded } from "./folded.ts";

/** A code of ISO 4217, its name in English, and how many of its units an amount that was given is counted in. */
export type Currency = Readonly<{ code: string; name: string; scale: number }>;

/** Names beside those that the platform knows, folded. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["$", "USD"],
  ["us$", "USD"],
  ["dollar", "USD"],
  ["dollars", "USD"],
  ["us dollars", "USD"],
  ["do", "USD"],
  ["do la", "USD"],
  ["do my", "USD"],
  ["dola", "USD"],
  ["€", "EUR"],
  ["euros", "EUR"],
  ["dong euro", "EUR"],
  ["£", "GBP"],
  ["pound", "GBP"],
  ["pounds", "GBP"],
  ["pound sterling", "GBP"],
  ["sterling", "GBP"],
  ["bang", "GBP"],
  ["¥", "JPY"],
  ["yen", "JPY"],
  ["yen nhat", "JPY"],
  ["₫", "VND"],
  ["d", "VND"],
  ["vnd", "VND"],
  ["dong", "VND"],
  ["viet nam dong", "VND"],
  ["vietnam dong", "VND"],
  ["tien viet", "VND"],
  ["rmb", "CNY"],
  ["yuan", "CNY"],
  ["renminbi", "CNY"],
  ["te", "CNY"],
  ["₩", "KRW"],
  ["won", "KRW"],
  ["won han", "KRW"],
  ["₹", "INR"],
  ["rupee", "INR"],
  ["rupees", "INR"],
  ["franc", "CHF"],
  ["baht", "THB"],
  ["bat thai", "THB"],
  ["real", "BRL"],
  ["ruble", "RUB"],
  ["rouble", "RUB"],
  ["rup", "RUB"],
]);

/** Parts and multiples of a currency that prices are written in. */
const SCALED: ReadonlyMap<string, readonly [code: string, scale: number]> = new Map([
  ["gbx", ["GBP", 0.01]],
  ["pence", ["GBP", 0.01]],
  ["penny", ["GBP", 0.01]],
  ["cent", ["USD", 0.01]],
  ["cents", ["USD", 0.01]],
  ["nghin dong", ["VND", 1_000]],
  ["ngan dong", ["VND", 1_000]],
  ["thousand vnd", ["VND", 1_000]],
  ["thousand dong", ["VND", 1_000]],
  ["trieu dong", ["VND", 1_000_000]],
  ["million vnd", ["VND", 1_000_000]],
  ["ty dong", ["VND", 1_000_000_000]],
  ["billion vnd", ["VND", 1_000_000_000]],
  ["zac", ["ZAR", 0.01]],
  ["ila", ["ILS", 0.01]],
]);

const CODE = /^[A-Z]{3}$/;
const LANGUAGES = ["en", "vi"] as const;

/** The currency of a text; a code that nobody knows is left to the sources; undefined if the text cannot be one. */
export function findCurrency(text: string): Currency | undefined {
  // London's prices in pence are written GBp.
  if (text.trim() === "GBp") return toCurrency("GBP", 0.01);
  const folded = toFolded(text);
  const scaled = SCALED.get(folded);
  if (scaled !== undefined) return toCurrency(...scaled);
  const code = ALIASES.get(folded) ?? findByName(folded) ?? text.trim().toUpperCase();
  return CODE.test(code) ? toCurrency(code, 1) : undefined;
}

/** An amount as people pay it: whole dong and yen, cents; what would vanish keeps four digits. */
export function roundMoney(amount: number, code: string): number {
  const size = Math.abs(amount);
  const decimals = decimalsOf(code);
  const isLost = size < 1 && (decimals > 0 || size < 0.5);
  if (size === 0) return 0;
  return isLost ? Number(amount.toPrecision(4)) : Number(amount.toFixed(Math.min(decimals, 14)));
}

/** Whether the platform knows a code. */
export const isKnownCurrency = (code: string): boolean => Intl.supportedValuesOf("currency").includes(code);

function decimalsOf(code: string): number {
  return (
    new Intl.NumberFormat("en", { style: "currency", currency: code }).resolvedOptions().maximumFractionDigits ?? 2
  );
}

function toCurrency(code: string, scale: number): Currency {
  return { code, scale, name: new Intl.DisplayNames(["en"], { type: "currency" }).of(code) ?? code };
}

function findByName(folded: string): string | undefined {
  if (folded === "" || folded.length === 3) return undefined;
  const names = LANGUAGES.map((language) => new Intl.DisplayNames([language], { type: "currency" }));
  return Intl.supportedValuesOf("currency").find((code) =>
    names.some((of) => {
      const name = toFolded(of.of(code) ?? "");
      return name === folded || `${name}s` === folded;
    }),
  );
}
