/**
 * Evals: the cost of scoring runs, of deciding calls by rules, and of faults.
 *
 * `node bench/evals.ts`. Everything is scripted and in memory, but for the faults, which have SQLite stores of their own.
 */
import { type Crew, defineCrew, defineTool, Engine, type Json, type RunEvent, scriptModel } from "@baton/core";
import { parseCase, playCase, scoreRun, toScoredRun } from "@baton/evals";
import { readLogs, runChaos, toPlan } from "@baton/evals/chaos";
import { toGuard, tryPolicies } from "@baton/policy";
import { Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { z } from "zod";

const RUNS = 1_000;
const CALLS = 50;
const ROUNDS = 30;

const look = defineTool({
  name: "Look",
  description: "Looks.",
  effect: "read",
  input: z.object({ id: z.number() }),
  run: ({ id }) => ({ id, price: id * 10 }),
});
const toCrew = (policies?: Json): Crew =>
  defineCrew({
    name: "shop",
    tools: [look],
    agents: [{ id: "a", tools: ["Look"], isTerminal: true }],
    settings: { maxSteps: CALLS + 2 },
    ...(policies !== undefined && { policies }),
  });
const toRule = (at: number): string =>
  `{"name": "rule_${at}", "tools": "Look", "when": "args.id > ${100_000 + at} && !(args.id in facts.item) && calls.exists(c, c.error != null)", "then": "deny", "message": "No."}`;
const RULES: Json = z
  .json()
  .parse(
    JSON.parse(
      `{"facts": {"item": {"from": "Look", "key": "output.id"}}, "rules": [${Array.from({ length: 20 }, (_, at) => toRule(at)).join()}]}`,
    ),
  );
const SCRIPT = {
  a: [
    ...Array.from({ length: CALLS }, (_, id) => ({ call: [{ tool: "Look", args: { id } }] })),
    { say: "It costs 10 USD." },
  ],
};
const CHECKS = parseCase({
  id: "x",
  input: "go",
  expected: "10 USD",
  checks: {
    outcome: "done",
    route: ["a"],
    route_includes: ["a"],
    calls: [{ tool: "Look", args: { id: 3 } }],
    never: ["Pay"],
    denied: [],
    text: { contains: "costs" },
    limits: { steps: 100 },
    pauses: 0,
    grounded: true,
  },
});

async function play(crew: Crew): Promise<readonly RunEvent[]> {
  await using engine = new Engine({ model: () => scriptModel(SCRIPT), guardOf: toGuard });
  const events: RunEvent[] = [];
  for await (const event of engine.start(crew, { input: "go" }).events()) events.push(event);
  return events;
}

const seconds = async (work: () => unknown): Promise<number> => {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
};

/** The least time of two kinds of work by turns: other work of the machine only adds to it. */
async function least(one: () => Promise<unknown>, other: () => Promise<unknown>): Promise<readonly [number, number]> {
  const times: [number, number] = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round++) {
    times[0] = Math.min(times[0], await seconds(one));
    times[1] = Math.min(times[1], await seconds(other));
  }
  return times;
}

const [plain, ruled] = [toCrew(), toCrew(RULES)];
const log = await play(plain);
const scoring = await seconds(async () => {
  for (let run = 0; run < RUNS; run++) await scoreRun(toScoredRun(log), CHECKS.checks, { expected: "10 USD" });
});
console.log(`scored: ${RUNS} runs of ${log.length} events with 10 checks in ${scoring.toFixed(2)} s`);

const logs = Array.from({ length: 100 }, (_, at) => log.map((event) => ({ ...event, run: `run-${at}` }))).flat();
let tried = 0;
const lab = await seconds(() => {
  tried = tryPolicies(RULES, logs).calls;
});
console.log(`lab: ${Math.round(tried / lab).toLocaleString("en")} calls a second with 20 rules`);

const [without, withRules] = await least(
  () => play(plain),
  () => play(ruled),
);
const toMicros = (time: number) => Math.round((time / CALLS) * 1e6);
console.log(`call: ${toMicros(without)} µs without rules, ${toMicros(withRules)} µs with 20`);

await using store = await Store.open({ database: openMemory() });
const one = parseCase({ id: "x", input: "go", checks: { outcome: "done" } });
const short = { a: [{ call: [{ tool: "Look", args: { id: 1 } }] }, { say: "It costs 10 USD." }] };
await playCase(one, 1, { crew: plain, store, model: () => () => scriptModel(short) });
const plan = toPlan(await readLogs(store));
const startProcess = () => Promise.reject(new Error("no process is killed here"));
let faults = 0;
const chaos = await seconds(async () => {
  ({ faults } = await runChaos({ crew: plain, plan, only: ["provider", "tool", "command"], startProcess }));
});
console.log(
  `chaos: ${Math.round((faults / chaos) * 60)} faults a minute, no kills (${faults} in ${chaos.toFixed(1)} s)`,
);
