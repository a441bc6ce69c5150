/**
 * Filings: what companies, insiders and managers of funds filed with the SEC, and how it is asked for. Days are YYYY-MM-DD.
 */
import type { Listing } from "./listing.ts";

/** A filing with the SEC. */
export interface Filing {
  readonly form: string;
  readonly filed: string;
  /** `0000320193-24-000123`. */
  readonly accession: string;
  readonly title?: string;
  readonly url?: string;
  /** The end of the period it reports on. */
  readonly reportDay?: string;
  /** RFC 3339. */
  readonly acceptedAt?: string;
  /** Of an 8-K: `2.02`, `9.01`. */
  readonly items?: readonly string[];
}

export interface FilingSectionQuery {
  readonly accession: string;
  /** `1A`, `item 7`, `part II item 1A`, `8-K item 2.02`. */
  readonly section: string;
  readonly maxChars: number;
  /**
   * The company of the filing. Without it, a filing is found that was listed before, or that the company filed itself.
   */
  readonly listing?: Listing;
}

/** A part of a filing. Its text is untrusted. */
export interface FilingSection extends Filing {
  /** `1A`, `2.02`. */
  readonly section: string;
  readonly heading: string;
  readonly text: string;
  readonly isCut: boolean;
  /** Of the whole section. */
  readonly totalChars: number;
}

export interface FilingSearchQuery {
  readonly query: string;
  readonly forms: readonly string[];
  readonly from?: string;
  readonly to?: string;
  readonly listings: readonly Listing[];
  readonly limit: number;
  readonly offset?: number;
}

export type FilingHit = Filing & Readonly<{ company: string; cik: string }>;

/** `isCapped`: there are at least `total`; the rest was not counted. */
export type FilingSearch = Readonly<{ total: number; isCapped: boolean; hits: readonly FilingHit[] }>;

/** One line of a Form 4: what an insider did with which security. */
export interface InsiderTrade {
  readonly day: string;
  readonly filed: string;
  readonly owner: string;
  /** `director`, `10% owner`, the title of an officer. */
  readonly role?: string;
  /** The SEC's letter: P purchase, S sale, A grant, M exercise, F tax, G gift … */
  readonly code: string;
  readonly isAcquired: boolean;
  readonly security: string;
  readonly isDerivative: boolean;
  readonly shares?: number;
  readonly price?: number;
  readonly sharesAfter?: number;
  readonly currency: string;
  readonly form: string;
  readonly accession: string;
  readonly url?: string;
}

export interface HoldingsQuery {
  /** A name, a ticker or a CIK. */
  readonly manager: string;
  /** `2024Q3`, or its last day; the newest if not given. */
  readonly quarter?: string;
  readonly limit: number;
}

/** One position of a 13F report. */
export interface ReportedHolding {
  readonly issuer: string;
  readonly titleOfClass?: string;
  readonly cusip: string;
  /** In US dollars. */
  readonly value: number;
  readonly weightPercent?: number;
  readonly shares?: number;
  /** Of bonds, instead of shares. */
  readonly principal?: number;
  readonly putCall?: "put" | "call";
}

/** The holdings that a manager reported for the end of a quarter; `rows` are the largest. */
export interface Holdings {
  readonly manager: string;
  readonly cik: string;
  readonly end: string;
  readonly filed: string;
  readonly accession: string;
  readonly currency: string;
  readonly totalValue: number;
  readonly positions: number;
  readonly rows: readonly ReportedHolding[];
}
