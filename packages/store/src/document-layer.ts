/**
 * Document layers: what stands between a database's documents and their users: Redis, an index of vectors, embeddings.
 *
 * The database with layers is a database as before: whoever asks it for documents has them with all layers, and what it
 * removes with a session or an owner is removed from the layers too.
 */
import type { Documents } from "@baton/core/ports";
import type { Database } from "./database.ts";
import type { VectorDocuments } from "./document-table.ts";
import type { Owner } from "./owner.ts";

/** One layer. What it is told of has happened in the database. */
export interface DocumentLayer {
  readonly sessionDeleted?: (owner: Owner, session: string) => Promise<void>;
  readonly ownerDeleted?: (owner: Owner) => Promise<void>;
  readonly transferred?: (from: Owner, to: Owner) => Promise<void>;
}

/** How documents are wrapped, and who is told of what goes. */
export interface DocumentLayers {
  readonly wrap: (documents: VectorDocuments, owner: Owner) => Documents;
  readonly layers: readonly DocumentLayer[];
}

/** The database, with layers around its documents. */
export function withDocumentLayers(database: Database, { wrap, layers }: DocumentLayers): Database {
  const own: Partial<Database> = {
    documents: (owner) => wrap(database.documents(owner), owner),
    async deleteSession(owner, id) {
      const isDeleted = await database.deleteSession(owner, id);
      for (const layer of layers) await layer.sessionDeleted?.(owner, id);
      return isDeleted;
    },
    async deleteOwner(owner) {
      await database.deleteOwner(owner);
      for (const layer of layers) await layer.ownerDeleted?.(owner);
    },
    async transfer(from, to) {
      const transferred = await database.transfer(from, to);
      for (const layer of layers) await layer.transferred?.(from, to);
      return transferred;
    },
  };
  const methods = new Map<PropertyKey, unknown>(Object.entries(own));
  // Databases have private fields, which only they themselves can read: their methods are called on them.
  return new Proxy(database, {
    get(target, name) {
      const replaced = methods.get(name);
      if (replaced !== undefined) return replaced;
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      const bound: unknown = value.bind(target);
      return bound;
    },
  });
}
