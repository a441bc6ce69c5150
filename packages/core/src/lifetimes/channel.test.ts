import assert from "node:assert/strict";
import { setImmediate as idle } from "node:timers/promises";
import { test } from "node:test";
import * as fc from "fast-check";
import { Channel } from "./channel.ts";
import { BatonError } from "../words/error.ts";
import { Scope } from "./scope.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";

const stop = () => new BatonError("cancelled", "stop");

/** Takes all that is there now. */
function drain<T>(channel: Channel<T>): T[] {
  const taken: T[] = [];
  for (let value = channel.take(); value !== undefined; value = channel.take()) taken.push(value);
  return taken;
}

test("a full channel makes the sender wait until there is room", async () => {
  await using scope = Scope.root({ clock: new SimulatedClock(1) });
  const channel = new Channel<string>(1);
  assert.equal(channel.send("a", scope), undefined);
  const waiting = channel.send("b", scope);
  assert.ok(waiting instanceof Promise);
  let isSent = false;
  const sent = waiting.then(() => (isSent = true));
  await idle();
  assert.equal(isSent, false);
  assert.equal(channel.take(), "a");
  await sent;
  assert.deepEqual([channel.take(), channel.take(), scope.open], ["b", undefined, 0]);
});

test("a sender that is cancelled leaves, and what it brought is not sent", async () => {
  const root = Scope.root({ clock: new SimulatedClock(1) });
  const channel = new Channel<string>(1);
  const scopes = ["b", "c", "d"].map((name) => root.child({ name }));
  assert.equal(channel.send("a", root), undefined);
  const sent = scopes.map(async (scope) => channel.send(scope.name, scope));
  const settled = Promise.allSettled(sent);
  await scopes[1]?.cancel(stop());
  assert.deepEqual(drain(channel), ["a", "b", "d"]);
  assert.deepEqual(
    (await settled).map(({ status }) => status),
    ["fulfilled", "rejected", "fulfilled"],
  );
});

test("a cancelled scope sends nothing, even if it need not wait", async () => {
  const root = Scope.root({ clock: new SimulatedClock(1) });
  const channel = new Channel<string>(2);
  await root.cancel(stop());
  await assert.rejects(async () => channel.send("b", root), { code: "cancelled" });
  assert.equal(channel.take(), undefined);
});

test("a channel that could hold nothing is refused", () => {
  for (const capacity of [0, -1, Number.NaN]) assert.throws(() => new Channel(capacity), { code: "invalid" });
});

const actions = fc.array(fc.constantFrom("send", "send", "take", "cancel"), { maxLength: 60 });

test("everything accepted is received once and in order, whoever leaves", async () => {
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
        const send = async (value: number) => {
          const scope = root.child({ name: "sender" });
          scopes.push(scope);
          await channel.send(value, scope);
          accepted.push(value);
        };
        const take = () => {
          const value = channel.take();
          if (value !== undefined) received.push(value);
        };
        for (const [value, action] of list.entries()) {
          if (action === "send")
            open.push(send(value).catch((error: unknown) => assert.ok(error instanceof BatonError)));
          if (action === "take") take();
          if (action === "cancel") await scopes[(picks.next().value ?? 0) % Math.max(1, scopes.length)]?.cancel(stop());
          await idle();
          assert.ok(accepted.length - received.length <= capacity);
        }
        received.push(...drain(channel));
        await Promise.all(open);
        received.push(...drain(channel));
        assert.deepEqual(received, accepted);
        await root[Symbol.asyncDispose]();
        assert.equal(root.open, 0);
      },
    ),
    { numRuns: 200 },
  );
});
