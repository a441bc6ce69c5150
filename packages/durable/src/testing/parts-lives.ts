/**
 * Lives of a run with commands: its process dies at a chosen use of the database, and another one continues it.
 */
import assert from "node:assert/strict";
import { BatonError, type Model, type Prompt, type RunEvent, scriptModel } from "@baton/core";
import { readAll } from "@baton/store";
import { crewOf } from "../engine/crew-definitions.ts";
import { replay } from "../replay/replay.ts";
import {
  checkParts,
  defineParts,
  findUnfinished,
  isAfterwards,
  LANE,
  type Order,
  PARTS_REPLIES,
  toNext,
} from "./parts.ts";
import { type Process, World } from "./world.ts";

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
export async function dieAt(
  places: number,
  how: Pick<Lives, "commitMs" | "order">,
): Promise<readonly string[] | undefined> {
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
