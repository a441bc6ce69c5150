import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { Bus, type BusReader } from "./bus.ts";
import { BatonError } from "./error.ts";
import { Scope } from "./scope.ts";
import { SimulatedClock } from "./testing/simulated-clock.ts";

test("every reader sees all that is published after it subscribed, in order", async () => {
  const bus = new Bus<number>();
  bus.publish(1);
  const early = bus.subscribe();
  bus.publish(2);
  const late = bus.subscribe();
  bus.publish(3);
  bus.close();
  assert.deepEqual(await Array.fromAsync(early), [2, 3]);
  assert.deepEqual(await Array.fromAsync(late), [3]);
});

test("a reader that waits is woken by the next value, and by the end", async () => {
  const bus = new Bus<string>();
  const reader = bus.subscribe();
  const waiting = [reader.receive(), reader.receive(), reader.receive()];
  bus.publish("a");
  bus.publish("b");
  bus.close();
  assert.deepEqual(
    (await Promise.all(waiting)).map(({ value }) => value),
    ["a", "b", undefined],
  );
  assert.equal(bus.readers, 0);
});

test("a reader that lags loses the oldest and is told how many, once", async () => {
  const bus = new Bus<number>(4);
  const reader = bus.subscribe();
  for (let value = 1; value <= 10; value++) bus.publish(value);
  assert.deepEqual([(await reader.receive()).value, reader.lagged], [7, 6]);
  assert.deepEqual([(await reader.receive()).value, reader.lagged], [8, 0]);
});

test("leaving the loop ends the subscription", async () => {
  const bus = new Bus<number>();
  const reader = bus.subscribe();
  bus.publish(1);
  for await (const value of reader) {
    assert.equal(value, 1);
    break;
  }
  assert.equal(bus.readers, 0);
  bus.publish(2);
  assert.deepEqual(await reader.receive(), { done: true, value: undefined });
});

test("a reader that is closed while it waits ends", async () => {
  const reader = new Bus<number>().subscribe();
  const waiting = reader.receive();
  reader.close();
  assert.equal((await waiting).done, true);
});

test("a cancel ends the wait but not the subscription", async () => {
  const root = Scope.root({ clock: new SimulatedClock(1) });
  const bus = new Bus<number>();
  const reader = bus.subscribe();
  const refused = assert.rejects(reader.receive(root), { code: "cancelled" });
  await root.cancel(new BatonError("cancelled", "stop"));
  await refused;
  await assert.rejects(reader.receive(root), { code: "cancelled" });
  bus.publish(1);
  assert.deepEqual(await reader.receive(), { done: false, value: 1 });
});

test("after the last reader has left, nothing old reaches a new one", async () => {
  const bus = new Bus<number>(2);
  bus.subscribe().close();
  const first = bus.subscribe();
  for (const value of [1, 2, 3]) bus.publish(value);
  first.close();
  bus.publish(4);
  const second = bus.subscribe();
  bus.publish(5);
  bus.close();
  assert.deepEqual([await Array.fromAsync(second), second.lagged], [[5], 0]);
});

test("what is read and what is lost add up to what was published, for any pace of any reader", async () => {
  const step = fc.record({ do: fc.constantFrom("publish", "publish", "subscribe", "read", "close"), which: fc.nat(3) });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 80 }), async (capacity, steps) => {
      const bus = new Bus<number>(capacity);
      const places: { readonly reader: BusReader<number>; next: number; closed: boolean }[] = [];
      let published = 0;
      const read = async (place: (typeof places)[number]) => {
        const { done, value } = await place.reader.receive();
        const oldest = Math.max(place.next, published - capacity);
        if (place.closed) assert.deepEqual([done, value], [true, undefined]);
        else assert.deepEqual([done, value, place.reader.lagged], [false, oldest, oldest - place.next]);
        place.next = oldest + 1;
      };
      for (const { do: action, which } of steps) {
        const place = places[which];
        if (action === "publish") bus.publish(published++);
        if (action === "subscribe") places.push({ reader: bus.subscribe(), next: published, closed: false });
        if (action === "read" && place !== undefined && (place.closed || place.next < published)) await read(place);
        if (action === "close" && place !== undefined) {
          place.reader.close();
          place.closed = true;
        }
        assert.equal(bus.readers, places.filter(({ closed }) => !closed).length);
      }
    }),
    { numRuns: 500 },
  );
});
