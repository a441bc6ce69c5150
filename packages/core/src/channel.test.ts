import assert from "node:assert/strict";
import { setImmediate as idle } from "node:timers/promises";
import { test } from "node:test";
import * as fc from "fast-check";
import { Channel } from "./channel.ts";
import { BatonError } from "./error.ts";
import { Scope } from "./scope.ts";
import { SimulatedClock } from "./testing/simulated-clock.ts";

const stop = () => new BatonError("cancelled", "stop");

test("a full channel makes the sender wait until there is room", async () => {
  await using scope = Scope.root({ clock: new SimulatedClock(1) });
  const channel = new Channel<string>(1);
  assert.equal(channel.send("a", scope), undefined);
  assert.equal(channel.trySend("b"), false);
  const waiting = channel.send("b", scope);
  assert.ok(waiting instanceof Promise);
  assert.deepEqual(await channel.receive(scope), { done: false, value: "a" });
  await waiting;
  assert.deepEqual(channel.drain(), ["b"]);
});

test("a sender that is cancelled leaves, and what it brought is not sent", async () => {
  const root = Scope.root({ clock: new SimulatedClock(1) });
  const channel = new Channel<string>(1);
  channel.trySend("a");
  const scope = root.child({ name: "sender" });
  const refused = assert.rejects(async () => channel.send("b", scope), { code: "cancelled", message: "stop" });
  await scope.cancel(stop());
  await refused;
  assert.deepEqual([channel.drain(), channel.drain(), channel.waiting], [["a"], [], 0]);
});

test("a cancelled scope neither sends nor receives, even if it need not wait", async () => {
  const root = Scope.root({ clock: new SimulatedClock(1) });
  const channel = new Channel<string>(2);
  channel.trySend("a");
  await root.cancel(stop());
  await assert.rejects(async () => channel.send("b", root), { code: "cancelled" });
  await assert.rejects(channel.receive(root), { code: "cancelled" });
  assert.deepEqual(channel.drain(), ["a"]);
});

test("draining takes what is there and lets the next senders in", async () => {
  await using scope = Scope.root({ clock: new SimulatedClock(1) });
  const channel = new Channel<number>(2);
  const sent = [1, 2, 3, 4, 5].map((value) => channel.send(value, scope));
  assert.deepEqual([channel.drain(), channel.waiting], [[1, 2], 1]);
  assert.deepEqual([channel.drain(), channel.waiting], [[3, 4], 0]);
  assert.deepEqual([channel.drain(), channel.drain()], [[5], []]);
  for (const done of sent) await done;
});

test("closing ends the iteration after what was sent, fails senders that wait and refuses new ones", async () => {
  await using scope = Scope.root({ clock: new SimulatedClock(1) });
  const channel = new Channel<number>(2);
  channel.trySend(1);
  channel.trySend(2);
  const refused = assert.rejects(async () => channel.send(3, scope), { code: "closed" });
  channel.close();
  await refused;
  assert.equal(channel.trySend(4), false);
  await assert.rejects(async () => channel.send(5, scope), { code: "closed" });
  const received: number[] = [];
  for await (const value of channel) received.push(value);
  assert.deepEqual(received, [1, 2]);
  assert.equal(channel.trySend(6), false);
});

test("closing ends receivers that wait", async () => {
  await using scope = Scope.root({ clock: new SimulatedClock(1) });
  const channel = new Channel<number>(1);
  const waiting = Promise.all([channel.receive(scope), channel.receive()]);
  channel.close();
  assert.deepEqual(
    (await waiting).map(({ done }) => done),
    [true, true],
  );
});

test("undefined can be sent like any value", async () => {
  const channel = new Channel<undefined>(2);
  channel.trySend(undefined);
  channel.trySend(undefined);
  assert.deepEqual(await channel.receive(), { done: false, value: undefined });
  assert.deepEqual(channel.drain(), [undefined]);
});

test("a channel that could hold nothing is refused", () => {
  for (const capacity of [0, -1, Number.NaN]) assert.throws(() => new Channel(capacity), { code: "invalid" });
});

const actions = fc.array(fc.constantFrom("send", "trySend", "receive", "drain", "cancel", "close"), { maxLength: 60 });

test("everything accepted is received once and in order, by whatever mix of senders and receivers", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      actions,
      fc.infiniteStream(fc.nat()),
      async (capacity, list, picks) => {
        await using root = Scope.root({ clock: new SimulatedClock(1) });
        const channel = new Channel<number>(capacity);
        const accepted: number[] = [];
        const received: number[] = [];
        const scopes: Scope[] = [];
        const open: Promise<unknown>[] = [];
        const child = () => {
          const scope = root.child({ name: "party" });
          scopes.push(scope);
          return scope;
        };
        const send = async (value: number) => {
          await channel.send(value, child());
          accepted.push(value);
        };
        const receive = async () => {
          const result = await channel.receive(child());
          if (result.done !== true) received.push(result.value);
        };
        for (const [value, action] of list.entries()) {
          if (action === "send")
            open.push(send(value).catch((error: unknown) => assert.ok(error instanceof BatonError)));
          if (action === "receive")
            open.push(receive().catch((error: unknown) => assert.ok(error instanceof BatonError)));
          if (action === "trySend" && channel.trySend(value)) accepted.push(value);
          if (action === "drain") received.push(...channel.drain());
          if (action === "cancel") await scopes[(picks.next().value ?? 0) % Math.max(1, scopes.length)]?.cancel(stop());
          if (action === "close" && value > 50) channel.close();
          await idle();
          assert.ok(channel.length <= capacity);
          if (channel.waiting > 0) assert.ok(channel.length === 0 || channel.length === capacity);
        }
        channel.close();
        for await (const value of channel) received.push(value);
        await root.cancel(stop());
        await Promise.all(open);
        assert.deepEqual(received, accepted);
        assert.deepEqual([channel.waiting, channel.length], [0, 0]);
      },
    ),
    { numRuns: 200 },
  );
});
