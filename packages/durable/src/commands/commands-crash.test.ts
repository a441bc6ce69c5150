import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, scriptModel } from "@baton/core";
import { readAll } from "@baton/store";
import { ORDERS } from "../testing/parts.ts";
import { dieAt } from "../testing/parts-lives.ts";
import { World } from "../testing/world.ts";

test("a cancelled lane, a configuration, a client's answer and a stuck agent survive a crash", async () => {
  for (const [index, order] of ORDERS.entries()) {
    const unfinished = await dieAt(15 + 9 * index, { commitMs: 0, order });
    assert.notEqual(unfinished, undefined, "it lived on");
  }
});

test("a paused run that was configured is followed to its pause, and says the same when it is read again", async () => {
  const world = new World(1);
  const asks = defineCrew({ name: "asks", agents: [{ id: "a" }], behaviors: { a: { waitForSignal: true } } });
  const process = await world.process({ crews: [asks], model: () => scriptModel({ a: [{ say: "Yes?" }] }) });
  const { engine } = process;
  await world.run(
    (async () => {
      const run = await engine.start(asks, { input: "go", id: "r" });
      const first = await run.result;
      await engine.command("r", { type: "configure", temperature: 1 });
      const stored = (await engine.run("r")) ?? assert.fail();
      assert.deepEqual(await stored.result, first);
      const events = await Array.fromAsync(stored.events());
      assert.equal(events.at(-1)?.type, "run.paused");
      assert.equal((await engine.record("r"))?.status, "paused");
      assert.equal((await readAll(process.store.database, "r")).at(-1)?.type, "command.received");
      const { result: outcome } = await engine.resume("r", "more");
      assert.equal((await outcome).outcome, "paused");
      await engine.stop();
    })(),
  );
});

test("a stored result has no signals in its content, like the one that was given first", async () => {
  const world = new World(1);
  const crews = [
    defineCrew({ name: "c", agents: [{ id: "a" }], signals: { a: [{ signal: "[DONE]", target: "" }] } }),
    defineCrew({
      name: "d",
      agents: [{ id: "a" }],
      signals: {
        a: [
          { signal: "[OTHER]", target: "" },
          // @ts-expect-error the compiler knows that there is no such agent
          { signal: "[DONE]", target: "nobody" },
        ],
      },
      behaviors: { a: { waitForSignal: true } },
    }),
  ];
  const { engine } = await world.process({ crews, model: () => scriptModel({ a: [{ say: "Hello there. [DONE]" }] }) });
  await world.run(
    (async () => {
      for (const one of crews) {
        const run = await engine.start(one, { input: "go", id: one.name });
        const first = await run.result;
        assert.equal(first.content, "Hello there.");
        assert.deepEqual(await (await engine.run(one.name))?.result, first);
      }
      await engine.stop();
    })(),
  );
});
