import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import { SystemClock, TimerHeap, type Timer } from "./clock.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const timeouts = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

/** The plainest heap there can be: a list, sorted when asked. */
class SortedTimers {
  #timers: { readonly at: number; readonly id: number }[] = [];
  get live(): number {
    return this.#timers.length;
  }
  add(at: number, id: number): void {
    this.#timers.push({ at, id });
    this.#timers = this.#timers.toSorted((a, b) => a.at - b.at || a.id - b.id);
  }
  cancel(id: number): void {
    this.#timers = this.#timers.filter((timer) => timer.id !== id);
  }
  nextAt(): number {
    return this.#timers[0]?.at ?? Infinity;
  }
  fire(now: number): number[] {
    const due = this.#timers.filter(({ at }) => at <= now).map(({ id }) => id);
    for (const id of due) this.cancel(id);
    return due;
  }
}

test("the heap gives timers by time, first in first out among equals, and never a cancelled one", () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant("add"), number: fc.nat(20) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("cancel"), number: fc.nat(300) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("fire"), number: fc.nat(8) }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 600, size: "max" }), (steps) => {
      const fired: number[] = [];
      const timers: Timer[] = [];
      const heap = new TimerHeap(() => undefined);
      const model = new SortedTimers();
      for (const { do: action, number } of steps) {
        const id = timers.length;
        if (action === "add") {
          timers.push(heap.add(number, () => fired.push(id)));
          model.add(number, id);
        } else if (action === "cancel") {
          timers[number]?.cancel();
          model.cancel(number);
        } else {
          heap.fire(number);
          assert.deepEqual(fired.splice(0), model.fire(number));
        }
        assert.deepEqual([heap.live, heap.nextAt()], [model.live, model.nextAt()]);
      }
    }),
  );
});

test("timers that were cancelled are not kept until they would have been due", () => {
  setFlagsFromString("--expose-gc");
  const usedBytes = () => {
    runInNewContext("gc()");
    return process.memoryUsage().heapUsed;
  };
  const heap = new TimerHeap(() => undefined);
  heap.add(1, () => undefined);
  const before = usedBytes();
  for (let count = 0; count < 200_000; count++) heap.add(60_000 + count, () => undefined).cancel();
  assert.ok(usedBytes() - before < 2_000_000);
  assert.equal(heap.live, 1);
});

test("timers of the machine's clock fire in the order they are due, and none stays armed", async (context) => {
  const clock = new SystemClock();
  const before = timeouts();
  const fired: string[] = [];
  // All are set at one moment, however slow the machine is.
  const setAt = performance.now();
  const time = context.mock.method(performance, "now", () => setAt);
  const timer = clock.after(3, () => fired.push("cancelled"));
  clock.after(3_600_000, () => fired.push("much later")).cancel();
  await new Promise<void>((resolve) => {
    clock.after(4, resolve);
    clock.after(2, () => fired.push("second"));
    clock.after(0, () => fired.push("first"));
    timer.cancel();
    time.mock.restore();
  });
  assert.deepEqual(fired, ["first", "second"]);
  assert.equal(timeouts(), before);
  const last = clock.after(3_600_000, () => undefined);
  assert.equal(timeouts(), before + 1);
  last.cancel();
  last.cancel();
  assert.equal(timeouts(), before);
});

test("a delay longer than the platform's longest timeout is waited for like any other", async () => {
  const clock = new SystemClock();
  const before = timeouts();
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on("warning", note);
  let fired = false;
  const timer = clock.after(Number.MAX_SAFE_INTEGER, () => {
    fired = true;
  });
  await new Promise<void>((resolve) => {
    clock.after(3, resolve);
  });
  timer.cancel();
  process.off("warning", note);
  assert.deepEqual([fired, timeouts(), warnings], [false, before, []]);
});

test("a timer that sets the next one for at once does not hold the event loop", async () => {
  const clock = new SystemClock();
  let count = 0;
  let over = false;
  const again = () => {
    if (!over && count++ < 1_000_000) clock.after(0, again);
  };
  clock.after(0, again);
  await new Promise<void>((resolve) => {
    clock.after(1, resolve);
  });
  await turn();
  over = true;
  assert.ok(count < 1_000_000);
});

test("now stands still during a turn of the event loop and goes on after it", async () => {
  const clock = new SystemClock();
  const [first, began] = [clock.now(), clock.monotonic()];
  while (clock.monotonic() - began < 3) assert.equal(clock.now(), first);
  await turn();
  assert.ok(clock.now() > first);
});

test("work is asked to let others in only once it has held the event loop for long", async () => {
  const clock = new SystemClock();
  assert.equal(clock.breathe(), undefined);
  const began = clock.monotonic();
  while (clock.monotonic() - began < 10);
  const breath = clock.breathe();
  assert.ok(breath instanceof Promise);
  await breath;
  assert.equal(clock.breathe(), undefined);
});

test("an hour of simulated time passes at once, in order, and promises get their turn in between", async () => {
  const clock = new SimulatedClock(1);
  const seen: [string, number][] = [];
  const wait = (delayMs: number) => new Promise<void>((resolve) => clock.after(delayMs, resolve));
  const walk = async (name: string, stepMs: number) => {
    for (let step = 0; step < 3; step++) {
      await wait(stepMs);
      seen.push([name, clock.monotonic()]);
    }
  };
  const start = clock.now();
  await clock.run(Promise.all([walk("slow", 1_800_000), walk("quick", 600_000)]));
  assert.deepEqual(seen, [
    ["quick", 600_000],
    ["quick", 1_200_000],
    ["slow", 1_800_000],
    ["quick", 1_800_000],
    ["slow", 3_600_000],
    ["slow", 5_400_000],
  ]);
  assert.equal(clock.now() - start, 5_400_000);
});

test("what is to run soon runs after all that is ready and before time passes", async () => {
  const clock = new SimulatedClock(1);
  const seen: string[] = [];
  const work = async () => {
    clock.after(0, () => seen.push("timer"));
    clock.soon(() => seen.push("soon"));
    for (let tick = 0; tick < 100; tick++) await Promise.resolve();
    seen.push("ready");
    await new Promise<void>((resolve) => clock.after(1, resolve));
  };
  await clock.run(work());
  assert.deepEqual(seen, ["ready", "soon", "timer"]);
});

test("a run that waits for something that never happens is an error, and one that fails fails as it does", async () => {
  const clock = new SimulatedClock(1);
  clock.after(5, () => undefined);
  await assert.rejects(clock.run(new Promise(() => undefined)), { message: /5 ms .* never happens/ });
  await assert.rejects(clock.run(Promise.reject(new Error("no such ticker"))), { message: "no such ticker" });
});

test("advancing does what is due until then and nothing after", async () => {
  const clock = new SimulatedClock(1);
  const fired: number[] = [];
  for (const delayMs of [30, 10, 20]) clock.after(delayMs, () => fired.push(clock.monotonic()));
  await clock.advance(20);
  assert.deepEqual([fired, clock.pending, clock.monotonic()], [[10, 20], 1, 20]);
  await clock.advance(5);
  assert.deepEqual([fired, clock.monotonic()], [[10, 20], 25]);
});

test("chance comes from the seed, is at least 0 and below 1, and is spread evenly", () => {
  const draw = (seed: number) =>
    Array.from(
      { length: 10_000 },
      (
        (clock) => () =>
          clock.random()
      )(new SimulatedClock(seed)),
    );
  assert.deepEqual(draw(7), draw(7));
  assert.notDeepEqual(draw(7), draw(8));
  const tenths = Object.values(Object.groupBy(draw(7), (chance) => Math.floor(chance * 10)));
  assert.equal(tenths.length, 10);
  for (const tenth of tenths) assert.ok(tenth !== undefined && tenth.length > 900 && tenth.length < 1_100);
});
