import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedClock } from "@baton/core/testing";
import * as fc from "fast-check";
import { MemoryCache } from "./result-cache.ts";
import { testCache } from "./testing/cache-suite.ts";

testCache("MemoryCache", async () => {
  const clock = new SimulatedClock(1);
  return { cache: new MemoryCache({ clock }), pass: (ms) => clock.advance(ms) };
});

test("MemoryCache: the least recently used goes first when there are too many", async () => {
  const cache = new MemoryCache({ maxEntries: 2, clock: new SimulatedClock(1) });
  await cache.set("a", 1, 1_000);
  await cache.set("b", 2, 1_000);
  await cache.get("a");
  await cache.set("c", 3, 1_000);
  assert.deepEqual([await cache.get("a"), await cache.get("b"), await cache.get("c")], [1, undefined, 3]);
});

test("MemoryCache: a value that is larger than the whole cache is not kept and drives nothing out", async () => {
  const cache = new MemoryCache({ maxBytes: 1_000, clock: new SimulatedClock(1) });
  await cache.set("a", 1, 1_000);
  await cache.set("large", "x".repeat(1_000), 1_000);
  assert.deepEqual([await cache.get("a"), await cache.get("large")], [1, undefined]);
});

test("MemoryCache: neither entries nor bytes ever exceed their bounds", async () => {
  const step = fc.record({ key: fc.constantFrom("a", "b", "c", "d", "e"), size: fc.nat(300), isGet: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const cache = new MemoryCache({ maxEntries: 3, maxBytes: 1_200, clock: new SimulatedClock(1) });
      for (const { key, size, isGet } of steps) {
        if (isGet) await cache.get(key);
        else await cache.set(key, "x".repeat(size), 1_000);
        assert.ok(cache.entries <= 3 && cache.bytes <= 1_200 && cache.bytes >= 0);
      }
      for (const key of "abcde") await cache.delete(key);
      assert.deepEqual([cache.entries, cache.bytes], [0, 0]);
    }),
  );
});
