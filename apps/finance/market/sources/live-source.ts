/**
 * Live source: a source over the network, and what its adapters share: statistics, provenance, listings of its rows.
 */
import { omitUndefined } from "@baton/core/util";
import type { Directory, Listing, ListingType } from "../port/listing.ts";
import type { MarketSource } from "../port/market-data.ts";
import type { Provenance, Sourced } from "../port/provenance.ts";
import type { SourceStats } from "./http/source-stats.ts";

/** A source that tells how it fares. */
export interface LiveSource extends MarketSource {
  /** Statistics of its host at a time in ms since 1970. */
  readonly stats: (now: number) => SourceStats;
}

/** Where an answer came from and when. */
export type AnswerOrigin = Readonly<{ url: string; fetchedAt: number }>;

type Extra = Pick<Provenance, "source" | "kind"> &
  Readonly<{ asOf?: number | string | undefined }> &
  Readonly<{ [Key in "delay_s" | "adjust" | "note"]?: Provenance[Key] | undefined }>;

/** Data with its provenance; as of the moment it was fetched if nothing else is known. */
export function toSourced<T>(data: T, { url, fetchedAt }: AnswerOrigin, extra: Extra): Sourced<T> {
  const { source, kind, asOf = fetchedAt, delay_s, adjust, note } = extra;
  const provenance: Provenance = {
    kind,
    source,
    url,
    as_of: typeof asOf === "string" ? asOf : toTime(Math.min(asOf, fetchedAt)),
    fetched_at: toTime(fetchedAt),
    ...omitUndefined({ delay_s, adjust, note }),
  };
  return { data, provenance };
}

/** RFC 3339 in UTC. */
export const toTime = (ms: number): string => new Date(ms).toISOString();

const US_EXCHANGES: ReadonlySet<string> = new Set(["NASDAQ", "NYSE", "AMEX", "OTC", "CBOE", "US", "PNK", "NYSEARCA"]);

/** Whether prices there are in US dollars and days end in New York. */
export const isUsExchange = (exchange: string): boolean => US_EXCHANGES.has(exchange.toUpperCase());

/** Fields of a row that identify its listing. */
export interface ListedRow {
  readonly symbol: string;
  readonly name?: string | undefined;
  readonly exchange?: string | undefined;
  readonly type?: ListingType;
}

/** The directory's listing, else what the row says; undefined if its currency is not known. */
export function toListing(row: ListedRow, directory: Pick<Directory, "get"> | undefined): Listing | undefined {
  const known = directory?.get(row.symbol);
  if (known !== undefined) return known;
  const { symbol, name = symbol, exchange = "US", type = "stock" } = row;
  return isUsExchange(exchange) ? { symbol, name, exchange, type, currency: "USD" } : undefined;
}
