import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew } from "@baton/core";
import { z } from "zod";
import { crewWith, script, tool } from "../testing/small-crews.ts";
import { World } from "../testing/world.ts";

test("a handle of a paused run gives that pause, and after somebody else resumed the run what comes next", async () => {
  const world = new World();
  const pay = tool("Pay", "irreversible", 1_000);
  const crew = crewWith(pay);
  const model = script({ a: [{ call: [{ tool: "Pay" }] }, { say: "Paid." }] });
  const { engine } = await world.process({ crews: [crew], model });
  const first = await world.run(engine.start(crew, { input: "pay", id: "r" }));
  const paused = await world.run(first.result);
  const stored = (await world.run(engine.run("r"))) ?? assert.fail();
  assert.deepEqual(await world.run(stored.result), paused);
  const question = paused.questions[0]?.question ?? assert.fail();
  const { run } = await world.run(engine.command("r", { type: "answer", question, value: "allow" }));
  assert.equal((await world.run(stored.result)).content, "Paid.");
  assert.equal((await world.run(first.result)).content, "Paid.");
  assert.equal((await world.run(run.result)).content, "Paid.");
  await world.run(engine.stop());
});

test("an output that is not JSON is parsed again when its run is opened, by the crew of today", async () => {
  const world = new World();
  const dated = (prompt: string) =>
    defineCrew({
      name: "dated",
      agents: [{ id: "a", systemPrompt: prompt, output: z.object({ at: z.coerce.date() }), isTerminal: true }],
    });
  const model = script({ a: [{ say: '{"at":"2026-01-02T00:00:00Z"}' }] });
  const crew = dated("one");
  const { engine } = await world.process({ crews: [crew], model });
  await world.run((await world.run(engine.start(crew, { input: "when?", id: "r" }))).result);
  await world.run(engine.stop());
  for (const now of [crew, dated("another")]) {
    const next = await world.process({ crews: [now], model });
    const { output } = await world.run((await world.run(next.engine.run("r")))?.result ?? assert.fail());
    assert.deepEqual(output, { at: new Date("2026-01-02T00:00:00Z") });
    await world.run(next.engine.stop());
  }
  const without = await world.process({ crews: [], model });
  const { output } = await world.run((await world.run(without.engine.run("r")))?.result ?? assert.fail());
  assert.deepEqual(output, { at: "2026-01-02T00:00:00Z" }, "as the model wrote it, if the crew is not here");
  await world.run(without.engine.stop());
});
