/**
 * Redis collections: some collections of all owners are kept in Redis, where every server finds them.
 *
 * They keep the promises that `RedisDocuments` names. While Redis fails they are kept in the store, with one warning;
 * when it is back, what the store has of them goes to Redis before it is read. Not promised across such a failure: that
 * a version stays valid, and that `search` and `nearest` find what was written during it.
 */
import { BatonError } from "@baton/core";
import { type Clock, type Document, type Documents, SystemClock } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { type Owner, ownerOf } from "../owner.ts";
import { putBy, documentsOf } from "../documents/stored-documents.ts";
import type { RedisCommands } from "./redis.ts";
import { type RedisDocuments, redisDocuments } from "./redis-documents.ts";

/** The collections, and a callback for warnings. */
export interface RedisCollectionsOptions {
  readonly collections: readonly string[];
  readonly clock?: Clock;
  /** Called once when Redis begins to fail. */
  readonly warn?: (text: string) => void;
}

const WARNING = "is kept in the store until Redis is back";
const PAGE = 1_000;
/** Entries kept in memory of collections that the store is known to have nothing of, and of pending removals. */
const MAX_REMEMBERED = 10_000;

/** State that all documents of these collections share: the table in Redis, and the work that is still to be done there. */
export class RedisCollections {
  readonly names: ReadonlySet<string>;
  readonly #table: RedisDocuments;
  readonly #clock: Clock;
  readonly #warn: (text: string) => void;
  /** Collections of owners of which the store has nothing. */
  readonly #moved = new Set<string>();
  #owed: (() => Promise<unknown>)[] = [];
  #isFailing = false;

  constructor(redis: RedisCommands, options: RedisCollectionsOptions) {
    const { collections, clock = new SystemClock(), warn = () => {} } = options;
    this.names = new Set(collections);
    this.#table = redisDocuments(redis, () => clock.now());
    this.#clock = clock;
    this.#warn = warn;
  }

  /** The documents of an owner in Redis. */
  open(owner: Owner): Documents {
    return documentsOf(this.#table, owner);
  }

  /** Does something in Redis, or in the store if Redis fails. */
  async use<T>(
    place: StoredCollection,
    inRedis: (shared: Documents) => Promise<T>,
    inStore: () => Promise<T>,
  ): Promise<T> {
    const shared = this.open(place.owner);
    try {
      await this.#settle();
      await this.#move(place, shared);
      const value = await inRedis(shared);
      this.#isFailing = false;
      return value;
    } catch (error) {
      if (!isFailure(error)) throw error;
      this.#fail(error, place.collection);
      return inStore();
    }
  }

  /** The store has something of this collection again. */
  leftBehind({ owner, collection }: StoredCollection): void {
    this.#moved.delete(keyOf(owner, collection));
  }

  /** Removes what goes with a session, now or when Redis is back. */
  async deleteSession(owner: Owner, session: string): Promise<void> {
    for (const collection of this.names)
      await this.removeSoon(collection, () => this.#table.deleteSession({ ...ownerOf(owner), collection }, session));
  }

  /** Removes all that an owner has, now or when Redis is back. */
  async deleteOwner(owner: Owner): Promise<void> {
    for (const collection of this.names)
      await this.removeSoon(collection, () => this.#table.deleteCollection({ ...ownerOf(owner), collection }));
  }

  /** Removes something in Redis now, or when it is back. */
  async removeSoon(collection: string, remove: () => Promise<unknown>): Promise<void> {
    try {
      await remove();
    } catch (error) {
      if (!isFailure(error)) throw error;
      this.#fail(error, collection);
      this.#owed = [...this.#owed, remove].slice(-MAX_REMEMBERED);
    }
  }

  async #settle(): Promise<void> {
    for (let next = this.#owed[0]; next !== undefined; next = this.#owed[0]) {
      await next();
      this.#owed = this.#owed.filter((one) => one !== next);
    }
  }

  /** Brings to Redis what the store has: from before Redis was used, or from a time when it failed. */
  async #move({ owner, collection, documents }: StoredCollection, shared: Documents): Promise<void> {
    const key = keyOf(owner, collection);
    if (this.#moved.has(key)) return;
    for (let after: string | undefined; ;) {
      const page = await documents.list(collection, { limit: PAGE, ...omitUndefined({ after }) });
      for (const document of page.documents) await this.#moveOne(document, documents, shared);
      after = page.next;
      if (after === undefined) break;
    }
    this.#moved.add(key);
    if (this.#moved.size > MAX_REMEMBERED) this.#moved.clear();
  }

  async #moveOne(document: Document, documents: Documents, shared: Documents): Promise<void> {
    const { collection, id, version, data, index, session, updatedAt, expiresAt, error } = document;
    if (error !== undefined) return;
    const ttlMs = expiresAt === undefined ? undefined : expiresAt - this.#clock.now();
    const there = await shared.get(collection, id);
    const isNewer = there === undefined || there.updatedAt <= updatedAt;
    if (isNewer && (ttlMs === undefined || ttlMs > 0))
      await shared.put(collection, { id, data, ...omitUndefined({ index, session, ttlMs }) });
    await documents.delete(collection, id, version).catch(unlessConflict);
  }

  #fail(error: unknown, collection: string): void {
    if (!this.#isFailing) this.#warn(`${error instanceof Error ? error.message : ""}; ${collection} ${WARNING}`);
    this.#isFailing = true;
  }
}

/** A collection of an owner, and its documents in the store. */
export interface StoredCollection {
  readonly owner: Owner;
  readonly collection: string;
  readonly documents: Documents;
}

/** The documents of an owner, of which some collections are in Redis. */
export function withRedis(documents: Documents, collections: RedisCollections, owner: Owner): Documents {
  const placeOf = (collection: string): StoredCollection => ({ owner, collection, documents });
  const use = <T>(collection: string, work: (chosen: Documents) => Promise<T>): Promise<T> =>
    collections.names.has(collection)
      ? collections.use(placeOf(collection), work, () => work(documents))
      : work(documents);
  const putAll: Documents["putAll"] = async (collection, many) => {
    if (!collections.names.has(collection)) return documents.putAll(collection, many);
    const place = placeOf(collection);
    return collections.use(
      place,
      (shared) => shared.putAll(collection, many),
      () => {
        collections.leftBehind(place);
        return documents.putAll(collection, many);
      },
    );
  };
  return {
    putAll,
    put: putBy(putAll),
    async delete(collection, id, version) {
      if (!collections.names.has(collection)) return documents.delete(collection, id, version);
      const shared = collections.open(owner);
      return collections.use(
        placeOf(collection),
        () => shared.delete(collection, id, version),
        async () => {
          const isDeleted = await documents.delete(collection, id, version);
          await collections.removeSoon(collection, () => shared.delete(collection, id));
          return isDeleted;
        },
      );
    },
    get: (collection, id) => use(collection, (chosen) => chosen.get(collection, id)),
    list: (collection, query) => use(collection, (chosen) => chosen.list(collection, query)),
    search: (collection, search) => use(collection, (chosen) => chosen.search(collection, search)),
    nearest: (collection, search) => use(collection, (chosen) => chosen.nearest(collection, search)),
  };
}

function keyOf({ tenant, user }: Owner, collection: string): string {
  return JSON.stringify([tenant, user, collection]);
}

/** Redis cannot be asked now; what it refuses for a reason of its caller is another error. */
function isFailure(error: unknown): boolean {
  return error instanceof BatonError && (error.code === "busy" || error.code === "closed");
}

/** Another server has moved it, or it was written again. */
function unlessConflict(error: unknown): void {
  if (!(error instanceof BatonError) || error.code !== "conflict") throw error;
}
