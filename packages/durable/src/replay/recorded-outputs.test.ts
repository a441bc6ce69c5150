/** Outputs of earlier calls are read from the log: by another process, in a replay and by a fork. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Crew, defineCrew, defineProgram, defineTool, type Json, scriptModel } from "@baton/core";
import { collect, of } from "@baton/core/testing";
import { readAll } from "@baton/store";
import { z } from "zod";
import { World } from "../testing/world.ts";
import { toFork, toForkCrew } from "./fork.ts";
import { promptOf } from "./prompt-of.ts";
import { replay } from "./replay.ts";

const LONG = "x".repeat(40_000);

/** Loads, waits for a person, and then says what was loaded. */
function toCrew(loads: string[]): Crew {
  const load = defineTool({
    name: "Load",
    description: "Loads.",
    effect: "read",
    input: z.object({ n: z.number() }),
    digest: () => "short",
    run: ({ n }, { call }) => {
      loads.push(call);
      return { n, text: LONG };
    },
  });
  const use = defineTool({
    name: "Use",
    description: "Uses.",
    effect: "read",
    input: z.object({}),
    permission: () => ({ decision: "ask" }),
    run: async (_, { calls, outputOf }) => toSum(await Promise.all(calls.map(({ call }) => outputOf(call)))),
  });
  return defineCrew({
    name: "reading",
    agents: [
      { id: "a", tools: ["Load", "Use"], handoffTargets: ["p"] },
      { id: "p", model: { name: "code/p" }, isTerminal: true },
    ],
    tools: [load, use],
    programs: {
      p: defineProgram(async ({ calls, outputOf }) => {
        const outputs = await Promise.all(calls.map(({ call }) => outputOf(call)));
        return { say: `${calls.map(({ call, ok }) => `${call} ${ok}`).join(", ")}: ${toSum(outputs)}` };
      }),
    },
  });
}

const toSum = (outputs: readonly (Json | undefined)[]): string => `${JSON.stringify(outputs).length} characters`;
const model = () =>
  scriptModel({
    a: [{ call: [1, 2].map((n) => ({ tool: "Load", args: { n } })) }, { call: [{ tool: "Use" }] }, { say: "Loaded." }],
  });

test("another process, a replay and a fork read what the first process recorded, and no tool runs again", async () => {
  const world = new World();
  const loads: string[] = [];
  const crew = toCrew(loads);
  const options = { crews: [crew, toForkCrew(crew)], model };
  const one = await world.process(options);
  const run = await world.run(one.engine.start(crew, { input: "go", id: "r" }));
  assert.equal((await world.run(run.result)).outcome, "paused");
  one.isAlive = false;
  await world.clock.advance(5_000);
  const two = await world.process(options);
  const answer = { type: "answer", question: "1.2.1", value: "allow" } as const;
  const { run: resumed } = await world.run(two.engine.command("r", answer));
  const { content } = await world.run(resumed.result);
  const size = 2 * JSON.stringify({ n: 1, text: LONG }).length + 3;
  const events = await world.run(readAll(two.store.database, "r"));
  const ended = of(events, "call.ended");
  assert.equal(ended.find(({ call }) => call === "1.2.1")?.output, `${size} characters`);
  assert.match(content, /^1\.1\.1 true, 1\.1\.2 true, 1\.2\.1 true: 80\d{3} characters$/);
  assert.deepEqual(loads, ["1.1.1", "1.1.2"]);

  assert.equal(await replay(crew, events), undefined);
  assert.equal(JSON.stringify(await promptOf(crew, events, "1.2")).includes(LONG), false);

  const last = of(events, "call.ended").at(-1)?.seq ?? assert.fail();
  const fork = await world.run(two.engine.fork(toForkCrew(crew), toFork(events, last, "fork")));
  assert.equal((await world.run(collect(fork))).content, content);
  assert.deepEqual(loads, ["1.1.1", "1.1.2"]);
  await world.run(two.engine.stop());
});
