/**
 * Documents with an index in Qdrant: `nearest` asks Qdrant, and everything else the store.
 *
 * The store is written first and read last: what comes back from `nearest` is the documents as the store has them now,
 * so a document that was deleted, has changed or is another owner's never comes back from the index.
 */
import type { Documents, NearDocument } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { checkCollection } from "../documents/document-entry.ts";
import { checkLimit } from "../documents/document-listing.ts";
import type { CollectionName, VectorDocuments } from "../documents/document-table.ts";
import { type Owner, ownerOf } from "../owner.ts";
import { FOUND_LIMIT, putBy } from "../documents/stored-documents.ts";
import { toUnitVector } from "../documents/unit-vector.ts";
import { withMethods } from "../with-methods.ts";
import type { QdrantIndex } from "./qdrant-index.ts";
import type { PointMatch } from "./qdrant-points.ts";

/** The owner of the documents, and the index of their vectors. */
export interface WithQdrantOptions {
  readonly index: QdrantIndex;
  readonly owner: Owner;
}

/** Documents whose nearest vectors are found in Qdrant. */
export function withQdrant(documents: VectorDocuments, { index, owner }: WithQdrantOptions): Documents {
  const nameOf = (collection: string): CollectionName => ({ ...ownerOf(owner), collection });
  const putAll: Documents["putAll"] = async (collection, many) => {
    const written = await documents.putAll(collection, many);
    const vectors = written.flatMap(({ id, version }, place) => {
      const vector = many[place]?.vector;
      return vector === undefined ? [] : [{ id, version, vector: toUnitVector(vector) }];
    });
    if (vectors.length > 0) await index.add(nameOf(collection), vectors);
    return written;
  };
  return withMethods(documents, {
    putAll,
    put: putBy(putAll),
    async delete(collection, id, version) {
      const isDeleted = await documents.delete(collection, id, version);
      if (isDeleted) await index.remove(nameOf(collection), [id]);
      return isDeleted;
    },
    async nearest(collection, search) {
      const { vector, limit = FOUND_LIMIT } = search;
      checkCollection(collection);
      checkLimit(limit);
      const name = nameOf(collection);
      const points = await index.nearest({ name, documents }, toUnitVector(vector), limit);
      const found = points === undefined ? undefined : await readAll(documents, collection, points);
      if (found !== undefined) return found;
      if (points !== undefined) index.distrust(name);
      return documents.nearest(collection, { vector, ...omitUndefined({ limit: search.limit }) });
    },
  });
}

/** The documents of points, as the store has them; undefined if one of them is not what its point says. */
async function readAll(
  documents: Documents,
  collection: string,
  points: readonly PointMatch[],
): Promise<readonly NearDocument[] | undefined> {
  // What the store cannot give, its own search says.
  const found = await Promise.all(points.map(({ id }) => documents.get(collection, id).catch(() => undefined)));
  const near: NearDocument[] = [];
  for (const [place, { version, similarity }] of points.entries()) {
    const document = found[place];
    if (document?.version !== version) return undefined;
    near.push({ ...document, similarity });
  }
  return near.toSorted((one, other) => other.similarity - one.similarity || one.version - other.version);
}
