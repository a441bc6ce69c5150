/**
 * Serving: runs a second from POST to result, and what one costs in CPU time, for two checkouts by turns beside a bare
 * server.
 *
 * `node bench/serving.ts [--before DIR] [--rounds 7] [--seconds 2] [--connections 16,50,200]`. Every side is a process of
 * its own: `baton serve crews/hello` of a checkout on SQLite, with default settings, or the least node:http that parses
 * and answers JSON. What the figures mean is in this folder's README. Linux only: CPU time is read from /proc.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Connection, toPost } from "./http-client.ts";
import { medianOf, print } from "./report.ts";

const { values: asked } = parseArgs({
  options: {
    before: { type: "string" },
    rounds: { type: "string", default: "7" },
    seconds: { type: "string", default: "2" },
    connections: { type: "string", default: "16,50,200" },
    bare: { type: "boolean", default: false },
  },
});
/** So many runs until the compiler is done, however long that takes on a busy machine. */
const WARM_UP_RUNS = 6_000;
const WARM_UP = { connections: 50, ms: 1_000 } as const;
/** Of /proc/PID/stat, on all Linux there is. */
const TICKS_PER_SECOND = 100;
const LISTENING = /listening on http:\/\/127\.0\.0\.1:(\d+)/;
const HERE = join(import.meta.dirname, "..");

interface Side {
  readonly child: ChildProcess;
  readonly port: number;
}

interface Load {
  readonly runs: number;
  readonly perSecond: number;
  readonly cpuUs: number;
}

if (asked.bare) serveBare();
else await measureAll();

/** What any server of JSON must do: read a body, parse it, answer as much as Baton answers. */
function serveBare(): void {
  const answer = JSON.stringify({ id: "x".repeat(30), result: "x".repeat(600), links: "x".repeat(200) });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      JSON.parse(Buffer.concat(chunks).toString());
      response.writeHead(200, { "Content-Type": "application/json" }).end(answer);
    });
  });
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    console.log(`listening on http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`);
  });
}

async function measureAll(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "baton-serving-"));
  const sides = new Map<string, Side>();
  try {
    sides.set("bare", await start([import.meta.filename, "--bare"], folder));
    if (asked.before !== undefined) sides.set("before", await startBaton("before", asked.before, folder));
    sides.set("after", await startBaton("after", HERE, folder));
    for (const side of sides.values()) await warmUp(side);
    for (const connections of asked.connections.split(",").map(Number)) await compare(sides, connections);
  } finally {
    await Promise.all(Array.from(sides.values(), stop));
    await rm(folder, { recursive: true, force: true });
  }
}

async function warmUp(side: Side): Promise<void> {
  for (let runs = 0; runs < WARM_UP_RUNS;) runs += (await load(side, WARM_UP.connections, WARM_UP.ms)).runs;
}

async function compare(sides: ReadonlyMap<string, Side>, connections: number): Promise<void> {
  const loads = new Map(Array.from(sides.keys(), (name) => [name, new Array<Load>()]));
  for (let round = 0; round < Number(asked.rounds); round++) {
    for (const [name, side] of sides)
      loads.get(name)?.push(await load(side, connections, Number(asked.seconds) * 1_000));
  }
  for (const [name, measured] of loads) {
    const cpu = measured.map(({ cpuUs }) => cpuUs);
    print(`${connections} connections, ${name}`, {
      "runs/s": medianOf(measured.map(({ perSecond }) => perSecond)),
      "CPU µs a run": medianOf(cpu),
      least: Math.min(...cpu),
    });
  }
  const [before = [], after = []] = [loads.get("before"), loads.get("after")];
  if (before.length > 0)
    print(`${connections} connections, ratio of each round, median`, {
      "runs/s after / before": medianRatio(after, before, ({ perSecond }) => perSecond),
      "CPU before / after": medianRatio(before, after, ({ cpuUs }) => cpuUs),
    });
}

function medianRatio(ones: readonly Load[], others: readonly Load[], valueOf: (load: Load) => number): number {
  return medianOf(
    ones.map((one, round) => {
      const other = others[round];
      return other === undefined ? Number.NaN : valueOf(one) / valueOf(other);
    }),
  );
}

async function load({ child, port }: Side, connections: number, ms: number): Promise<Load> {
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(port)));
  const request = toPost(port, {
    path: "/api/runs",
    body: { crew: "hello", input: "Hello!" },
    headers: ["Prefer: wait"],
  });
  let runs = 0;
  const spent = cpuSeconds(child);
  const began = performance.now();
  await Promise.all(
    open.map(async (connection) => {
      while (performance.now() - began < ms) {
        const answer = await connection.send(request);
        if (!answer.startsWith("HTTP/1.1 200")) throw new Error(`a run was answered with ${answer.slice(0, 300)}`);
        runs += 1;
      }
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  const cpuUs = ((cpuSeconds(child) - spent) * 1e6) / runs;
  for (const connection of open) connection.close();
  return { runs, perSecond: runs / seconds, cpuUs };
}

/** Of all threads of a process. */
function cpuSeconds({ pid }: ChildProcess): number {
  const [, text = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const [user, system] = text.split(" ").slice(11, 13);
  return (Number(user) + Number(system)) / TICKS_PER_SECOND;
}

function startBaton(name: string, checkout: string, folder: string): Promise<Side> {
  const command = join(checkout, "packages/cli/bin/baton.js");
  const crew = join(checkout, "crews/hello");
  return start([command, "serve", crew, "--port", "0", "--data", join(folder, name)], folder);
}

/** Log lines are read, as a log collector would, and thrown away. */
async function start(command: readonly string[], folder: string): Promise<Side> {
  const child = spawn(process.execPath, [...command], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], HOME: folder },
  });
  let said = "";
  const port = await new Promise<number>((resolve, reject) => {
    const hear = (text: Buffer) => {
      if (said.length > 10_000) return;
      said += text.toString();
      const found = LISTENING.exec(said)?.[1];
      if (found !== undefined) resolve(Number(found));
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("exit", () => reject(new Error(`${command.join(" ")} did not start: ${said}`)));
  });
  return { child, port };
}

async function stop({ child }: Side): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
}
