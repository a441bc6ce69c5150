/**
 * Shared cache: where answers of tools are kept: in the Redis that the environment names, for all servers, or in memory
 * if there is none, or it cannot be reached.
 */
import { toMessage } from "@baton/core/util";
import type { CatalogueOptions } from "../tools/catalogue.ts";

/** Opens the cache once it is needed, and closes it if it was opened. */
export interface SharedCache {
  readonly open: () => Promise<CatalogueOptions>;
  readonly close: () => Promise<void>;
}

const PREFIX = "baton:finance:";

/** The cache of an environment. */
export function sharedCache(env: Readonly<Record<string, string | undefined>>): SharedCache {
  let opened: AsyncDisposable | undefined;
  return {
    open: async () => {
      const url = env["BATON_REDIS"]?.trim() ?? "";
      if (url === "") return {};
      const { openRedis, redisCache } = await import("@baton/store/redis");
      try {
        const redis = await openRedis(url);
        opened = redis;
        return { cache: redisCache(redis, { prefix: PREFIX }) };
      } catch (error) {
        process.emitWarning(`answers of finance tools are kept in memory: ${toMessage(error)}`);
        return {};
      }
    },
    close: async () => {
      const closing = opened;
      opened = undefined;
      await closing?.[Symbol.asyncDispose]();
    },
  };
}
