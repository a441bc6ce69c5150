/**
 * First token: what Baton adds to the way of a model's first word to a client, beside a bare server that streams the
 * same.
 *
 * `node bench/first-token.ts [--rounds 3]`. Added is the time from the request to the model's call plus the time from the
 * model's word to the client. Each side is a process of its own (first-token-server.ts), by turns; this one is the client.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Connection, toPost } from "./http-client.ts";
import { print } from "./report.ts";

const SERVER = join(import.meta.dirname, "first-token-server.ts");
const SIDES = ["bare", "baton"] as const;
const LOADS = [
  { name: "1 stream", streams: 1, delayMs: 50, ms: 4_000 },
  { name: "200 streams", streams: 200, delayMs: 500, ms: 6_000 },
] as const;
const WARM_UP = { name: "", streams: 50, delayMs: 20, ms: 4_000 } as const;
const WORD = /@(\d+),(\d+)@/;
const { values: asked } = parseArgs({ options: { rounds: { type: "string", default: "3" } } });

interface Side {
  readonly child: ChildProcess;
  readonly port: number;
}

type Load = (typeof LOADS)[number] | typeof WARM_UP;

const sides = new Map(await Promise.all(SIDES.map(async (name) => [name, await start(name)] as const)));
try {
  for (const { port } of sides.values()) await measure(port, WARM_UP);
  for (const load of LOADS) await compare(load);
} finally {
  for (const { child } of sides.values()) child.disconnect();
}

async function compare(load: Load): Promise<void> {
  const added = new Map(SIDES.map((name) => [name, new Array<number>()]));
  for (let round = 0; round < Number(asked.rounds); round++) {
    for (const [name, { port }] of sides) added.get(name)?.push(...(await measure(port, load)));
  }
  for (const [name, values] of added) {
    const sorted = values.toSorted((one, other) => one - other);
    const at = (share: number) => sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
    print(`${load.name}, ${name}`, { answers: values.length, "ms added p50": at(0.5), p99: at(0.99) });
  }
}

/** Milliseconds that were added to each first word. */
async function measure(port: number, { streams, delayMs, ms }: Load): Promise<readonly number[]> {
  const added: number[] = [];
  const request = toPost(port, { path: "/api/crew/stream", body: { crew: "talk", query: String(delayMs) } });
  const beganAt = performance.now();
  const follow = async (_: unknown, index: number) => {
    const connection = await Connection.open(port);
    // Not all at once: requests of people come at any time.
    await new Promise((resolve) => {
      setTimeout(resolve, (index / streams) * delayMs);
    });
    while (performance.now() - beganAt < ms) added.push(await ask(connection, request));
    connection.close();
  };
  await Promise.all(Array.from({ length: streams }, follow));
  return added;
}

async function ask(connection: Connection, request: string): Promise<number> {
  let addedNs: bigint | undefined;
  const sentAt = process.hrtime.bigint();
  const answer = await connection.send(request, (text) => {
    if (addedNs !== undefined) return;
    const [, calledAt, saidAt] = WORD.exec(text) ?? [];
    if (calledAt === undefined || saidAt === undefined) return;
    addedNs = BigInt(calledAt) - sentAt + (process.hrtime.bigint() - BigInt(saidAt));
  });
  if (addedNs === undefined) throw new Error(`an answer had no word: ${answer.slice(0, 300)}`);
  return Number(addedNs) / 1e6;
}

async function start(name: string): Promise<Side> {
  const child = spawn(process.execPath, [SERVER, name], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const said: readonly unknown[] = await once(child, "message");
  const port = said[0];
  if (typeof port !== "number") throw new Error(`${name} did not say where it listens`);
  return { child, port };
}
