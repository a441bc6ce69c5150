/** A process that ends after any event of the clerk's code, and forks from the middle of it. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { inSlice, of } from "@baton/core/testing";
import { replay, toFork, toForkCrew } from "@baton/durable/replay";
import { crew, interpreter, live, outputOf } from "./clerk-run.ts";

suite("late orders", () => {
  after(() => interpreter.close());

  test("a process that ends after any event refunds each order once, and the refused one never", async () => {
    const whole = await live(crew);
    for (const { seq } of inSlice(inSlice(whole.slice(0, -1)))) {
      const events = await live(crew, whole.slice(0, seq));
      assert.deepEqual(outputOf(events), outputOf(whole), `after event ${seq}`);
      const paid = of(events, "call.ended").filter(({ tool, error }) => tool === "refund" && error === undefined);
      assert.deepEqual([paid.length, new Set(paid.map(({ call }) => call)).size], [49, 49], `after event ${seq}`);
      assert.equal(await replay(crew, events), undefined, `after event ${seq}`);
    }
  });

  test("a fork from the middle of the code keeps the calls that had ended, and asks about the other refunds", async () => {
    const whole = await live(crew);
    for (const { seq } of inSlice(whole.filter(({ seq: at }) => at % 40 === 10))) {
      const fork = await live(toForkCrew(crew), toFork(whole, seq, "fork"));
      assert.partialDeepStrictEqual(outputOf(fork), { result: { late: 50, refunded: 49 } }, `forked at ${seq}`);
      assert.equal(await replay(toForkCrew(crew), fork), undefined, `forked at ${seq}`);
    }
  });
});
