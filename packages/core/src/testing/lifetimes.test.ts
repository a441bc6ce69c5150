/**
 * Thousands of random trees of scopes, with work that obeys, lingers, hangs, fails and cancels, in simulated time.
 *
 * Whatever happens, nothing may be left: no scope, task, listener, timer, permit or waiting party, and every
 * promise that was handed out has settled. The same seed tells the same story.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Channel } from "../lifetimes/channel.ts";
import { BatonError } from "../words/error.ts";
import { Scope } from "../lifetimes/scope.ts";
import { Semaphore } from "../lifetimes/semaphore.ts";
import { SimulatedClock } from "./simulated-clock.ts";

const PERMITS = 2;

class World {
  readonly clock: SimulatedClock;
  readonly root: Scope;
  readonly semaphore = new Semaphore(PERMITS);
  readonly channel = new Channel<number>(2);
  readonly story: string[] = [];
  readonly open = new Set<number>();
  #handed = 0;

  constructor(seed: number) {
    this.clock = new SimulatedClock(seed);
    this.root = Scope.root({ clock: this.clock, graceMs: 20 });
  }

  below(limit: number): number {
    return Math.floor(this.clock.random() * limit);
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0];
  }

  /** Watches a promise that was handed out, and tells how it went. */
  async watch(name: string, work: () => unknown): Promise<void> {
    const id = this.#handed++;
    this.open.add(id);
    let result = "done";
    try {
      await work();
    } catch (error) {
      result = error instanceof Error ? error.message : "?";
    }
    this.open.delete(id);
    this.story.push(`${this.clock.monotonic()} ${id} ${name}: ${result}`);
  }

  /** Time that passes whether the scope lives or not. */
  pass(maxMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.clock.after(this.below(maxMs), resolve);
    });
  }
}

type Act = (world: World, scope: Scope, depth: number) => unknown;

/** Acts that a tool may do with the scope it is given. */
const hostile: readonly [Act, ...Act[]] = [
  () => "at once",
  () => new Promise(() => undefined),
  (world) => world.pass(10),
  (world) => world.pass(200),
  (_world, { abort }) =>
    new Promise((_resolve, reject) => {
      abort.addEventListener("abort", () => reject(new Error("obeyed")));
    }),
  () => Promise.reject(new Error("failed")),
  async (world) => {
    await world.pass(200);
    throw new Error("failed late");
  },
  () => {
    throw new Error("threw");
  },
  (world, scope) => world.watch("late child", () => scope.child({ name: "late", timeoutMs: 500 }).sleep(50)),
];

const acts: readonly [Act, ...Act[]] = [
  (world, scope) => scope.sleep(world.below(40)),
  (world, scope) => scope.race(() => world.pick(hostile)(world, scope, 0)),
  (world, scope) => scope.race(() => world.pick(hostile)(world, scope, 0)),
  (world, scope, depth) => live(world, scope, depth),
  (world, scope, depth) => live(world, scope, depth),
  (world, scope, depth) =>
    scope.all(Array.from({ length: world.below(4) }, () => (member: Scope) => live(world, member, depth))),
  async (world, scope, depth) => {
    const release = await world.semaphore.acquire(scope);
    try {
      await live(world, scope, depth);
    } finally {
      release();
    }
  },
  (world, scope) => world.channel.send(world.below(10), scope),
  (world) => world.channel.take(),
  (world, scope) => scope.defer(() => world.pick(hostile)(world, scope, 0)),
  (_world, scope) => scope.cancel(new BatonError("cancelled", `cancel of ${scope.name}`)),
];

/** A child that does a few things, one after the other, and waits for each. */
async function live(world: World, parent: Scope, depth: number): Promise<void> {
  const timeoutMs = world.pick([Infinity, Infinity, 5, 30, 100]);
  await using scope = parent.child({ name: `${depth}`, timeoutMs });
  for (let count = depth === 0 ? 0 : world.below(5); count > 0; count--) {
    const act = world.pick(acts);
    await world.watch("act", () => act(world, scope, depth - 1));
  }
}

async function play(seed: number): Promise<World> {
  const world = new World(seed);
  const { clock, root, channel, semaphore } = world;
  const work = Promise.all([1, 2, 3].map(() => world.watch("tree", () => live(world, root, 4))));
  if (world.below(2) === 0) await clock.advance(world.below(60));
  if (world.below(2) === 0)
    await clock.run(world.watch("cancel", () => root.cancel(new BatonError("cancelled", "all"))));
  await clock.run(world.watch("end", () => root[Symbol.asyncDispose]()));
  await clock.run(work);
  await clock.advance(10_000);
  while (channel.take() !== undefined);
  const left = { open: root.open, pending: clock.pending, taken: PERMITS - semaphore.free, queued: semaphore.waiting };
  const nothing = { open: 0, pending: 0, taken: 0, queued: 0 };
  assert.deepEqual([left, world.open.size], [nothing, 0], `seed ${seed}`);
  return world;
}

test(
  "whatever a tree of scopes does and however it is stopped, nothing is left of it",
  { timeout: 120_000 },
  async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on("unhandledRejection", note);
    let told = 0;
    for (let seed = 0; seed < 5_000; seed++) told += (await play(seed)).story.length;
    process.off("unhandledRejection", note);
    assert.deepEqual(unhandled, []);
    assert.ok(told > 50_000, `${told} things happened`);
  },
);

test("the same seed tells the same story", async () => {
  for (let seed = 0; seed < 50; seed++) assert.deepEqual((await play(seed)).story, (await play(seed)).story);
});
