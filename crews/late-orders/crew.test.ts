/** The clerk's code by the script: approvals inside it, and a replay. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { of } from "@baton/core/testing";
import { replay } from "@baton/durable/replay";
import { crew, interpreter, live, outputOf } from "./clerk-run.ts";

suite("late orders", () => {
  after(() => interpreter.close());

  test("one code reads 200 orders, three refunds wait for a person, and a replay says the same", async () => {
    const events = await live(crew);
    assert.partialDeepStrictEqual(outputOf(events), {
      result: { late: 50, refunded: 49, refused: ["A-120"] },
      calls: 251,
    });
    assert.equal(of(events, "step.ended").length, 2);
    assert.equal(of(events, "question.opened").length, 3);
    assert.deepEqual(new Set(of(events, "question.opened").map(({ line }) => line)), new Set([9]));
    assert.equal(await replay(crew, events), undefined);
  });
});
