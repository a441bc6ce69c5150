import assert from "node:assert/strict";
import { test } from "node:test";
import { defineTool, type Json, ToolError } from "@baton/core";
import { Scope } from "@baton/core/ports";
import { callTool, SimulatedClock, toolContext } from "@baton/core/testing";
import { z } from "zod";
import { MemoryCache } from "./result-cache.ts";
import { type ToolCacheOptions, withCache } from "./tool-cache.ts";

/** A tool that answers as it is told; an answer with `from` stands in for another. */
function setUp(more: Partial<ToolCacheOptions> = {}) {
  const clock = new SimulatedClock(1);
  const scope = Scope.root({ clock });
  const world: { runs: number; answer: () => Promise<Json> } = { runs: 0, answer: async () => ({ from: "another" }) };
  const tool = defineTool({
    name: "look",
    description: "Looks.",
    effect: "read",
    input: z.object({}),
    run: () => {
      world.runs += 1;
      return world.answer();
    },
  });
  const cached = withCache(tool, {
    ttlMs: 10_000,
    mode: "embedded",
    cache: new MemoryCache({ clock }),
    toStale: (output) => ({ stale: true, of: output }),
    isStandIn: (output) => typeof output === "object" && output !== null && "from" in output,
    ...more,
  });
  const ask = (): Promise<unknown> => clock.run(callTool(cached, {}, { ...toolContext()(), scope }));
  return { clock, world, ask };
}

test("a stand-in is kept for a short time, and an older result of the source itself comes before it", async () => {
  const { clock, world, ask } = setUp();
  assert.deepEqual(await ask(), { from: "another" });
  await clock.advance(999);
  await ask();
  assert.equal(world.runs, 1);
  await clock.advance(1);
  world.answer = async () => ({ n: 2 });
  assert.deepEqual(await ask(), { n: 2 });
  await clock.advance(10_000);
  world.answer = async () => ({ from: "another" });
  assert.deepEqual(await ask(), { stale: true, of: { n: 2 } });
  world.answer = async () => ({ n: 4 });
  assert.deepEqual(await ask(), { n: 4 });
});

test("an old stand-in is not given when a run fails", async () => {
  const { clock, world, ask } = setUp();
  await ask();
  await clock.advance(999);
  await ask();
  await clock.advance(1);
  world.answer = () => Promise.reject(new ToolError("network", "no way there"));
  await assert.rejects(ask(), { kind: "network" });
});
