import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryRequests } from "./memory-requests.ts";

const requestOf = (key: string, answer?: string) => ({
  key,
  fingerprint: "f",
  keptUntil: 10,
  ...(answer === undefined ? {} : { answer }),
});

test("memory is bounded in requests: the oldest go first, and one that was written again is new", () => {
  const requests = new MemoryRequests({ maxKeys: 3 });
  for (const key of ["a", "b", "c", "a", "d"]) requests.put(requestOf(key), 0);
  assert.deepEqual(
    ["a", "b", "c", "d"].filter((key) => requests.get(key, 0) !== undefined),
    ["a", "c", "d"],
  );
});

test("memory is bounded in characters of answers, and what was replaced or forgotten does not count", () => {
  const requests = new MemoryRequests({ maxChars: 100 });
  for (let index = 0; index < 1_000; index++) {
    requests.put(requestOf(`k${index}`), 0);
    requests.put(requestOf(`k${index}`, "x".repeat(10)), 0);
    requests.put(requestOf(`k${index}`, "x".repeat(10)), 0);
    assert.ok(requests.size <= 11);
  }
  assert.equal(requests.size, 10);
  assert.equal(requests.get("k999", 0)?.answer?.length, 10);
});

test("what is kept no longer goes with the next that is written", () => {
  const requests = new MemoryRequests();
  for (const key of ["a", "b"]) requests.put(requestOf(key), 0);
  requests.put({ ...requestOf("c"), keptUntil: 30 }, 10);
  assert.equal(requests.size, 1);
});
