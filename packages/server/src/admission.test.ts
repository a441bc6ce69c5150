import assert from "node:assert/strict";
import { test } from "node:test";
import { BatonError } from "@baton/core";
import { Admission } from "./admission.ts";

test("those who are on their way in count until they are through", () => {
  const engine = { open: 1 };
  const admission = new Admission({ engine, store: { problem: undefined }, maxRuns: 2 });
  {
    using _first = admission.enter();
    assert.throws(() => admission.enter(), { code: "overloaded", status: 503, headers: { "Retry-After": "1" } });
  }
  admission.enter()[Symbol.dispose]();
  engine.open = 2;
  assert.throws(() => admission.enter(), { status: 503 });
});

test("nothing is taken on while the store cannot be written or the server stops", () => {
  const problem = new BatonError("busy", "the disk is full");
  const store: { problem: BatonError | undefined } = { problem };
  const admission = new Admission({ engine: { open: 0 }, store, maxRuns: 2 });
  assert.throws(() => admission.enter(), {
    code: "store_unavailable",
    status: 503,
    headers: { "Retry-After": "1" },
    cause: problem,
  });
  assert.equal(admission.isReady, false);
  store.problem = undefined;
  assert.equal(admission.isReady, true);
  admission.stop();
  assert.equal(admission.isReady, false);
  assert.throws(() => admission.check(), { code: "stopping", status: 503, headers: { "Retry-After": "5" } });
});
