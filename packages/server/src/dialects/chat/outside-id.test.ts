import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOutsideId, toOutsideId, toToolQuestion } from "./outside-id.ts";

test("a position comes back from its outside id, also where it has slashes itself", () => {
  for (const position of ["1.1", "2/both/right/1.1.1", "1.1/pause"]) {
    assert.deepEqual(parseOutsideId(toOutsideId("run", position)), { run: "run", position });
  }
});

test("what is no outside id is none", () => {
  for (const text of ["", "run", "/1.1", "run/"]) assert.equal(parseOutsideId(text), undefined);
});

test("the question of a client's tool is named after its call, also if the step of the call started again", () => {
  assert.equal(toToolQuestion("run-1/1.1.1"), "run-1/1.1.1/tool");
  assert.equal(toToolQuestion("run-1/1.1.1-3"), "run-1/1.1.1/tool");
  assert.equal(toToolQuestion("run/2/a-group/a-member/1.1.1-2"), "run/2/a-group/a-member/1.1.1/tool");
});
