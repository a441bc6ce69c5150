/**
 * Cache suite: what every implementation of the port `Cache` must do.
 *
 * `make` gives a cache and a way to let its time pass.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@baton/core";
import type { ResultCache } from "../result-cache.ts";

/** A cache under test. */
export type CacheUnderTest = Readonly<{ cache: ResultCache; pass: (ms: number) => Promise<void> }>;

const VALUES: readonly Json[] = [null, false, 0, "", "text ệ 💡", [1, [2]], { a: { b: [null] }, __proto__x: 1 }];

/** Runs the suite against one implementation. */
export function testCache(name: string, make: () => Promise<CacheUnderTest>): void {
  test(`${name}: what was set is found as it was, and what was not is not`, async () => {
    const { cache } = await make();
    for (const [index, value] of VALUES.entries()) await cache.set(`key ${index}`, value, 1_000);
    for (const [index, value] of VALUES.entries()) assert.deepEqual(await cache.get(`key ${index}`), value);
    assert.equal(await cache.get("key"), undefined);
    assert.equal(await cache.get("__proto__"), undefined);
  });

  test(`${name}: a value is gone when its time is over, not before`, async () => {
    const { cache, pass } = await make();
    await cache.set("a", 1, 1_000);
    await pass(999);
    assert.equal(await cache.get("a"), 1);
    await pass(1);
    assert.equal(await cache.get("a"), undefined);
  });

  test(`${name}: what is set last counts, with its own time`, async () => {
    const { cache, pass } = await make();
    await cache.set("a", 1, 1_000);
    await cache.set("a", 2, 5_000);
    await pass(2_000);
    assert.equal(await cache.get("a"), 2);
    await cache.set("a", 3, 0);
    assert.equal(await cache.get("a"), undefined);
  });

  test(`${name}: what is deleted is gone, and the others stay`, async () => {
    const { cache } = await make();
    await cache.set("a", 1, 1_000);
    await cache.set("b", 2, 1_000);
    await cache.delete("a");
    await cache.delete("never");
    assert.deepEqual([await cache.get("a"), await cache.get("b")], [undefined, 2]);
  });

  test(`${name}: a value that is changed after it was set or got does not change in the cache`, async () => {
    const { cache } = await make();
    const list = [1];
    await cache.set("a", list, 1_000);
    list.push(2);
    const found = await cache.get("a");
    if (Array.isArray(found)) Array.prototype.push.call(found, 3);
    assert.deepEqual(await cache.get("a"), [1]);
  });
}
