/**
 * Market error: why a source has no answer, with as many kinds as there are reactions to it.
 */
import type { Listing } from "./listing.ts";

/**
 * The kind tells the caller what to do: nothing · ask later · configure something · upgrade a plan · try another
 * source.
 */
export type MarketErrorKind = "no_data" | "ambiguous" | "throttled" | "not_configured" | "plan" | "upstream";

/** An institution or a person that files reports on holdings. */
export type Manager = Readonly<{ name: string; cik: string }>;

/** Details beyond the kind. */
export interface MarketErrorDetails extends ErrorOptions {
  readonly symbol?: string;
  /** `throttled`: when to ask again, in milliseconds since 1970. */
  readonly retryAt?: number;
  /** `no_data`: what there is instead, such as `annual 2012–2016`. */
  readonly available?: string;
  /** `no_data`, `not_configured`: the switch that brings it, such as `FMP_API_KEY`. */
  readonly enable?: string;
  /** `no_data`: the source has nothing of this kind at all (another market, another series), so another one is asked. */
  readonly isOutside?: true;
  /** `ambiguous`: what it could be. `no_data`: what was perhaps meant. */
  readonly candidates?: readonly Listing[];
  /** `ambiguous`: which managers of funds it could be. */
  readonly managers?: readonly Manager[];
}

/** The only error a source throws. Branch on `kind`. */
export class MarketError extends Error {
  override readonly name = "MarketError";
  readonly kind: MarketErrorKind;
  readonly details: MarketErrorDetails;
  constructor(kind: MarketErrorKind, message: string, details: MarketErrorDetails = {}) {
    super(message, details);
    this.kind = kind;
    this.details = details;
  }
}
