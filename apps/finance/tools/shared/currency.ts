/**
 * Currency: the code of a currency from its code, its sign or its name in English or Vietnamese, and how its amounts
 * are rounded.
 */
import { readTable } from "../../market/tables.ts";
import { toFolded } from "./folded.ts";

/** A code of ISO 4217, its name in English, and how many of its units an amount that was given is counted in. */
export type Currency = Readonly<{ code: string; name: string; scale: number }>;

/** Names beside those that the platform knows, folded. */
const ALIASES: ReadonlyMap<string, readonly [code: string, scale: number]> = new Map(
  readTable("currency-aliases").map(([name = "", code = "", scale = ""]) => [name, [code, Number(scale)]]),
);

const CODE = /^[A-Z]{3}$/;
const LANGUAGES = ["en", "vi"] as const;

/** The currency of a text; a code that nobody knows is left to the sources; undefined if the text cannot be one. */
export function findCurrency(text: string): Currency | undefined {
  // London's prices in pence are written GBp.
  if (text.trim() === "GBp") return toCurrency("GBP", 0.01);
  const folded = toFolded(text);
  const alias = ALIASES.get(folded);
  if (alias !== undefined) return toCurrency(...alias);
  const code = findByName(folded) ?? text.trim().toUpperCase();
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
