/** Outages and busy minutes, for runs of a whole engine: no run ends that has the time to wait. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Agent, BatonError, type Chunk, type Crew, defineCrew, type Model } from "@baton/core";
import type { Ledger, Settings } from "@baton/core/ports";
import { collect, of, SimulatedClock } from "@baton/core/testing";
import { DurableEngine } from "@baton/durable";
import { ModelTraffic, withLedger } from "@baton/models";
import { Store } from "@baton/store";
import { SharedMemory } from "@baton/store/testing";

/** One database and its time, in which processes come and go. */
class World {
  readonly clock = new SimulatedClock(1);
  readonly #data = new SharedMemory({ now: () => this.clock.now() });
  #downUntil = 0;
  asked = 0;

  /** The provider does not answer until then. */
  breakFor(ms: number): void {
    this.#downUntil = this.clock.monotonic() + ms;
  }

  /** Starts a process with one crew. */
  async open(owner: string, crew: Crew): Promise<DurableEngine> {
    const store = await Store.open({ database: this.#data.open(), clock: this.clock, owner });
    const traffic = new ModelTraffic(this.clock);
    const { ledger } = store.database;
    const model = (agent: Agent, whole: Crew) => this.#toModel(traffic, ledger, { agent, crew: whole });
    return new DurableEngine({ store, crews: [crew], model });
  }

  #toModel(traffic: ModelTraffic, ledger: Ledger, caller: { readonly agent: Agent; readonly crew: Crew }): Model {
    const primary = traffic.guard({ model: this.#provider, id: "acme", caller, hasBackup: false });
    return withLedger({ primary }, { ...caller, ledger, queue: traffic.queue, isNews: () => false });
  }

  readonly #provider: Model = {
    name: "acme/x",
    stream: () => this.#answer(),
  };

  async *#answer(): AsyncGenerator<readonly Chunk[]> {
    this.asked += 1;
    if (this.clock.monotonic() < this.#downUntil) {
      throw new BatonError("model", "500 boom", { retryable: true });
    }
    yield [{ type: "text", text: "Fine." }];
    yield [{ type: "end", finish: "stop", usage: { inputTokens: 1, outputTokens: 1 } }];
  }
}

const toCrew = (settings: Partial<Settings> = {}): Crew =>
  defineCrew({ name: "desk", agents: [{ id: "a", isTerminal: true }], settings });

/** Starts so many runs at once, each of a user of its own, and gives their outcomes and events. */
async function runMany(world: World, { engine, crew }: { engine: DurableEngine; crew: Crew }, count: number) {
  const starts = Array.from({ length: count }, async (_, index) =>
    collect(await engine.start(crew, { input: "hi", tenant: "acme", user: `user-${index}` })),
  );
  return world.clock.run(Promise.all(starts));
}

test("an outage of 20 s ends no run, and the provider is hardly called while it lasts", async () => {
  const world = new World();
  const crew = toCrew();
  await using engine = await world.open("one", crew);
  world.breakFor(20_000);
  const played = await runMany(world, { engine, crew }, 12);
  assert.deepEqual(new Set(played.map(({ outcome }) => outcome)), new Set(["done"]));
  assert.ok(world.asked <= 12 + 12 + 6, `${world.asked} calls`);
  assert.ok(world.clock.monotonic() < 60_000);
  const again = await runMany(world, { engine, crew }, 12);
  assert.deepEqual(new Set(again.map(({ outcome }) => outcome)), new Set(["done"]));
});

test("a busy minute ends no run without a cap, and delays those beyond one", async () => {
  const free = new World();
  const plain = toCrew();
  await using engine = await free.open("one", plain);
  const played = await runMany(free, { engine, crew: plain }, 150);
  assert.deepEqual([new Set(played.map(({ outcome }) => outcome)), free.clock.monotonic()], [new Set(["done"]), 0]);

  const world = new World();
  const crew = toCrew({ maxCallsPerMinute: 60 });
  await using capped = await world.open("one", crew);
  const waited = await runMany(world, { engine: capped, crew }, 150);
  assert.deepEqual(new Set(waited.map(({ outcome }) => outcome)), new Set(["done"]));
  const delays = waited.flatMap(({ events }) => of(events, "limit.waiting").map(({ delayMs }) => delayMs));
  assert.deepEqual(
    [60_000, 120_000].map((ms) => delays.filter((delayMs) => delayMs === ms).length),
    [60, 30],
  );
});

test("a call that waits for a cap waits on after a restart, and the calls of before still count", async () => {
  const world = new World();
  const crew = toCrew({ maxCallsPerHour: 1, timeoutMs: 10_000_000 });
  const one = await world.open("one", crew);
  const first = await world.clock.run(one.start(crew, { input: "first" }));
  await world.clock.run(first.result);
  const second = await world.clock.run(one.start(crew, { input: "second" }));
  await world.clock.advance(600_000);
  await world.clock.run(one[Symbol.asyncDispose]());
  assert.equal(world.asked, 1);

  await world.clock.advance(600_000);
  await using two = await world.open("two", crew);
  await world.clock.run(two.recover());
  const resumed = await world.clock.run(two.run(second.id));
  assert.ok(resumed);
  const { outcome, events } = await world.clock.run(collect(resumed));
  assert.deepEqual([outcome, world.asked, world.clock.monotonic()], ["done", 2, 3_600_000]);
  const waits = of(events, "limit.waiting");
  assert.deepEqual(
    waits.map(({ limit, delayMs }) => [limit, delayMs]),
    [
      ["max_calls_per_hour", 3_600_000],
      ["max_calls_per_hour", 2_400_000],
    ],
  );
});
