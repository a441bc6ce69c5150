/**
 * Shared services: opens Redis, Qdrant and embeddings, which a server may use beside its store.
 *
 * Each is loaded only if it is configured. If Redis does not answer or the embedding model is not usable, the start
 * fails. Later failures are passed to `warn`, and the server works without the service.
 */
import { BatonError } from "@baton/core";
import { toMessage } from "@baton/core/util";
import type { Environment } from "@baton/models";
import type { ServerOptions } from "@baton/server";
import { type Database, type DocumentLayer, withDocumentLayers } from "@baton/store";
import type { Redis } from "@baton/store/redis";

/** The URLs of Redis and Qdrant, and the name of an embedding model. */
export type ServiceChoice = Readonly<Partial<Record<"redis" | "qdrant" | "embeddings", string | undefined>>>;

interface ServiceOptions {
  readonly env: Environment;
  /** Names a setting in errors. */
  readonly nameOf: (setting: "embeddings") => string;
  readonly warn: (text: string) => void;
}

type Wrap = Parameters<typeof withDocumentLayers>[1]["wrap"];

/** The services that were opened. */
export interface SharedServices extends AsyncDisposable {
  /** Wraps the documents of a database with the services. */
  readonly layer: (database: Database) => Database;
  /** Counts requests in Redis; undefined without Redis. */
  readonly countRequest: ServerOptions["countRequest"];
}

/** Opens the chosen services. */
export async function openSharedServices(named: ServiceChoice, options: ServiceOptions): Promise<SharedServices> {
  await using parts = new AsyncDisposableStack();
  const redis = await connectRedis(named);
  if (redis !== undefined) parts.use(redis);
  const made = [await openQdrant(named, options), await openEmbeddings(named, options)].filter(
    (service) => service !== undefined,
  );
  const layers = made.flatMap(({ layer }) => layer ?? []);
  // The order matters, innermost first: Qdrant searches the vectors that the embeddings make.
  const wrap: Wrap = (documents, owner) => made.reduce((inner, service) => service.wrap(inner, owner), documents);
  const countRequest = redis === undefined ? undefined : (await import("@baton/store/redis")).redisRate(redis);
  const opened = parts.move();
  return {
    layer: (database) => (made.length === 0 ? database : withDocumentLayers(database, { wrap, layers })),
    countRequest,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

interface Service {
  readonly wrap: Wrap;
  readonly layer?: DocumentLayer;
}

async function connectRedis({ redis }: ServiceChoice): Promise<Redis | undefined> {
  if (redis === undefined) return undefined;
  const { openRedis } = await import("@baton/store/redis");
  return openRedis(redis);
}

async function openQdrant({ qdrant }: ServiceChoice, { env, warn }: ServiceOptions): Promise<Service | undefined> {
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

async function openEmbeddings({ embeddings }: ServiceChoice, options: ServiceOptions): Promise<Service | undefined> {
  if (embeddings === undefined) return undefined;
  const { openEmbedder } = await import("@baton/models");
  const { tryEmbed, withEmbeddings } = await import("@baton/store/semantic");
  const { env, warn, nameOf } = options;
  try {
    const { embed } = openEmbedder(embeddings, env);
    const tried = tryEmbed(embed, { warn });
    return { wrap: (documents) => withEmbeddings(documents, tried) };
  } catch (error) {
    throw new BatonError("invalid", `${nameOf("embeddings")}: ${toMessage(error)}`, { cause: error });
  }
}
