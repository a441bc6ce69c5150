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
  assert.deepEqual(await Array.fromAsync(bus.subscribe()), []);
});

test("a reader that waits is woken by the next value, and by the end", async () => {
  const bus = new Bus<string>();
  const reader = bus.subscribe()[Symbol.asyncIterator]();
  const waiting = [reader.next(), reader.next(), reader.next()];
  bus.publish("a");
  bus.publish("b");
  bus.close();
  assert.deepEqual(
    (await Promise.all(waiting)).map(({ value }) => value),
    ["a", "b", undefined],
  );
});

test("a reader that lags loses the oldest and sees how many", async () => {
  const bus = new Bus<number>(4);
  const reader = bus.subscribe();
  const prompt = bus.subscribe();
  const values = prompt[Symbol.asyncIterator]();
  for (let value = 1; value <= 10; value++) {
    bus.publish(value);
    assert.equal((await values.next()).value, value);
  }
  bus.close();
  assert.deepEqual([await Array.fromAsync(reader), reader.lagged, prompt.lagged], [[7, 8, 9, 10], 6, 0]);
});

test("leaving the loop ends the subscription", async () => {
  const bus = new Bus<number>();
  const reader = bus.subscribe();
  bus.publish(1);
  for await (const value of reader) {
    assert.equal(value, 1);
    break;
  }
  bus.publish(2);
  assert.equal(bus.readers, 0);
  assert.deepEqual(await Array.fromAsync(reader), []);
});

test("a reader that is closed while it waits ends, and so does one whose scope is cancelled", async () => {
  const bus = new Bus<number>();
  const root = Scope.root({ clock: new SimulatedClock(1) });
  const [closed, cancelled] = [bus.subscribe(), bus.subscribe()];
  const waiting = [Array.fromAsync(closed), Array.fromAsync(cancelled)];
  closed.close();
  root.onCancel(() => cancelled.close());
  await root.cancel(new BatonError("cancelled", "stop"));
  assert.deepEqual(await Promise.all(waiting), [[], []]);
  bus.publish(1);
  assert.equal(bus.readers, 0);
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

interface Place {
  readonly reader: BusReader<number>;
  readonly values: AsyncIterator<number, undefined>;
  next: number;
  lost: number;
  /** How many were published when it was closed. */
  end: number;
}

test("what is read and what is lost add up to what was published, for any pace of any reader", async () => {
  const step = fc.record({ do: fc.constantFrom("publish", "publish", "subscribe", "read", "close"), which: fc.nat(3) });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 80 }), async (capacity, steps) => {
      const bus = new Bus<number>(capacity);
      const places: Place[] = [];
      let published = 0;
      const read = async (place: Place) => {
        const { done, value } = await place.values.next();
        const end = Math.min(place.end, published);
        const oldest = Math.max(place.next, end - capacity);
        place.lost += oldest - place.next;
        place.next = oldest < end ? oldest + 1 : oldest;
        assert.deepEqual([done, value], oldest < end ? [false, oldest] : [true, undefined]);
        assert.equal(place.reader.lagged, place.lost);
      };
      for (const { do: action, which } of steps) {
        const place = places[which];
        if (action === "publish") bus.publish(published++);
        if (action === "subscribe") {
          const reader = bus.subscribe();
          places.push({ reader, values: reader[Symbol.asyncIterator](), next: published, lost: 0, end: Infinity });
        }
        if (action === "read" && place !== undefined && place.next < published) await read(place);
        if (action === "close" && place !== undefined) {
          place.reader.close();
          place.end = Math.min(place.end, published);
        }
      }
      bus.publish(published++);
      assert.equal(bus.readers, places.filter(({ end }) => end === Infinity).length);
    }),
    { numRuns: 500 },
  );
});
