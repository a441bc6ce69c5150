/** A caller that waits for the writer always gets an answer, and leaves nothing behind. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { BatonError } from "@baton/core";
import { SystemClock } from "@baton/core/ports";
import { SimulatedClock } from "@baton/core/testing";
import { openMemory } from "./sqlite/memory.ts";
import { type WriteSource, Writer } from "./writer.ts";

test("waiting for a try leaves nothing behind while the store is well", async () => {
  setFlagsFromString("--expose-gc");
  const usedBytes = () => {
    runInNewContext("gc()");
    return process.memoryUsage().heapUsed;
  };
  const clock = new SystemClock();
  const writer = new Writer(openMemory({ now: () => clock.now() }), clock);
  const source: WriteSource = {
    isUnknown: false,
    take: () => undefined,
    wrote: () => {},
    lost: () => {},
    givenUp: () => {},
  };
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

test("what no client knows of is dropped once, also if it comes while nothing can be written; the rest waits", async () => {
  const clock = new SimulatedClock(1);
  let isFull = true;
  const database = Object.assign(openMemory({ now: () => clock.now() }), {
    commit: () => (isFull ? Promise.reject(new Error("the disk is full")) : Promise.resolve([])),
  });
  const writer = new Writer(database, clock);
  const told: string[] = [];
  const change = { claim: { key: "run:r", owner: "one", number: 1 } };
  const sourceOf = (name: string, isUnknown: boolean): WriteSource => {
    const source = {
      isUnknown,
      take: () => (told.includes(`${name} given up`) ? undefined : change),
      wrote: () => told.push(`${name} written`),
      lost: () => told.push(`${name} lost`),
      givenUp: (why?: BatonError) => {
        source.isUnknown = false;
        told.push(`${name} given up`);
        assert.match(why?.message ?? "", /disk is full/);
      },
    };
    return source;
  };
  writer.add(sourceOf("known", false), 0);
  writer.add(sourceOf("new", true), 0);
  await clock.advance(10);
  writer.add(sourceOf("late", true), 0);
  writer.add(sourceOf("late and known", false), 0);
  await clock.advance(5_000);
  assert.deepEqual(told, ["new given up", "late given up"]);
  isFull = false;
  await clock.advance(5_000);
  assert.deepEqual(told.slice(2), ["known written", "late and known written"]);
});
