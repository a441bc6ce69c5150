import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { REDIS } from "@baton/store/redis/testing";
import { playGame, type Table } from "./testing/cluster-game.ts";

/** How many processes are killed with Restate; `npm run test:cluster` kills more, and by every placement. */
const KILLS = Number(process.env["BATON_KILLS"] ?? 10);
const IS_LONG = KILLS > 10;
const FROZEN_MS = 10_000;

/** Kills processes of every kind by turns, workers more often than others. */
async function killAll({ cluster, random, kill, calm }: Table, count: number): Promise<void> {
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
  await playGame(t, { restateNodes: 1, play: (table) => killAll(table, KILLS) });
});

if (IS_LONG) {
  test(`every run ends and nothing is repeated though processes are killed, on a lease (${REDIS})`, async (t) => {
    await playGame(t, { restateNodes: 0, play: (table) => killAll(table, Math.ceil(KILLS / 3)) });
  });

  test("runs continue though one of three nodes of Restate is killed", async (t) => {
    await playGame(t, {
      restateNodes: 3,
      play: async ({ cluster, kill, calm, untilRuns }) => {
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

  for (const restateNodes of [0, 1] as const) {
    test(`a worker that is frozen for ${FROZEN_MS / 1_000} s and wakes up writes nothing, with ${restateNodes} Restate`, async (t) => {
      await playGame(t, {
        restateNodes,
        play: async ({ cluster, calm }) => {
          for (const { pid } of cluster.parts.workers) {
            await calm();
            process.kill(pid, "SIGSTOP");
            await sleep(FROZEN_MS);
            process.kill(pid, "SIGCONT");
          }
          await calm();
        },
      });
    });
  }
}
