/**
 * Memory documents: documents in this process. Whatever is looked for, all of them are looked at.
 */
import { hasDocument } from "./refusal.ts";
import type { Document } from "@baton/core/ports";
import { checkSeen, documentName, toDocument } from "./document-entry.ts";
import {
  type CollectionName,
  type Cursor,
  type DocumentPlace,
  type DocumentTable,
  type DueDocument,
  type DueSearch,
  type Entry,
  type Listed,
  type Listing,
  MAX_RANKED,
  type VectorPage,
  type WordSearch,
} from "./document-table.ts";
import { DUE } from "./document-due.ts";
import { countMatches, type WordQuery } from "./folded-text.ts";
import { isSameOwner, type Owner, ownerOf } from "./owner.ts";
import type { VectorRow } from "./unit-vector.ts";

/** A document and its version. */
export type StoredEntry = Entry & { readonly version: number };

/** All documents of all owners. */
export class MemoryDocuments implements DocumentTable {
  readonly now: () => number;
  readonly #stored = new Map<string, StoredEntry>();
  #version = 0;
  /** No document is over before this time. */
  #nextEnd = Infinity;

  constructor(now: () => number) {
    this.now = now;
  }

  /** With those that are no longer there. */
  get size(): number {
    return this.#stored.size;
  }

  async find(place: DocumentPlace, now: number): Promise<Document | undefined> {
    const stored = this.#find(place, now);
    return stored && toRead(stored);
  }

  async findSome(name: CollectionName, ids: readonly string[], now: number): Promise<readonly Document[]> {
    return ids.flatMap((id) => {
      const stored = this.#find({ ...name, id }, now);
      return stored === undefined ? [] : [toRead(stored)];
    });
  }

  async save(entries: readonly Entry[], now: number): Promise<readonly Document[]> {
    for (const entry of entries) checkSeen(entry, entry.seen, this.#find(entry, now)?.version);
    if (this.#nextEnd <= now) this.deleteExpired(now);
    return entries.map((entry) => {
      const stored = { ...entry, version: ++this.#version };
      this.#stored.set(documentName(entry), stored);
      this.#nextEnd = Math.min(this.#nextEnd, entry.expiresAt ?? Infinity);
      return toRead(stored);
    });
  }

  async remove(place: DocumentPlace, seen: number | undefined, now: number): Promise<boolean> {
    const stored = this.#find(place, now);
    checkSeen(place, seen, stored?.version);
    return stored !== undefined && this.#stored.delete(documentName(place));
  }

  async list(name: CollectionName, listing: Listing, now: number): Promise<readonly Listed[]> {
    const { direction, after, limit } = listing;
    const sign = direction === "ascending" ? 1 : -1;
    const found = this.#findAll(name, now).flatMap((stored) => toListed(stored, listing));
    return found
      .filter((one) => after === undefined || sign * compareCursors(one, after) > 0)
      .toSorted((one, other) => sign * compareCursors(one, other))
      .slice(0, limit + 1)
      .map(({ key, stored }) => ({ key, document: toRead(stored) }));
  }

  async search(name: CollectionName, { query, limit, now }: WordSearch): Promise<readonly Document[]> {
    return this.#findAll(name, now)
      .map((stored) => ({ stored, rank: toRank(stored.words, query) }))
      .filter(({ rank }) => rank > 0)
      .toSorted((one, other) => other.stored.version - one.stored.version)
      .slice(0, MAX_RANKED)
      .toSorted((one, other) => other.rank - one.rank)
      .slice(0, limit)
      .map(({ stored }) => toRead(stored));
  }

  async vectors(name: CollectionName, { after, limit, now }: VectorPage): Promise<readonly VectorRow[]> {
    return this.#findAll(name, now)
      .flatMap(({ id, version, vector }) => (vector === undefined ? [] : [{ id, number: version, version, vector }]))
      .filter(({ number }) => number > after)
      .toSorted((one, other) => one.number - other.number)
      .slice(0, limit);
  }

  async due({ collection, upTo, after, limit, now }: DueSearch): Promise<readonly DueDocument[]> {
    return [...this.#stored.values()]
      .filter((stored) => stored.collection === collection && isThere(stored, now))
      .flatMap((stored) => stored.keys.flatMap(({ name, key }) => (name === DUE ? [{ key, stored }] : [])))
      .map(({ key, stored }) => ({ key, stored, place: [key, stored.tenant, stored.user, stored.id] }))
      .filter(({ key, place }) => key <= upTo && comparePlaces(place, after) > 0)
      .toSorted((one, other) => comparePlaces(one.place, other.place))
      .slice(0, limit)
      .map(({ key, stored }) => ({ owner: ownerOf(stored), key, document: toRead(stored) }));
  }

  /** Adds documents as they were stored elsewhere, with their versions. */
  load(documents: readonly StoredEntry[]): void {
    for (const stored of documents) this.#stored.set(documentName(stored), stored);
  }

  /** What goes with a session, also if its time is over. */
  ofSession(owner: Owner, session: string): readonly DocumentPlace[] {
    return [...this.#stored.values()].filter((stored) => stored.session === session && isSameOwner(stored, owner));
  }

  /** Removes what goes with a session. */
  deleteSession(owner: Owner, session: string): void {
    this.#deleteWhere((stored) => stored.session === session && isSameOwner(stored, owner));
  }

  /** Removes all that an owner has. */
  deleteOwner(owner: Owner): void {
    this.#deleteWhere((stored) => isSameOwner(stored, owner));
  }

  /** Removes what is no longer there. */
  deleteExpired(now: number): void {
    this.#deleteWhere((stored) => !isThere(stored, now));
    this.#nextEnd = Infinity;
    for (const { expiresAt = Infinity } of this.#stored.values()) this.#nextEnd = Math.min(this.#nextEnd, expiresAt);
  }

  /** Throws `conflict` if both owners have a document in the same place. */
  checkTransfer(from: Owner, to: Owner): void {
    for (const stored of this.#stored.values()) {
      if (!isSameOwner(stored, from)) continue;
      if (this.#stored.has(documentName({ ...stored, ...ownerOf(to) }))) throw hasDocument(stored);
    }
  }

  /** Gives all of one owner to another; gives how many. */
  transfer(from: Owner, to: Owner): number {
    const moved = [...this.#stored.values()].filter((stored) => isSameOwner(stored, from));
    this.deleteOwner(from);
    for (const stored of moved.map((one) => ({ ...one, ...ownerOf(to) }))) {
      this.#stored.set(documentName(stored), stored);
    }
    return moved.length;
  }

  #find(place: DocumentPlace, now: number): StoredEntry | undefined {
    const stored = this.#stored.get(documentName(place));
    return stored !== undefined && isThere(stored, now) ? stored : undefined;
  }

  /** By their ids. */
  #findAll(name: CollectionName, now: number): readonly StoredEntry[] {
    const found = [...this.#stored.values()].filter(
      (stored) => stored.collection === name.collection && isSameOwner(stored, name) && isThere(stored, now),
    );
    return found.toSorted((one, other) => compare(one.id, other.id));
  }

  #deleteWhere(isGone: (stored: StoredEntry) => boolean): void {
    for (const [name, stored] of this.#stored) if (isGone(stored)) this.#stored.delete(name);
  }
}

/** Words that occur often in a short text count most; 0 if one does not occur. */
function toRank(words: readonly string[], query: WordQuery): number {
  const length = Math.log2(2 + words.length);
  const counts = countMatches(words, query) ?? [];
  return counts.reduce((rank, count) => rank + count / (count + length), 0);
}

function toListed(
  stored: StoredEntry,
  { where, orderBy }: Listing,
): readonly (Cursor & { readonly stored: StoredEntry })[] {
  const keys = new Map(stored.keys.map(({ name, key }) => [name, key]));
  const key = orderBy === undefined ? "" : keys.get(orderBy);
  if (key === undefined || !where.every((wanted) => keys.get(wanted.name) === wanted.key)) return [];
  return [{ key, id: stored.id, stored }];
}

function toRead(stored: StoredEntry): Document {
  return toDocument(stored, stored.version, stored.body);
}

function isThere({ expiresAt = Infinity }: StoredEntry, now: number): boolean {
  return expiresAt > now;
}

function compareCursors(one: Cursor, other: Cursor): number {
  return compare(one.key, other.key) || compare(one.id, other.id);
}

function comparePlaces(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((part, index) => part !== other[index]);
  return at === -1 ? 0 : compare(one[at] ?? "", other[at] ?? "");
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
