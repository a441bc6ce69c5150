/**
 * Alerts for tests of rules: plain ones, and what is observed of them.
 */
import type { Listing } from "../../../market/port/listing.ts";
import { type Alert, toAlertId } from "../alerts/alert.ts";
import type { Observed } from "../alerts/observed.ts";

const NVDA: Listing = { symbol: "NVDA", name: "NVIDIA", exchange: "NASDAQ", type: "stock", currency: "USD" };
export const BITCOIN: Listing = {
  symbol: "BTCUSD",
  name: "Bitcoin",
  exchange: "CRYPTO",
  type: "crypto",
  currency: "USD",
};

/** An alert on NVDA that repeats, unless said otherwise. */
export function alertOf(fields: Partial<Alert> & Pick<Alert, "kind">): Alert {
  const set_at = "2024-11-22T15:00:00Z";
  const plain = { listing: NVDA, repeat: true, language: "en", set_at, set_by: "run/1.1.1", ...fields } as const;
  return { ...plain, id: toAlertId(plain) };
}

const STANDING = { as_of: "2024-11-22T16:00:00-05:00", kind: "live", source: "stub", is_stale: false } as const;

/** A price. */
export const priceOf = (price: number, rest: Partial<Extract<Observed, { what: "price" }>> = {}): Observed => ({
  what: "price",
  price,
  currency: "USD",
  ...STANDING,
  ...rest,
});

/** An RSI. */
export const rsiOf = (rsi: number): Observed => ({ what: "rsi", rsi, ...STANDING });

/** Filings as `form filed accession`. */
export function filingsOf(...lines: readonly string[]): Observed {
  const filings = lines.map((line) => {
    const [form = "", filed = "", accession = ""] = line.split(" ");
    return { form, filed, accession };
  });
  return { what: "filings", filings, ...STANDING };
}

/** The next report, seen on a day. */
export const reportOf = (today: string, next?: string): Observed => ({
  what: "earnings",
  today,
  ...(next !== undefined && { next }),
  ...STANDING,
  as_of: `${today}T12:00:00Z`,
});
