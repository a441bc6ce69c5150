/** A group of mode `first`: the member whose turn ended first by the log has the answer, whatever its place. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew } from "../definitions/crew.ts";
import { Engine } from "./engine.ts";
import type { RunEvent } from "../words/event.ts";
import { MemoryLog } from "../ports/memory-log.ts";
import type { Chunk, Model } from "../ports/model.ts";
import { collect, of } from "../testing/crew-runs.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";

const crew = defineCrew({
  name: "g",
  entry: "team",
  agents: [{ id: "a" }, { id: "b" }],
  groups: { team: { agents: ["a", "b"], mode: "first" } },
});

/** A model that answers at once, after so many turns of the promises that are ready. */
const after = (ticks: number, text: string): Model => ({
  name: "quick",
  async *stream(): AsyncGenerator<readonly Chunk[]> {
    for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
    yield [{ type: "text", text }];
    yield [{ type: "end", finish: "stop", usage: { inputTokens: 1, outputTokens: 1 } }];
  },
});

const answered = (events: readonly RunEvent[]) => of(events, "turn.ended").filter(({ error }) => error === undefined);

/** Returns the winner that the log shows, and the one that is reported. */
function winners(events: readonly RunEvent[]) {
  const [first] = answered(events);
  const ended = of(events, "group.ended")[0];
  return { first: first?.agent, said: ended?.winner, text: of(events, "run.ended")[0]?.text };
}

/** Both members answer in the same instant; a comes some turns later. */
async function race(ticks: number): Promise<readonly RunEvent[]> {
  const clock = new SimulatedClock(1);
  await using engine = new Engine({ clock, model: ({ id }) => after(id === "a" ? ticks : 0, id) });
  const { events } = await clock.run(collect(engine.start(crew, { input: "go", id: "r" })));
  return events;
}

/** Another process goes on with what the log had; every model that is asked now answers at once. */
async function recover(events: readonly RunEvent[]): Promise<readonly RunEvent[]> {
  const clock = new SimulatedClock(2);
  await using engine = new Engine({
    clock,
    model: ({ id }) => after(0, id),
    log: (time, observer) => {
      const log = new MemoryLog(time, observer);
      for (const event of events) log.open("r").append(event, event.lane);
      return log;
    },
  });
  return (await clock.run(collect(engine.adopt(crew, { id: "r", events })))).events;
}

/** Runs in which both had answered before the group was decided, b first. */
async function ties(): Promise<readonly (readonly RunEvent[])[]> {
  const runs = await Promise.all(Array.from({ length: 12 }, (_, ticks) => race(ticks)));
  const found = runs.filter((events) => answered(events).length === 2 && answered(events)[0]?.agent === "b");
  assert.ok(found.length > 0, "in no run did both answer, b first");
  return found;
}

test("of two that answer in the same instant, the winner is the one whose turn ended first", async () => {
  for (let ticks = 0; ticks < 12; ticks++) {
    const { first, said, text } = winners(await race(ticks));
    assert.deepEqual([said, text], [first, `[${first}] ${first}`], `${ticks} turns`);
  }
  for (const events of await ties()) assert.deepEqual(winners(events), { first: "b", said: "b", text: "[b] b" });
});

test("the winner is the same if the process ends before the group is decided", async () => {
  for (const all of await ties()) {
    const from = all.findIndex(({ type }) => type === "turn.ended");
    const until = all.findIndex(({ type }) => type === "group.ended");
    for (let end = from + 1; end <= until; end++) {
      const events = await recover(all.slice(0, end));
      assert.deepEqual(winners(events), { first: "b", said: "b", text: "[b] b" }, `after event ${end}`);
    }
  }
});
