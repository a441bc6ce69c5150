/**
 * Document table: what databases must do for documents, each method as one transaction.
 *
 * What comes in was checked. A document whose `expiresAt` is over does not exist, for readers and writers.
 */
import type { Document, Documents } from "@baton/core/ports";
import type { WordQuery } from "./folded-text.ts";
import type { Owner } from "../owner.ts";
import type { VectorRow } from "./unit-vector.ts";

/** A collection of an owner. */
export interface CollectionName extends Owner {
  readonly collection: string;
}

/** Where a document is; unique in the whole store. */
export interface DocumentPlace extends CollectionName {
  readonly id: string;
}

/** A name of an index and the sort key of its value. */
export interface IndexKey {
  readonly name: string;
  readonly key: string;
}

/** A document as it is written. */
export interface DocumentEntry extends DocumentPlace {
  /** The version that the writer has read. */
  readonly seen: number | undefined;
  /** All that is read later, but its place and version, as JSON text. */
  readonly body: string;
  readonly keys: readonly IndexKey[];
  /** Folded, in order; none if it has no text. */
  readonly words: readonly string[];
  /** Of length 1. */
  readonly vector: Uint8Array | undefined;
  readonly session: string | undefined;
  readonly expiresAt: number | undefined;
}

/** A place in the order of a list: the key that the list is ordered by, empty if that is the id, and the id. */
export interface DocumentCursor {
  readonly key: string;
  readonly id: string;
}

/** A document at its place in a list. */
export interface ListedDocument {
  readonly key: string;
  readonly document: Document;
}

/** A query for documents, with their order. */
export interface DocumentListing {
  readonly where: readonly IndexKey[];
  readonly orderBy: string | undefined;
  readonly direction: "ascending" | "descending";
  readonly after: DocumentCursor | undefined;
  readonly limit: number;
}

/** Of more documents that match, only the newest are ranked, so that no search takes long. */
export const MAX_RANKED = 2_000;

/** A search for words. */
export interface WordSearch {
  readonly query: WordQuery;
  readonly limit: number;
}

/** Some vectors, in the order of their numbers. */
export interface VectorPage {
  /** A number. */
  readonly after: number;
  readonly limit: number;
}

/** The name in a document's index that says when it is due. */
export const DUE = "dueAt";

/** A document that is due, and whose it is. */
export interface DueDocument {
  readonly owner: Owner;
  /** Its place in the order of due documents. */
  readonly key: string;
  /** One that is damaged has an error. */
  readonly document: Document;
}

/** A query for due documents of a collection: those whose index has a number `dueAt`, of at most `upTo`. */
export interface DueQuery {
  readonly upTo: number;
  /** At most 1,000. */
  readonly limit: number;
  /** Only those that come after this one. */
  readonly after?: DueDocument | undefined;
}

/** The same, as databases ask for it. */
export interface DueSearch {
  readonly collection: string;
  /** A sort key. */
  readonly upTo: string;
  /** The place that the answer begins after: key, tenant, user and id, all empty for the beginning. */
  readonly after: readonly [key: string, tenant: string, user: string, id: string];
  readonly limit: number;
}

/** Documents of one owner whose vectors can be read, so that an index beside the store can be filled. */
export interface VectorDocuments extends Documents {
  readonly vectors?: (collection: string, page: VectorPage) => Promise<readonly VectorRow[]>;
}

/** Documents of all owners. */
export interface DocumentTable {
  /** The clock that documents expire by. */
  readonly now: () => number;
  /** Throws `damaged` if what is stored is not what was written. */
  find(place: DocumentPlace): Promise<Document | undefined>;
  /** Those of the ids that are there, in any order; one that is damaged is among them, with an error. */
  findSome(name: CollectionName, ids: readonly string[]): Promise<readonly Document[]>;
  /** Writes all or none; removes some documents whose time was over at `now`, when the entries were made. */
  save(entries: readonly DocumentEntry[], now: number): Promise<readonly Document[]>;
  remove(place: DocumentPlace, seen: number | undefined): Promise<boolean>;
  /** At most one more than the limit, so that it is known whether there are more. Here, too, damaged ones are listed. */
  list(name: CollectionName, listing: DocumentListing): Promise<readonly ListedDocument[]>;
  search(name: CollectionName, search: WordSearch): Promise<readonly Document[]>;
  vectors(name: CollectionName, page: VectorPage): Promise<readonly VectorRow[]>;
}
