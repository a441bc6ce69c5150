/**
 * Shared parts: what a server uses beside its store: Redis, an index of vectors in Qdrant, embeddings.
 *
 * Each is loaded only if it is named. A Redis that does not answer and an embedding that cannot be used are refused at the
 * start. What fails later is done without, and told to `warn`.
 */
import { BatonError } from "@baton/core";
import { toMessage } from "@baton/core/ports";
import type { Environment } from "@baton/models";
import type { ServerOptions } from "@baton/server";
import { type Database, type DocumentLayer, withDocumentLayers } from "@baton/store";
import type { Redis } from "@baton/store/redis";
import type { Config } from "./settings.ts";

type Named = Pick<Config, "redis" | "qdrant" | "embeddings">;
type Warn = (text: string) => void;
type Wrap = Parameters<typeof withDocumentLayers>[1]["wrap"];

/** What was opened. */
export interface SharedParts extends AsyncDisposable {
  /** The database, with what was named around its documents. */
  readonly layer: (database: Database) => Database;
  /** Where requests are counted, if servers share that. */
  readonly countRequest: ServerOptions["countRequest"];
}

/** Collections that servers share through Redis: they are written with every question, and short-lived. */
const IN_REDIS = ["memory_working"] as const;

/** Opens what the settings name. */
export async function openShared(named: Named, env: Environment, warn: Warn): Promise<SharedParts> {
  await using parts = new AsyncDisposableStack();
  const redis = await openRedisPart(named);
  if (redis !== undefined) parts.use(redis);
  const made = [
    await toQdrantPart(named, env, warn),
    await toEmbeddingPart(named, env, warn),
    await toRedisPart(redis, warn),
  ].filter((part) => part !== undefined);
  const layers = made.flatMap(({ layer }) => layer ?? []);
  // From the store outwards: vectors are found by the index, made by the embeddings, and not needed in Redis.
  const wrap: Wrap = (documents, owner) => made.reduce((inner, part) => part.wrap(inner, owner), documents);
  const countRequest = redis === undefined ? undefined : (await import("@baton/store/redis")).redisRate(redis);
  const opened = parts.move();
  return {
    layer: (database) => (made.length === 0 ? database : withDocumentLayers(database, { wrap, layers })),
    countRequest,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

interface Part {
  readonly wrap: Wrap;
  readonly layer?: DocumentLayer;
}

async function openRedisPart({ redis }: Named): Promise<Redis | undefined> {
  if (redis === undefined) return undefined;
  const { openRedis } = await import("@baton/store/redis");
  return openRedis(redis);
}

async function toRedisPart(redis: Redis | undefined, warn: Warn): Promise<Part | undefined> {
  if (redis === undefined) return undefined;
  const { RedisCollections, withRedis } = await import("@baton/store/redis");
  const shared = new RedisCollections(redis, { collections: IN_REDIS, warn });
  return {
    wrap: (documents, owner) => withRedis(documents, shared, owner),
    layer: {
      sessionDeleted: (owner, session) => shared.deleteSession(owner, session),
      ownerDeleted: (owner) => shared.deleteOwner(owner),
    },
  };
}

async function toQdrantPart({ qdrant }: Named, env: Environment, warn: Warn): Promise<Part | undefined> {
  if (qdrant === undefined) return undefined;
  const { QdrantIndex, withQdrant } = await import("@baton/store/semantic");
  const index = new QdrantIndex({ url: qdrant, key: env["QDRANT_API_KEY"] || undefined, warn });
  return {
    wrap: (documents, owner) => withQdrant(documents, { index, owner }),
    layer: {
      sessionDeleted: async (owner) => index.distrustOwner(owner),
      ownerDeleted: (owner) => index.removeOwner(owner),
      transferred: (from) => index.removeOwner(from),
    },
  };
}

async function toEmbeddingPart({ embeddings }: Named, env: Environment, warn: Warn): Promise<Part | undefined> {
  if (embeddings === undefined) return undefined;
  const { openEmbedder } = await import("@baton/models");
  const { tryEmbed, withEmbeddings } = await import("@baton/store/semantic");
  const embedder = openNamed(() => openEmbedder(embeddings, env));
  const embed = tryEmbed(embedder.embed, { warn });
  return { wrap: (documents) => withEmbeddings(documents, embed) };
}

function openNamed<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    throw new BatonError("invalid", `--embeddings: ${toMessage(error)}`, { cause: error });
  }
}
