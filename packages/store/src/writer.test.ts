/** Whoever waits for the writer is told, and leaves nothing behind. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { SystemClock } from "@baton/core";
import { MemoryData, MemoryDatabase } from "./memory-database.ts";
import { type Source, Writer } from "./writer.ts";

test("waiting for a try leaves nothing behind while the store is well", async () => {
  setFlagsFromString("--expose-gc");
  const usedBytes = () => {
    runInNewContext("gc()");
    return process.memoryUsage().heapUsed;
  };
  const clock = new SystemClock();
  const writer = new Writer(new MemoryDatabase(new MemoryData(clock)), clock);
  const source: Source = { take: () => undefined, wrote: () => {}, lost: () => {}, givenUp: () => {} };
  const tryOften = async (times: number) => {
    for (let count = 0; count < times; count++) {
      writer.add(source, 0);
      await writer.tried();
    }
  };
  await tryOften(1_000);
  const before = usedBytes();
  await tryOften(20_000);
  assert.ok(usedBytes() - before < 2_000_000);
});
