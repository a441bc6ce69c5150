/**
 * Server: events a second to many streams beside the least code that sends them, runs a second end to end, and what an
 * idle stream costs.
 *
 * `node bench/server.ts`. Each side is a process of its own, by turns; this one is the client, on raw sockets. What
 * the figures mean is in this folder's README.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { medianOf, print } from "./report.ts";
import type { Ready } from "./sse-server.ts";

const SERVER = join(import.meta.dirname, "sse-server.ts");
const ROUNDS = 5;
/** Streams at once, how many altogether in a round, and how many runs they are of. */
const LOADS = [
  { streams: 1, total: 20, runs: 1 },
  { streams: 100, total: 100, runs: 1 },
  { streams: 100, total: 100, runs: 100 },
  { streams: 2_000, total: 2_000, runs: 1 },
] as const;
/** The last bytes of an answer: who waited for the connection to close would measure when a server closes it. */
const LAST_CHUNK = Buffer.from("0\r\n\r\n");
const IDLE = 2_000;
const RUNS = 2_000;
const RUNS_AT_ONCE = 50;

/** A side that answers. */
interface Side {
  readonly child: ChildProcess;
  readonly ready: Ready;
}

for (const name of ["floor", "baton"]) {
  const side = await start(name, 1);
  print(`idle streams, ${name}`, { "KB each": await measureIdle(side) });
  await stop(side);
}
const sides = { floor: await start("floor", 1), baton: await start("baton", 100) };
for (const load of LOADS) {
  const rates: Record<keyof typeof sides, number[]> = { floor: [], baton: [] };
  for (let round = 0; round < ROUNDS; round++) {
    rates.floor.push(await measureStreams(sides.floor.ready, load));
    rates.baton.push(await measureStreams(sides.baton.ready, load));
  }
  const [floor, baton] = [medianOf(rates.floor), medianOf(rates.baton)];
  print(`${load.streams} streams of ${load.runs === 1 ? "one run" : `${load.runs} runs`}`, {
    "floor events/s": floor,
    "Baton events/s": baton,
    ratio: baton / floor,
  });
}
print("runs", { "a second, one turn, from POST to result": await measureRuns(sides.baton.ready) });
await Promise.all(Object.values(sides).map(stop));

async function start(name: string, runs: number): Promise<Side> {
  const child = spawn(process.execPath, ["--expose-gc", SERVER, name, String(runs)], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  return { child, ready: await hear(child, isReady) };
}

async function stop({ child }: Side): Promise<void> {
  child.disconnect();
  await once(child, "exit");
}

async function measureStreams({ port, paths, events }: Ready, load: (typeof LOADS)[number]): Promise<number> {
  const { streams, total, runs } = load;
  const follow = (index: number) => readToEnd(port, paths[index % Math.min(runs, paths.length)] ?? "");
  return events * (await rateOf(total, streams, follow));
}

/** How many times a second something is done, so many at once, so many times altogether. */
async function rateOf(total: number, atOnce: number, work: (index: number) => Promise<void>): Promise<number> {
  const began = performance.now();
  let left = total;
  const goOn = async (): Promise<void> => {
    while (left > 0) await work(--left);
  };
  await Promise.all(Array.from({ length: atOnce }, goOn));
  return (total * 1_000) / (performance.now() - began);
}

/** Reads a stream up to its last chunk. */
function readToEnd(port: number, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = request(port, path);
    let tail = Buffer.alloc(0);
    socket.on("data", (bytes) => {
      tail = bytes.length < LAST_CHUNK.length ? Buffer.concat([tail, bytes]) : bytes;
      tail = tail.subarray(-LAST_CHUNK.length);
      if (tail.equals(LAST_CHUNK)) socket.destroy();
    });
    socket.on("end", () => socket.destroy(new Error("a stream was cut off")));
    socket.on("close", () => resolve());
    socket.on("error", reject);
  });
}

function request(port: number, path: string): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
  return socket;
}

async function measureRuns({ port }: Ready): Promise<number> {
  const body = JSON.stringify({ crew: "talk", input: "one word" });
  const headers = { "content-type": "application/json", prefer: "wait" };
  const post = async (): Promise<void> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/runs`, { method: "POST", headers, body });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`a run was answered with ${answer.status}`);
  };
  return rateOf(RUNS, RUNS_AT_ONCE, post);
}

async function measureIdle({ child, ready }: Side): Promise<number> {
  const before = await memoryOf(child);
  const sockets = await Promise.all(
    Array.from({ length: IDLE }, async () => {
      const socket = request(ready.port, ready.idle);
      await once(socket, "data");
      return socket;
    }),
  );
  await new Promise((resolve) => {
    setTimeout(resolve, 500);
  });
  const after = await memoryOf(child);
  for (const socket of sockets) socket.destroy();
  return (after - before) / IDLE / 1_024;
}

/** Resident, in bytes. */
async function memoryOf(child: ChildProcess): Promise<number> {
  child.send("memory");
  return hear(child, isNumber);
}

/** The next message of a side, which is what is expected. */
function hear<T>(child: ChildProcess, isExpected: (message: unknown) => message is T): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once("message", (message: unknown) => {
      if (isExpected(message)) resolve(message);
      else reject(new Error(`a side said ${JSON.stringify(message)}`));
    });
  });
}

function isReady(message: unknown): message is Ready {
  return typeof message === "object" && message !== null && "paths" in message;
}

function isNumber(message: unknown): message is number {
  return typeof message === "number";
}
