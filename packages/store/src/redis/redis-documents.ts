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
import { versionConflict } from "../documents/document-entry.ts";
import type {
  CollectionName,
  DocumentPlace,
  DocumentTable,
  DocumentEntry,
  IndexKey,
} from "../documents/document-table.ts";
import { ownerOf } from "../owner.ts";
import { REMOVE, SAVE } from "./document-script.ts";
import { listLoaded, searchLoaded, type StoredEntry, toRead, unexpired, vectorsOf } from "./loaded-documents.ts";
import type { RedisCommands } from "./redis.ts";

const PREFIX = "baton:documents:";
const VERSIONS = "baton:versions";

/** Documents of all owners in Redis. */
export interface RedisDocuments extends DocumentTable {
  /** Removes what goes with a session. */
  deleteSession(name: CollectionName, session: string): Promise<void>;
  /** Removes a whole collection of an owner. */
  deleteCollection(name: CollectionName): Promise<void>;
}

/** The documents in a Redis. */
export function redisDocuments(redis: RedisCommands, now: () => number): RedisDocuments {
  const loadAll = async (name: CollectionName): Promise<readonly StoredEntry[]> => {
    const flat = toList(await redis.send(["HGETALL", hashOf(name)]));
    const pairs = flat.flatMap((id, index) => (index % 2 === 0 ? [[id ?? "", flat[index + 1]] as const] : []));
    return toEntries(name, pairs);
  };
  const load = async (name: CollectionName) => unexpired(await loadAll(name), now());
  const findSome: DocumentTable["findSome"] = async (name, ids) => {
    if (ids.length === 0) return [];
    const texts = toList(await redis.send(["HMGET", hashOf(name), ...ids]));
    const pairs = ids.map((id, index) => [id, texts[index]] as const);
    return unexpired(toEntries(name, pairs), now()).map(toRead);
  };
  const remove: DocumentTable["remove"] = async (place, seen) => {
    const args = [`${now()}`, place.id, seen === undefined ? "" : `${seen}`];
    const answer = String(await redis.run(REMOVE, { keys: keysOf(place), args }));
    if (answer.startsWith("-")) throw toConflict({ ...place, seen }, answer.slice(1));
    return answer === "1";
  };
  return {
    now,
    find: async (place) => (await findSome(place, [place.id]))[0],
    findSome,
    save: async (entries, at) => saveEntries(redis, entries, at),
    remove,
    list: async (name, listing) => listLoaded(await load(name), listing),
    search: async (name, search) => searchLoaded(await load(name), search),
    vectors: async (name, page) => vectorsOf(await load(name), page),
    async deleteSession(name, session) {
      const gone = (await loadAll(name)).filter((stored) => stored.session === session);
      for (const { id } of gone) await remove({ ...name, id }, undefined);
    },
    async deleteCollection(name) {
      await redis.send(["DEL", ...keysOf(name)]);
    },
  };
}

async function saveEntries(
  redis: RedisCommands,
  entries: readonly DocumentEntry[],
  now: number,
): Promise<readonly Document[]> {
  const [first] = entries;
  if (first === undefined) return [];
  const args = entries.flatMap((entry) => [
    entry.id,
    entry.seen === undefined ? "" : `${entry.seen}`,
    entry.expiresAt === undefined ? "-" : `${entry.expiresAt}`,
    toText(entry),
  ]);
  const keys = [...keysOf(first), VERSIONS];
  const answer = toList(await redis.run(SAVE, { keys, args: [`${now}`, ...args] }));
  const [place = "", version] = answer;
  if (place.startsWith("-")) throw toConflict(entries[Number(place.slice(1))] ?? first, version);
  if (answer.length < entries.length) throw new BatonError("internal", "Redis did not write all documents");
  return entries.map((entry, index) => toRead({ ...entry, version: Number(answer[index]) }));
}

function hashOf({ tenant, user, collection }: CollectionName): string {
  return `${PREFIX}${JSON.stringify([tenant, user, collection])}`;
}

function keysOf(name: CollectionName): readonly string[] {
  return [hashOf(name), `${hashOf(name)}:ends`];
}

function toConflict(entry: DocumentPlace & Pick<DocumentEntry, "seen">, version: string | undefined): BatonError {
  return versionConflict(entry, entry.seen ?? 0, version === "0" ? undefined : Number(version));
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

function toText({ body, keys, words, vector, session }: DocumentEntry): string {
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
