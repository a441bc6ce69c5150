/** A task that an outside service works on for long, polled by a suspended call: its process may die at any moment. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, defineTool, scriptModel, suspend } from "@baton/core";
import { of } from "@baton/core/testing";
import { readAll } from "@baton/store";
import { replay } from "../replay/replay.ts";
import { ANYTHING } from "../testing/shop.ts";
import { World } from "../testing/world.ts";

const TASK_MS = 1_200_000;

const wait = ({ clock }: World) =>
  new Promise<void>((resolve) => {
    clock.after(60_000, resolve);
  });

/** Lives a run whose process dies at the given uses of its database, one process after the other. */
async function live(deaths: readonly number[]) {
  const world = new World(1);
  const tasks: number[] = [];
  const task = defineTool({
    name: "Task",
    description: "Lets a service work.",
    effect: "irreversible",
    input: ANYTHING,
    run: (_, { kept }) => {
      if (kept === undefined) tasks.push(world.clock.now());
      const startedAt = typeof kept === "number" ? kept : world.clock.now();
      return world.clock.now() - startedAt < TASK_MS ? suspend({ keep: startedAt, afterMs: 30_000 }) : "built";
    },
  });
  const crew = defineCrew({
    name: "c",
    agents: [{ id: "a", tools: ["Task"] }],
    tools: [task],
    permissions: { Task: "allow" },
  });
  const model = () => scriptModel({ a: [{ call: [{ tool: "Task" }] }, { say: "Done." }] });
  for (const places of [...deaths, Infinity]) {
    let left = places;
    const process = await world.process({
      crews: [crew],
      model,
      leaseMs: 600_000,
      meddle: (one) => {
        if (--left === 0) one.isAlive = false;
      },
    });
    const { engine } = process;
    const living = (async () => {
      if ((await engine.run("r")) === undefined) await engine.start(crew, { input: "go", id: "r" });
      else await engine.recover();
      for (;;) {
        const events = await readAll(process.store.database, "r");
        const [open] = of(events, "question.opened").filter(
          ({ question }) => !of(events, "question.answered").some((one) => one.question === question),
        );
        if (events.at(-1)?.type === "run.ended") return events;
        if (open !== undefined)
          await engine.command("r", { type: "answer", question: open.question, value: "skip" }).catch(() => undefined);
        await wait(world);
      }
    })();
    const dying = (async () => {
      while (process.isAlive) await wait(world);
      return undefined;
    })();
    const events = await world.run(Promise.race([living, dying]));
    if (events !== undefined) {
      await world.run(engine.stop());
      return { events, tasks, crew };
    }
  }
  return assert.fail("the run does not come to its end");
}

test("a task of 20 minutes is started once and polled to its end, whenever the process dies, and no time limit ends it", async () => {
  const whole = await live([]);
  assert.equal(of(whole.events, "call.ended")[0]?.output, "built");
  assert.ok(whole.events.length < 20, `${whole.events.length} events`);
  for (const places of [4, 8, 11, 14, 17, 20]) {
    const { events, tasks, crew } = await live([places, places]);
    const at = `dies at ${places}`;
    assert.equal(of(events, "run.ended")[0]?.outcome, "done", at);
    assert.equal(of(events, "call.ended").length, 1, at);
    const wasInDoubt = of(events, "question.opened").length > 0;
    assert.equal(of(events, "call.suspended").length, wasInDoubt ? 0 : 1, at);
    assert.equal(tasks.length <= 1 && (wasInDoubt || tasks.length === 1), true, at);
    assert.equal(await replay(crew, events), undefined, at);
  }
});
