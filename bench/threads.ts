/**
 * Threads: what it costs that a tool runs in a thread, and what it buys.
 *
 * `node bench/threads.ts [--only=call,cancel,health]`. What the figures mean is in this folder's README.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { type Crew, Engine, scriptModel, type Tool } from "@baton/core";
import { callTool, toolContext, toolOf } from "@baton/core/testing";
import { readCrew } from "@baton/crewfile";
import { ToolThreads } from "@baton/durable/threads";
import { medianOf, print } from "./report.ts";

const CALLS = 2_000;
const ROUNDS = 7;
const CANCELS = 1_000;
const PROBES = 500;
const TOGETHER = 8;
const BATON = join(import.meta.dirname, "../packages/cli/bin/baton.js");

const FILES = {
  "crew.yaml": `version: "1.0"
name: threads
agents: [spinner, talker]
entry_point: talker
settings: { tool_isolation: thread, tool_execution_timeout_seconds: 60, timeout_seconds: 120 }
`,
  "agents/spinner.yaml":
    "id: spinner\nname: S\nrole: spins\nis_terminal: true\ntools: [Spin, Add, AddHere, AddShared]\n",
  "agents/talker.yaml": "id: talker\nname: T\nrole: talks\nis_terminal: true\n",
  "script.yaml":
    "spinner:\n  - call: [{ tool: Spin }]\n  - say: Done.\ntalker:\n  - say: one two three four five six seven eight\n    delay_ms: 20\n",
  "tools.ts": `
import { defineTool } from ${JSON.stringify(import.meta.resolve("@baton/core"))};
import { z } from ${JSON.stringify(import.meta.resolve("zod"))};
const input = z.object({ a: z.number().default(1), b: z.number().default(2) });
const add = ({ a, b }) => ({ sum: a + b });
export default [
  defineTool({ name: "Add", description: "Adds.", effect: "read", input, run: add }),
  defineTool({ name: "AddHere", description: "Adds.", effect: "read", input, run: add, isolation: "inline" }),
  defineTool({ name: "AddShared", description: "Adds.", effect: "read", input, run: add, isolation: "shared" }),
  defineTool({ name: "Spin", description: "Never yields.", effect: "read", input, run: (_, { progress }) => { progress(0); for (;;); } }),
];
`,
};

const { values: options } = parseArgs({ options: { only: { type: "string" } } });
const parts = { call: measureCall, cancel: measureCancel, health: measureHealth };
const folder = await mkdtemp(join(tmpdir(), "baton-bench-"));
try {
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  for (const [name, measure] of Object.entries(parts)) {
    if (options.only === undefined || options.only.split(",").includes(name)) await measure();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function openCrew(threads: ToolThreads): Promise<Crew> {
  const { crew, findings } = await readCrew(folder, { providers: [], threads });
  if (crew === undefined) throw new Error(JSON.stringify(findings));
  return crew;
}

/** One call after the other, inline and in a warm thread by turns; and the first call, which starts the thread. */
async function measureCall(): Promise<void> {
  await using threads = new ToolThreads();
  const tools = [...(await openCrew(threads)).tools.values()];
  const context = toolContext()();
  const time = async (tool: Tool, calls: number): Promise<number> => {
    const began = performance.now();
    for (let call = 0; call < calls; call++) await callTool(tool, { a: call, b: 1 }, context);
    return ((performance.now() - began) / calls) * 1_000;
  };
  /** As many calls at once as one run may have. */
  const timeTogether = async (tool: Tool): Promise<number> => {
    const began = performance.now();
    for (let call = 0; call < CALLS; call += TOGETHER) {
      await Promise.all(Array.from({ length: TOGETHER }, (_, at) => callTool(tool, { a: call + at, b: 1 }, context)));
    }
    return ((performance.now() - began) / CALLS) * 1_000;
  };
  const [inline, threaded, shared] = [toolOf(tools, "AddHere"), toolOf(tools, "Add"), toolOf(tools, "AddShared")];
  const coldUs = await time(threaded, 1);
  const coldSharedUs = await time(shared, 1);
  const rounds: { inlineUs: number; threadUs: number; sharedUs: number; togetherUs: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({
      inlineUs: await time(inline, CALLS),
      threadUs: await time(threaded, CALLS),
      sharedUs: await time(shared, CALLS),
      togetherUs: await timeTogether(shared),
    });
  }
  print("call", {
    "inline µs": medianOf(rounds.map(({ inlineUs }) => inlineUs)),
    "thread µs": medianOf(rounds.map(({ threadUs }) => threadUs)),
    "shared µs": medianOf(rounds.map(({ sharedUs }) => sharedUs)),
    "shared µs, 8 at once": medianOf(rounds.map(({ togetherUs }) => togetherUs)),
    "first call ms": coldUs / 1_000,
    "first shared call ms": coldSharedUs / 1_000,
  });
}

/** Runs whose tool never yields, cancelled one after the other: how long a cancel takes, and what stays behind. */
async function measureCancel(): Promise<void> {
  await using threads = new ToolThreads();
  const crew = await openCrew(threads);
  const model = scriptModel({ spinner: [{ call: [{ tool: "Spin" }] }] });
  await using engine = new Engine({ model: () => model });
  const tookMs: number[] = [];
  let stopped = 0;
  const cancelOne = async (): Promise<void> => {
    const run = engine.start(crew, { input: "go", agent: "spinner" });
    for await (const { type } of run.events()) if (type === "call.progressed") break;
    const began = performance.now();
    const { receipt } = await run.command({ type: "cancel" });
    tookMs.push(performance.now() - began);
    if (receipt?.abandoned.length === 0) stopped++;
  };
  for (let count = 0; count < CANCELS; count++) await cancelOne();
  // The last thread may still be ending; one that is left behind would keep this waiting for ever.
  while (threads.size > 0) await new Promise((resolve) => setImmediate(resolve));
  const sorted = tookMs.toSorted((one, other) => one - other);
  print("cancel", {
    cancels: tookMs.length,
    "stopped by the receipt": stopped,
    "median ms": medianOf(tookMs),
    "p99 ms": sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
    "threads left": threads.size,
    "scopes left": engine.open,
  });
}

/** A real server whose tool spins: how fast /health answers, and whether another run's stream comes in time. */
async function measureHealth(): Promise<void> {
  const args = ["serve", folder, "--port", "0", "--data", join(folder, "data")];
  const env = { ...process.env, BATON_MODEL: "script" };
  const server = spawn(process.execPath, [BATON, ...args], { stdio: ["ignore", "pipe", "inherit"], env });
  try {
    const url = await addressOf(server.stdout);
    const headers = { "content-type": "application/json" };
    const crew = folder.slice(folder.lastIndexOf("/") + 1);
    const ask = (body: object) => fetch(url + "/api/runs", { method: "POST", headers, body: JSON.stringify(body) });
    const idle = await probe(url);
    await fetch(`${url}/api/crew/stream?q=go&crew=${crew}`).then((answer) => answer.text());
    await fetch(`${url}/api/crew/stream`, {
      method: "POST",
      headers: { ...headers, prefer: "wait=0" },
      body: JSON.stringify({ query: "go", crew, resume_agent_id: "spinner" }),
    });
    const spinning = await probe(url);
    const began = performance.now();
    await (await ask({ crew, input: "go" })).text();
    const stream = await fetch(`${url}/api/crew/stream?q=go&crew=${crew}`);
    await stream.text();
    print("health", {
      "idle p99 ms": idle,
      "p99 ms while a tool spins": spinning,
      "another run's stream ms": performance.now() - began,
    });
  } finally {
    server.kill("SIGKILL");
    await once(server, "exit");
  }
}

async function probe(url: string): Promise<number> {
  const tookMs: number[] = [];
  for (let count = 0; count < PROBES; count++) {
    const began = performance.now();
    await (await fetch(`${url}/health`)).text();
    tookMs.push(performance.now() - began);
  }
  return tookMs.toSorted((one, other) => one - other)[Math.floor(PROBES * 0.99)] ?? Number.NaN;
}

async function addressOf(output: AsyncIterable<Buffer>): Promise<string> {
  let text = "";
  for await (const chunk of output) {
    text += chunk.toString();
    const found = /^listening on (http:\S+)$/m.exec(text);
    if (found?.[1] !== undefined) return found[1];
  }
  throw new Error(`the server did not start: ${text}`);
}
