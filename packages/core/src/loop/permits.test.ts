import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import type { Crew } from "../definitions/definition.ts";
import { Engine, type EngineOptions } from "../engine/engine.ts";
import { scriptModel } from "../ports/script.ts";
import { of, play } from "../testing/crew-runs.ts";
import { ToolError } from "../words/error.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";
import { type Concurrency, defineTool, limited, type Tool } from "../definitions/tool.ts";

/** A tool that takes a while, and the most calls of it that ran at once. */
function gauge(concurrency: Concurrency) {
  let now = 0;
  let most = 0;
  const tool = defineTool({
    name: "Work",
    description: "Takes a while.",
    effect: "read",
    concurrency,
    input: z.object({}),
    run: async (_, { scope }) => {
      most = Math.max(most, ++now);
      await scope.sleep(10);
      now--;
    },
  });
  return { tool, most: () => most };
}

const crewOf = (name: string, tool: Tool, maxParallelCalls: number) =>
  defineCrew({
    name,
    agents: [{ id: "a", tools: [tool.name], isTerminal: true }],
    tools: [tool],
    settings: { maxParallelCalls },
  });

/** Runs crews at the same time in one engine; each makes that many calls in one reply. */
async function runAll(crews: readonly Crew[], calls: number, options: Partial<EngineOptions> = {}) {
  const clock = new SimulatedClock(1);
  const call = Array.from({ length: calls }, () => ({ tool: "Work" }));
  await using engine = new Engine({ clock, model: () => scriptModel({ a: [{ call }, { say: "ok" }] }), ...options });
  const runs = crews.map((crew) => engine.start(crew, { input: "go" }).result);
  const outcomes = (await clock.run(Promise.all(runs))).map(({ outcome }) => outcome);
  assert.deepEqual(
    outcomes,
    crews.map(() => "done"),
  );
}

test("limited(n) counts the calls of all runs and all crews of the engine", async () => {
  const { tool, most } = gauge(limited(3));
  const [one, other] = [crewOf("one", tool, 8), crewOf("other", tool, 8)];
  await runAll([one, one, other], 5);
  assert.equal(most(), 3);
});

test("max_parallel_calls counts the calls of each run by itself", async () => {
  const { tool, most } = gauge("parallel");
  const crew = crewOf("c", tool, 4);
  await runAll([crew, crew], 6);
  assert.equal(most(), 8);
});

test("maxToolCalls counts the calls of all runs of the engine, of every tool", async () => {
  for (const concurrency of ["parallel", limited(6)] as const) {
    const { tool, most } = gauge(concurrency);
    const crew = crewOf("c", tool, 8);
    await runAll([crew, crew], 8, { maxToolCalls: 5 });
    assert.equal(most(), 5);
  }
});

test("an engine runs 256 tool calls at once if nobody says otherwise", async () => {
  const { tool, most } = gauge("parallel");
  const crew = crewOf("c", tool, 1_000);
  await runAll([crew, crew], 200);
  assert.equal(most(), 256);
});

test("a tool that is unavailable has started nothing, so that it is tried again whatever its effect", async () => {
  for (const kind of ["unavailable", "network"] as const) {
    let tries = 0;
    const pay = defineTool({
      name: "Pay",
      description: "Pays.",
      effect: "irreversible",
      input: z.object({}),
      run: () => {
        tries++;
        if (tries < 3) throw new ToolError(kind, "nobody is there");
        return "paid";
      },
    });
    const crew = defineCrew({
      name: "shop",
      agents: [{ id: "a", tools: ["Pay"], isTerminal: true }],
      tools: [pay],
      permissions: { Pay: "allow" },
      settings: { retryMinMs: 1, retryMaxMs: 1 },
    });
    const { events } = await play(crew, { a: [{ call: [{ tool: "Pay" }] }, { say: "ok" }] });
    const [ended] = of(events, "call.ended");
    assert.deepEqual([ended?.output, ended?.error?.kind], kind === "network" ? [undefined, kind] : ["paid", undefined]);
  }
});
