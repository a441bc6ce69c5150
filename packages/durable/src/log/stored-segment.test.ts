import assert from "node:assert/strict";
import { test } from "node:test";
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
