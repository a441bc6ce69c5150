/** Programs, outputs, notes, sub-crews and what runs after, in processes that are killed again and again. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { inSlice, SimulatedClock } from "@baton/core/testing";
import { checkSeams, liveSeams } from "../testing/seams-process.ts";

const MIN_KILLS = inSlice(Array.from({ length: 40 })).length;
const MAX_KILLS = 300;
/** Less than the runs take. */
const MAX_LIFE_MS = 60;

test(`processes that are killed at least ${MIN_KILLS} times: each run ends as if nothing had happened, and one follows it`, async (t) => {
  const seed = Number(process.env["BATON_SEED"] ?? Date.now() % 1_000_000);
  t.diagnostic(`seed ${seed}`);
  const chance = new SimulatedClock(seed);
  const folder = await mkdtemp(join(tmpdir(), "baton-seams-"));
  try {
    let kills = 0;
    let last: string | undefined;
    for (let batch = 0; kills < MIN_KILLS; batch++) {
      const path = join(folder, `${batch}.db`);
      while (!(await liveSeams(path, chance.random() * MAX_LIFE_MS * (1 + kills / 50)))) kills++;
      assert.ok(kills < MAX_KILLS, "the runs do not come to their end");
      last = await checkSeams(path, last);
    }
    t.diagnostic(`${kills} kills`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
