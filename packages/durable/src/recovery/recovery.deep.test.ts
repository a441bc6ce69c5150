import assert from "node:assert/strict";
import { test } from "node:test";
import { inSlice } from "@baton/core/testing";
import { watch } from "../testing/work-state.ts";
import { script, solo } from "../testing/small-crews.ts";
import { type Process, World } from "../testing/world.ts";

/** From more than the guard lets run at once (64) and recovery tries at once (8), up to more than a page of a list holds. */
const COUNTS = [80, 100, 120, 150, 200, 300, 400, 600, 900, 1_100];

for (const count of inSlice(COUNTS)) {
  test(`a run that was interrupted once continues at once, though the crash-loop guard holds ${count} back`, async () => {
    const world = new World();
    const options = { crews: [solo], model: script({ a: [{ say: "Done.", delayMs: 600_000 }] }) };
    let now = await world.process(options);
    const replace = async (): Promise<Process> => {
      now.isAlive = false;
      await world.clock.advance(5_000);
      return world.process(options);
    };
    for (let started = 0; started < count; started++) watch(now.engine.start(solo, { input: "go" }));
    await world.clock.advance(10);
    for (let deaths = 0; deaths < 2; deaths++) {
      now = await replace();
      await world.run(now.engine.recover());
      await world.clock.advance(10);
    }
    await world.run(now.engine.start(solo, { input: "go", id: "young" }));
    now = await replace();
    await world.run(now.engine.recover());
    await world.clock.advance(10);
    assert.equal((await now.store.database.runs.find("young"))?.recoveries, 1);
    await world.run(now.engine.stop());
  });
}
