/**
 * Clean snapshot: one day of US stocks, under canonical symbols.
 */
import { parseDelimited, toNumber } from "./delimited.ts";

/** One stock on the snapshot's day; an unknown number is NaN, an unknown text "". */
export interface SnapshotRow {
  readonly symbol: string;
  readonly name: string;
  readonly exchange: string;
  readonly sector: string;
  readonly industry: string;
  readonly price: number;
  readonly changePercent: number;
  readonly volume: number;
  readonly relativeVolume: number;
  readonly marketCap: number;
  readonly pe: number;
  readonly eps: number;
  readonly dividendYieldPercent: number;
}

/** `BRK.B` is `BRK-B`, and the preferred stock `JPM/PL` is `JPM-PL`. */
export function toCanonical(symbol: string): string {
  return symbol.trim().toUpperCase().replaceAll(".", "-").replaceAll("/", "-");
}

/** The rows by symbol. Amounts that are not in dollars, and numbers that cannot be, are left out. */
export function cleanSnapshot(csv: string): readonly SnapshotRow[] {
  const rows = parseDelimited(csv, ",").map((record): SnapshotRow => {
    const text = (name: string) => (record.get(name) ?? "").trim();
    const number = (name: string, currency?: string) =>
      currency === undefined || text(currency) === "USD" ? toNumber(record.get(name)) : Number.NaN;
    const ofCommon = (value: number) => (isSenior(text("symbol"), text("description")) ? Number.NaN : value);
    return {
      symbol: toCanonical(text("symbol")),
      name: text("description"),
      exchange: text("exchange"),
      sector: text("sector"),
      industry: text("industry"),
      price: number("price", "price - currency"),
      changePercent: number("price change % 1 day"),
      volume: number("volume 1 day"),
      relativeVolume: atLeast(number("relative volume 1 day"), 1e-4),
      marketCap: ofCommon(atLeast(Math.round(number("market capitalization", "market capitalization - currency")), 1)),
      pe: ofCommon(atLeast(number("price to earnings ratio"), 1e-4)),
      eps: ofCommon(number("eps diluted, trailing 12 months", "eps diluted, trailing 12 months - currency")),
      dividendYieldPercent: ofCommon(number("dividend yield %, trailing 12 months")),
    };
  });
  return rows.toSorted((a, b) => (a.symbol < b.symbol ? -1 : 1));
}

const SENIOR_WORDS = ["%", " notes", "debenture", "preferred", "preference", "warrant", " rights"];

/**
 * Preferred stock, notes and warrants: capitalization, earnings and yield in their rows are those of the company's
 * common stock, so they say nothing about this paper.
 */
function isSenior(symbol: string, name: string): boolean {
  const lower = name.toLowerCase();
  const isPartOfShare = lower.includes("depositary share") && !lower.includes("american depositary");
  return symbol.includes("/P") || isPartOfShare || SENIOR_WORDS.some((word) => lower.includes(word));
}

const atLeast = (value: number, least: number): number => (value >= least ? value : Number.NaN);
