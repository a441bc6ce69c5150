/**
 * Redis documents: documents of some collections in Redis, for all servers that share it.
 *
 * They keep the promises of the store's documents (`testing/document-suite`, `document-finding-suite`), for small
 * collections: a list or a search reads all documents of an owner's collection. What differs:
 * documents are as durable as Redis is, and `owners.transfer` and `sessions.delete` do not see them.
 */
import { BatonError } from "@baton/core";
import type { Document } from "@baton/core/ports";
import { Buffer } from "node:buffer";
import { conflict } from "../document-entry.ts";
import type {
  CollectionName,
  DocumentPlace,
  DocumentTable,
  Entry,
  IndexKey,
  Listed,
  Listing,
  VectorPage,
  WordSearch,
} from "../document-table.ts";
import { ownerOf } from "../owner.ts";
import type { VectorRow } from "../unit-vector.ts";
import { REMOVE, SAVE } from "./document-script.ts";
import { listLoaded, searchLoaded, type StoredEntry, toRead, unexpired, vectorsOf } from "./loaded-documents.ts";
import type { RedisCommands } from "./redis.ts";

const PREFIX = "baton:documents:";
const VERSIONS = "baton:versions";

/** Documents of all owners in Redis. */
export class RedisDocuments implements DocumentTable {
  readonly now: () => number;
  readonly #redis: RedisCommands;

  constructor(redis: RedisCommands, now: () => number) {
    this.#redis = redis;
    this.now = now;
  }

  async find(place: DocumentPlace): Promise<Document | undefined> {
    const [found] = await this.findSome(place, [place.id]);
    return found;
  }

  async findSome(name: CollectionName, ids: readonly string[]): Promise<readonly Document[]> {
    if (ids.length === 0) return [];
    const texts = toList(await this.#redis.send(["HMGET", hashOf(name), ...ids]));
    const pairs = ids.map((id, index) => [id, texts[index]] as const);
    return unexpired(toEntries(name, pairs), this.now()).map(toRead);
  }

  async save(entries: readonly Entry[], now: number): Promise<readonly Document[]> {
    const [first] = entries;
    if (first === undefined) return [];
    const args = entries.flatMap((entry) => [
      entry.id,
      entry.seen === undefined ? "" : `${entry.seen}`,
      entry.expiresAt === undefined ? "-" : `${entry.expiresAt}`,
      toText(entry),
    ]);
    const keys = [...keysOf(first), VERSIONS];
    const answer = toList(await this.#redis.run(SAVE, { keys, args: [`${now}`, ...args] }));
    const [place = "", version] = answer;
    if (place.startsWith("-")) throw toConflict(entries[Number(place.slice(1))] ?? first, version);
    if (answer.length < entries.length) throw new BatonError("internal", "Redis did not write all documents");
    return entries.map((entry, index) => toRead({ ...entry, version: Number(answer[index]) }));
  }

  async remove(place: DocumentPlace, seen: number | undefined): Promise<boolean> {
    const args = [`${this.now()}`, place.id, seen === undefined ? "" : `${seen}`];
    const answer = String(await this.#redis.run(REMOVE, { keys: keysOf(place), args }));
    if (answer.startsWith("-")) throw toConflict({ ...place, seen }, answer.slice(1));
    return answer === "1";
  }

  async list(name: CollectionName, listing: Listing): Promise<readonly Listed[]> {
    return listLoaded(unexpired(await this.#load(name), this.now()), listing);
  }

  async search(name: CollectionName, search: WordSearch): Promise<readonly Document[]> {
    return searchLoaded(unexpired(await this.#load(name), this.now()), search);
  }

  async vectors(name: CollectionName, page: VectorPage): Promise<readonly VectorRow[]> {
    return vectorsOf(unexpired(await this.#load(name), this.now()), page);
  }

  /** Removes what goes with a session. */
  async deleteSession(name: CollectionName, session: string): Promise<void> {
    const gone = (await this.#load(name)).filter((stored) => stored.session === session);
    for (const { id } of gone) await this.remove({ ...name, id }, undefined);
  }

  /** Removes a whole collection of an owner. */
  async deleteCollection(name: CollectionName): Promise<void> {
    await this.#redis.send(["DEL", ...keysOf(name)]);
  }

  async #load(name: CollectionName): Promise<readonly StoredEntry[]> {
    const flat = toList(await this.#redis.send(["HGETALL", hashOf(name)]));
    const pairs = flat.flatMap((id, index) => (index % 2 === 0 ? [[id ?? "", flat[index + 1]] as const] : []));
    return toEntries(name, pairs);
  }
}

function hashOf({ tenant, user, collection }: CollectionName): string {
  return `${PREFIX}${JSON.stringify([tenant, user, collection])}`;
}

function keysOf(name: CollectionName): readonly string[] {
  return [hashOf(name), `${hashOf(name)}:ends`];
}

function toConflict(entry: DocumentPlace & Pick<Entry, "seen">, version: string | undefined): BatonError {
  return conflict(entry, entry.seen ?? 0, version === "0" ? undefined : Number(version));
}

function toEntries(
  name: CollectionName,
  pairs: readonly (readonly [id: string, text: string | undefined])[],
): readonly StoredEntry[] {
  const place = { ...ownerOf(name), collection: name.collection };
  return pairs.flatMap(([id, text]) => (text === undefined ? [] : [toStored({ ...place, id }, text)]));
}

interface Kept {
  readonly body: string;
  readonly keys: readonly IndexKey[];
  readonly words: readonly string[];
  readonly vector?: string;
  readonly session?: string;
}

function toText({ body, keys, words, vector, session }: Entry): string {
  const kept: Kept = {
    body,
    keys,
    words,
    ...(vector === undefined ? {} : { vector: Buffer.from(vector).toString("base64") }),
    ...(session === undefined ? {} : { session }),
  };
  return JSON.stringify(kept);
}

function toStored(place: DocumentPlace, text: string): StoredEntry {
  const [version = "", end = ""] = text.split(" ", 2);
  const kept: unknown = JSON.parse(text.slice(version.length + end.length + 2));
  if (!isKept(kept))
    throw new BatonError("damaged", `what Redis has of document ${place.collection}/${place.id} is not a document`);
  const { body, keys, words, vector, session } = kept;
  return {
    ...place,
    version: Number(version),
    seen: undefined,
    body,
    keys,
    words,
    session,
    vector: vector === undefined ? undefined : new Uint8Array(Buffer.from(vector, "base64")),
    expiresAt: end === "-" ? undefined : Number(end),
  };
}

function isKept(value: unknown): value is Kept {
  return typeof value === "object" && value !== null && "body" in value && "keys" in value && "words" in value;
}

function toList(reply: unknown): readonly (string | undefined)[] {
  return Array.isArray(reply) ? reply.map((one) => (typeof one === "string" ? one : undefined)) : [];
}
