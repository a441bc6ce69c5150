/**
 * Placement suite: what every placement promises, seen from the engines that use it.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunEvent } from "@baton/core";
import { of } from "@baton/core/testing";
import { type PlacementLab, PlacementStage } from "./placement-stage.ts";

export type { PlacementLab, PlacementLink } from "./placement-stage.ts";

/** Tests what is promised of a placement. */
export function testPlacement(openLab: () => Promise<PlacementLab>): void {
  testExecuting(openLab);
  testSessions(openLab);
  testLostOffers(openLab);
  testFailures(openLab);
  testVersions(openLab);
}

function testExecuting(openLab: () => Promise<PlacementLab>): void {
  const place = placeIn(openLab);

  place("a run is executed once, by one of the workers, wherever it is started", async (stage) => {
    const servers = [await stage.add("server"), await stage.add("server")];
    await stage.add("worker");
    await stage.add("worker");
    stage.release("*");
    const ids = Array.from({ length: 6 }, (_, index) => `r${index}`);
    await Promise.all(ids.map((id, index) => stage.start(servers[index % 2], id)));
    for (const id of ids) assert.deepEqual(outcomeOf(await stage.ended(id)), ["done", "Done."]);
    for (const id of ids) assert.deepEqual([stage.times(id, "Note"), stage.times(id, "Hold")], [1, 1]);
    assert.ok(stage.deeds.every(({ process }) => process.startsWith("worker")));
  });

  place("a run that was started while nobody could execute it begins when a worker comes", async (stage) => {
    const server = await stage.add("server");
    stage.release("*");
    await stage.start(server, "early");
    server.crash();
    await stage.add("worker");
    assert.deepEqual(outcomeOf(await stage.ended("early")), ["done", "Done."]);
  });

  place("a paused run continues in a worker when any server is sent a message for it", async (stage) => {
    const [one, other] = [await stage.add("server"), await stage.add("server")];
    const worker = await stage.add("worker");
    await stage.start(one, "asks", { crew: "waits" });
    await stage.until(async () => (await stage.record("asks"))?.status === "paused", "it pauses");
    await stage.until(() => worker.engine.open === 0, "it is not held while it is paused");
    await other.engine.command("asks", { type: "resume", input: "go on" });
    assert.deepEqual(outcomeOf(await stage.ended("asks")), ["done", "Gone."]);
    assert.equal(of(await stage.log("asks"), "run.resumed").length, 1);
  });

  place("a command to a run reaches it through any server, and is in its log once", async (stage) => {
    const [one, other] = [await stage.add("server"), await stage.add("server")];
    await stage.add("worker");
    await stage.start(one, "long");
    await stage.held("long");
    await other.engine.command("long", { type: "cancel", reason: "enough" });
    assert.equal(outcomeOf(await stage.ended("long"))[0], "cancelled");
    assert.equal(of(await stage.log("long"), "run.ended").length, 1);
  });
}

function testSessions(openLab: () => Promise<PlacementLab>): void {
  const place = placeIn(openLab);

  place("runs of a session execute one at a time, in the order in which they were started", async (stage) => {
    const server = await stage.add("server");
    await stage.add("worker");
    await stage.add("worker");
    stage.release("*");
    const ids = ["s1", "s2", "s3", "s4"];
    for (const id of ids) await stage.start(server, id, { session: "talk" });
    for (const id of ids) assert.equal(outcomeOf(await stage.ended(id))[0], "done");
    assert.deepEqual(
      stage.deeds.filter(({ tool }) => tool === "Hold").map(({ run }) => run),
      ids,
    );
    await stage.checkAlone(ids);
  });

  place("runs that two servers start in one session at the same moment execute one at a time", async (stage) => {
    const servers = [await stage.add("server"), await stage.add("server")];
    await stage.add("worker");
    await stage.add("worker");
    stage.release("*");
    const ids = Array.from({ length: 6 }, (_, index) => `m${index}`);
    await Promise.all(ids.map((id, index) => stage.start(servers[index % 2], id, { session: "meeting" })));
    for (const id of ids) assert.equal(outcomeOf(await stage.ended(id))[0], "done");
    for (const id of ids) assert.deepEqual([stage.times(id, "Note"), stage.times(id, "Hold")], [1, 1], id);
    await stage.checkAlone(ids);
  });

  place("a queued run that is cancelled never begins, and the next one of its session does", async (stage) => {
    const server = await stage.add("server");
    await stage.add("worker");
    const ids = ["q1", "q2", "q3"];
    for (const id of ids) await stage.start(server, id, { session: "line" });
    await stage.held("q1");
    await server.engine.command("q2", { type: "cancel" });
    stage.release("*");
    const outcomes = [];
    for (const id of ids) outcomes.push(outcomeOf(await stage.ended(id))[0]);
    assert.deepEqual(outcomes, ["done", "cancelled", "done"]);
    assert.equal(stage.times("q2", "Note"), 0);
  });
}

function testLostOffers(openLab: () => Promise<PlacementLab>): void {
  const place = placeIn(openLab);

  place("a run whose offer was lost is found, and executed", async (stage) => {
    const [lossy] = [await stage.add("server"), await stage.add("server")];
    await stage.add("worker");
    stage.release("*");
    lossy.losesOffers = true;
    await stage.start(lossy, "lost");
    assert.deepEqual(outcomeOf(await stage.ended("lost")), ["done", "Done."]);
  });

  place("the oldest run of a session goes first though the next one was offered before it", async (stage) => {
    const [lossy, server] = [await stage.add("server"), await stage.add("server")];
    await stage.add("worker");
    await stage.add("worker");
    lossy.losesOffers = true;
    await stage.start(lossy, "older", { session: "pair" });
    await stage.pass(20);
    await stage.start(server, "newer", { session: "pair" });
    await stage.held("older");
    await stage.pass(3_000);
    stage.release("*");
    for (const id of ["older", "newer"]) assert.deepEqual(outcomeOf(await stage.ended(id)), ["done", "Done."]);
    assert.deepEqual([stage.times("older", "Hold"), stage.times("newer", "Hold")], [1, 1]);
    await stage.checkAlone(["older", "newer"]);
  });
}

function testFailures(openLab: () => Promise<PlacementLab>): void {
  const place = placeIn(openLab);

  place("a run whose worker crashes continues in another one, without its finished steps", async (stage) => {
    const server = await stage.add("server");
    const workers = [await stage.add("worker"), await stage.add("worker")];
    for (const session of [undefined, "calls"]) {
      const id = `crash-${session ?? "alone"}`;
      await stage.start(server, id, { session });
      const first = await stage.held(id);
      workers.find(({ name }) => name === first)?.crash();
      const second = await stage.held(id, first);
      workers.push(await stage.add("worker"));
      stage.release(id);
      assert.deepEqual(outcomeOf(await stage.ended(id)), ["done", "Done."]);
      assert.notEqual(second, first);
      assert.deepEqual([stage.times(id, "Note"), stage.times(id, "Hold")], [1, 2]);
    }
  });

  place("a worker that was frozen and wakes writes nothing to a run that another one has taken over", async (stage) => {
    const server = await stage.add("server");
    const workers = [await stage.add("worker"), await stage.add("worker")];
    for (const session of [undefined, "nap"]) {
      const id = `freeze-${session ?? "alone"}`;
      await stage.start(server, id, { session });
      const first = await stage.held(id);
      const frozen = workers.find(({ name }) => name === first);
      frozen?.freeze();
      await stage.held(id, first);
      stage.release(id);
      const log = await stage.ended(id);
      frozen?.wake();
      await stage.until(() => frozen?.engine.open === 0, "the frozen worker gives it up");
      assert.deepEqual(await stage.log(id), log);
      assert.deepEqual(outcomeOf(log), ["done", "Done."]);
      assert.equal(of(log, "call.ended").length, 2);
    }
  });

  place("a worker that is woken before the run has ended leaves it to its new owner", async (stage) => {
    const server = await stage.add("server");
    const workers = [await stage.add("worker"), await stage.add("worker")];
    await stage.start(server, "nap");
    const first = await stage.held("nap");
    const frozen = workers.find(({ name }) => name === first);
    frozen?.freeze();
    await stage.held("nap", first);
    frozen?.wake();
    // The old owner's call ends first.
    stage.release(`nap in ${first}`);
    await stage.until(() => frozen?.engine.open === 0, "the frozen worker gives it up");
    stage.release("nap");
    const log = await stage.ended("nap");
    assert.deepEqual(outcomeOf(log), ["done", "Done."]);
    assert.equal(of(log, "call.ended").length, 2);
  });

  place("a worker that stops leaves its runs to another one, which continues them", async (stage) => {
    const server = await stage.add("server");
    const workers = [await stage.add("worker"), await stage.add("worker")];
    const ids = ["h1", "h2", "h3"];
    for (const id of ids) await stage.start(server, id);
    for (const id of ids) await stage.held(id);
    await workers[0]?.stop();
    stage.release("*");
    for (const id of ids) assert.deepEqual(outcomeOf(await stage.ended(id)), ["done", "Done."]);
    for (const id of ids) assert.equal(stage.times(id, "Note"), 1);
  });
}

function testVersions(openLab: () => Promise<PlacementLab>): void {
  const place = placeIn(openLab);

  place(
    "a run finishes on the crew that it began with, though a worker of the next version continues it",
    async (stage) => {
      const server = await stage.add("server", 1);
      const worker = await stage.add("worker", 1);
      await stage.start(server, "old");
      const first = await stage.held("old");
      await stage.add("worker", 2);
      const next = await stage.add("server", 2);
      await worker.stop();
      const second = await stage.held("old", first);
      await stage.start(next, "new");
      stage.release("*");
      for (const [run, version] of [
        ["old", 1],
        ["new", 2],
      ] as const) {
        assert.deepEqual(outcomeOf(await stage.ended(run)), ["done", "Done."]);
        const systems = stage.asked.filter((asked) => asked.run === run).map(({ system }) => system);
        assert.deepEqual(new Set(systems), new Set([`version ${version}`]), run);
      }
      assert.ok(stage.asked.some(({ run, process }) => run === "old" && process === second));
    },
  );
}

/** Defines tests, each in a lab of its own. */
function placeIn(openLab: () => Promise<PlacementLab>) {
  return (title: string, act: (stage: PlacementStage) => Promise<void>): void => {
    test(title, async () => {
      await using lab = await openLab();
      await using stage = new PlacementStage(lab);
      await lab.run(act(stage));
    });
  };
}

function outcomeOf(events: readonly RunEvent[]): readonly [outcome: string | undefined, text: string | undefined] {
  const [ended] = of(events, "run.ended");
  return [ended?.outcome, ended?.text];
}
