/** Scripts count and write as they promise; if there is a Redis, as their stand-ins for machines without one do. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { REMOVE, SAVE } from "./document-script.ts";
import { GIVE_BACK, TAKE } from "./rate-script.ts";
import { redisRate } from "./redis-rate.ts";
import { openRedis, type RedisScript, type ScriptInput } from "./redis.ts";
import { startRespServer } from "./testing/resp-server.ts";
import { HAS_REDIS, REDIS, startTestRedis } from "./testing/test-redis.ts";

/** The same random calls every time. */
const SEEDED = { seed: 16, numRuns: 60 };

const id = fc.constantFrom("a", "b", "c");
const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant("save" as const),
      ids: fc.uniqueArray(id, { minLength: 1 }),
      ttl: fc.nat(4),
      seen: fc.nat(3),
    }),
    fc.record({ kind: fc.constant("remove" as const), ids: fc.tuple(id), ttl: fc.nat(4), seen: fc.nat(3) }),
    fc.record({
      kind: fc.constant("take" as const),
      ids: fc.uniqueArray(id, { minLength: 1 }),
      ttl: fc.nat(4),
      seen: fc.nat(3),
    }),
    fc.record({
      kind: fc.constant("back" as const),
      ids: fc.uniqueArray(id, { minLength: 1 }),
      ttl: fc.nat(4),
      seen: fc.nat(3),
    }),
  ),
  { maxLength: 30 },
);
type Step = Readonly<{ kind: "save" | "remove" | "take" | "back"; ids: readonly string[]; ttl: number; seen: number }>;

type Around = Readonly<{ now: number; prefix: string; versions: readonly string[] }>;

/** A step as a call; versions that were given before are known by their places. */
function toCall({ kind, ids, ttl, seen }: Step, around: Around): [RedisScript, ScriptInput] {
  const { now, prefix, versions } = around;
  const hash = `${prefix}hash`;
  const version = seen === 0 ? "" : seen === 1 ? "0" : (versions.at(-seen) ?? "7");
  if (kind === "save") {
    const entries = ids.flatMap((one) => [one, version, ttl === 0 ? "-" : `${now + ttl * 10}`, `{"é":"${one}"}`]);
    return [SAVE, { keys: [hash, `${hash}:ends`, `${prefix}counter`], args: [`${now}`, ...entries] }];
  }
  if (kind === "remove") return [REMOVE, { keys: [hash, `${hash}:ends`], args: [`${now}`, ids[0] ?? "", version] }];
  const keys = ids.map((one) => `${prefix}${one}`);
  if (kind === "take") return [TAKE, { keys, args: [`${now}`, "20", ...ids.flatMap(() => ["70.5", `${ttl + 1}`])] }];
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
      const versions: { real: string[]; twin: string[] } = { real: [], twin: [] };
      let now = 1_000;
      for (const step of random) {
        now += step.ttl * 4.25;
        const answers = await Promise.all(
          (
            [
              ["real", real],
              ["twin", twin],
            ] as const
          ).map(async ([name, redis]) => {
            const answer = await redis.run(...toCall(step, { now, prefix, versions: versions[name] }));
            const isSaved = step.kind === "save" && Array.isArray(answer) && !String(answer[0]).startsWith("-");
            if (!isSaved) return toPlaces(answer, versions[name]);
            versions[name].push(...answer.map(String));
            return answer.length;
          }),
        );
        assert.deepEqual(answers[0], answers[1], JSON.stringify(step));
      }
      const kept = await Promise.all([real, twin].map((redis) => redis.send(["HGETALL", `${prefix}hash`])));
      assert.deepEqual(toPlaces(sorted(kept[0]), versions.real), toPlaces(sorted(kept[1]), versions.twin));
    });
    await fc.assert(property, SEEDED);
  },
);

/** Versions by the place where they were given, for two stores number differently. */
function toPlaces(answer: unknown, versions: readonly string[]): unknown {
  const toPlace = (text: string) =>
    versions.reduce((all, version, place) => all.replaceAll(version, `#${place}`), text);
  return Array.isArray(answer) ? answer.map((one) => toPlace(String(one))) : toPlace(String(answer));
}

function sorted(flat: unknown): readonly string[] {
  const list = Array.isArray(flat) ? flat.map(String) : [];
  return list.flatMap((one, index) => (index % 2 === 0 ? [`${one} ${list[index + 1]}`] : [])).toSorted();
}

test(`${REDIS}: without a time of their own, windows go by the time of Redis, and versions by it too`, async () => {
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
  const args = ["0", "x", "", "-", "{}"];
  const [version] = String(await redis.run(SAVE, { keys: ["h", "h:ends", "n"], args })).split(",");
  await server.stop();
  await server.start();
  await using again = await openRedis(server.url);
  const [next] = String(await again.run(SAVE, { keys: ["h", "h:ends", "n"], args })).split(",");
  assert.ok(Number(next) > Number(version));
});

test(`${REDIS}: a collection goes with the last of its documents, unless one has no end`, async (t) => {
  if (!HAS_REDIS) t.diagnostic("the stand-in keeps keys for ever");
  await using server = await startTestRedis();
  await using redis = await openRedis(server.url);
  const save = (...args: readonly string[]) => redis.run(SAVE, { keys: ["h", "h:ends", "n"], args: ["1000", ...args] });
  const leftMs = async () => (HAS_REDIS ? Number(await redis.send(["PTTL", "h"])) : undefined);
  await save("a", "", "5000", "{}");
  const short = await leftMs();
  await save("b", "", "9000000", "{}");
  const long = await leftMs();
  await save("a", "", "-", "{}");
  const never = await leftMs();
  await redis.run(REMOVE, { keys: ["h", "h:ends"], args: ["1000", "b", ""] });
  await save("a", "", "5000", "{}");
  if (!HAS_REDIS) return;
  assert.ok((short ?? 0) > 50_000 && (short ?? 0) <= 64_000);
  assert.ok((long ?? 0) > 8_900_000);
  assert.equal(never, -1);
  assert.ok(((await leftMs()) ?? 0) > 50_000);
});
