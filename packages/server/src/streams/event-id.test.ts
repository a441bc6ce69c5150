import assert from "node:assert/strict";
import { test } from "node:test";
import { parseEventId } from "./event-id.ts";

test("an id is a place in the log, with a frame of its event or without", () => {
  assert.deepEqual(parseEventId("12"), { seq: 12, part: Infinity });
  assert.deepEqual(parseEventId("12.3"), { seq: 12, part: 3 });
  for (const id of ["", "x", "-1", "1.", ".1", "1.2.3", "1e3", " 1", "0x1"])
    assert.equal(parseEventId(id), undefined, id);
});

test("a place beyond any log is the largest one that every database can be asked for", () => {
  for (const seq of [2n ** 53n, 2n ** 63n, 2n ** 64n, 10n ** 400n])
    assert.deepEqual(parseEventId(`${seq}.1`), { seq: Number.MAX_SAFE_INTEGER, part: 1 });
});
