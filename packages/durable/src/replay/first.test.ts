/** A replay names the winner of a group of mode `first` as the run did: by whose turn ended first. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Chunk, defineCrew, Engine, type Model } from "@baton/core";
import { collect, of, SimulatedClock } from "@baton/core/testing";
import { replay } from "./replay.ts";

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

test("a run in which two answered in the same instant replays without a difference, in both orders", async () => {
  const ties: (string | number | undefined)[] = [];
  for (let ticks = 0; ticks < 12; ticks++) {
    const clock = new SimulatedClock(1);
    await using engine = new Engine({ clock, model: ({ id }) => after(id === "a" ? ticks : 0, id) });
    const { events } = await clock.run(collect(engine.start(crew, { input: "go" })));
    const answered = of(events, "turn.ended").filter(({ error }) => error === undefined);
    if (answered.length === 2) ties.push(of(events, "group.ended")[0]?.winner);
    assert.equal(await replay(crew, events), undefined, `${ticks} turns`);
  }
  assert.ok(ties.includes("a") && ties.includes("b"), ties.join());
});
