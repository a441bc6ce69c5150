import assert from "node:assert/strict";
import { test } from "node:test";
import { crewWith, script, tool } from "./testing/small-crews.ts";
import { World } from "./testing/world.ts";

test("the outcome of a stored run that was paused is that pause, also if it is asked for when the run goes on", async () => {
  const world = new World();
  const pay = tool("Pay", "irreversible", 1_000);
  const crew = crewWith(pay);
  const model = script({ a: [{ call: [{ tool: "Pay" }] }, { say: "Paid." }] });
  const { engine } = await world.process({ crews: [crew], model });
  const first = await world.run(engine.start(crew, { input: "pay", id: "r" }));
  const paused = await world.run(first.outcome);
  const stored = (await world.run(engine.run("r"))) ?? assert.fail();
  const question = paused.questions[0]?.question ?? assert.fail();
  const { run } = await world.run(engine.command("r", { type: "answer", question, value: "allow" }));
  assert.deepEqual(await world.run(stored.outcome), paused);
  assert.equal((await world.run(run.outcome)).content, "Paid.");
  await world.run(engine.stop());
});
