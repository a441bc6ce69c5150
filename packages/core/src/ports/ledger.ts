/**
 * Ledger: what model calls may still spend, and what they have spent.
 *
 * Before a call its worst case is reserved in every account it counts in, all or nothing; after it, settled with what
 * it took. A reservation belongs to one call, so parallel calls cannot overspend together. Windows are those of UTC;
 * a call counts in the window it was reserved in.
 */
/** The maximum of an account. */
export interface Cap {
  /** For people: `max_cost_per_day`. */
  readonly name: string;
  readonly measure: "tokens" | "usd" | "calls";
  readonly max: number;
  /** The share of `max` that is worth an alert. */
  readonly alertAt?: number;
  /** It gives alerts and refuses nothing. */
  readonly isSoft?: boolean;
}

/** Something that calls count in; without a window it counts for ever. */
export type Account = Readonly<{ id: string; window?: "minute" | "hour" | "day"; caps: readonly Cap[] }>;

const WINDOW_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

/** Length of a window in milliseconds. */
export function toWindowMs(window: Account["window"]): number {
  return window === undefined ? Infinity : WINDOW_MS[window];
}

/** Time at which the window of an account ends, in milliseconds since 1970; an account without one never ends. */
export function toWindowEnd(window: Account["window"], now: number): number {
  if (window === undefined) return Infinity;
  return (Math.floor(now / WINDOW_MS[window]) + 1) * WINDOW_MS[window];
}

/** Tokens and money that a call takes. */
export type Amount = Readonly<Record<"tokens" | "usd", number>>;

/** Use of one cap by an account. */
export type CapUse = Readonly<{ account: string; cap: Cap; used: number }>;

/** A reservation, or the first cap it does not fit, with what others have reserved counted as used. */
export type Reserved =
  /** `settle` gives what is worth an alert for the first time in its window. */
  | { readonly ok: true; readonly settle: (spent: Amount) => readonly CapUse[] | Promise<readonly CapUse[]> }
  | { readonly ok: false; readonly refusal: CapUse };

/** Where spending is written down. */
export interface Ledger {
  /** Reserves one call. */
  reserve(accounts: readonly Account[], worst: Amount): Reserved | Promise<Reserved>;
}
