import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { BatonError, defineCrew, type Model, type Prompt, type RunEvent, scriptModel } from "@baton/core";
import { inSlice } from "@baton/core/testing";
import { crewOf } from "../engine/crew-definitions.ts";
import { readAll } from "@baton/store";
import { replay } from "../replay/replay.ts";
import {
  checkParts,
  defineParts,
  isAfterwards,
  LANE,
  UNFINISHED,
  type Order,
  ORDERS,
  PARTS_REPLIES,
  findUnfinished,
  toNext,
} from "../testing/parts.ts";
import { type Process, World } from "../testing/world.ts";

/** A run whose process dies, and the processes after it. */
interface Lives {
  readonly world: World;
  /** Duration of a commit. */
  readonly commitMs: number;
  readonly order: Order;
  /** Temperatures of the model calls that come after all that the user did. */
  readonly temperatures: (number | undefined)[];
  /** Calls that were begun in a lane whose cancel was stored. */
  readonly begun: string[];
}

/** Time that a cancelled tool takes to stop: its process may die meanwhile. */
const OBEYS_MS = 50;

function wait({ clock }: World, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}

const isCancelStored = (world: World): boolean => world.logOf("r").includes(`"lane":"${LANE}","reason"`);

/** Plays the user until the run has ended or the process is dead. */
async function play({ engine, store }: Process, { world, order }: Lives): Promise<readonly RunEvent[]> {
  for (;;) {
    const events = await readAll(store.database, "r");
    if (events.at(-1)?.type === "run.ended") return events;
    const next = toNext(events, order);
    if (next !== undefined) {
      await engine.command("r", next).catch((error: unknown) => assert.ok(error instanceof BatonError));
    }
    await wait(world, 20);
  }
}

/** One process that dies at its k-th use of the database; gives the run's events once it has ended. */
async function live(lives: Lives, places: number): Promise<readonly RunEvent[] | undefined> {
  const { world, commitMs, temperatures, begun } = lives;
  let left = places;
  const meddle = async (process: Process, name: string): Promise<void> => {
    if (name === "commit" && commitMs > 0) await wait(world, commitMs);
    left--;
    if (left === 0) process.isAlive = false;
  };
  const crew = defineParts({
    begins: ({ call }) => {
      if (process.isAlive && call.startsWith(LANE) && isCancelStored(world)) begun.push(call);
    },
    sleeps: async ({ scope }) => {
      try {
        await scope.sleep(60_000);
      } finally {
        await wait(world, OBEYS_MS);
      }
    },
  });
  const model = noteCalls(({ agent, messages, temperature }) => {
    if (process.isAlive && isAfterwards({ agent, messages: messages.length })) temperatures.push(temperature);
  });
  const process = await world.process({ crews: [crew], model: () => model, meddle });
  const { engine } = process;
  const playing = (async () => {
    if ((await engine.run("r")) === undefined) await engine.start(crew, { input: "go", id: "r" });
    else await engine.recover();
    return play(process, lives);
  })();
  const dying = (async () => {
    while (process.isAlive) await wait(world, 10);
    return undefined;
  })();
  const events = await world.run(Promise.race([playing, dying]));
  if (events !== undefined) await world.run(engine.stop());
  process.isAlive = false;
  return events;
}

function noteCalls(note: (prompt: Prompt) => void): Model {
  const model = scriptModel(PARTS_REPLIES);
  return {
    ...model,
    stream(prompt, scope) {
      note(prompt);
      return model.stream(prompt, scope);
    },
  };
}

/** Dies once, at the k-th use of the database, and lives on; checks everything. Gives the facts it died in the middle of, if it did. */
async function dieAt(places: number, how: Pick<Lives, "commitMs" | "order">): Promise<readonly string[] | undefined> {
  const at = `${how.order.join(", ")}, commits of ${how.commitMs} ms, place ${places}`;
  const world = new World(places);
  const lives: Lives = { ...how, world, temperatures: [], begun: [] };
  let events = await live(lives, places);
  const unfinished = events === undefined ? findUnfinished(await readAll(world.data.open(), "r")) : undefined;
  for (let count = 0; events === undefined; count++) {
    assert.ok(count < 3, `${at}: the run does not come to its end`);
    events = await live(lives, Infinity);
  }
  checkParts(events, at);
  assert.deepEqual(lives.begun, [], at);
  assert.ok(lives.temperatures.length >= 5, at);
  assert.deepEqual(new Set(lives.temperatures), new Set([0]), at);
  const database = world.data.open();
  const record = (await database.runs.find("r")) ?? assert.fail(at);
  const { crew } = await crewOf(database, record);
  assert.equal(await replay(crew, events), undefined, at);
  return unfinished;
}

/** Whether this run plays every case, and not a slice of them. */
const IS_WHOLE = process.env["BATON_SLICE"] === "all";
/** More places than a process can die at. */
const PLACES = Array.from({ length: 1_000 }, (_, index) => index + 1);

describe("a cancelled lane, a configuration, a client's answer and a stuck agent survive a crash", () => {
  for (const order of ORDERS) {
    for (const [how, commitMs] of [
      ["that writes at once", 0],
      ["whose commits take longer than most steps", 7],
    ] as const) {
      test(`at every use of a database ${how}, with ${order.join(" before ")}`, async () => {
        const met = new Set<string>();
        let places = 1;
        for (const place of inSlice(PLACES)) {
          places = place;
          const unfinished = await dieAt(places, { commitMs, order });
          if (unfinished === undefined) break;
          for (const fact of unfinished) met.add(fact);
        }
        assert.ok(places > 30, `only ${places} places were tried`);
        if (IS_WHOLE) assert.deepEqual([...met].toSorted(), Object.keys(UNFINISHED).toSorted());
      });
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
      const first = await run.result;
      await engine.command("r", { type: "configure", temperature: 1 });
      const stored = (await engine.run("r")) ?? assert.fail();
      assert.deepEqual(await stored.result, first);
      const events = await Array.fromAsync(stored.events());
      assert.equal(events.at(-1)?.type, "run.paused");
      assert.equal((await engine.record("r"))?.status, "paused");
      assert.equal((await readAll(process.store.database, "r")).at(-1)?.type, "command.received");
      const { result: outcome } = await engine.resume("r", "more");
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
          // @ts-expect-error the compiler knows that there is no such agent
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
        const first = await run.result;
        assert.equal(first.content, "Hello there.");
        assert.deepEqual(await (await engine.run(one.name))?.result, first);
      }
      await engine.stop();
    })(),
  );
});
