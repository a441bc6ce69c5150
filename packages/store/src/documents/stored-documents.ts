/**
 * Stored documents: the documents of one owner in a database.
 *
 * Every method is one transaction, but for `nearest`, which reads
 * in pages. Their promises are tests: `testing/document-suite`.
 */
import { BatonError } from "@baton/core";
import type { Documents } from "@baton/core/ports";
import { setImmediate } from "node:timers/promises";
import { checkCollection, checkId, checkVersion, toDocumentEntries } from "./document-entry.ts";
import { checkLimit, toListing, toPage } from "./document-listing.ts";
import type { CollectionName, DocumentPlace, DocumentTable, VectorDocuments, VectorPage } from "./document-table.ts";
import { toWordQuery } from "./folded-text.ts";
import { type Owner, ownerOf } from "../owner.ts";
import { findNearest, toUnitVector, type VectorRow } from "./unit-vector.ts";

/** Documents that a search gives by default. */
export const FOUND_LIMIT = 10;
const VECTOR_PAGE = 1_000;

/** The documents of one owner only. */
export function documentsOf(table: DocumentTable, owner: Owner): VectorDocuments {
  const nameOf = (collection: string): CollectionName => {
    checkCollection(collection);
    return { ...ownerOf(owner), collection };
  };
  const placeOf = (collection: string, id: string): DocumentPlace => {
    const place = { ...nameOf(collection), id };
    checkId(place);
    return place;
  };
  const putAll: Documents["putAll"] = async (collection, documents) => {
    const now = table.now();
    const entries = toDocumentEntries(nameOf(collection), documents, now);
    return entries.length === 0 ? [] : table.save(entries, now);
  };
  return {
    get: async (collection, id) => table.find(placeOf(collection, id)),
    put: putBy(putAll),
    putAll,
    async delete(collection, id, version) {
      const place = placeOf(collection, id);
      if (version !== undefined) checkVersion(place, version);
      return table.remove(place, version);
    },
    async list(collection, query = {}) {
      const listing = toListing(query);
      return toPage(await table.list(nameOf(collection), listing), listing.limit);
    },
    async search(collection, { text, match = "all", limit = FOUND_LIMIT }) {
      const name = nameOf(collection);
      checkLimit(limit);
      const query = toWordQuery(text, match);
      return query === undefined ? [] : table.search(name, { query, limit });
    },
    /** Every vector of the collection is compared. */
    async nearest(collection, { vector, limit = FOUND_LIMIT }) {
      const name = nameOf(collection);
      checkLimit(limit);
      const pages = readVectors((page) => table.vectors(name, page));
      const near = await findNearest(toUnitVector(vector), limit, pages);
      const ids = near.map(({ id }) => id);
      const found = new Map((await table.findSome(name, ids)).map((one) => [one.id, one]));
      return near.flatMap(({ id, similarity }) => {
        const document = found.get(id);
        return document === undefined ? [] : [{ ...document, similarity }];
      });
    },
    vectors: async (collection, page) => table.vectors(nameOf(collection), page),
  };
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
