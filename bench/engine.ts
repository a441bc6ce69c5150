/**
 * Engine: how much time Baton takes beside the least code that does the same work.
 *
 * `node bench/engine.ts [--only=w1] [--json]`. Each side's output is checked before it is timed; a wrong one ends the
 * benchmark. What the figures mean is in this folder's README.
 */
import { parseArgs } from "node:util";
import { Engine } from "@baton/core";
import { batonModel, batonRun } from "./crew.ts";
import { floorRun } from "./floor.ts";
import { compare, compareCrowds, type Comparison, type Crowd } from "./measure.ts";
import { EXPECTED, newWorld, type World, type WorkloadName } from "./workload.ts";

const MAX_RATIO: ReadonlyMap<WorkloadName, number> = new Map([
  ["w1", 2],
  ["w2", 2.5],
  ["w3", 2.5],
  ["w4", 2],
  ["w5", 2],
]);

const CROWD = { runs: 2_000, modelDelayMs: 200, idealMs: 400, maxRatio: 1.4, maxDelayMs: 50 } as const;

interface Row extends Comparison {
  readonly name: string;
  readonly target: number;
}

interface CrowdRow {
  readonly name: "w6";
  readonly idealMs: number;
  readonly ratio: number;
  readonly target: number;
  readonly maxDelayMs: number;
  readonly floor: Crowd;
  readonly baton: Crowd;
}

const { values: options } = parseArgs({ options: { only: { type: "string" }, json: { type: "boolean" } } });

const rows: Row[] = [];
for (const [name, target] of MAX_RATIO) {
  if (isWanted(name)) rows.push({ name, target, ...(await measureRuns(name)) });
}
const crowd = isWanted("w6") ? await measureCrowd() : undefined;
if (options.json === true) console.log(JSON.stringify({ node: process.version, rows, crowd }, null, 2));
else print();

function isWanted(name: string): boolean {
  return options.only === undefined || options.only.split(",").includes(name);
}

async function measureRuns(name: WorkloadName): Promise<Comparison> {
  const worlds = { floor: newWorld(), baton: newWorld() };
  await using engine = new Engine({ model: toModel(worlds.baton) });
  const floor = floorRun(name, worlds.floor);
  const baton = batonRun(name, worlds.baton, engine);
  await checkRun(name, worlds.floor, floor);
  await checkRun(name, worlds.baton, baton);
  return await compare(floor, baton);
}

async function measureCrowd(): Promise<CrowdRow> {
  const { runs, modelDelayMs, idealMs, maxRatio, maxDelayMs } = CROWD;
  const worlds = { floor: newWorld(modelDelayMs), baton: newWorld(modelDelayMs) };
  await using engine = new Engine({ model: toModel(worlds.baton) });
  const floor = floorRun("w2", worlds.floor);
  const baton = batonRun("w2", worlds.baton, engine);
  await checkRun("w2", worlds.floor, floor);
  await checkRun("w2", worlds.baton, baton);
  const measured = await compareCrowds(floor, baton, runs);
  return { name: "w6", idealMs, ratio: measured.baton.wallMs / idealMs, target: maxRatio, maxDelayMs, ...measured };
}

function toModel(world: World): () => ReturnType<typeof batonModel> {
  const model = batonModel(world);
  return () => model;
}

/** A side that leaves work out would look fast. */
async function checkRun(name: WorkloadName, world: World, run: () => Promise<string>): Promise<void> {
  const before = { ...world };
  const text = await run();
  const seen = {
    chars: text.length,
    toolCalls: world.toolCalls - before.toolCalls,
    modelCalls: world.modelCalls - before.modelCalls,
    promptMessages: world.promptMessages,
  };
  const wanted = JSON.stringify(EXPECTED[name]);
  const got = JSON.stringify(seen);
  if (got !== wanted) throw new Error(`${name}: got ${got}, expected ${wanted}`);
}

function print(): void {
  if (rows.length > 0) console.log("workload    floor µs    baton µs     ratio    target");
  for (const { name, floorUs, batonUs, ratio, target } of rows) {
    const cells = [floorUs.toFixed(1), batonUs.toFixed(1), `${ratio.toFixed(2)}×`, toTarget(ratio, target)];
    console.log(name.padEnd(8) + cells.map((cell) => cell.padStart(12)).join(""));
  }
  if (crowd !== undefined) printCrowd(crowd);
}

function printCrowd({ idealMs, floor, baton, ratio, target, maxDelayMs }: CrowdRow): void {
  console.log(`\nw6: ${CROWD.runs} runs at once, ideal ${idealMs} ms`);
  console.log("            wall ms      cpu ms    delay p99   delay max");
  for (const [side, { wallMs, cpuMs, delayP99Ms, delayMaxMs }] of Object.entries({ floor, baton })) {
    const cells = [wallMs, cpuMs, delayP99Ms, delayMaxMs].map((value) => value.toFixed(0).padStart(12));
    console.log(side.padEnd(8) + cells.join(""));
  }
  const delay = toTarget(baton.delayP99Ms, maxDelayMs);
  console.log(`baton is at ${ratio.toFixed(2)}× the ideal (${toTarget(ratio, target)}), its delay p99 ${delay}`);
}

function toTarget(value: number, target: number): string {
  return `${value <= target ? "≤" : "over"} ${target}`;
}
