/**
 * Qdrant index: finds the nearest vectors of documents in Qdrant, beside the store, which stays the truth.
 *
 * A collection is asked for in Qdrant only after its index was compared with the store and completed. Whatever fails, and
 * a point that does not fit its document, makes the store answer, with one warning, and the index is compared again. So
 * documents from before Qdrant was used, or from a time when it was down, are not missed.
 */
import { type Clock, SystemClock } from "@baton/core/ports";
import { toMessage } from "@baton/core/util";
import type { CollectionName, VectorDocuments } from "../documents/document-table.ts";
import { isSameOwner, type Owner } from "../owner.ts";
import { readVectors } from "../documents/stored-documents.ts";
import { toFloats } from "../documents/unit-vector.ts";
import { QdrantClient, type QdrantClientOptions } from "./qdrant-client.ts";
import { type PointMatch, type IndexedVector, QdrantPoints } from "./qdrant-points.ts";

/** Address and options of a Qdrant, and a callback for warnings. */
export interface QdrantOptions extends Omit<QdrantClientOptions, "clock"> {
  readonly clock?: Clock;
  /** Called once when Qdrant begins to fail. */
  readonly warn?: (text: string) => void;
}

/** A collection of an owner, and its documents in the store. */
export interface IndexedCollection {
  readonly name: CollectionName;
  readonly documents: VectorDocuments;
}

/** Pause after a failure of Qdrant: nothing is asked meanwhile. */
const PAUSE_MS = 2_000;
/** Time for which a compared index is trusted: another server may have failed to write to it. */
const TRUSTED_MS = 10 * 60_000;
/** A Qdrant that fails now and then is not reported more often. */
const QUIET_MS = 60_000;
const MAX_REMEMBERED = 10_000;

interface Compared {
  readonly name: CollectionName;
  readonly until: number;
}

/** The index of all owners. */
export class QdrantIndex {
  readonly #points: QdrantPoints;
  readonly #clock: Clock;
  readonly #warn: (text: string) => void;
  readonly #compared = new Map<string, Compared>();
  readonly #comparing = new Map<string, Promise<void>>();
  #pausedUntil = -Infinity;
  #isFailing = false;
  #quietUntil = -Infinity;
  /** Grows with every doubt: a comparison during which one came up proves nothing. */
  #doubts = 0;

  constructor({ clock = new SystemClock(), warn = () => {}, ...options }: QdrantOptions) {
    this.#points = new QdrantPoints(new QdrantClient({ ...options, clock }));
    this.#clock = clock;
    this.#warn = warn;
  }

  /** The nearest points; undefined if the store must answer. */
  async nearest(
    { name, documents }: IndexedCollection,
    vector: Float32Array,
    limit: number,
  ): Promise<readonly PointMatch[] | undefined> {
    return this.#try(async () => {
      const trust = await this.#compareOnce({ name, documents }, vector.length);
      return trust === "doubtful" ? undefined : this.#points.query(name, vector, limit);
    });
  }

  /** Adds vectors that were written to the store. */
  async add(name: CollectionName, vectors: readonly IndexedVector[]): Promise<void> {
    for (const [dimensions, same] of Map.groupBy(vectors, ({ vector }) => vector.length))
      await this.#change(name, () => this.#points.upsert(name, dimensions, same));
  }

  /** Removes the points of documents that the store has no longer. */
  async remove(name: CollectionName, ids: readonly string[]): Promise<void> {
    await this.#change(name, async () => {
      for (const dimensions of await this.#points.dimensions()) await this.#points.remove(name, dimensions, ids);
    });
  }

  /** Removes all that an owner has. */
  async removeOwner(owner: Owner): Promise<void> {
    this.distrustOwner(owner);
    await this.#try(() => this.#points.removeOwner(owner));
  }

  /** The index of this collection must be compared with the store again. */
  distrust(name: CollectionName): void {
    this.#forgetWhere((compared) => compared.collection === name.collection && isSameOwner(compared, name));
  }

  /** The same, for all that an owner has. */
  distrustOwner(owner: Owner): void {
    this.#forgetWhere((compared) => isSameOwner(compared, owner));
  }

  #forgetWhere(isForgotten: (name: CollectionName) => boolean): void {
    this.#doubts++;
    for (const [key, { name }] of this.#compared) if (isForgotten(name)) this.#compared.delete(key);
  }

  async #compareOnce(collection: IndexedCollection, dimensions: number): Promise<"trusted" | "doubtful"> {
    const { tenant, user, collection: own } = collection.name;
    const key = JSON.stringify([tenant, user, own, dimensions]);
    if ((this.#compared.get(key)?.until ?? -Infinity) > this.#clock.monotonic()) return "trusted";
    const doubts = this.#doubts;
    const running = this.#comparing.get(key) ?? this.#compare(collection, dimensions);
    this.#comparing.set(key, running);
    try {
      await running;
    } finally {
      if (this.#comparing.get(key) === running) this.#comparing.delete(key);
    }
    if (this.#doubts !== doubts) return "doubtful";
    if (this.#compared.size >= MAX_REMEMBERED) this.#compared.clear();
    this.#compared.set(key, { name: collection.name, until: this.#clock.monotonic() + TRUSTED_MS });
    return "trusted";
  }

  async #compare({ name, documents }: IndexedCollection, dimensions: number): Promise<void> {
    await this.#points.prepare(dimensions);
    const listed = new Map((await this.#points.list(name, dimensions)).map(({ id, version }) => [id, version]));
    const { vectors: read } = documents;
    if (read === undefined) throw new Error("the documents do not show their vectors");
    for await (const rows of readVectors((page) => read.call(documents, name.collection, page))) {
      const missing = rows.filter(({ id, version, vector }) => {
        const isSame = vector.byteLength === dimensions * Float32Array.BYTES_PER_ELEMENT;
        const isThere = isSame && listed.get(id) === version;
        if (isSame) listed.delete(id);
        return isSame && !isThere;
      });
      const vectors = missing.map(({ id, version, vector }) => ({ id, version, vector: toFloats(vector) }));
      if (vectors.length > 0) await this.#points.upsert(name, dimensions, vectors);
    }
    if (listed.size > 0) await this.#points.remove(name, dimensions, [...listed.keys()]);
  }

  /** Changes points; if that fails, their collection must be compared with the store again. */
  async #change(name: CollectionName, work: () => Promise<void>): Promise<void> {
    const changed = await this.#try(() => work().then(() => true));
    if (changed === undefined) this.distrust(name);
  }

  /** Returns the answer of Qdrant; undefined if it fails. */
  async #try<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.#clock.monotonic() < this.#pausedUntil) return undefined;
    try {
      const value = await work();
      this.#isFailing = false;
      return value;
    } catch (error) {
      // It may have lost its data: what was there is looked at anew.
      this.#points.reset();
      this.#forgetWhere(() => true);
      const now = this.#clock.monotonic();
      this.#pausedUntil = now + PAUSE_MS;
      if (!this.#isFailing && now >= this.#quietUntil) {
        this.#quietUntil = now + QUIET_MS;
        this.#warn(`${toMessage(error)}; the store finds vectors until it is back`);
      }
      this.#isFailing = true;
      return undefined;
    }
  }
}
