/**
 * Loaded documents: the documents of one collection of one owner, read as a whole, and what is looked for among them.
 */
import type { Document } from "@baton/core/ports";
import { toDocument } from "../documents/document-entry.ts";
import {
  type DocumentCursor,
  type DocumentEntry,
  type ListedDocument,
  type DocumentListing,
  MAX_RANKED,
  type VectorPage,
  type WordSearch,
} from "../documents/document-table.ts";
import { countMatches, type WordQuery } from "../documents/folded-text.ts";
import type { VectorRow } from "../documents/unit-vector.ts";

/** A document and its version. */
export type StoredEntry = DocumentEntry & { readonly version: number };

/** A stored document, as it is read. */
export function toRead(stored: StoredEntry): Document {
  return toDocument(stored, stored.version, stored.body);
}

/** Those whose time is not over. */
export function unexpired(all: readonly StoredEntry[], now: number): readonly StoredEntry[] {
  return all.filter(({ expiresAt = Infinity }) => expiresAt > now);
}

/** A page of them in an order. */
export function listLoaded(all: readonly StoredEntry[], listing: DocumentListing): readonly ListedDocument[] {
  const { direction, after, limit } = listing;
  const sign = direction === "ascending" ? 1 : -1;
  return all
    .flatMap((stored) => toListed(stored, listing))
    .filter((one) => after === undefined || sign * compareCursors(one, after) > 0)
    .toSorted((one, other) => sign * compareCursors(one, other))
    .slice(0, limit + 1)
    .map(({ key, stored }) => ({ key, document: toRead(stored) }));
}

/** Those with all words of a query, the best first. */
export function searchLoaded(all: readonly StoredEntry[], { query, limit }: WordSearch): readonly Document[] {
  return all
    .toSorted((one, other) => compare(one.id, other.id))
    .map((stored) => ({ stored, rank: toRank(stored.words, query) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((one, other) => other.stored.version - one.stored.version)
    .slice(0, MAX_RANKED)
    .toSorted((one, other) => other.rank - one.rank)
    .slice(0, limit)
    .map(({ stored }) => toRead(stored));
}

/** Some of their vectors, by their numbers. */
export function vectorsOf(all: readonly StoredEntry[], { after, limit }: VectorPage): readonly VectorRow[] {
  return all
    .flatMap(({ id, version, vector }) => (vector === undefined ? [] : [{ id, number: version, version, vector }]))
    .filter(({ number }) => number > after)
    .toSorted((one, other) => one.number - other.number)
    .slice(0, limit);
}

/** Words that occur often in a short text count most; 0 if one does not occur. */
function toRank(words: readonly string[], query: WordQuery): number {
  const length = Math.log2(2 + words.length);
  const counts = countMatches(words, query) ?? [];
  return counts.reduce((rank, count) => rank + count / (count + length), 0);
}

function toListed(
  stored: StoredEntry,
  { where, orderBy }: DocumentListing,
): readonly (DocumentCursor & { readonly stored: StoredEntry })[] {
  const keys = new Map(stored.keys.map(({ name, key }) => [name, key]));
  const key = orderBy === undefined ? "" : keys.get(orderBy);
  if (key === undefined || !where.every((wanted) => keys.get(wanted.name) === wanted.key)) return [];
  return [{ key, id: stored.id, stored }];
}

function compareCursors(one: DocumentCursor, other: DocumentCursor): number {
  return compare(one.key, other.key) || compare(one.id, other.id);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
