/**
 * Stored documents: the documents of one owner in a database.
 *
 * Every method is one transaction, but for `nearest`, which reads
 * in pages. Their promises are tests: `testing/document-suite`.
 */
import { BatonError } from "@baton/core";
import type {
  Document,
  DocumentPage,
  DocumentQuery,
  Documents,
  DocumentSearch,
  NearDocument,
  NewDocument,
  VectorSearch,
} from "@baton/core/ports";
import { setImmediate } from "node:timers/promises";
import { checkCollection, checkId, checkVersion, toEntries } from "./document-entry.ts";
import { checkLimit, toListing, toPage } from "./document-listing.ts";
import type { CollectionName, DocumentPlace, DocumentTable, VectorDocuments, VectorPage } from "./document-table.ts";
import { toWordQuery } from "./folded-text.ts";
import { type Owner, ownerOf } from "./owner.ts";
import { findNearest, toUnitVector, type VectorRow } from "./unit-vector.ts";

const FOUND_LIMIT = 10;
const VECTOR_PAGE = 1_000;

/** The documents of one owner, and of nobody else. */
export class StoredDocuments implements VectorDocuments {
  readonly #table: DocumentTable;
  readonly #owner: Owner;

  constructor(table: DocumentTable, owner: Owner) {
    this.#table = table;
    this.#owner = ownerOf(owner);
  }

  async get(collection: string, id: string): Promise<Document | undefined> {
    return this.#table.find(this.#placeOf(collection, id));
  }

  /** Writes a document. Throws `conflict`, and writes nothing, if `version` is given and is not the document's. */
  readonly put = putBy((collection, documents) => this.putAll(collection, documents));

  /** Writes all of them or none; gives them in the same order. */
  async putAll(collection: string, documents: readonly NewDocument[]): Promise<readonly Document[]> {
    const now = this.#table.now();
    const entries = toEntries(this.#nameOf(collection), documents, now);
    return entries.length === 0 ? [] : this.#table.save(entries, now);
  }

  /** False if there is no such document. Throws `conflict` if a version is given and is not the document's. */
  async delete(collection: string, id: string, version?: number): Promise<boolean> {
    const place = this.#placeOf(collection, id);
    if (version !== undefined) checkVersion(place, version);
    return this.#table.remove(place, version);
  }

  /** A page of the documents that the query asks for; without a query, of all. */
  async list(collection: string, query: DocumentQuery = {}): Promise<DocumentPage> {
    const listing = toListing(query);
    return toPage(await this.#table.list(this.#nameOf(collection), listing), listing.limit);
  }

  /** The documents in whose text the words occur, the best first; of very many, the best of the newest 2,000. */
  async search(
    collection: string,
    { text, match = "all", limit = FOUND_LIMIT }: DocumentSearch,
  ): Promise<readonly Document[]> {
    const name = this.#nameOf(collection);
    checkLimit(limit);
    const query = toWordQuery(text, match);
    return query === undefined ? [] : this.#table.search(name, { query, limit });
  }

  /** The documents with the nearest vectors, the nearest first: every vector of the collection is compared. */
  async nearest(collection: string, { vector, limit = FOUND_LIMIT }: VectorSearch): Promise<readonly NearDocument[]> {
    const name = this.#nameOf(collection);
    checkLimit(limit);
    const pages = readVectors((page) => this.#table.vectors(name, page));
    const near = await findNearest(toUnitVector(vector), limit, pages);
    const ids = near.map(({ id }) => id);
    const found = new Map((await this.#table.findSome(name, ids)).map((one) => [one.id, one]));
    return near.flatMap(({ id, similarity }) => {
      const document = found.get(id);
      return document === undefined ? [] : [{ ...document, similarity }];
    });
  }

  /** Some vectors of a collection, in the order of their numbers. */
  async vectors(collection: string, page: VectorPage): Promise<readonly VectorRow[]> {
    return this.#table.vectors(this.#nameOf(collection), page);
  }

  #nameOf(collection: string): CollectionName {
    checkCollection(collection);
    return { ...this.#owner, collection };
  }

  #placeOf(collection: string, id: string): DocumentPlace {
    const place = { ...this.#nameOf(collection), id };
    checkId(place);
    return place;
  }
}

/** Writes one document as one of many. */
export function putBy(putAll: Documents["putAll"]): Documents["put"] {
  return async (collection, document) => {
    const [written] = await putAll(collection, [document]);
    if (written === undefined) throw new BatonError("internal", "a document was written and is not known");
    return written;
  };
}

/** All vectors of a collection, page by page; others have their turn in this process between two pages. */
export async function* readVectors(
  read: (page: VectorPage) => Promise<readonly VectorRow[]>,
): AsyncGenerator<readonly VectorRow[]> {
  for (let after = 0; ;) {
    const page = await read({ after, limit: VECTOR_PAGE });
    yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < VECTOR_PAGE) return;
    after = last.number;
    await setImmediate();
  }
}
