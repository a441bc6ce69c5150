/**
 * Listing: one thing that has a price, and the directory that finds it by symbol, name or alias.
 */

/** The kind of a listing. */
export type ListingType = "stock" | "etf" | "index" | "crypto";

/** A symbol with what identifies it. */
export interface Listing {
  /** Canonical: `AAPL`, `BRK-B`, `^GSPC`, `VNM.VN`; a coin is its pair with USD, `BTCUSD`. */
  readonly symbol: string;
  readonly name: string;
  /** `NASDAQ`, `NYSE`, `AMEX`, `OTC`, `CBOE`, `HOSE`, `HNX`, `UPCOM`; `INDEX`; `CRYPTO` for coins. */
  readonly exchange: string;
  readonly type: ListingType;
  readonly currency: string;
  /** The number of the company at the SEC, ten digits, if its list is known; classes of one company share it. */
  readonly cik?: string;
}

/** Conditions that narrow a search. */
export interface Narrowing {
  readonly type?: ListingType | "any";
  /** `US`, `VN` or an exchange. */
  readonly market?: string;
}

/** The possible meanings of a text: the best is first; several with `ambiguous` if the text cannot decide. */
export type Resolution =
  | {
      readonly kind: "one";
      readonly listing: Listing;
      /** By what it was found. */ readonly by: "symbol" | "name" | "alias" | "typo";
    }
  | { readonly kind: "ambiguous"; readonly candidates: readonly Listing[] }
  | { readonly kind: "none"; readonly nearest: readonly Listing[] };

/** A listing that a text may mean. */
export interface ListingMatch {
  readonly listing: Listing;
  /** 1 if the text is its ticker, name or alias; less the more the text differs. */
  readonly score: number;
  readonly by: "symbol" | "name" | "alias" | "typo";
  /** Prominence: the smaller the better known. */
  readonly rank: number;
}

/** A company that is known but has no listing (any more), and why. */
export interface UnlistedCompany {
  readonly name: string;
  readonly status: "delisted" | "private";
  readonly note: string;
}

/** The matches of a text, the best first. */
export interface LookUp {
  /** By ticker, name or alias, whole or from its beginning. */
  readonly exact: readonly ListingMatch[];
  /**
   * Misspelt names; beside exact matches only names that are much better known. They are few, and each is a sensible
   * reading of the text.
   */
  readonly near: readonly ListingMatch[];
  /** The nearest of all, if there is no other match: suggestions, not readings. */
  readonly nearest: readonly ListingMatch[];
  readonly unlisted?: UnlistedCompany;
}

/** Every listing that is known. */
export interface Directory {
  readonly size: number;
  /** By its symbol in any accepted spelling (`brk.b`, `BTCUSDT`, `$AAPL`); undefined if there is none, or several. */
  get(symbol: string): Listing | undefined;
  /** By symbol, name or alias, in English or Vietnamese, with or without diacritics, with small typing errors. */
  resolve(query: string, narrowing?: Narrowing): Resolution;
  /** The same with every match and its score. */
  lookUp(query: string, narrowing?: Narrowing): LookUp;
  listings(): Iterable<Listing>;
}
