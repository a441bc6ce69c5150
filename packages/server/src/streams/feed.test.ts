import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { defineCrew } from "@baton/core";
import { type Clock, SystemClock } from "@baton/core/ports";
import { openMemory } from "@baton/store/sqlite";
import { baton } from "../dialects/baton.ts";
import { Feed } from "./feed.ts";
import { toFormat } from "./stream-format.ts";
import { LogPages } from "./log-pages.ts";
import { Projection } from "./projection.ts";
import { RunStream } from "./run-stream.ts";

const crew = defineCrew({ name: "talks", agents: [{ id: "talker", isTerminal: true }] });
const CONTEXT = { run: "r1", session: undefined, crew, createdAt: 0, model: "talks" };
const LINES = Array.from({ length: 100 }, () => "x".repeat(100_000));

/** A clock on a busy machine: `breathe` always yields. */
function createBusyClock(): Clock {
  const clock = new SystemClock();
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after: (delayMs, run) => clock.after(delayMs, run),
    soon: (run) => clock.soon(run),
    breathe: async () => setImmediate(),
    random: () => clock.random(),
  };
}

test("a reader that is full and has room again while its log is read gets all of it, each line once", async () => {
  const clock = createBusyClock();
  const work: Promise<void>[] = [];
  const memory = openMemory();
  const feed = new Feed("r1", {
    database: {
      logs: { ...memory.logs, watch: () => () => undefined, length: async () => LINES.length },
      runs: memory.runs,
    },
    pages: new LogPages({
      store: {
        lines: async (_, after) => {
          await setImmediate();
          return LINES.slice(after, after + 5);
        },
      },
    }),
    clock,
    own: (promise) => work.push(promise),
  });
  let text = "";
  const outgoing = new Writable({
    write: (bytes: Buffer, _, done) => {
      text += bytes.toString();
      process.nextTick(done);
    },
  });
  const projection = new Projection(toFormat(baton, CONTEXT), undefined);
  const stream = new RunStream(
    { outgoing, projection, key: "local", pauseAfter: 0, left: undefined },
    { drained: (drained) => feed.drained(drained), closed: (closed) => feed.remove(closed) },
    clock,
  );
  feed.add(stream);
  while (!stream.isClosed && !text.includes(`id: ${LINES.length}\n`)) await setImmediate();
  await Promise.all(work);
  assert.ok(!stream.isClosed);
  assert.deepEqual(
    Array.from(text.matchAll(/^id: (\d+)$/gm), ([, id]) => Number(id)),
    [0, ...LINES.map((_, index) => index + 1)],
  );
});

test("a reader of a run that was deleted before it could be read is interrupted", async () => {
  const clock = new SystemClock();
  const work: Promise<void>[] = [];
  const feed = new Feed("r1", {
    database: openMemory(),
    pages: new LogPages({ store: { lines: async () => [] } }),
    clock,
    own: (promise) => work.push(promise),
  });
  const outgoing = new Writable({ write: (_bytes, _, done) => done() });
  const projection = new Projection(toFormat(baton, CONTEXT), undefined);
  const stream = new RunStream(
    { outgoing, projection, key: "local", pauseAfter: 0, left: undefined },
    { drained: () => undefined, closed: (closed) => feed.remove(closed) },
    clock,
  );
  feed.add(stream);
  await Promise.all(work);
  assert.ok(stream.isClosed);
});
