/** While nothing can be written, the sender of a command gets an error soon, and nothing is done by halves. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { BatonError, type Command, type Crew } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import { readAll } from "@baton/store";
import { type WorkState, watch } from "../testing/work-state.ts";
import { crewWith, script, solo, tool, waits } from "../testing/small-crews.ts";
import { type Process, type ProcessOptions, World } from "../testing/world.ts";

/** Calls that need disk space; a claim may be refused without any. */
const WRITES = ["commit", "claims.take", "claims.release", "claims.renew", "definitions.save"];
/** Longer than anybody who sends something waits for a store. */
const SOON_MS = 3_000;

const cancel: Command = { type: "cancel" };
const say: Command = { type: "say", text: "that one" };

/** A process whose disk can be full. */
class Disk {
  readonly world = new World();
  #full: readonly string[] = [];

  fillUp(writes = WRITES): void {
    this.#full = writes;
  }

  free(): void {
    this.#full = [];
  }

  process(options: Omit<ProcessOptions, "meddle">): Promise<Process> {
    const meddle = (_: Process, name: string): void => {
      if (this.#full.includes(name)) throw new BatonError("busy", "the disk is full", { retryable: true });
    };
    return this.world.process({ ...options, meddle });
  }

  /** Returns the state of some work after a moment. */
  async soon(work: Promise<unknown>): Promise<WorkState> {
    const fate = watch(work);
    await this.world.clock.advance(SOON_MS);
    return fate;
  }

  async start({ engine }: Process, crew: Crew, session?: string): Promise<void> {
    await this.world.run(engine.start(crew, { input: "hi", id: "r", ...omitUndefined({ session }) }));
  }
}

const typesOf = async ({ store }: Process) => (await readAll(store.database, "r")).map(({ type }) => type);
const statusOf = async ({ store }: Process) => (await store.database.runs.find("r"))?.status;
const outcomeOf = async ({ store }: Process, id = "r") => (await store.database.runs.find(id))?.outcome;

describe("a running run is cancelled while nothing can be written", () => {
  for (const [what, waitMs] of [
    ["in the midst of a step", 50],
    ["where it waits for the store already", 10_000],
  ] as const) {
    test(`${what}: that is refused soon, and written when there is room`, async () => {
      const disk = new Disk();
      const crew = crewWith(tool("Look", "read"));
      const replies = {
        a: [
          { call: [{ tool: "Look" }], delayMs: 100 },
          { say: "Done.", delayMs: 60_000 },
        ],
      };
      const one = await disk.process({ crews: [crew], model: script(replies) });
      await disk.start(one, crew);
      disk.fillUp();
      await disk.world.clock.advance(waitMs);
      for (let tries = 0; tries < 2; tries++) {
        assert.equal((await disk.soon(one.engine.command("r", cancel))).now, "busy");
        assert.equal(await statusOf(one), "running");
      }
      disk.free();
      await disk.world.clock.advance(SOON_MS);
      assert.equal(await outcomeOf(one), "cancelled");
      await assert.rejects(disk.world.run(one.engine.command("r", cancel)), { code: "run_ended" });
      assert.equal(one.engine.open, 0);
      await disk.world.run(one.engine.stop());
    });
  }

  test("and its process dies: it continues elsewhere as if nobody had asked", async () => {
    const disk = new Disk();
    const options = { crews: [solo], model: script({ a: [{ say: "one two", delayMs: 1_000 }] }) };
    const one = await disk.process(options);
    await disk.start(one, solo);
    disk.fillUp();
    assert.equal((await disk.soon(one.engine.command("r", cancel))).now, "busy");
    one.isAlive = false;
    disk.free();
    const two = await disk.process(options);
    await disk.world.clock.advance(10_000);
    await disk.world.run(two.engine.recover());
    await disk.world.clock.advance(10_000);
    assert.equal(await outcomeOf(two), "done");
    await disk.world.run(two.engine.stop());
  });

  test("and waits for its session: that is refused soon, and taken when there is room", async () => {
    const disk = new Disk();
    const one = await disk.process({ crews: [solo], model: script({ a: [{ say: "one", delayMs: 60_000 }] }) });
    await disk.start(one, solo, "s");
    await disk.world.run(one.engine.start(solo, { input: "2", id: "r2", session: "s" }));
    disk.fillUp();
    assert.equal((await disk.soon(one.engine.command("r2", cancel))).now, "busy");
    disk.free();
    await disk.world.run(one.engine.command("r2", cancel));
    assert.equal(await outcomeOf(one, "r2"), "cancelled");
    await disk.world.run(one.engine.stop());
  });
});

for (const command of [say, { type: "pause" }, { type: "answer", question: "q", value: "yes" }] satisfies Command[]) {
  test(`a running run does not hear "${command.type}" that was refused because nothing could be written`, async () => {
    const disk = new Disk();
    const one = await disk.process({ crews: [solo], model: script({ a: [{ say: "one two", delayMs: 5_000 }] }) });
    await disk.start(one, solo);
    disk.fillUp();
    await disk.world.clock.advance(2_000);
    await assert.rejects(one.engine.command("r", command), { code: "busy", retryable: true, message: /disk is full/ });
    disk.free();
    await disk.world.clock.advance(60_000);
    assert.equal(await outcomeOf(one), "done");
    const types = await typesOf(one);
    assert.deepEqual([types.includes("command.received"), types.includes("warning.raised")], [false, false]);
    await disk.world.run(one.engine.stop());
  });
}

describe("what is sent to a run that waits, just when the disk has become full, is refused, and can be sent again", () => {
  const asks = crewWith(tool("Pay", "irreversible"));
  const pay = [{ call: [{ tool: "Pay" }] }, { say: "Done." }];
  const ask = [{ say: "Which?" }, { say: "[GO]" }];
  const cases: readonly (readonly [what: string, crew: Crew, command: Command, outcome: string])[] = [
    ["say", waits, say, "done"],
    ["resume", waits, { type: "resume", input: "that one" }, "done"],
    ["cancel", waits, cancel, "cancelled"],
    ["cancel with a question open", asks, cancel, "cancelled"],
    ["answer", asks, { type: "answer", question: "", value: "allow" }, "done"],
  ];
  for (const [what, crew, command, outcome] of cases) {
    for (const session of [undefined, "s"]) {
      for (const writes of [WRITES, ["commit", "claims.release"]]) {
        const where = session === undefined ? "" : " in a session";
        test(`${what}${where} if ${writes[0]} and ${writes[1]} fail`, async () => {
          const disk = new Disk();
          const model = script({ a: crew === asks ? pay : ask, b: [{ say: "Done." }] });
          const one = await disk.process({ crews: [crew], model });
          await disk.start(one, crew, session);
          await disk.world.clock.advance(100);
          const before = await typesOf(one);
          const [question = ""] = (await one.store.database.runs.find("r"))?.questions ?? [];
          const sent = command.type === "answer" ? { ...command, question } : command;
          disk.fillUp(writes);
          assert.equal((await disk.soon(one.engine.command("r", sent))).now, "busy");
          assert.deepEqual([await statusOf(one), await typesOf(one)], ["paused", before]);
          assert.equal(one.engine.open, 0);
          disk.free();
          await disk.world.clock.advance(1_500);
          await disk.world.run(one.engine.command("r", sent));
          await disk.world.clock.advance(100);
          assert.equal(await outcomeOf(one), outcome);
          const resumed = (await typesOf(one)).filter((type) => type === "run.resumed");
          assert.ok(resumed.length <= 1);
          await disk.world.run(one.engine.stop());
        });
      }
    }
  }
});

test("a run that was resumed is not given up when the disk is full later", async () => {
  const disk = new Disk();
  const replies = { a: [{ say: "Which?" }, { say: "[GO]", delayMs: 1_000 }], b: [{ say: "Done." }] };
  const one = await disk.process({ crews: [waits], model: script(replies) });
  await disk.start(one, waits);
  await disk.world.clock.advance(100);
  await disk.world.run(one.engine.command("r", say));
  disk.fillUp();
  await disk.world.clock.advance(10_000);
  disk.free();
  await disk.world.clock.advance(10_000);
  assert.equal(await outcomeOf(one), "done");
  await disk.world.run(one.engine.stop());
});

test("a claim that could not be released is not mistaken for another process's", async () => {
  const disk = new Disk();
  const one = await disk.process({ crews: [solo], model: script({ a: [{ say: "one" }] }) });
  const { lease } = one.store;
  const first = await lease.claim("run:r");
  assert.ok(first);
  disk.fillUp(["claims.release"]);
  await assert.rejects(lease.release(first), { message: "the disk is full" });
  await assert.rejects(lease.claim("run:r"), { message: "the disk is full" });
  disk.free();
  assert.ok(await lease.claim("run:r"));
  await disk.world.run(one.engine.stop());
});
