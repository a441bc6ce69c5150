/**
 * Lives of a five-step run: processes in simulated time that die at a chosen place, and what must be true afterwards.
 */
import assert from "node:assert/strict";
import { type Model, type RunEvent, scriptModel } from "@baton/core";
import { of } from "@baton/core/testing";
import { readAll } from "@baton/store";
import type { DurableEngine } from "../engine/durable-engine.ts";
import { type Deed, defineFiveSteps, LAST_WORDS, REPLIES } from "./five-steps.ts";
import { type Process, World } from "./world.ts";

/** Dies for good at the k-th place it comes to. */
class Mortal {
  process: Process | undefined;
  #left: number;

  constructor(places: number) {
    this.#left = places;
  }

  /** A place to die at: a dead process never gets beyond it. */
  async pass(): Promise<void> {
    this.#left--;
    if (this.#left === 0 && this.process !== undefined) this.process.isAlive = false;
    if (this.process?.isAlive === false) await new Promise(() => {});
  }

  get isDead(): boolean {
    return this.process?.isAlive === false;
  }
}

function toModel(mortal: Mortal, steps: string[]): Model {
  const model = scriptModel(REPLIES);
  return {
    name: "script",
    async *stream(prompt, scope) {
      for await (const chunks of model.stream(prompt, scope)) {
        // Long enough for what was said before to be written.
        await scope.sleep(1);
        await mortal.pass();
        yield chunks;
      }
      if (!mortal.isDead) steps.push(`${prompt.agent} ${prompt.messages.length}`);
    },
  };
}

/** A run, and the processes that it has lived in. */
export interface Life {
  readonly world: World;
  /** Duration of a commit. */
  readonly commitMs: number;
  readonly deeds: Deed[];
  readonly steps: string[];
  readonly seen: RunEvent[];
}

/** One life of a process that dies at the k-th place; gives whether it lived to the end of the run. */
async function live({ world, commitMs, deeds, steps, seen }: Life, places: number): Promise<boolean> {
  const mortal = new Mortal(places);
  const crew = defineFiveSteps(async (deed) => {
    await mortal.pass();
    deeds.push(deed);
    await mortal.pass();
  });
  const meddle = async (_: Process, name: string): Promise<void> => {
    if (name === "commit" && commitMs > 0) {
      await new Promise<void>((resolve) => {
        world.clock.after(commitMs, resolve);
      });
    }
    await mortal.pass();
  };
  const process = await world.process({ crews: [crew], model: () => toModel(mortal, steps), meddle });
  mortal.process = process;
  const { engine } = process;
  const going = (async () => {
    const known = await engine.run("r");
    if (known === undefined) await engine.start(crew, { input: "go", id: "r" });
    else await engine.recover();
    await follow(engine, seen);
    return true;
  })();
  const died = (async () => {
    while (process.isAlive) await new Promise<void>((resolve) => world.clock.after(10, resolve));
    return false;
  })();
  const isDone = await world.run(Promise.race([going, died]));
  if (isDone) await world.run(engine.stop());
  process.isAlive = false;
  return isDone;
}

/** Reads the log, and answers "again" to every question about an unknown result. */
async function follow(engine: DurableEngine, seen: RunEvent[]): Promise<void> {
  for (;;) {
    const run = await engine.run("r");
    if (run === undefined) throw new Error("the run is gone");
    for await (const event of run.events({ after: seen.length })) seen.push(event);
    const { outcome, questions } = await run.result;
    if (outcome !== "paused") return;
    const [question] = questions;
    if (question === undefined) throw new Error("it waits for nothing");
    await engine.command("r", { type: "answer", question: question.question, value: "again" });
  }
}

/** Dies at the k-th place of each of so many lives, then lives on to the end. */
export async function playLives(places: readonly number[], commitMs = 0): Promise<Life & { readonly deaths: number }> {
  const life: Life = { world: new World(), commitMs, deeds: [], steps: [], seen: [] };
  let deaths = 0;
  for (const count of [...places, Infinity]) {
    if (await live(life, count)) break;
    deaths++;
    await life.world.clock.advance(5_000);
  }
  return { ...life, deaths };
}

/** Every promise about a run that was interrupted and recovered. */
export async function checkLife({ world, deeds, steps, seen }: Life, whole: Life): Promise<void> {
  const { store } = await world.process({ crews: [], model: () => scriptModel({}) });
  const stored = await world.run(readAll(store.database, "r"));
  assert.deepEqual(seen, stored, "what a reader has seen is what is stored");
  const end = of(stored, "run.ended");
  assert.deepEqual(
    end.map(({ outcome, text }) => [outcome, text]),
    [["done", LAST_WORDS]],
  );
  assert.deepEqual(
    of(stored, "call.ended").map(({ call, output }) => [call, output]),
    of(whole.seen, "call.ended").map(({ call, output }) => [call, output]),
  );
  assert.deepEqual(
    of(stored, "step.ended").map(({ step, text }) => [step, text]),
    of(whole.seen, "step.ended").map(({ step, text }) => [step, text]),
  );
  assert.deepEqual([...new Set(deeds.map(({ key }) => key))].toSorted(), whole.deeds.map(({ key }) => key).toSorted());
  const asked = of(stored, "question.opened").filter(({ kind }) => kind === "doubt");
  for (const { key } of deeds.filter(({ effect }) => effect === "irreversible")) {
    const times = deeds.filter((deed) => deed.key === key).length;
    const doubts = asked.filter(({ call }) => key === `r/${call}`).length;
    assert.ok(times <= 1 + doubts, `${key} was done ${times} times and asked about ${doubts} times`);
  }
  assert.ok(steps.length >= whole.steps.length);
}
