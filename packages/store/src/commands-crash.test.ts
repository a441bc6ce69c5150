import assert from "node:assert/strict";
import { test } from "node:test";
import { BatonError, type Command, defineCrew, defineTool, fold, type RunEvent, scriptModel } from "@baton/core";
import { of } from "@baton/core/testing";
import { z } from "zod";
import type { DurableEngine } from "./durable-engine.ts";
import { readAll } from "./reader.ts";
import { replay } from "./replay/replay.ts";
import { type Process, World } from "./testing/world.ts";

const pick = defineTool({
  name: "Pick",
  description: "The client picks a colour.",
  effect: "read",
  input: z.object({}),
  output: z.object({ colour: z.string() }),
});
const sleep = defineTool({
  name: "Sleep",
  description: "Sleeps.",
  effect: "read",
  input: z.object({}),
  timeoutMs: 90_000,
  run: (_, { scope }) => scope.sleep(60_000),
});
const look = defineTool({
  name: "Look",
  description: "Looks, and sees the same each time.",
  effect: "read",
  input: z.object({}),
  run: () => "nothing new",
});

const LANE = "1/team/sleeper";

/** One member asks the client, one sleeps until it is cancelled, and then an agent goes round in circles. */
const crew = defineCrew({
  name: "parts",
  entry: "team",
  agents: [
    { id: "asker", tools: ["Pick"] },
    { id: "sleeper", tools: ["Sleep"] },
    { id: "looper", tools: ["Look"], isTerminal: true },
  ],
  tools: [pick, sleep, look],
  groups: { team: { agents: ["asker", "sleeper"], nextAgent: "looper" } },
});
const again = { call: [{ tool: "Look" }] };
const model = scriptModel({
  asker: [{ call: [{ tool: "Pick" }] }, { when: "blue", say: "Blue." }, { say: "?" }],
  sleeper: [{ call: [{ tool: "Sleep" }] }, { say: "Rested." }],
  looper: [again, again, again, again, { say: "I give up." }],
});

/** What a user does next, by what the log has; each thing once. */
function toNext(events: readonly RunEvent[]): Command | undefined {
  const sent = of(events, "command.received").map(({ command }) => command.type);
  const isAsleep = of(events, "call.started").some(({ tool }) => tool === "Sleep");
  const { questions } = fold(events);
  if (isAsleep && !sent.includes("cancel")) return { type: "cancel", lane: LANE, reason: "let it sleep" };
  if (sent.includes("cancel") && !sent.includes("configure")) return { type: "configure", temperature: 0 };
  const [open] = questions.values();
  if (open === undefined || !sent.includes("configure")) return undefined;
  return { type: "answer", question: open.question, value: { colour: "blue" } };
}

/** Plays the user until the run has ended or the process is dead. */
async function play(engine: DurableEngine, { store }: Process, world: World): Promise<readonly RunEvent[]> {
  for (;;) {
    const events = await readAll(store.database, "r");
    if (events.at(-1)?.type === "run.ended") return events;
    const next = events.length === 0 ? undefined : toNext(events);
    if (next !== undefined) {
      await engine.command("r", next).catch((error: unknown) => assert.ok(error instanceof BatonError));
    }
    await new Promise<void>((resolve) => world.clock.after(20, resolve));
  }
}

/** One process that dies at its k-th use of the database; gives the run's events once it has ended. */
async function live(world: World, places: number): Promise<readonly RunEvent[] | undefined> {
  let left = places;
  const meddle = (process: Process) => {
    left--;
    if (left === 0) process.isAlive = false;
  };
  const process = await world.process({ crews: [crew], model: () => model, meddle });
  const { engine } = process;
  const playing = (async () => {
    if ((await engine.run("r")) === undefined) await engine.start(crew, { input: "go", id: "r" });
    else await engine.recover();
    return play(engine, process, world);
  })();
  const dying = (async () => {
    while (process.isAlive) await new Promise<void>((resolve) => world.clock.after(10, resolve));
    return undefined;
  })();
  const events = await world.run(Promise.race([playing, dying]));
  if (events !== undefined) await world.run(engine.stop());
  process.isAlive = false;
  return events;
}

test("a cancelled lane, a configuration, a client's answer and a stuck agent survive a crash at every use of the database", async () => {
  for (let places = 1; ; places++) {
    const world = new World(places);
    let events = await live(world, places);
    const hasCrashed = events === undefined;
    for (let lives = 0; events === undefined; lives++) {
      assert.ok(lives < 3, `after place ${places} the run does not come to its end`);
      events = await live(world, Infinity);
    }
    const at = `place ${places}`;
    const ended = of(events, "run.ended")[0];
    assert.deepEqual([ended?.outcome, ended?.content ?? ended?.text], ["done", "I give up."], at);
    assert.deepEqual(
      of(events, "command.received")
        .map(({ command }) => command.type)
        .toSorted(),
      ["cancel", "configure"],
      at,
    );
    assert.equal(of(events, "question.answered").length, 1, at);
    assert.equal(of(events, "question.opened").length, 1, at);
    const [group] = of(events, "group.ended");
    assert.deepEqual(
      group?.results.map(({ text, error }) => text ?? error?.lane),
      ["Blue.", LANE],
      at,
    );
    const stuck = of(events, "warning.raised").filter(({ text }) => text.includes("max_repeated_calls"));
    assert.equal(stuck.length, 1, at);
    assert.equal(await replay(crew, events), undefined, at);
    if (!hasCrashed) {
      assert.ok(places > 30, `only ${places} places were tried`);
      return;
    }
  }
});

test("a paused run that was configured is followed to its pause, and says the same when it is read again", async () => {
  const world = new World(1);
  const asks = defineCrew({ name: "asks", agents: [{ id: "a" }], behaviors: { a: { waitForSignal: true } } });
  const process = await world.process({ crews: [asks], model: () => scriptModel({ a: [{ say: "Yes?" }] }) });
  const { engine } = process;
  await world.run(
    (async () => {
      const run = await engine.start(asks, { input: "go", id: "r" });
      const first = await run.outcome;
      await engine.command("r", { type: "configure", temperature: 1 });
      const stored = (await engine.run("r")) ?? assert.fail();
      assert.deepEqual(await stored.outcome, first);
      const events = await Array.fromAsync(stored.events());
      assert.equal(events.at(-1)?.type, "run.paused");
      assert.equal((await engine.record("r"))?.status, "paused");
      assert.equal((await readAll(process.store.database, "r")).at(-1)?.type, "command.received");
      const { outcome } = await engine.resume("r", "more");
      assert.equal((await outcome).outcome, "paused");
      await engine.stop();
    })(),
  );
});

test("a stored result has no signals in its content, like the one that was given first", async () => {
  const world = new World(1);
  const crews = [
    defineCrew({ name: "c", agents: [{ id: "a" }], signals: { a: [{ signal: "[DONE]", target: "" }] } }),
    defineCrew({
      name: "d",
      agents: [{ id: "a" }],
      signals: {
        a: [
          { signal: "[OTHER]", target: "" },
          { signal: "[DONE]", target: "nobody" },
        ],
      },
      behaviors: { a: { waitForSignal: true } },
    }),
  ];
  const { engine } = await world.process({ crews, model: () => scriptModel({ a: [{ say: "Hello there. [DONE]" }] }) });
  await world.run(
    (async () => {
      for (const one of crews) {
        const run = await engine.start(one, { input: "go", id: one.name });
        const first = await run.outcome;
        assert.equal(first.content, "Hello there.");
        assert.deepEqual(await (await engine.run(one.name))?.outcome, first);
      }
      await engine.stop();
    })(),
  );
});
