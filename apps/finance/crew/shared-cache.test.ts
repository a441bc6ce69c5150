import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestRedis } from "@baton/store/redis/testing";
import { sharedCache } from "./shared-cache.ts";

test("without a Redis nothing is opened, and tools keep their answers in memory", async () => {
  const cache = sharedCache({ BATON_REDIS: " " });
  assert.deepEqual(await cache.open(), {});
  await cache.close();
});

test("with a Redis, what one process keeps another has, until it is closed", async () => {
  await using redis = await startTestRedis();
  const [one, other] = [sharedCache({ BATON_REDIS: redis.url }), sharedCache({ BATON_REDIS: redis.url })];
  const [mine, theirs] = [(await one.open()).cache, (await other.open()).cache];
  await mine?.set("tool/x", { price: 1 }, 60_000);
  assert.deepEqual(await theirs?.get("tool/x"), { price: 1 });
  await one.close();
  await one.close();
  await assert.rejects(async () => mine?.get("tool/x"), { code: "closed" });
  await other.close();
});

test("a Redis that cannot be reached costs a warning, not the tools", async () => {
  const warned: string[] = [];
  const listen = (warning: Error) => warned.push(warning.message);
  process.on("warning", listen);
  const cache = sharedCache({ BATON_REDIS: "redis://127.0.0.1:1" });
  assert.deepEqual(await cache.open(), {});
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", listen);
  assert.match(warned.join(), /answers of finance tools are kept in memory/);
  await cache.close();
});
