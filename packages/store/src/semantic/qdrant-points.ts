/**
 * Qdrant points: documents' vectors as points of Qdrant, one collection for each number of dimensions.
 *
 * A point carries whose document it is of, its id and version. Every request names the owner and the collection in its
 * filter, and every point that comes back is checked against them.
 */
import { createHash } from "node:crypto";
import type { BatonError } from "@baton/core";
import type { CollectionName } from "../documents/document-table.ts";
import type { Owner } from "../owner.ts";
import { isRecord, type QdrantClient, toQdrantError } from "./qdrant-client.ts";

/** A vector of length 1, and the document it is of. */
export interface IndexedVector {
  readonly id: string;
  readonly version: number;
  readonly vector: Float32Array;
}

/** A point that was found. */
export interface PointMatch {
  /** Of the document. */
  readonly id: string;
  readonly version: number;
  readonly similarity: number;
}

/** A point as it is listed. */
export type ListedPoint = Omit<PointMatch, "similarity">;

/** Numbers in one request: about 2 MB. */
const MAX_NUMBERS = 150_000;
const MAX_POINTS = 1_000;
const SCROLL_PAGE = 1_000;
const ALREADY_THERE = 409;
const FILTERED = ["tenant", "user", "collection"] as const;

/** Reads and writes points. */
export class QdrantPoints {
  readonly #client: QdrantClient;
  readonly #made = new Set<string>();
  #dimensions: readonly number[] | undefined;

  constructor(client: QdrantClient) {
    this.#client = client;
  }

  /** Creates the collection for so many dimensions, unless it is there. */
  async prepare(dimensions: number): Promise<void> {
    const path = this.#pathOf(dimensions);
    if (this.#made.has(path)) return;
    const body = { vectors: { size: dimensions, distance: "Cosine" } };
    await this.#client.ask({ method: "PUT", path, body, orStatus: ALREADY_THERE });
    for (const field_name of FILTERED)
      await this.#client.ask({
        method: "PUT",
        path: `${path}/index?wait=true`,
        body: { field_name, field_schema: "keyword" },
      });
    this.#made.add(path);
    this.#dimensions = undefined;
  }

  /** Forgets which collections are there. */
  reset(): void {
    this.#made.clear();
    this.#dimensions = undefined;
  }

  async upsert(name: CollectionName, dimensions: number, vectors: readonly IndexedVector[]): Promise<void> {
    await this.prepare(dimensions);
    const count = Math.max(1, Math.min(MAX_POINTS, Math.floor(MAX_NUMBERS / dimensions)));
    for (let from = 0; from < vectors.length; from += count) {
      const points = vectors.slice(from, from + count).map(({ id, version, vector }) => ({
        id: toPointId(name, id),
        vector: Array.from(vector),
        payload: { ...toPayload(name), id, version },
      }));
      await this.#client.ask({ method: "PUT", path: `${this.#pathOf(dimensions)}/points?wait=true`, body: { points } });
    }
  }

  /** The nearest points of one owner and collection; the search is exact, as that of the store. */
  async query(name: CollectionName, vector: Float32Array, limit: number): Promise<readonly PointMatch[]> {
    const body = {
      query: Array.from(vector),
      filter: toFilter(toPayload(name)),
      limit,
      params: { exact: true },
      with_payload: true,
    };
    const result = await this.#client.ask({
      method: "POST",
      path: `${this.#pathOf(vector.length)}/points/query`,
      body,
    });
    return toArray(result, "points").map((point) => {
      const score = isRecord(point) ? point["score"] : undefined;
      if (typeof score !== "number" || !Number.isFinite(score)) throw unreadable();
      return { ...readPoint(name, point), similarity: Math.max(-1, Math.min(1, score)) };
    });
  }

  /** All points of one owner and collection. */
  async list(name: CollectionName, dimensions: number): Promise<readonly ListedPoint[]> {
    const path = `${this.#pathOf(dimensions)}/points/scroll`;
    const found: ListedPoint[] = [];
    for (let offset: unknown; ;) {
      const page = { filter: toFilter(toPayload(name)), limit: SCROLL_PAGE, with_payload: true, with_vector: false };
      const body = offset === undefined ? page : { ...page, offset };
      const result = await this.#client.ask({ method: "POST", path, body });
      found.push(...toArray(result, "points").map((point) => readPoint(name, point)));
      offset = isRecord(result) ? result["next_page_offset"] : undefined;
      if (offset === undefined || offset === null) return found;
    }
  }

  /** Removes the points of documents. */
  async remove(name: CollectionName, dimensions: number, ids: readonly string[]): Promise<void> {
    const path = `${this.#pathOf(dimensions)}/points/delete?wait=true`;
    for (let from = 0; from < ids.length; from += MAX_POINTS) {
      const points = ids.slice(from, from + MAX_POINTS).map((id) => toPointId(name, id));
      await this.#client.ask({ method: "POST", path, body: { points } });
    }
  }

  /** Removes all points of an owner, of every number of dimensions. */
  async removeOwner({ tenant, user }: Owner): Promise<void> {
    for (const dimensions of await this.dimensions()) {
      const path = `${this.#pathOf(dimensions)}/points/delete?wait=true`;
      await this.#client.ask({ method: "POST", path, body: { filter: toFilter({ tenant, user }) } });
    }
  }

  /** For which numbers of dimensions there are points. */
  async dimensions(): Promise<readonly number[]> {
    return (this.#dimensions ??= await this.#readDimensions());
  }

  async #readDimensions(): Promise<readonly number[]> {
    const result = await this.#client.ask({ method: "GET", path: "/collections" });
    const prefix = `${this.#client.prefix}_`;
    return toArray(result, "collections").flatMap((one) => {
      const name = isRecord(one) && typeof one["name"] === "string" ? one["name"] : "";
      const dimensions = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN;
      return Number.isSafeInteger(dimensions) && dimensions > 0 ? [dimensions] : [];
    });
  }

  #pathOf(dimensions: number): string {
    return `/collections/${this.#client.prefix}_${dimensions}`;
  }
}

type Payload = Readonly<Record<string, string>>;

function toPayload({ tenant, user, collection }: CollectionName): Payload {
  return { tenant, user, collection };
}

function toFilter(payload: Payload): object {
  return { must: Object.entries(payload).map(([key, value]) => ({ key, match: { value } })) };
}

/** Points have ids of their own form: a UUID, the same for the same document. */
function toPointId({ tenant, user, collection }: CollectionName, id: string): string {
  const hex = createHash("sha256")
    .update(JSON.stringify([tenant, user, collection, id]))
    .digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function readPoint(name: CollectionName, point: unknown): ListedPoint {
  const payload = isRecord(point) ? point["payload"] : undefined;
  if (!isRecord(payload)) throw unreadable();
  const { id, version } = payload;
  const isOurs = FILTERED.every((field) => payload[field] === name[field]);
  if (!isOurs || typeof id !== "string" || typeof version !== "number") throw unreadable();
  return { id, version };
}

function toArray(result: unknown, field: string): readonly unknown[] {
  const found = isRecord(result) ? result[field] : undefined;
  if (Array.isArray(found)) return found;
  throw unreadable();
}

function unreadable(): BatonError {
  return toQdrantError("what came back is not what was asked for");
}
