/** Replay runs programs again: a changed one differs where it first decides something else. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type Crew,
  type Decide,
  type Decision,
  defineCrew,
  defineProgram,
  defineTool,
  Engine,
  type Prompt,
  type RunEvent,
  scriptModel,
} from "@baton/core";
import { z } from "zod";
import { replay } from "./replay.ts";

const look = defineTool({
  name: "Look",
  description: "Looks.",
  effect: "read",
  input: z.object({ at: z.string() }),
  run: ({ at }, { state }) => {
    state.set("seen", at);
    return `${at} is fine`;
  },
});

const door = { call: [{ tool: "Look", args: { at: "door" } }], state: 1, set: { plan: "both" } };

/** Two looks, one after the other, then an answer for the writer. */
const plan = ({ results, values, state }: Prompt): Decision => {
  if (state === undefined) return door;
  if (state === 1)
    return { call: [{ tool: "Look", args: { at: "roof" } }], state: 2, notes: [{ kind: "plan", data: 2 }] };
  return { say: `${JSON.stringify(results[0]?.output)}; last ${JSON.stringify(values.get("seen"))}` };
};

function toCrew(decide: Decide): Crew {
  return defineCrew({
    name: "planned",
    agents: [
      { id: "planner", model: { name: "code/plan" }, tools: ["Look"], handoffTargets: ["writer"] },
      { id: "writer", isTerminal: true },
    ],
    tools: [look],
    programs: { plan: defineProgram(decide) },
  });
}

async function play(): Promise<readonly RunEvent[]> {
  await using engine = new Engine({ model: () => scriptModel({ writer: [{ say: "Written." }] }) });
  return await Array.fromAsync(engine.start(toCrew(plan), { input: "go" }).events());
}

describe("a replay against a changed program", () => {
  test("finds nothing if the program decides the same, however its code is written", async () => {
    const events = await play();
    assert.equal(await replay(toCrew(plan), events), undefined);
    assert.equal(
      await replay(
        toCrew(async (prompt) => plan(prompt)),
        events,
      ),
      undefined,
    );
  });

  const roof = { call: [{ tool: "Look", args: { at: "roof" } }], state: 2 };
  const changes: readonly (readonly [what: string, step: string, state: unknown, decision: () => Decision])[] = [
    ["a call has other arguments", "1.2", 1, () => ({ ...roof, call: [{ tool: "Look", args: { at: "wall" } }] })],
    ["it sets another state", "1.1", undefined, () => ({ ...door, set: { plan: "one" } })],
    ["it says something else at the end", "1.3", 2, () => ({ say: "All is well." })],
    ["it ends the run", "1.3", 2, () => ({ say: '"roof is fine"; last "roof"', end: true })],
    ["it throws", "1.2", 1, fail],
  ];
  for (const [what, step, state, decision] of changes) {
    test(`finds the first step that decides otherwise: ${what}`, async () => {
      const events = await play();
      const changed = toCrew((prompt) => (prompt.state === state ? decision() : plan(prompt)));
      const difference = await replay(changed, events);
      assert.ok(difference?.logged.type === "step.ended", difference?.text);
      assert.equal(difference.logged.step, step);
      assert.ok(typeof difference.now === "object" && difference.now.type === "step.ended");
    });
  }

  test("finds a note that is another one now, a missing one and one too many", async () => {
    const events = await play();
    const kept = [{ kind: "plan", data: 2 }];
    for (const notes of [[], [{ kind: "plan", data: 3 }], [...kept, ...kept]]) {
      const changed = toCrew((prompt) => (prompt.state === 1 ? { ...roof, notes } : plan(prompt)));
      const difference = await replay(changed, events);
      const { logged } = difference ?? assert.fail("it is the same");
      assert.ok(logged.type === "note.made" || logged.type === "step.ended", difference?.text);
    }
    const same = toCrew((prompt) => (prompt.state === 1 ? { ...roof, notes: kept } : plan(prompt)));
    assert.equal(await replay(same, events), undefined);
  });

  test("finds that a program is gone at its first step", async () => {
    const events = await play();
    const gone = await replay(
      toCrew(() => fail()),
      events,
    );
    assert.ok(gone?.logged.type === "step.ended" && gone.logged.step === "1.1");
  });
});

function fail(): never {
  throw new Error("the program broke");
}
