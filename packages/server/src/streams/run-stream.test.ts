import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { test } from "node:test";
import { defineCrew } from "@baton/core";
import { SimulatedClock } from "@baton/core/testing";
import { baton } from "../dialects/baton.ts";
import { toFormat } from "./stream-format.ts";
import { Projection } from "./projection.ts";
import { RunStream } from "./run-stream.ts";
import { OPENING } from "./sse.ts";

const MIB = 1_048_576;
const KEEP_ALIVE_MS = 10_000;
const crew = defineCrew({
  name: "talks",
  agents: [{ id: "talker", isTerminal: true }],
  settings: { sseKeepAliveMs: KEEP_ALIVE_MS },
});
const CONTEXT = { run: "r1", session: undefined, crew, createdAt: 0, model: "talks" };

/** A stream to a client that takes what was written when it is told to, and what it was told. */
function openStream() {
  const taken: Buffer[] = [];
  const waiting: (() => void)[] = [];
  const outgoing = new Writable({
    write: (bytes: Buffer, _, done) => {
      waiting.push(() => {
        taken.push(bytes);
        done();
      });
    },
  });
  const told: string[] = [];
  const clock = new SimulatedClock(1);
  const projection = new Projection(toFormat(baton, CONTEXT), undefined);
  const stream = new RunStream(
    { outgoing, projection, key: "local", pauseAfter: 0, left: () => told.push("left") },
    { drained: () => told.push("drained"), closed: () => told.push("closed") },
    clock,
  );
  const tend = async (durationMs: number) => {
    await clock.advance(durationMs);
    stream.tend();
  };
  return { stream, outgoing, told, tend, take: () => waiting.shift()?.(), text: () => Buffer.concat(taken).toString() };
}

const toPiece = (bytes: number) => ({ bytes: Buffer.alloc(bytes, "x"), after: 1, end: undefined });

test("a frame that takes longer than a keep-alive is not interrupted while its reader takes some of it", async () => {
  const { stream, outgoing, told, tend, take, text } = openStream();
  take();
  stream.take(toPiece(4 * MIB));
  let held = 0;
  for (let waits = 0; text().length < OPENING.length + 4 * MIB; waits++) {
    assert.ok(waits < 1_000 && !outgoing.destroyed);
    held = Math.max(held, outgoing.writableLength);
    await tend(KEEP_ALIVE_MS - 1);
    take();
    await tend(0);
  }
  assert.deepEqual(told, ["drained"]);
  assert.equal(stream.isFull, false);
  assert.ok(held < MIB / 2, `${held}`);
});

test("a frame whose reader takes nothing more is interrupted after a keep-alive, or sooner where much has come", async () => {
  for (const [missed, patienceMs] of [
    [0, KEEP_ALIVE_MS],
    [2 * MIB, 2_000],
  ] as const) {
    const { stream, outgoing, told, tend, take } = openStream();
    take();
    stream.take(toPiece(4 * MIB));
    await tend(1_000);
    take();
    stream.miss(missed);
    await tend(patienceMs - 1);
    assert.ok(!outgoing.destroyed);
    await tend(1);
    assert.ok(outgoing.destroyed);
    assert.deepEqual(told, ["closed"]);
  }
});

test("an earlier jam does not count against a reader that has taken something since", async () => {
  const { stream, outgoing, tend, take } = openStream();
  take();
  stream.take(toPiece(4 * MIB));
  stream.miss(2 * MIB);
  await tend(1_000);
  take();
  await tend(3_000);
  assert.ok(stream.isFull && !outgoing.destroyed);
  stream.miss(2 * MIB);
  await tend(0);
  assert.ok(outgoing.destroyed);
});

test("a client that goes has left, and one that is interrupted or done has not", async () => {
  const goes = openStream();
  goes.outgoing.destroy();
  await goes.tend(0);
  assert.deepEqual(goes.told, ["left", "closed"]);
  for (const end of [
    (stream: RunStream) => stream.cut(),
    (stream: RunStream) => stream.leave("the server is stopping"),
    (stream: RunStream) => stream.take({ ...toPiece(10), end: "run.ended" }),
  ]) {
    const { stream, outgoing, told, tend } = openStream();
    end(stream);
    outgoing.destroy();
    await tend(0);
    assert.deepEqual(told, ["closed"]);
  }
});

test("who is in the middle of a frame is interrupted where it must go: words there would be part of the frame", async () => {
  const { stream, outgoing, told, tend } = openStream();
  stream.take(toPiece(MIB));
  stream.leave("the server is stopping");
  await tend(0);
  assert.deepEqual([outgoing.destroyed, told], [true, ["closed"]]);
});

for (const isRead of [true, false]) {
  test(`a long last frame ${isRead ? "is sent whole, and then the stream ends" : "that nobody takes is interrupted"}`, async () => {
    const { stream, outgoing, told, tend, take, text } = openStream();
    stream.take({ ...toPiece(MIB), end: "run.ended" });
    assert.ok(!stream.isClosed);
    for (let waits = 0; waits < 20; waits++) {
      if (isRead) take();
      await tend(KEEP_ALIVE_MS / 4);
    }
    assert.deepEqual(told, ["closed"]);
    assert.equal(outgoing.writableFinished, isRead);
    if (isRead) assert.match(text(), /\n\nx{1048576}$/);
  });
}
