import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { defineCrew, defineTool, type Model, type RunEvent, scriptModel } from "@baton/core";
import { inSlice, of, play as playCrew } from "@baton/core/testing";
import { z } from "zod";
import type { DurableEngine } from "../engine/durable-engine.ts";
import { readAll } from "@baton/store";
import { type Deed, defineFiveSteps, LAST_WORDS, REPLIES } from "../testing/five-steps.ts";
import { continueRun } from "../testing/play-run.ts";
import { type Process, World } from "../testing/world.ts";

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

interface Life {
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
async function play(places: readonly number[], commitMs = 0): Promise<Life & { readonly deaths: number }> {
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
async function check({ world, deeds, steps, seen }: Life, whole: Life): Promise<void> {
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

/** Whether this run plays every case, and not a slice of them. */
const IS_WHOLE = process.env["BATON_SLICE"] === "all";
/** More places than a process can die at. */
const PLACES = Array.from({ length: 1_000 }, (_, index) => index + 1);
const DISTANCES = Array.from({ length: 29 }, (_, index) => 3 + 2 * index);

describe("a process that dies", () => {
  for (const [how, commitMs] of [
    ["that writes at once", 0],
    ["whose commits take longer than its steps", 7],
  ] as const) {
    test(`at any place, once, on a store ${how}: the run ends as if nothing had happened`, async () => {
      const whole = await play([], commitMs);
      assert.equal(whole.deeds.length, 5);
      const met = new Set<string>();
      let places = 0;
      for (const place of inSlice(PLACES)) {
        const life = await play([place], commitMs);
        if (life.deaths === 0) break;
        await check(life, whole);
        for (const event of life.seen) met.add(event.type === "question.opened" ? event.kind : event.type);
        places = place;
      }
      assert.ok(places > 40, `there were only ${places} places to die at`);
      if (IS_WHOLE) assert.ok(met.has("doubt") && met.has("step.retried"), "it died neither in a call nor in a reply");
    });
  }

  test("again and again, at places of every distance: the run ends as if nothing had happened, or gets nowhere", async () => {
    const whole = await play([]);
    const stuck = new Set<number>();
    for (const distance of inSlice(DISTANCES)) {
      const life = await play(Array.from({ length: 200 }, () => distance));
      const [end] = of(life.seen, "run.ended");
      if (end?.outcome === "failed") stuck.add(distance);
      if (end?.outcome !== "failed") await check(life, whole);
      else
        assert.match(
          `${end.error?.code}: ${end.error?.message}`,
          /^crashed: .* recovered ([5-9]|\d{2,}) times/,
          `distance ${distance}`,
        );
    }
    if (IS_WHOLE)
      assert.ok(stuck.size > 0 && stuck.size < 10, `of the distances these led nowhere: ${[...stuck].join(", ")}`);
  });
});

test("a question that was closed before the end is not an approval afterwards", async () => {
  let paid = 0;
  const pay = defineTool({
    name: "Pay",
    description: "Pays.",
    effect: "irreversible",
    input: z.object({}),
    run: () => {
      paid++;
      return "paid";
    },
  });
  const crew = defineCrew({ name: "c", agents: [{ id: "a", tools: ["Pay"], isTerminal: true }], tools: [pay] });
  const replies = { a: [{ call: [{ tool: "Pay" }] }, { say: "ok" }] };
  const { events, engine } = await playCrew(crew, replies);
  await engine[Symbol.asyncDispose]();
  const at = { run: events[0]?.run ?? "", at: 0, lane: "" };
  const cut: readonly RunEvent[] = [
    ...events,
    { ...at, seq: events.length + 1, type: "run.resumed", agent: "a" },
    { ...at, seq: events.length + 2, type: "question.closed", question: "1.1.1" },
  ];
  const lived = await continueRun(crew, scriptModel(replies), { events: cut });
  assert.equal(paid, 0);
  assert.equal(of(lived.events, "call.ended")[0]?.error?.kind, "permission");
});
