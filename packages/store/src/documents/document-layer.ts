/**
 * Document layers: what stands between a database's documents and their users: an index of vectors, embeddings.
 *
 * A database with layers is still a database: all its documents pass the layers, and what it removes with a session or an
 * owner is removed from the layers too.
 */
import type { Documents } from "@baton/core/ports";
import type { Database } from "../database.ts";
import type { VectorDocuments } from "./document-table.ts";
import type { Owner } from "../owner.ts";
import { withMethods } from "../with-methods.ts";

/** One layer. Its methods are called after the database has made the change. */
export interface DocumentLayer {
  readonly sessionDeleted?: (owner: Owner, session: string) => Promise<void>;
  readonly ownerDeleted?: (owner: Owner) => Promise<void>;
  readonly transferred?: (from: Owner, to: Owner) => Promise<void>;
}

/** Wrappers around documents, and the layers that are told of removals. */
export interface DocumentLayers {
  readonly wrap: (documents: VectorDocuments, owner: Owner) => Documents;
  readonly layers: readonly DocumentLayer[];
}

/** The database, with layers around its documents. */
export function withDocumentLayers(database: Database, { wrap, layers }: DocumentLayers): Database {
  const { sessions, owners } = database;
  return withMethods(database, {
    documents: (owner) => wrap(database.documents(owner), owner),
    sessions: withMethods(sessions, {
      async delete(owner, id) {
        const isDeleted = await sessions.delete(owner, id);
        for (const layer of layers) await layer.sessionDeleted?.(owner, id);
        return isDeleted;
      },
    }),
    owners: {
      async delete(owner) {
        await owners.delete(owner);
        for (const layer of layers) await layer.ownerDeleted?.(owner);
      },
      async transfer(from, to) {
        const transferred = await owners.transfer(from, to);
        for (const layer of layers) await layer.transferred?.(from, to);
        return transferred;
      },
    },
  });
}
