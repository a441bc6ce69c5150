/**
 * Options: the contracts on an underlying.
 */

/** One contract; prices are in the currency of the underlying. */
export interface OptionContract {
  /** The last day, YYYY-MM-DD. */
  readonly expiry: string;
  readonly kind: "call" | "put";
  readonly strike: number;
  readonly bid?: number;
  readonly ask?: number;
  readonly last?: number;
  readonly impliedVolatilityPercent?: number;
  readonly openInterest?: number;
  readonly volume?: number;
  readonly delta?: number;
}

/** All contracts, and the price of the underlying. */
export type OptionChain = Readonly<{ price?: number; contracts: readonly OptionContract[] }>;
