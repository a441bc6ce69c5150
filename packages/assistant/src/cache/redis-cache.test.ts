/** The cache in Redis keeps the promises of every cache. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { SimulatedClock } from "@baton/core/testing";
import { openRedis, type Redis, redisCache } from "@baton/store/redis";
import { REDIS, startTestRedis, type TestRedis } from "@baton/store/redis/testing";
import type { ResultCache } from "./result-cache.ts";
import { testCache } from "./testing/cache-suite.ts";

let server: TestRedis;
let redis: Redis;
let count = 0;

before(async () => {
  server = await startTestRedis();
  redis = await openRedis(server.url);
});

after(async () => {
  await redis[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

testCache(`redisCache (${REDIS})`, async () => {
  const clock = new SimulatedClock(1);
  const cache: ResultCache = redisCache(redis, { prefix: `cache ${++count}:`, clock });
  return { cache, pass: (ms) => clock.advance(ms) };
});

test(`redisCache (${REDIS}): servers share what one has set`, async () => {
  await using other = await openRedis(server.url);
  await redisCache(redis).set("shared", { a: 1 }, 60_000);
  assert.deepEqual(await redisCache(other).get("shared"), { a: 1 });
  assert.equal(await redisCache(other, { prefix: "another:" }).get("shared"), undefined);
});
