/**
 * Program: what a step costs if the agent's model is code, beside a scripted model that asks for the same tool calls.
 *
 * `node bench/program.ts [--json]`. A step is a run of 21 steps less a run of one, by 20, so that neither the start nor
 * the end of a run counts. What the figures mean is in this folder's README.
 */
import { parseArgs } from "node:util";
import { type Crew, type Decision, defineCrew, defineProgram, defineTool, Engine, scriptModel } from "@baton/core";
import { z } from "zod";
import { compare, type Comparison } from "./measure.ts";

const STEPS = 20;

/** What a program decides beside its call. */
const EXTRAS: ReadonlyMap<string, Decision> = new Map([
  ["one call", {}],
  ["one call, a value set, a note", { set: { seen: 1 }, notes: [{ kind: "seen", data: { count: 1 } }] }],
]);

const { values: options } = parseArgs({ options: { json: { type: "boolean" } } });

const rows: (Comparison & { readonly name: string })[] = [];
for (const [name, extra] of EXTRAS) rows.push({ name, ...(await measure(extra)) });
if (options.json === true) console.log(JSON.stringify({ node: process.version, rows }, null, 2));
else print();

/** CPU microseconds a step: of the script as `floorUs`, of the program as `batonUs`. */
async function measure(extra: Decision): Promise<Comparison> {
  const long = await measureRuns(extra, STEPS + 1);
  const short = await measureRuns(extra, 1);
  const floorUs = (long.floorUs - short.floorUs) / STEPS;
  const batonUs = (long.batonUs - short.batonUs) / STEPS;
  return { floorUs, batonUs, ratio: batonUs / floorUs };
}

async function measureRuns(extra: Decision, steps: number): Promise<Comparison> {
  const calls = Array.from({ length: steps - 1 }, () => ({ call: [{ tool: "Count" }] }));
  const model = scriptModel({ agent: [...calls, { say: "done" }] });
  await using engine = new Engine({ model: () => model });
  const [script, program] = [toCrew("script", extra, steps), toCrew("code/count", extra, steps)];
  for (const crew of [script, program]) await checkSteps(engine, crew, steps);
  const run = (crew: Crew) => () => engine.start(crew, { input: "go" }).result;
  return await compare(run(script), run(program));
}

/** A crew whose agent calls one tool a step, and answers in the last. */
function toCrew(model: string, extra: Decision, steps: number): Crew {
  const count = defineTool({ name: "Count", description: "", effect: "read", input: z.object({}), run: () => 1 });
  const program = defineProgram(({ state }) => {
    const made = typeof state === "number" ? state : 0;
    return made + 1 === steps ? { say: "done" } : { call: [{ tool: "Count" }], state: made + 1, ...extra };
  });
  return defineCrew({
    name: "count",
    tools: [count],
    programs: { count: program },
    agents: [{ id: "agent", model: { name: model }, tools: ["Count"], isTerminal: true }],
    settings: { maxSteps: 2 * STEPS, maxRepeatedCalls: 0 },
  });
}

/** A side that leaves work out would look fast. */
async function checkSteps(engine: Engine, crew: Crew, steps: number): Promise<void> {
  const events = await Array.fromAsync(engine.start(crew, { input: "go" }).events());
  const count = (type: string) => events.filter((event) => event.type === type).length;
  const [ended, called] = [count("step.ended"), count("call.ended")];
  if (ended !== steps || called !== steps - 1) throw new Error(`${ended} steps and ${called} calls, not ${steps}`);
}

function print(): void {
  console.log(`${"a step with".padEnd(32)}   script µs  program µs     ratio`);
  for (const { name, floorUs, batonUs, ratio } of rows) {
    const cells = [floorUs.toFixed(1), batonUs.toFixed(1), `${ratio.toFixed(2)}×`];
    console.log(name.padEnd(32) + cells.map((cell, at) => cell.padStart(at === 2 ? 10 : 12)).join(""));
  }
}
