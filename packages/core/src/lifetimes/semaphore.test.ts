import assert from "node:assert/strict";
import { setImmediate as idle } from "node:timers/promises";
import { test } from "node:test";
import * as fc from "fast-check";
import { BatonError } from "../words/error.ts";
import { Scope } from "./scope.ts";
import { Semaphore } from "./semaphore.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";

const stop = () => new BatonError("cancelled", "stop");

test("a free permit is given at once, without a promise", async () => {
  await using scope = Scope.root({ clock: new SimulatedClock(1) });
  const semaphore = new Semaphore(1);
  const release = semaphore.acquire(scope);
  assert.ok(typeof release === "function");
  assert.equal(semaphore.free, 0);
  release();
  release();
  assert.equal(semaphore.free, 1);
});

test("a cancelled or ended scope gets no permit, even if one is free", async () => {
  const root = Scope.root({ clock: new SimulatedClock(1) });
  const semaphore = new Semaphore(1);
  const ended = root.child({ name: "ended" });
  await ended[Symbol.asyncDispose]();
  await assert.rejects(async () => semaphore.acquire(ended), { code: "closed" });
  await root.cancel(stop());
  await assert.rejects(async () => semaphore.acquire(root), { code: "cancelled" });
  assert.equal(semaphore.free, 1);
});

test("the end of a scope ends the wait of those who wait in it", async () => {
  const root = Scope.root({ clock: new SimulatedClock(1) });
  const semaphore = new Semaphore(1);
  await semaphore.acquire(root);
  const waiting = assert.rejects(async () => semaphore.acquire(root), { code: "cancelled" });
  assert.equal(semaphore.waiting, 1);
  await root[Symbol.asyncDispose]();
  await waiting;
  assert.equal(semaphore.waiting, 0);
});

test("fewer than one permit is refused", () => {
  for (const permits of [0, -1, Number.NaN]) {
    assert.throws(() => new Semaphore(permits), { code: "invalid" });
  }
});

test("whoever leaves the line, in whatever order, the others keep their places", async () => {
  const waiters = [0, 1, 2, 3, 4, 5, 6];
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(waiters), async (leaving) => {
      await using root = Scope.root({ clock: new SimulatedClock(1) });
      const semaphore = new Semaphore(1);
      const first = await semaphore.acquire(root);
      const served: number[] = [];
      const scopes = waiters.map((waiter) => root.child({ name: `${waiter}` }));
      const waiting = scopes.map(async (scope, waiter) => {
        const release = await semaphore.acquire(scope);
        served.push(waiter);
        release();
      });
      const settled = Promise.allSettled(waiting);
      for (const waiter of leaving) await scopes[waiter]?.cancel(stop());
      assert.equal(semaphore.waiting, waiters.length - leaving.length);
      first();
      await settled;
      assert.deepEqual(
        served,
        waiters.filter((waiter) => !leaving.includes(waiter)),
      );
    }),
  );
});

type Step = { readonly do: "acquire" } | { readonly do: "release" | "cancel"; readonly which: number };

const steps = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.constant<Step>({ do: "acquire" }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constantFrom("release" as const, "cancel" as const), which: fc.nat(15) }),
    },
  ),
  { maxLength: 40 },
);

test("permits go round first come first served, past those who left, and none is lost", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), steps, async (permits, taken) => {
      await using root = Scope.root({ clock: new SimulatedClock(1) });
      const semaphore = new Semaphore(permits);
      const scopes: Scope[] = [];
      const releases = new Map<number, () => void>();
      const states: ("waits" | "holds" | "released" | "left")[] = [];
      // The plainest semaphore there can be: one list, searched from the front.
      const serve = () => {
        while (states.filter((state) => state === "holds").length < permits && states.includes("waits")) {
          states[states.indexOf("waits")] = "holds";
        }
      };
      const begin = async (index: number, scope: Scope) => {
        try {
          releases.set(index, await semaphore.acquire(scope));
        } catch (error) {
          assert.equal(error, scope.reason);
          assert.notEqual(states[index], "holds");
        }
      };
      const begun: Promise<void>[] = [];
      for (const step of taken) {
        if (step.do === "acquire") {
          const scope = root.child({ name: `${scopes.length}` });
          states.push("waits");
          begun.push(begin(scopes.length, scope));
          scopes.push(scope);
        } else if (step.do === "release") {
          releases.get(step.which)?.();
          if (states[step.which] === "holds") states[step.which] = "released";
        } else {
          if (states[step.which] === "waits") states[step.which] = "left";
          await scopes[step.which]?.cancel(stop());
        }
        serve();
        await idle();
        assert.deepEqual(
          [...releases.keys()],
          states.flatMap((state, index) => (state === "holds" || state === "released" ? [index] : [])),
        );
        assert.equal(semaphore.free, permits - states.filter((state) => state === "holds").length);
        assert.equal(semaphore.waiting, states.filter((state) => state === "waits").length);
      }
      await root.cancel(stop());
      await Promise.all(begun);
      for (const release of releases.values()) release();
      assert.equal(semaphore.free, permits);
      assert.equal(semaphore.waiting, 0);
    }),
    { numRuns: 200 },
  );
});
