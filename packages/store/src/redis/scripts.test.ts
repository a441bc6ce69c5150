/** Scripts count as they promise; if there is a Redis, as their stand-ins for machines without one do. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { GIVE_BACK, TAKE } from "./rate-script.ts";
import { redisRate } from "./redis-rate.ts";
import { openRedis, type RedisScript, type ScriptInput } from "./redis.ts";
import { startRespServer } from "./testing/resp-server.ts";
import { HAS_REDIS, REDIS, startTestRedis } from "./testing/test-redis.ts";

/** The same random calls every time. */
const SEEDED = { seed: 16, numRuns: 60 };

const id = fc.constantFrom("a", "b", "c");
const step = fc.record({
  kind: fc.constantFrom("take", "back"),
  ids: fc.uniqueArray(id, { minLength: 1 }),
  more: fc.nat(4),
});
const steps = fc.array(step, { maxLength: 30 });
type Step = Readonly<{ kind: string; ids: readonly string[]; more: number }>;

function toCall({ kind, ids, more }: Step, now: number, prefix: string): [RedisScript, ScriptInput] {
  const keys = ids.map((one) => `${prefix}${one}`);
  if (kind === "take") return [TAKE, { keys, args: [`${now}`, "20", ...ids.flatMap(() => ["70.5", `${more + 1}`])] }];
  return [GIVE_BACK, { keys, args: ["20", `${now}`, ...ids.map(() => "70.5")] }];
}

test(
  HAS_REDIS ? "each script does what its stand-in does" : `${REDIS}: scripts cannot be compared with it`,
  async () => {
    await using server = await startTestRedis();
    await using real = await openRedis(server.url);
    await using standIn = await startRespServer();
    await using twin = await openRedis(standIn.url);
    let count = 0;
    const property = fc.asyncProperty(steps, async (random) => {
      const prefix = `p${++count}:`;
      let now = 1_000;
      for (const one of random) {
        now += one.more * 4.25;
        const answers = await Promise.all([real, twin].map((redis) => redis.run(...toCall(one, now, prefix))));
        assert.deepEqual(answers[0], answers[1], JSON.stringify(one));
      }
    });
    await fc.assert(property, SEEDED);
  },
);

test(`${REDIS}: without a time of their own, windows go by the time of Redis`, async () => {
  await using server = await startTestRedis();
  await using redis = await openRedis(server.url);
  const count = redisRate(redis);
  const window = { key: "a", requests: 2, windowMs: 60_000 };
  const first = await count([window], 20);
  assert.equal(first.windows[0]?.used, 0);
  await count([window], 20);
  const refused = await count([window, { key: "b", requests: 9, windowMs: 1_000 }], 20);
  assert.equal(refused.windows[0]?.used, 2);
  assert.ok((refused.windows[0]?.resetMs ?? 0) > 0 && (refused.windows[0]?.resetMs ?? 0) <= 60_000);
  await first.giveBack();
  await first.giveBack();
  await refused.giveBack();
  assert.equal((await count([window, { key: "b", requests: 9, windowMs: 1_000 }], 20)).windows[1]?.used, 0);
});
