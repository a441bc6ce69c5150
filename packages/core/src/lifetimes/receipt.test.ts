import assert from "node:assert/strict";
import { test } from "node:test";
import { BatonError } from "../words/error.ts";
import { Scope } from "./scope.ts";
import { begin, obedient } from "../testing/scope-tree.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";

const stop = () => new BatonError("cancelled", "stop");
const never = () => new Promise<never>(() => undefined);

test("the receipt says of each by name whether it stopped, finished or was abandoned, in the order they began", async () => {
  const { clock, root } = begin();
  const run = root.child({ name: "run" });
  const works: Record<string, (scope: Scope) => Promise<unknown>> = {
    obeys: obedient,
    finishes: async () => {
      await new Promise<void>((resolve) => clock.after(40, resolve));
      return "in time";
    },
    hangs: never,
  };
  const races = Object.entries(works).map(([name, work]) => {
    const scope = run.child({ name });
    return scope.race(() => work(scope));
  });
  run.child({ name: "idle" });
  const mixed = run.child({ name: "mixed" });
  races.push(mixed.race(() => obedient(mixed)));
  races.push(mixed.race(async () => "too"));
  const settled = Promise.allSettled(races);
  const reason = stop();
  const receipt = await clock.run(run.cancel(reason));
  assert.deepEqual(receipt, { stopped: ["obeys", "idle", "mixed"], finished: ["finishes"], abandoned: ["hangs"] });
  assert.deepEqual(await settled, [
    { status: "rejected", reason },
    { status: "fulfilled", value: "in time" },
    { status: "rejected", reason },
    { status: "rejected", reason },
    { status: "fulfilled", value: "too" },
  ]);
  assert.deepEqual([clock.monotonic(), clock.pending], [100, 0]);
  await root[Symbol.asyncDispose]();
  assert.equal(root.open, 0);
});

test("who only waits for one that is abandoned has stopped, and had the time to tidy up", async () => {
  const { clock, root } = begin();
  const seen: string[] = [];
  const turnScope = root.child({ name: "turn" });
  const call = turnScope.child({ name: "call" });
  const work = turnScope.race(async () => {
    try {
      await call.race(never);
    } finally {
      seen.push("tidied");
    }
  });
  const settled = Promise.allSettled([work]);
  const receipt = await clock.run(root.cancel(stop()));
  assert.deepEqual(receipt, { stopped: ["turn"], finished: [], abandoned: ["call"] });
  assert.deepEqual(seen, ["tidied"]);
  await settled;
});

test("work that ignores its abort is abandoned after the grace period, and its late result goes nowhere", async () => {
  for (const late of ["resolve", "reject"] as const) {
    const clock = new SimulatedClock(1);
    const root = Scope.root({ clock, graceMs: 30 });
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on("unhandledRejection", note);
    const work = root.race(
      () =>
        new Promise((resolve, reject) =>
          clock.after(5_000, () => (late === "resolve" ? resolve("late") : reject(new Error("late")))),
        ),
    );
    const refused = assert.rejects(work, { code: "cancelled", message: "stop" });
    await clock.run(root.cancel(stop()));
    assert.equal(clock.monotonic(), 30);
    await refused;
    await clock.advance(10_000);
    process.off("unhandledRejection", note);
    assert.deepEqual([unhandled, root.open, clock.pending], [[], 0, 0]);
  }
});

test("a result that comes at the very instant of being abandoned comes too late, for the receipt too", async () => {
  const { clock, root } = begin();
  const call = root.child({ name: "call" });
  const work = call.race(
    () =>
      new Promise((resolve) => {
        call.onCancel(() => queueMicrotask(() => clock.after(100, () => resolve("late"))));
      }),
  );
  const refused = assert.rejects(work, { code: "cancelled" });
  assert.deepEqual((await clock.run(root.cancel(stop()))).abandoned, ["call"]);
  await refused;
});

test("a thenable counts once, fails as it fails, and is abandoned where it never settles", async () => {
  const { clock, root } = begin();
  const toThenable = <T extends object>(value: T, descriptor: PropertyDescriptor) =>
    Object.defineProperty(value, "then", descriptor);
  const then = (resolve: (value: string) => void, reject: (error: Error) => void) => {
    resolve("first");
    resolve("second");
    reject(new Error("third"));
  };
  assert.equal(await root.race(() => toThenable({}, { value: then })), "first");
  const get = () => {
    throw new Error("no then");
  };
  const broken = toThenable({}, { get });
  await assert.rejects(
    root.race(() => broken),
    { message: "no then" },
  );
  const hanging = [{}, () => undefined].map((value) =>
    assert.rejects(
      root.race(() => toThenable(value, { value: never })),
      { code: "cancelled" },
    ),
  );
  assert.equal(root.open, 2);
  await clock.run(root.cancel(stop()));
  await Promise.all(hanging);
  assert.deepEqual([clock.monotonic(), root.open], [100, 0]);
});
