/**
 * Alert: what a user wants to know about a listing, and what was seen of it before.
 *
 * Both are kept as arguments of the check that looks at them, so they are read back through their schemas. A percentage
 * is percent: 5 means 5 %.
 */
import { z } from "zod";

export const ALERT_KINDS = [
  "price_above",
  "price_below",
  "price_crosses",
  "percent_move",
  "rsi_above",
  "rsi_below",
  "filing",
  "earnings",
] as const;

/** Kind of condition that an alert observes. */
export type AlertKind = (typeof ALERT_KINDS)[number];

const LISTING = z.object({
  symbol: z.string(),
  name: z.string(),
  exchange: z.string(),
  type: z.enum(["stock", "etf", "index", "crypto"]),
  currency: z.string(),
});

/** An alert as it is kept. */
export const ALERT = z.object({
  id: z.string(),
  listing: LISTING,
  kind: z.enum(ALERT_KINDS),
  /** A price in the listing's currency, an RSI, or percent above 0. */
  value: z.number().optional(),
  /** Of a move in percent. */
  direction: z.enum(["any", "up", "down"]).optional(),
  /** Base of a move: the price when the alert was set, or the close of the day before. */
  since: z.enum(["set", "day"]).optional(),
  forms: z.array(z.string()).optional(),
  days_before: z.number().optional(),
  /** It stays after it has fired. */
  repeat: z.boolean(),
  language: z.enum(["en", "vi"]),
  /** RFC 3339. */
  set_at: z.string(),
  /** The call that set it. */
  set_by: z.string(),
});

export type Alert = z.output<typeof ALERT>;

/** State of an alert after its last check. */
export const SEEN = z.object({
  /** On which side of the level the value was. */
  side: z.enum(["above", "below"]).optional(),
  /** Price from which a move is measured. */
  base: z.number().optional(),
  /** The day of the last value, and whether the move had been reached on it. */
  day: z.string().optional(),
  reached: z.boolean().optional(),
  /** Filings that are known. */
  accessions: z.array(z.string()).optional(),
  /** The newest day on which one of them was filed. */
  filed: z.string().optional(),
  /** The day of the report that the user was notified of. */
  told: z.string().optional(),
  /** Of the value; older ones are not looked at. */
  as_of: z.string().optional(),
});

export type Seen = z.output<typeof SEEN>;

/** Input of a check, which it returns for the next time. */
export const CHECKED = z.strictObject({ alert: ALERT, seen: SEEN.optional() });

/** The names of alerts among schedules begin with it. */
export const ALERT_PREFIX = "alert:";

/** The same for equal alerts: `alert:NVDA:price_above:150`. */
export function toAlertId(alert: Omit<Alert, "id">): string {
  const { listing, kind, value, direction, since, forms, days_before, repeat } = alert;
  const parts = [value, direction, since, forms?.map(toIdPart).toSorted().join("+"), days_before];
  const said = parts.filter((part) => part !== undefined);
  return `${ALERT_PREFIX}${[toIdPart(listing.symbol), kind, ...said, ...(repeat ? ["repeat"] : [])].join(":")}`;
}

/** Only what an id may have. */
const toIdPart = (text: string): string => text.replaceAll(/[^A-Za-z0-9_.@+=^-]/g, "_");
