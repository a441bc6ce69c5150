/** A process continues a run that a placement gives it, and waits only for runs of the same session. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { SimulatedClock } from "@baton/core/testing";
import { type RunRecord, Store } from "@baton/store";
import { SharedMemory } from "@baton/store/testing";
import { DurableEngine } from "../engine/durable-engine.ts";
import { script, solo } from "../testing/small-crews.ts";
import { watch } from "../testing/work-state.ts";
import { type Placement, type StartWork, toWork } from "./placement.ts";

const MODEL = script({ a: [{ say: "one two three", delayMs: 60_000 }] });

/** A placement whose work the test gives by hand. */
class ManualPlacement implements Placement {
  readonly isLocal = false;
  readonly isWatching = false;
  readonly lookMs = 3_600_000;
  start: StartWork = () => Promise.reject(new Error("it does not serve yet"));

  offer(): Promise<void> {
    return Promise.resolve();
  }

  serve(start: StartWork): Promise<void> {
    this.start = start;
    return Promise.resolve();
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}

/** A server that executes what it starts, and a worker that gets its work by hand, on one store. */
class Cluster implements AsyncDisposable {
  readonly clock = new SimulatedClock(1);
  readonly placement = new ManualPlacement();
  readonly #data = new SharedMemory({ now: () => this.clock.now() });
  readonly #engines: DurableEngine[] = [];
  readonly #database = this.#data.open();

  async add(placement?: Placement): Promise<DurableEngine> {
    const store = await Store.open({ database: this.#data.open(), clock: this.clock });
    const more = placement === undefined ? {} : { placement };
    const engine = new DurableEngine({ store, crews: [solo], model: MODEL, ...more });
    this.#engines.push(engine);
    return engine;
  }

  async record(id: string): Promise<RunRecord> {
    const record = await this.#database.runs.find(id);
    if (record === undefined) throw new Error(`there is no run ${id}`);
    return record;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const engine of this.#engines) await this.clock.run(engine.stop());
  }
}

describe("a run that was placed here", () => {
  for (const session of [undefined, "s"]) {
    test(`is taken over from a living owner, ${session === undefined ? "without" : "with"} a session`, async () => {
      await using cluster = new Cluster();
      const [owner, worker] = [await cluster.add(), await cluster.add(cluster.placement)];
      await cluster.clock.run(worker.recover());
      const of = session === undefined ? {} : { session };
      await cluster.clock.run(owner.start(solo, { input: "go", id: "r", ...of }));
      assert.deepEqual([owner.holds("r"), worker.holds("r")], [true, false]);
      const work = toWork(await cluster.record("r"));
      await cluster.clock.run(cluster.placement.start({ work, takesOver: true }));
      assert.equal(worker.holds("r"), true);
    });
  }

  test("and waits for its session elsewhere does not wait for another user's session of the same name", async () => {
    await using cluster = new Cluster();
    const [owner, worker] = [await cluster.add(), await cluster.add(cluster.placement)];
    await cluster.clock.run(worker.recover());
    const start = (id: string, user: string) => ({ input: "go", id, session: "s", tenant: "t", user });
    await cluster.clock.run(owner.start(solo, start("ann-1", "ann")));
    await cluster.clock.run(owner.start(solo, start("ann-2", "ann")));
    await cluster.clock.run(worker.start(solo, start("bob-1", "bob")));
    await cluster.clock.run(cluster.placement.start({ work: toWork(await cluster.record("bob-1")), takesOver: false }));
    assert.equal(worker.holds("bob-1"), true);
    const work = toWork(await cluster.record("ann-2"));
    const started = await cluster.clock.run(cluster.placement.start({ work, takesOver: false }));
    const waiting = watch(started.done());
    await cluster.clock.advance(1_000);
    assert.equal(waiting.now, "closed");
  });
});
