import { test } from "node:test";
import { REDIS } from "@baton/store/redis/testing";
import { FROZEN_MS, runChaos, type Controls } from "./testing/chaos.ts";

/** Number of processes that are killed with Restate; `npm run test:cluster` kills more, with every placement. */
const KILLS = Number(process.env["BATON_KILLS"] ?? 10);
const IS_LONG = KILLS > 10;

/** Kills processes of every kind by turns, workers more often than others. */
async function killAll({ cluster, random, kill, calm }: Controls, count: number): Promise<void> {
  const { workers, servers, restate, postgres } = cluster.parts;
  const kinds = [workers, servers, workers, restate, workers, postgres, workers, [], servers, workers];
  for (let index = 0; index < count; index++) {
    const kind = kinds[index % kinds.length] ?? [];
    await calm();
    await kill(kind[Math.floor(random() * kind.length)] ?? "Redis");
  }
  await calm();
}

test(`every run ends and nothing is repeated though ${KILLS} processes are killed, with Restate (${REDIS})`, async (t) => {
  await runChaos(t, { restateNodes: 1, disrupt: (controls) => killAll(controls, KILLS) });
});

if (IS_LONG) {
  test(`every run ends and nothing is repeated though processes are killed, on a lease (${REDIS})`, async (t) => {
    await runChaos(t, { restateNodes: 0, disrupt: (controls) => killAll(controls, Math.ceil(KILLS / 3)) });
  });

  test("runs continue though one of three nodes of Restate is killed", async (t) => {
    await runChaos(t, {
      restateNodes: 3,
      disrupt: async ({ cluster, kill, calm, untilRuns }) => {
        for (const node of cluster.parts.restate) {
          await calm();
          await kill(node);
        }
        await calm();
        // The last one does not come back.
        await cluster.parts.restate.at(-1)?.[Symbol.asyncDispose]();
        await untilRuns(12);
      },
    });
  });

  for (const [placement, restateNodes] of [
    ["on a lease", 0],
    ["with Restate", 1],
  ] as const) {
    test(`a worker that is frozen for ${FROZEN_MS / 1_000} s and wakes up writes nothing to what others have, ${placement}`, async (t) => {
      await runChaos(t, {
        restateNodes,
        disrupt: async ({ cluster, freeze, calm }) => {
          for (const worker of cluster.parts.workers) {
            await calm();
            await freeze(worker);
          }
          await calm();
        },
      });
    });
  }
}
