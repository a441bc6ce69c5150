/** A run that crashes its process each time it is recovered is given up in the end, and no other run is. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Crew, defineCrew, defineTool, type Effect, type Model, scriptModel } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import { of } from "@baton/core/testing";
import { z } from "zod";
import { LOCAL, type RunRecord, readAll } from "@baton/store";
import { recordOf as recordFor, save } from "@baton/store/testing";
import { toFork } from "../replay/fork.ts";
import { replay } from "../replay/replay.ts";
import { watch } from "../testing/work-state.ts";
import { crewWith, script, solo, tool, waits } from "../testing/small-crews.ts";
import { type Process, World } from "../testing/world.ts";
import { mayRestart } from "./crash-guard.ts";

const recordOf = ({ store }: Process, id: string) => store.database.runs.find(id);
const outcomeOf = async (process: Process, id: string) => (await recordOf(process, id))?.outcome;

/** A crew with a tool that does what its arguments say, and one that takes five seconds. */
function crewOf(die: () => void, effect: Effect = "idempotent"): Crew {
  const fields = { description: "Does something.", input: z.object({}) };
  const fatal = defineTool({
    ...fields,
    name: "Fatal",
    effect,
    run: async () => {
      die();
      await new Promise(() => {});
    },
  });
  const slow = defineTool({
    ...fields,
    name: "Slow",
    effect: "read",
    run: async (_, { scope }) => {
      await scope.sleep(5_000);
      return "done";
    },
  });
  return defineCrew({
    name: "mixed",
    agents: [
      { id: "bad", tools: ["Fatal"], isTerminal: true },
      { id: "good", tools: ["Slow"], isTerminal: true },
    ],
    tools: [fatal, slow],
  });
}

const MODEL = scriptModel({
  bad: [{ call: [{ tool: "Fatal" }] }, { say: "Done." }],
  good: [{ call: [{ tool: "Slow" }] }, { say: "Done." }],
});

/** Processes that come one after the other, each when the one before it is dead. */
class Line {
  readonly world = new World();
  readonly warnings: string[] = [];
  #now: { crew: Crew; process: Process } | undefined;
  deaths = 0;

  /** Starts a process when the lease of the one before is over. */
  async next(): Promise<Process> {
    if (this.#now !== undefined) this.#now.process.isAlive = false;
    await this.world.clock.advance(5_000);
    const own: { process?: Process } = {};
    const crew = crewOf(() => {
      if (own.process?.isAlive !== true) return;
      this.deaths++;
      own.process.isAlive = false;
    });
    const warn = (text: string) => this.warnings.push(text);
    const process = await this.world.process({ crews: [crew], model: () => MODEL, warn });
    own.process = process;
    this.#now = { crew, process };
    return process;
  }

  /** Lets processes come up and die until one lives on. */
  async last(): Promise<Process> {
    for (;;) {
      const process = await this.next();
      process.engine.recover().catch(() => 0);
      await this.world.clock.advance(200_000);
      if (process.isAlive) return process;
    }
  }

  /** Starts a run that ends its process, and has it recovered by hand so many times. */
  async wear(id: string, times: number, session?: string): Promise<void> {
    await this.next();
    await this.start("bad", [id], session);
    for (let count = 1; count <= times; count++) {
      const { engine } = await this.next();
      watch(engine.recoverRun(id));
      await this.world.clock.advance(1_000);
      assert.equal(this.deaths, 1 + count);
    }
  }

  /** Asks for runs here, which may be what ends the process. */
  async start(agent: string, ids: readonly string[], session?: string): Promise<void> {
    if (this.#now === undefined) throw new Error("nobody is there");
    const { process, crew } = this.#now;
    for (const id of ids) watch(process.engine.start(crew, { input: "go", id, agent, ...omitUndefined({ session }) }));
    await this.world.clock.advance(1);
  }
}

/** The record of a run of the same session that waits for it, for the agent that does no harm. */
async function queuedLike(process: Process, id: string): Promise<RunRecord> {
  const record = await recordOf(process, id);
  if (record === undefined) throw new Error(`there is no run ${id}`);
  const { recoveries: _recoveries, ...rest } = record;
  const entry = { kind: "agent", id: "good" };
  return { ...rest, status: "queued", request: { input: "go", entry, session: record.session ?? "" } };
}

describe("a run whose process dies each time it is recovered", () => {
  test("has failed after five times and says how to continue, and the runs beside it are done", async () => {
    const line = new Line();
    await line.next();
    const ids = Array.from({ length: 30 }, (_, index) => `good-${index}`);
    await line.start("good", ids);
    await line.start("bad", ["bad"]);
    const last = await line.last();
    const record = await recordOf(last, "bad");
    assert.deepEqual([record?.status, record?.outcome, record?.error?.code], ["ended", "failed", "crashed"]);
    assert.match(record?.error?.message ?? "", /recovered 5 times in a row.*call 1\.1\.1, Fatal.*a fork at event/);
    assert.deepEqual(line.warnings, [`run bad cannot continue: ${record?.error?.message}`]);
    const events = await readAll(last.store.database, "bad");
    // Recovered for the last time, to end.
    assert.deepEqual([of(events, "run.resumed").length, line.deaths], [6, 6]);
    for (const noun of ["turn", "step", "call"] as const) {
      assert.equal(of(events, `${noun}.started`).length, of(events, `${noun}.ended`).length, noun);
    }
    assert.equal(toFork(events, events.length, "fork").at(-1)?.type, "step.ended");
    for (const id of ids) assert.equal(await outcomeOf(last, id), "done", id);
    await line.world.run(last.engine.stop());
  });

  test("is found if there are several of them, and no other run fails", async () => {
    const line = new Line();
    await line.next();
    const bad = ["bad-1", "bad-2", "bad-3"];
    const good = ["good-1", "good-2", "good-3"];
    await line.start("good", good);
    await line.start("bad", bad);
    const last = await line.last();
    for (const id of bad) assert.equal(await outcomeOf(last, id), "failed", id);
    for (const id of good) assert.equal(await outcomeOf(last, id), "done", id);
    await line.world.run(last.engine.stop());
  });

  for (const times of [1, 2, 3, 4]) {
    test(`harms no run that was interrupted ${times} times before`, async () => {
      const line = new Line();
      await line.next();
      await line.start("good", ["good"]);
      for (let count = 0; count < times; count++) {
        const { engine } = await line.next();
        await line.world.run(engine.recover());
        await line.world.clock.advance(10);
      }
      await line.start("bad", ["bad"]);
      const last = await line.last();
      assert.deepEqual([await outcomeOf(last, "bad"), await outcomeOf(last, "good")], ["failed", "done"]);
      await line.world.run(last.engine.stop());
    });
  }

  test("lets the runs that are queued in its session continue", async () => {
    const line = new Line();
    await line.next();
    await line.start("bad", ["bad"], "s");
    await line.next();
    await line.start("good", ["good"], "s");
    const last = await line.last();
    assert.deepEqual([await outcomeOf(last, "bad"), await outcomeOf(last, "good")], ["failed", "done"]);
    const texts = (await last.store.database.sessions.messages(LOCAL, "s")).map((text) => text.slice(0, 14));
    assert.equal(texts.filter((text) => text.startsWith('{"role":"user"')).length, 2);
    await line.world.run(last.engine.stop());
  });

  test("is restarted if a caller asks for it, however often it crashed", async () => {
    const line = new Line();
    await line.wear("bad", 8);
    const last = await line.last();
    assert.equal(await outcomeOf(last, "bad"), "failed");
    assert.equal(line.deaths, 9);
    await line.world.run(last.engine.stop());
  });

  test("does not block the next message of its session, or one that was queued", async () => {
    for (const isQueued of [false, true]) {
      const line = new Line();
      await line.wear("bad", 5, "s");
      const last = await line.next();
      if (isQueued) {
        await save(line.world.data.open(), [{ ...(await queuedLike(last, "bad")), id: "good" }]);
        await line.world.run(last.engine.recoverRun("good"));
      } else await line.start("good", ["good"], "s");
      await line.world.clock.advance(20_000);
      assert.deepEqual([await outcomeOf(last, "bad"), await outcomeOf(last, "good")], ["failed", "done"]);
      await line.world.run(last.engine.stop());
    }
  });

  test("has failed, and was not cancelled, if a message crashes it before its turn is on disk", async () => {
    const world = new World();
    const base = scriptModel({ a: [{ say: "Which?" }, { say: "[GO]" }] });
    let now = await world.process({ crews: [waits], model: () => base });
    const { result: outcome } = await world.run(now.engine.start(waits, { input: "go", id: "r" }));
    await world.run(outcome);
    const next = async () => {
      now.isAlive = false;
      await world.clock.advance(5_000);
      const own: { process?: Process } = {};
      const fatal: Model = {
        ...base,
        stream(prompt, scope) {
          if (own.process !== undefined) own.process.isAlive = false;
          return base.stream(prompt, scope);
        },
      };
      now = own.process = await world.process({ crews: [waits], model: () => fatal });
    };
    await next();
    watch(now.engine.resume("r", "that one"));
    await world.clock.advance(1_000);
    while (!now.isAlive) {
      await next();
      watch(now.engine.recover());
      await world.clock.advance(5_000);
    }
    const record = await recordOf(now, "r");
    assert.deepEqual([record?.outcome, record?.error?.code], ["failed", "crashed"]);
    // What was finished before the message is not where it died.
    assert.doesNotMatch(record?.error?.message ?? "", /the last time/);
    assert.equal(await replay(waits, await readAll(now.store.database, "r")), undefined);
    await world.run(now.engine.stop());
  });

  test("is given up though its tools have changed meanwhile: a fork continues with those", async () => {
    const line = new Line();
    await line.wear("bad", 5);
    const mended = crewOf(() => {}, "read");
    const last = await line.world.process({ crews: [mended], model: () => MODEL });
    await line.world.clock.advance(5_000);
    await line.world.run(last.engine.recover());
    const record = await recordOf(last, "bad");
    assert.deepEqual([record?.outcome, record?.error?.code], ["failed", "crashed"]);
    assert.match(record?.error?.message ?? "", /a fork at event \d+ continues/);
    await line.world.run(last.engine.stop());
  });
});

test("while one is restarted alone, runs that crashed often wait, and runs that crashed once or twice do not", () => {
  const atWork = () => [recordFor("alone", { recoveries: 5 }), recordFor("other")];
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((recoveries) => mayRestart(recordFor("r", { recoveries }), atWork())),
    [true, true, false, false, false],
  );
});

test("a run that finishes something each time before its process dies is recovered as often", async () => {
  const world = new World();
  const crew = crewWith(tool("Slow", "read", 1_000));
  const model = script({
    a: [...Array.from({ length: 8 }, (_, n) => ({ call: [{ tool: "Slow", args: { n } }] })), { say: "Done." }],
  });
  let now = await world.process({ crews: [crew], model });
  await world.run(now.engine.start(crew, { input: "go", id: "r" }));
  for (let lives = 1; lives < 8; lives++) {
    await world.clock.advance(1_500);
    now.isAlive = false;
    await world.clock.advance(5_000);
    now = await world.process({ crews: [crew], model });
    assert.equal(await world.run(now.engine.recover()), 1);
  }
  await world.clock.advance(5_000);
  assert.equal(await outcomeOf(now, "r"), "done");
  await world.run(now.engine.stop());
});

test("a run that is stopped in good order again and again continues as often", async () => {
  const world = new World();
  const options = { crews: [solo], model: script({ a: [{ say: "one two three", delayMs: 3_000 }] }) };
  for (let count = 0; count < 10; count++) {
    const { engine, store } = await world.process(options);
    if (count === 0) await world.run(engine.start(solo, { input: "hi", id: "r" }));
    else assert.equal(await world.run(engine.recover()), 1);
    await world.clock.advance(1_000);
    await world.run(engine.stop());
    await world.run(store[Symbol.asyncDispose]());
  }
  const last = await world.process(options);
  await world.run(last.engine.recover());
  await world.clock.advance(20_000);
  assert.equal(await outcomeOf(last, "r"), "done");
  assert.equal(of(await readAll(last.store.database, "r"), "run.resumed").length, 10);
  await world.run(last.engine.stop());
});
