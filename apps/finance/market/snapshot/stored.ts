/**
 * Stored: what all answers of the snapshot share: where they come from, and how they say that something is not there.
 */
import { omitUndefined } from "@baton/core/util";
import type { Listing } from "../port/listing.ts";
import type { Day } from "../port/market-data.ts";
import { MarketError } from "../port/market-error.ts";
import { PACK_DAY } from "../pack/pack.ts";
import type { Adjust, Provenance } from "../port/provenance.ts";

/** The name of the source. */
export const SNAPSHOT_SOURCE = "snapshot";

/** The provenance of values of the snapshot's day. */
export function fromSnapshot(note?: string): Provenance {
  return { kind: "snapshot", source: SNAPSHOT_SOURCE, as_of: closeOf(PACK_DAY), ...omitUndefined({ note }) };
}

/** The provenance of values of the past, as of a moment. */
export function fromHistory(asOf: string, rest: Readonly<{ adjust?: Adjust; note?: string }> = {}): Provenance {
  return { kind: "history", source: SNAPSHOT_SOURCE, as_of: asOf, ...rest };
}

/** That the pack has nothing of this: another source may. */
export function notStored({ symbol, name }: Listing, what: string, available?: string): MarketError {
  const message = `the stored data has no ${what} of ${symbol} (${name})`;
  return new MarketError("no_data", message, { symbol, isOutside: true, ...omitUndefined({ available }) });
}

const OFFSET = new Intl.DateTimeFormat("en-US", { timeZone: "America/New_York", timeZoneName: "longOffset" });

/** The moment of the close, 16:00 in New York, as RFC 3339 with its offset. */
export function closeOf(day: Day): string {
  const parts = OFFSET.formatToParts(new Date(`${day}T21:00:00Z`));
  const offset = parts.find(({ type }) => type === "timeZoneName")?.value;
  return `${day}T16:00:00${offset?.slice(3) ?? "-05:00"}`;
}
