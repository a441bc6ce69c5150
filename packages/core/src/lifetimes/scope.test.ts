import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import * as fc from "fast-check";
import { BatonError } from "../words/error.ts";
import { Scope } from "./scope.ts";
import { begin, obedient } from "../testing/scope-tree.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";

const stop = () => new BatonError("cancelled", "stop");
const never = () => new Promise<never>(() => undefined);
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test("the first failure cancels its siblings, and all have settled before it is thrown", async () => {
  const seen: string[] = [];
  await using scope = Scope.root({ clock: new SimulatedClock(1) });
  const slow = async ({ abort }: Scope) => {
    await sleep(60_000, undefined, { signal: abort }).catch(() => seen.push("cancelled"));
  };
  const broken = async () => {
    throw new Error("no such ticker");
  };
  await assert.rejects(scope.all([slow, broken]), { message: "no such ticker" });
  assert.deepEqual(seen, ["cancelled"]);
});

test("all gives the results in the order of the works, whichever is done first", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(1_000), { maxLength: 20 }), async (delays) => {
      const { clock, root } = begin();
      const works = delays.map((delayMs) => async (scope: Scope) => {
        await scope.sleep(delayMs);
        return [delayMs];
      });
      assert.deepEqual(
        await clock.run(root.all(works)),
        delays.map((delayMs) => [delayMs]),
      );
      assert.deepEqual([clock.monotonic(), root.open], [Math.max(0, ...delays), 0]);
    }),
    { numRuns: 50 },
  );
});

test("all throws the failure that came first, though a sibling ignores its abort", async () => {
  const { clock, root } = begin();
  const fail = (delayMs: number) => async (scope: Scope) => {
    await scope.sleep(delayMs);
    throw new Error(`after ${delayMs}`);
  };
  await assert.rejects(clock.run(root.all([fail(20), never, fail(10)])), { message: "after 10" });
  assert.deepEqual([clock.monotonic(), clock.pending, root.open], [110, 0, 0]);
});

test("a scope that takes too long is cancelled with a timeout, or with what it says itself", async () => {
  const { clock, root } = begin();
  const quick = root.child({ name: "call", timeoutMs: 50 });
  await assert.rejects(clock.run(quick.sleep(60)), { code: "timeout", message: "call took longer than 50 ms" });
  const expired = () => new BatonError("limit", "too late");
  const told = root.child({ name: "run" });
  told.expireIn(50, expired);
  await assert.rejects(clock.run(told.race(() => obedient(told))), { code: "limit", message: "too late" });
  assert.equal(clock.monotonic(), 100);
  await root[Symbol.asyncDispose]();
});

test("a deadline is the earliest on the way up, and only those who shorten it have a timer", async () => {
  const { clock, root } = begin();
  const run = root.child({ name: "run", timeoutMs: 100 });
  const longer = run.child({ name: "longer", timeoutMs: 200 });
  const same = longer.child({ name: "same", timeoutMs: 100 });
  const none = same.child({ name: "none" });
  assert.equal(clock.pending, 1);
  const shorter = none.child({ name: "shorter", timeoutMs: 30 });
  assert.equal(clock.pending, 2);
  assert.deepEqual([none.remainingMs, shorter.remainingMs, root.remainingMs], [100, 30, Infinity]);
  await assert.rejects(clock.run(none.sleep(500)), { code: "timeout", message: "run took longer than 100 ms" });
  assert.equal(shorter.reason?.message, "shorter took longer than 30 ms");
  await root[Symbol.asyncDispose]();
  assert.equal(clock.pending, 0);
});

test("a deadline can be set later, and brought forward but not put off", async () => {
  const { clock, root } = begin();
  const run = root.child({ name: "run" });
  for (const timeoutMs of [500, 100, 300]) run.expireIn(timeoutMs);
  assert.deepEqual([run.remainingMs, clock.pending], [100, 1]);
  await assert.rejects(clock.run(run.sleep(1_000)), { code: "timeout", message: "run took longer than 100 ms" });
  run.expireIn(10);
  assert.equal(clock.pending, 0);
  await root[Symbol.asyncDispose]();
});

test("nothing of a sleep or a timeout is left once it is over, or cancelled", async () => {
  const { clock, root } = begin();
  await clock.run(root.sleep(5));
  assert.deepEqual([root.open, clock.pending], [0, 0]);
  const cancelled = root.child({ name: "cancelled", timeoutMs: 50 });
  await cancelled.cancel(stop());
  assert.equal(clock.pending, 0);
  const late = root.child({ name: "late", timeoutMs: 50 });
  const work = late.race(() => obedient(late)).catch(() => undefined);
  await clock.advance(50);
  await late[Symbol.asyncDispose]();
  assert.equal(clock.pending, 0);
  await work;
});

test("who waits is let go by whoever finds it, and leaves at once on a cancel", async () => {
  const { clock, root } = begin();
  const line: ((value: string) => void)[] = [];
  const wait = (scope: Scope) =>
    scope.wait<string>((go) => {
      line.push(go);
      return () => line.splice(line.indexOf(go), 1);
    });
  const [first, second] = [root.child({ name: "first" }), root.child({ name: "second" })];
  const refused = assert.rejects(wait(first), { code: "cancelled" });
  const served = wait(second);
  await first.cancel(stop());
  await refused;
  await assert.rejects(wait(first), { code: "cancelled" });
  assert.equal(line.length, 1);
  line.shift()?.("served");
  assert.equal(await served, "served");
  assert.deepEqual([second.open, clock.pending], [0, 0]);
});

test("a scope that ends in time disarms its timer", async () => {
  const { clock, root } = begin();
  {
    await using call = root.child({ name: "call", timeoutMs: 50 });
    assert.equal(await call.race(() => "done"), "done");
    assert.equal(clock.pending, 1);
  }
  assert.equal(clock.pending, 0);
});

test("a cancel reaches every descendant at once, and nobody else", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(), { minLength: 1, maxLength: 40 }), fc.nat(), async (picks, chosen) => {
      const { root } = begin();
      const parents = new Map<Scope, Scope>();
      const scopes = [root];
      for (const [index, pick] of picks.entries()) {
        const parent = scopes[pick % scopes.length] ?? root;
        const child = parent.child({ name: `${index}` });
        parents.set(child, parent);
        scopes.push(child);
      }
      const target = scopes[chosen % scopes.length] ?? root;
      const isBelow = (scope: Scope | undefined): boolean =>
        scope !== undefined && (scope === target || isBelow(parents.get(scope)));
      const told: Scope[] = [];
      for (const scope of scopes) scope.onCancel(() => told.push(scope));
      const reason = stop();
      const cancelling = target.cancel(reason);
      assert.deepEqual(new Set(told), new Set(scopes.filter(isBelow)));
      for (const scope of scopes) assert.equal(scope.reason, isBelow(scope) ? reason : undefined);
      for (const scope of scopes) assert.equal(scope.abort.aborted, isBelow(scope));
      const receipt = await cancelling;
      const below = scopes.filter((scope) => isBelow(scope) && scope !== target).map(({ name }) => name);
      assert.deepEqual(receipt.stopped.toSorted(), below.toSorted());
      await root[Symbol.asyncDispose]();
      assert.equal(root.open, 0);
    }),
  );
});

test("a scope that ends stops its children, sleepers and listeners, and waits for them", async () => {
  const { clock, root } = begin();
  const told: string[] = [];
  const child = root.child({ name: "child" }).child({ name: "grandchild" });
  const work = assert.rejects(
    child.race(() => obedient(child)),
    { code: "cancelled", message: "root has ended" },
  );
  const asleep = assert.rejects(child.sleep(1_000), { code: "cancelled" });
  root.onCancel(({ message }) => told.push(message));
  await root[Symbol.asyncDispose]();
  await Promise.all([work, asleep]);
  assert.deepEqual([told, root.open, clock.pending, child.live], [["root has ended"], 0, 0, false]);
});

test("work that fails keeps its own error, also if it leaves a listener or a sleeper behind", async () => {
  const { root } = begin();
  const leaves: readonly ((scope: Scope) => unknown)[] = [
    (scope) => scope.onCancel(() => undefined),
    (scope) => scope.sleep(1_000).catch(() => undefined),
  ];
  for (const leave of leaves) {
    const scope = root.child({ name: "call" });
    const work = async () => {
      leave(scope);
      throw new Error("no such ticker");
    };
    await assert.rejects(scope.only(work), { message: "no such ticker" });
  }
  assert.equal(root.open, 0);
});

test("a cancelled scope starts nothing, and neither does a child of it", async () => {
  const { clock, root } = begin();
  const reason = stop();
  await root.cancel(reason);
  const child = root.child({ name: "late", timeoutMs: 1_000 });
  let started = false;
  const work = () => {
    started = true;
  };
  for (const scope of [root, child]) {
    await assert.rejects(scope.race(work), reason);
    await assert.rejects(scope.all([async () => work()]), reason);
    await assert.rejects(scope.sleep(1), reason);
    const told: BatonError[] = [];
    scope.onCancel((why) => told.push(why))();
    assert.deepEqual([told, scope.live, scope.abort.reason], [[reason], false, reason]);
  }
  assert.deepEqual([started, clock.pending], [false, 0]);
  await root[Symbol.asyncDispose]();
});

test("an ended scope takes nothing more in", async () => {
  const { root } = begin();
  const child = root.child({ name: "child" });
  const before = child.abort;
  await child[Symbol.asyncDispose]();
  const closed = { code: "closed", message: "child has ended" };
  assert.throws(() => child.child({ name: "late" }), closed);
  assert.throws(() => child.defer(() => undefined), closed);
  await assert.rejects(child.race(never), closed);
  await assert.rejects(child.sleep(1), closed);
  assert.deepEqual(await child.cancel(stop()), { stopped: [], finished: [], abandoned: [] });
  assert.deepEqual([child.live, child.reason?.code, before.aborted, root.live], [false, "closed", true, true]);
});

test("the first reason stays", async () => {
  const { root } = begin();
  const [first, second] = [stop(), stop()];
  const child = root.child({ name: "child" });
  await child.cancel(first);
  await child.cancel(second);
  await root.cancel(second);
  assert.deepEqual([child.reason === first, root.reason === second], [true, true]);
});

test("what was deferred runs last in first out, all of it, and the first error is thrown in the end", async () => {
  const { root } = begin();
  const seen: string[] = [];
  const parent = root.child({ name: "parent" });
  const child = parent.child({ name: "child" });
  parent.defer(() => seen.push("parent"));
  child.defer(() => seen.push("child 1"));
  child.defer(async () => {
    await turn();
    throw new Error("child 2");
  });
  child.defer(() => {
    seen.push("child 3");
    throw new Error("child 3");
  });
  const endings = await Promise.allSettled([parent[Symbol.asyncDispose](), child[Symbol.asyncDispose]()]);
  assert.deepEqual(
    endings.map((ending) => ending.status === "rejected" && String(ending.reason)),
    ["Error: child 3", "Error: child 3"],
  );
  assert.deepEqual([seen, root.open], [["child 3", "child 1", "parent"], 0]);
});

test("a scope does not end before what it or a child deferred is done", async () => {
  const { clock, root } = begin();
  const parent = root.child({ name: "parent" });
  const child = parent.child({ name: "child" });
  child.defer(() => new Promise<void>((resolve) => clock.after(50, resolve)));
  const ending = child[Symbol.asyncDispose]();
  await clock.run(parent[Symbol.asyncDispose]());
  assert.deepEqual([clock.monotonic(), root.open], [50, 0]);
  await ending;
});

test("an undo that hangs is given the grace period once its scope or an ancestor is cancelled", async () => {
  const { clock, root } = begin();
  const [before, during] = [root.child({ name: "before" }), root.child({ name: "during" })];
  before.defer(never);
  during.defer(never);
  await before.cancel(stop());
  await clock.run(before[Symbol.asyncDispose]());
  assert.equal(clock.monotonic(), 100);
  const ending = during[Symbol.asyncDispose]();
  await clock.advance(5_000);
  assert.equal(root.open, 2);
  assert.deepEqual((await clock.run(root.cancel(stop()))).abandoned, ["during"]);
  await ending;
  assert.deepEqual([clock.monotonic(), root.open, clock.pending], [5_200, 0, 0]);
});

test("a listener that throws keeps nobody from being told, and its error comes with the end", async () => {
  const { root } = begin();
  const told: string[] = [];
  const child = root.child({ name: "child" });
  child.onCancel(() => {
    throw new Error("bad listener");
  });
  child.onCancel(() => told.push("second"));
  child.child({ name: "grandchild" }).onCancel(() => told.push("grandchild"));
  child.onCancel(() => told.push("forgotten"))();
  await root.cancel(stop());
  assert.deepEqual(told, ["second", "grandchild"]);
  await assert.rejects(child[Symbol.asyncDispose](), { message: "bad listener" });
  await root[Symbol.asyncDispose]();
});

test("a hundred thousand ended children leave nothing behind", async () => {
  const { clock, root } = begin();
  for (let count = 0; count < 100_000; count++) {
    await using child = root.child({ name: "child", timeoutMs: 1_000 });
    child.onCancel(() => undefined)();
  }
  assert.deepEqual([root.open, clock.pending], [0, 0]);
});

test("children that end in any order leave those that have not", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(), { minLength: 1, maxLength: 12 }), async (order) => {
      const { root } = begin();
      const open = order.map((_, index) => root.child({ name: `${index}` }));
      for (const pick of order) {
        await open.splice(pick % open.length, 1)[0]?.[Symbol.asyncDispose]();
        assert.equal(root.open, open.length);
      }
    }),
  );
});

test("the abort signal is the same each time, and aborted with the reason when read after the cancel", async () => {
  const { root } = begin();
  const [early, late] = [root.child({ name: "early" }), root.child({ name: "late" })];
  const signal = early.abort;
  assert.deepEqual([signal === early.abort, signal.aborted], [true, false]);
  const reason = stop();
  await root.cancel(reason);
  assert.deepEqual(
    [signal.aborted, signal.reason, late.abort.aborted, late.abort.reason],
    [true, reason, true, reason],
  );
});

test("a chain of ten thousand scopes is cancelled and ended like any other", async () => {
  const { root } = begin();
  let last = root;
  for (let depth = 0; depth < 10_000; depth++) last = last.child({ name: `${depth}` });
  const refused = assert.rejects(last.sleep(1), { code: "cancelled" });
  assert.equal((await root.cancel(stop())).stopped.length, 10_000);
  await refused;
  await root[Symbol.asyncDispose]();
  assert.equal(root.open, 0);
});
