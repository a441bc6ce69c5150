/**
 * @baton/store/redis: what several servers share through a Redis: a cache, and rate limits.
 */
export { openRedis, Redis, type RedisCommands, type RedisOptions } from "./redis.ts";
export { redisCache, type RedisCache, type RedisCacheOptions } from "./redis-cache.ts";
export { type CountedRequest, type CountRequest, redisRate, type RateWindow, type WindowUse } from "./redis-rate.ts";
