/**
 * Redis cache: JSON kept for a time in Redis, for all servers that share it.
 *
 * It fits the port `Cache` of `@baton/assistant`. Time is measured by the servers' clocks; Redis only removes what is
 * long over. If Redis fails, every method rejects: a cache is asked by callers that can do without.
 */
import type { Json } from "@baton/core";
import { type Clock, SystemClock } from "@baton/core/ports";
import { parseJson } from "@baton/core/util";
import type { RedisCommands } from "./redis.ts";

/** Where it keeps its entries, and by which time. */
export interface RedisCacheOptions {
  /** Prefix of its keys. Default `baton:cache:`. */
  readonly prefix?: string;
  readonly clock?: Clock;
}

/** A cache in Redis. */
export interface RedisCache {
  readonly get: (key: string) => Promise<Json | undefined>;
  readonly set: (key: string, value: Json, ttlMs: number) => Promise<void>;
  readonly delete: (key: string) => Promise<void>;
}

const PREFIX = "baton:cache:";
/** Extra time for which Redis keeps an entry, so that only our clock decides when it expires. */
const MARGIN_MS = 60_000;
const MAX_TTL_MS = 365 * 24 * 60 * 60 * 1_000;

/** Keeps entries in Redis. */
export function redisCache(redis: RedisCommands, options: RedisCacheOptions = {}): RedisCache {
  const { prefix = PREFIX, clock = new SystemClock() } = options;
  const remove = async (key: string): Promise<void> => {
    await redis.send(["DEL", `${prefix}${key}`]);
  };
  return {
    async get(key) {
      const text = await redis.send(["GET", `${prefix}${key}`]);
      return typeof text === "string" ? read(text, clock.now()) : undefined;
    },
    async set(key, value, ttlMs) {
      if (!(ttlMs > 0)) return remove(key);
      const keptMs = Math.min(ttlMs, MAX_TTL_MS);
      const text = `${clock.now() + keptMs} ${JSON.stringify(value)}`;
      await redis.send(["SET", `${prefix}${key}`, text, "PX", `${Math.ceil(keptMs) + MARGIN_MS}`]);
    },
    delete: remove,
  };
}

/** A value that another program wrote there counts as absent. */
function read(text: string, now: number): Json | undefined {
  const space = text.indexOf(" ");
  const until = Number(text.slice(0, Math.max(0, space)));
  return until > now ? parseJson(text.slice(space + 1)) : undefined;
}
