import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOutsideId, toOutsideId } from "./outside-id.ts";

test("a position comes back from its outside id, also where it has slashes itself", () => {
  for (const position of ["1.1", "2/both/right/1.1.1", "1.1/pause"]) {
    assert.deepEqual(parseOutsideId(toOutsideId("run", position)), { run: "run", position });
  }
});

test("what is no outside id is none", () => {
  for (const text of ["", "run", "/1.1", "run/"]) assert.equal(parseOutsideId(text), undefined);
});
