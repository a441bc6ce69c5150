/**
 * Placement suite: what every placement promises, seen from the engines that use it.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunEvent } from "@baton/core";
import { of } from "@baton/core/testing";
import { type PlacementLab, PlacementHarness } from "./placement-harness.ts";

export type { PlacementLab, PlacementLink } from "./placement-harness.ts";

type Act = (harness: PlacementHarness) => Promise<void>;
type Place = (title: string, act: Act) => void;

/** Tests what is promised of a placement, each promise in a lab of its own; `choose` may take some of them. */
export function testPlacement(
  openLab: () => Promise<PlacementLab>,
  choose: <T>(cases: readonly T[]) => readonly T[] = (cases) => cases,
): void {
  const cases: { title: string; act: Act }[] = [];
  const place: Place = (title, act) => {
    cases.push({ title, act });
  };
  for (const add of [testExecuting, testSessions, testLostOffers, testFailures, testVersions]) add(place);
  for (const { title, act } of choose(cases)) {
    test(title, async () => {
      await using lab = await openLab();
      await using harness = new PlacementHarness(lab);
      await lab.run(act(harness));
    });
  }
}

function testExecuting(place: Place): void {
  place("a run is executed once, by one of the workers, wherever it is started", async (harness) => {
    const servers = [await harness.add("server"), await harness.add("server")];
    await harness.add("worker");
    await harness.add("worker");
    harness.release("*");
    const ids = Array.from({ length: 6 }, (_, index) => `r${index}`);
    await Promise.all(ids.map((id, index) => harness.start(servers[index % 2], id)));
    for (const id of ids) assert.deepEqual(outcomeOf(await harness.ended(id)), ["done", "Done."]);
    for (const id of ids) assert.deepEqual([harness.times(id, "Note"), harness.times(id, "Hold")], [1, 1]);
    assert.ok(harness.deeds.every(({ process }) => process.startsWith("worker")));
  });

  place("a run that was started while nobody could execute it begins when a worker comes", async (harness) => {
    const server = await harness.add("server");
    harness.release("*");
    await harness.start(server, "early");
    server.crash();
    await harness.add("worker");
    assert.deepEqual(outcomeOf(await harness.ended("early")), ["done", "Done."]);
  });

  place("a paused run continues in a worker when any server is sent a message for it", async (harness) => {
    const [one, other] = [await harness.add("server"), await harness.add("server")];
    const worker = await harness.add("worker");
    await harness.start(one, "asks", { crew: "waits" });
    await harness.until(async () => (await harness.record("asks"))?.status === "paused", "it pauses");
    await harness.until(() => worker.engine.open === 0, "it is not held while it is paused");
    await other.engine.command("asks", { type: "resume", input: "go on" });
    assert.deepEqual(outcomeOf(await harness.ended("asks")), ["done", "Gone."]);
    assert.equal(of(await harness.log("asks"), "run.resumed").length, 1);
  });

  place("a command to a run reaches it through any server, and is in its log once", async (harness) => {
    const [one, other] = [await harness.add("server"), await harness.add("server")];
    await harness.add("worker");
    await harness.start(one, "long");
    await harness.held("long");
    await other.engine.command("long", { type: "cancel", reason: "enough" });
    assert.equal(outcomeOf(await harness.ended("long"))[0], "cancelled");
    assert.equal(of(await harness.log("long"), "run.ended").length, 1);
  });
}

function testSessions(place: Place): void {
  place("runs of a session execute one at a time, in the order in which they were started", async (harness) => {
    const server = await harness.add("server");
    await harness.add("worker");
    await harness.add("worker");
    harness.release("*");
    const ids = ["s1", "s2", "s3", "s4"];
    for (const id of ids) await harness.start(server, id, { session: "talk" });
    for (const id of ids) assert.equal(outcomeOf(await harness.ended(id))[0], "done");
    assert.deepEqual(
      harness.deeds.filter(({ tool }) => tool === "Hold").map(({ run }) => run),
      ids,
    );
    await harness.checkAlone(ids);
  });

  place("runs that two servers start in one session at the same moment execute one at a time", async (harness) => {
    const servers = [await harness.add("server"), await harness.add("server")];
    await harness.add("worker");
    await harness.add("worker");
    harness.release("*");
    const ids = Array.from({ length: 6 }, (_, index) => `m${index}`);
    await Promise.all(ids.map((id, index) => harness.start(servers[index % 2], id, { session: "meeting" })));
    for (const id of ids) assert.equal(outcomeOf(await harness.ended(id))[0], "done");
    for (const id of ids) assert.deepEqual([harness.times(id, "Note"), harness.times(id, "Hold")], [1, 1], id);
    await harness.checkAlone(ids);
  });

  place("a queued run that is cancelled never begins, and the next one of its session does", async (harness) => {
    const server = await harness.add("server");
    await harness.add("worker");
    const ids = ["q1", "q2", "q3"];
    for (const id of ids) await harness.start(server, id, { session: "line" });
    await harness.held("q1");
    await server.engine.command("q2", { type: "cancel" });
    harness.release("*");
    const outcomes = [];
    for (const id of ids) outcomes.push(outcomeOf(await harness.ended(id))[0]);
    assert.deepEqual(outcomes, ["done", "cancelled", "done"]);
    assert.equal(harness.times("q2", "Note"), 0);
  });
}

function testLostOffers(place: Place): void {
  place("a run whose offer was lost is found, and executed", async (harness) => {
    const [lossy] = [await harness.add("server"), await harness.add("server")];
    await harness.add("worker");
    harness.release("*");
    lossy.losesOffers = true;
    await harness.start(lossy, "lost");
    assert.deepEqual(outcomeOf(await harness.ended("lost")), ["done", "Done."]);
  });

  place("the oldest run of a session goes first though the next one was offered before it", async (harness) => {
    const [lossy, server] = [await harness.add("server"), await harness.add("server")];
    await harness.add("worker");
    await harness.add("worker");
    lossy.losesOffers = true;
    await harness.start(lossy, "older", { session: "pair" });
    await harness.pass(20);
    await harness.start(server, "newer", { session: "pair" });
    await harness.held("older");
    await harness.pass(3_000);
    harness.release("*");
    for (const id of ["older", "newer"]) assert.deepEqual(outcomeOf(await harness.ended(id)), ["done", "Done."]);
    assert.deepEqual([harness.times("older", "Hold"), harness.times("newer", "Hold")], [1, 1]);
    await harness.checkAlone(["older", "newer"]);
  });
}

function testFailures(place: Place): void {
  place("a run whose worker crashes continues in another one, without its finished steps", async (harness) => {
    const server = await harness.add("server");
    const workers = [await harness.add("worker"), await harness.add("worker")];
    for (const session of [undefined, "calls"]) {
      const id = `crash-${session ?? "alone"}`;
      await harness.start(server, id, { session });
      const first = await harness.held(id);
      workers.find(({ name }) => name === first)?.crash();
      const second = await harness.held(id, first);
      workers.push(await harness.add("worker"));
      harness.release(id);
      assert.deepEqual(outcomeOf(await harness.ended(id)), ["done", "Done."]);
      assert.notEqual(second, first);
      assert.deepEqual([harness.times(id, "Note"), harness.times(id, "Hold")], [1, 2]);
    }
  });

  place(
    "a worker that was frozen and wakes writes nothing to a run that another one has taken over",
    async (harness) => {
      const server = await harness.add("server");
      const workers = [await harness.add("worker"), await harness.add("worker")];
      for (const session of [undefined, "nap"]) {
        const id = `freeze-${session ?? "alone"}`;
        await harness.start(server, id, { session });
        const first = await harness.held(id);
        const frozen = workers.find(({ name }) => name === first);
        frozen?.freeze();
        await harness.held(id, first);
        harness.release(id);
        const log = await harness.ended(id);
        frozen?.wake();
        await harness.until(() => frozen?.engine.open === 0, "the frozen worker gives it up");
        assert.deepEqual(await harness.log(id), log);
        assert.deepEqual(outcomeOf(log), ["done", "Done."]);
        assert.equal(of(log, "call.ended").length, 2);
      }
    },
  );

  place("a worker that is woken before the run has ended leaves it to its new owner", async (harness) => {
    const server = await harness.add("server");
    const workers = [await harness.add("worker"), await harness.add("worker")];
    await harness.start(server, "nap");
    const first = await harness.held("nap");
    const frozen = workers.find(({ name }) => name === first);
    frozen?.freeze();
    await harness.held("nap", first);
    frozen?.wake();
    // The old owner's call ends first.
    harness.release(`nap in ${first}`);
    await harness.until(() => frozen?.engine.open === 0, "the frozen worker gives it up");
    harness.release("nap");
    const log = await harness.ended("nap");
    assert.deepEqual(outcomeOf(log), ["done", "Done."]);
    assert.equal(of(log, "call.ended").length, 2);
  });

  place("a worker that stops leaves its runs to another one, which continues them", async (harness) => {
    const server = await harness.add("server");
    const workers = [await harness.add("worker"), await harness.add("worker")];
    const ids = ["h1", "h2", "h3"];
    for (const id of ids) await harness.start(server, id);
    for (const id of ids) await harness.held(id);
    await workers[0]?.stop();
    harness.release("*");
    for (const id of ids) assert.deepEqual(outcomeOf(await harness.ended(id)), ["done", "Done."]);
    for (const id of ids) assert.equal(harness.times(id, "Note"), 1);
  });
}

function testVersions(place: Place): void {
  place(
    "a run finishes on the crew that it began with, though a worker of the next version continues it",
    async (harness) => {
      const server = await harness.add("server", 1);
      const worker = await harness.add("worker", 1);
      await harness.start(server, "old");
      const first = await harness.held("old");
      await harness.add("worker", 2);
      const next = await harness.add("server", 2);
      await worker.stop();
      const second = await harness.held("old", first);
      await harness.start(next, "new");
      harness.release("*");
      for (const [run, version] of [
        ["old", 1],
        ["new", 2],
      ] as const) {
        assert.deepEqual(outcomeOf(await harness.ended(run)), ["done", "Done."]);
        const systems = harness.asked.filter((asked) => asked.run === run).map(({ system }) => system);
        assert.deepEqual(new Set(systems), new Set([`version ${version}`]), run);
      }
      assert.ok(harness.asked.some(({ run, process }) => run === "old" && process === second));
    },
  );
}

function outcomeOf(events: readonly RunEvent[]): readonly [outcome: string | undefined, text: string | undefined] {
  const [ended] = of(events, "run.ended");
  return [ended?.outcome, ended?.text];
}
