/**
 * Provenance: where a result comes from and how real it is. Every market-data result carries one.
 */
import type { DataKind } from "@baton/assistant";

/** The adjustment of prices. */
export type Adjust = "none" | "split" | "split+dividend";

/** Where a result comes from. */
export interface Provenance {
  readonly kind: DataKind;
  /** `snapshot`, `fmp`, `binance` … */
  readonly source: string;
  /** Without any key. */
  readonly url?: string;
  /** RFC 3339 with its offset. */
  readonly as_of: string;
  readonly fetched_at?: string;
  readonly delay_s?: number;
  /** An older answer stands in for a source that is down. */
  readonly stale?: true;
  readonly unofficial?: true;
  readonly adjust?: Adjust;
  readonly derived_from?: readonly string[];
  readonly note?: string;
}

/** A value with its provenance. */
export interface Sourced<T> {
  readonly data: T;
  readonly provenance: Provenance;
}
