import assert from "node:assert/strict";
import { test } from "node:test";
import { parseRequestId, parseTraceParent } from "./request-id.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";

test("a client's id is taken where it is safe to print", () => {
  for (const id of ["a", "req-1.2_3", "x".repeat(128)]) assert.equal(parseRequestId(id), id);
});

test("any other is treated as if it were not there", () => {
  for (const id of [undefined, "", "x".repeat(129), "a b", "a\n", "é", '"', "a, b"]) {
    assert.equal(parseRequestId(id), undefined);
  }
});

test("a traceparent is read, of a later version too", () => {
  const expected = { traceId: TRACE, parentId: PARENT, isSampled: true };
  assert.deepEqual(parseTraceParent(`00-${TRACE}-${PARENT}-01`), expected);
  assert.deepEqual(parseTraceParent(`00-${TRACE}-${PARENT}-00`), { ...expected, isSampled: false });
  assert.deepEqual(parseTraceParent(`cc-${TRACE}-${PARENT}-03-what-the-future-brings`), expected);
});

test("a malformed traceparent is as if it were not there", () => {
  const wrong = [
    undefined,
    "",
    `ff-${TRACE}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-01-more`,
    `00-${TRACE}-${PARENT}-01-`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    `00-${"0".repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `00-${TRACE}-${PARENT}-1`,
    `00-${TRACE}-${PARENT}-0x`,
    `00-${TRACE}-${PARENT}`,
    `cc-${TRACE}-${PARENT}-01x`,
    `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`,
  ];
  for (const header of wrong) assert.equal(parseTraceParent(header), undefined, header);
});
