/**
 * Trading: whether the market of a listing trades, so that an alert on its price is worth a look.
 *
 * Coins trade always. American markets go by their calendar; Vietnamese ones by their sessions from Monday to Friday,
 * without holidays: a price that stands still crosses nothing.
 */
import type { Listing } from "../../../market/port/listing.ts";
import { usMarketState } from "../../../market/port/market-hours.ts";

/** So long after the close the closing price is still on its way from sources with a delay. */
const CLOSING_MS = 20 * 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const VIETNAM_OFFSET_MS = 7 * HOUR_MS;
const VIETNAMESE: readonly string[] = ["HOSE", "HNX", "UPCOM"];
/** Minutes of the day in Vietnam. */
const SESSIONS: readonly (readonly [start: number, end: number])[] = [
  [540, 690],
  [780, 900],
];

/** Whether a market trades at a moment in milliseconds since 1970, or has closed in the last minutes. */
export function isWatched(listing: Pick<Listing, "type" | "exchange">, now: number): boolean {
  if (listing.type === "crypto") return true;
  const isOpen = VIETNAMESE.includes(listing.exchange) ? isVietnamOpen : isUsOpen;
  return isOpen(now) || isOpen(now - CLOSING_MS);
}

const isUsOpen = (now: number): boolean => usMarketState(now) === "open";

function isVietnamOpen(now: number): boolean {
  const local = now + VIETNAM_OFFSET_MS;
  const weekday = (Math.floor(local / DAY_MS) + 4) % 7;
  const minute = Math.floor((local % DAY_MS) / 60_000);
  return weekday !== 0 && weekday !== 6 && SESSIONS.some(([start, end]) => minute >= start && minute < end);
}
