import assert from "node:assert/strict";
import { test } from "node:test";
import { LogPage } from "./log-page.ts";
import { LogPages, type PageSource } from "./log-pages.ts";

const MIB = 1_048_576;

/** Logs of one line each, and which were read. */
function createLogs(recentLines: NonNullable<PageSource["engine"]>["recentLines"] = () => undefined) {
  const read: string[] = [];
  const lines = async (run: string) => {
    read.push(run);
    return ["x".repeat(run === "large" ? 9 * MIB : MIB)];
  };
  return { read, pages: new LogPages({ store: { lines }, engine: { recentLines } }) };
}

test("what was read last is read once, and what was read long ago again", async () => {
  const { read, pages } = createLogs();
  for (const run of ["a", "b", "a", "c", "d", "e", "f", "g", "h", "a"]) await pages.find(run, 0);
  assert.deepEqual(read, ["a", "b", "c", "d", "e", "f", "g", "h"]);
  await pages.find("i", 0);
  await pages.find("a", 0);
  await pages.find("b", 0);
  assert.deepEqual(read.slice(8), ["i", "b"]);
});

test("lines that are still in memory are not read from the store", async () => {
  const { read, pages } = createLogs((run, after) => (run === "here" ? ["one", "two"].slice(after) : undefined));
  const page = await pages.read("here", 1);
  assert.deepEqual([page.last, page.line(2)], [2, "two"]);
  await pages.read("elsewhere", 0);
  await pages.read("here", 2);
  assert.deepEqual(read, ["elsewhere", "here"]);
});

test("a page that is larger than all may be together is shared for as long as it is the last", async () => {
  const { read, pages } = createLogs();
  for (const run of ["a", "large", "large", "a", "large"]) assert.equal((await pages.find(run, 0)).last, 1);
  assert.deepEqual(read, ["a", "large", "a", "large"]);
});

test("a page keeps pieces for the next reader, but not from every place", () => {
  const page = new LogPage(
    0,
    Array.from({ length: 100 }, () => "x".repeat(100)),
  );
  let made = 0;
  const make = () => {
    made++;
    return { bytes: Buffer.alloc(10_000), after: 100, end: undefined };
  };
  for (let round = 0; round < 2; round++) for (let place = 0; place < 5; place++) page.piece(`${place}`, make);
  assert.equal(made, 5 + 3);
});
