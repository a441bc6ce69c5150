/**
 * Sockets: 1,000 WebSockets that follow live text, a server that stops, and the move to another.
 *
 * `node --expose-gc bench/sockets.ts`. Clients are a process of their own. The delay of the event loop with live text is
 * compared to the delay without sockets; what the figures mean is in this folder's README.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { defineCrew, type Model } from "@baton/core";
import { startServer } from "@baton/server";
import { Store } from "@baton/store";
import { openLasting } from "@baton/store/testing";
import { z } from "zod";

const SOCKETS = Number(process.argv[3] ?? 1_000);
const WORDS = 480;
const MESSAGE = z.looseObject({
  hello: z.string().optional(),
  end: z.string().optional(),
  on: z.string().optional(),
  seq: z.number().optional(),
  run: z.string().optional(),
});
const REPORT = z.tuple([z.object({ ended: z.number(), faults: z.number() })], z.unknown());
type ToClient = Readonly<{ url: string; run: string }>;

/** The process with all clients: each follows the run, and goes on at the address that it is told. */
function runClients(): void {
  const places = new Map<number, number>();
  const isEnded = new Set<number>();
  let faults = 0;
  const open = (client: number, { url, run }: ToClient) => {
    const socket = new WebSocket(`${url.replace("http", "ws")}/api/ws`, "baton.v1");
    socket.addEventListener("message", ({ data }) => {
      const message = MESSAGE.parse(JSON.parse(String(data)));
      if (message.hello !== undefined)
        socket.send(JSON.stringify({ id: "f", op: "follow", run, after: places.get(client) ?? 0 }));
      if (message.seq !== undefined) {
        if (message.seq !== (places.get(client) ?? 0) + 1) faults++;
        places.set(client, message.seq);
      }
      if (message.end === "ended") isEnded.add(client);
    });
  };
  process.on("message", (message: ToClient | "report") => {
    if (message === "report") process.send?.({ ended: isEnded.size, faults });
    else for (let client = 0; client < SOCKETS; client++) if (!isEnded.has(client)) open(client, message);
  });
  process.send?.("ready");
}

const crew = defineCrew({ name: "talk", agents: [{ id: "host", isTerminal: true }] });
const usage = { inputTokens: 1, outputTokens: WORDS };
/** Writes a word every 25 ms. */
const model: Model = {
  name: "bench/words",
  async *stream(_, { abort }) {
    for (let word = 0; word < WORDS && !abort.aborted; word++) {
      yield [{ type: "text", text: `word${word} ` }];
      await sleep(25);
    }
    yield [{ type: "end", finish: "stop", usage }];
  },
};

async function serve(database: ReturnType<typeof openLasting>) {
  const store = await Store.open({ database });
  const server = await startServer({
    store,
    crews: [{ id: crew.name, crew, findings: [] }],
    model: () => model,
    port: 0,
    graceMs: 500,
    logTo: { write: () => {} },
  });
  return { server, store };
}

async function report(clients: ChildProcess): Promise<{ ended: number; faults: number }> {
  const answer = once(clients, "message");
  clients.send("report");
  return REPORT.parse(await answer)[0];
}

const BEAT_MS = 5;

/** How late a timer is, at the 99th percentile. */
async function measure(work: () => Promise<void>): Promise<number> {
  const late: number[] = [];
  let at = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    late.push(Math.max(0, now - at - BEAT_MS));
    at = now;
  }, BEAT_MS);
  await work();
  clearInterval(timer);
  return late.toSorted((one, other) => one - other)[Math.floor(late.length * 0.99)] ?? 0;
}

async function main(): Promise<void> {
  const database = openLasting();
  const { server, store } = await serve(database);
  const idle = await measure(() => sleep(2_000));
  const heap = () => {
    globalThis.gc?.();
    return process.memoryUsage().heapUsed + process.memoryUsage().external;
  };
  const before = heap();
  const started = await fetch(`${server.url}/api/runs`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ input: "talk" }),
  });
  const { id: run } = z.looseObject({ id: z.string() }).parse(await started.json());
  const clients = fork(import.meta.filename, ["clients", String(SOCKETS)]);
  await once(clients, "message");
  clients.send({ url: server.url, run });
  await sleep(4_000);
  const perSocket = (heap() - before) / SOCKETS;
  const busy = await measure(() => sleep(4_000));
  const at = performance.now();
  await server.stop();
  const stopMs = performance.now() - at;
  await store[Symbol.asyncDispose]();
  const other = await serve(database);
  clients.send({ url: other.server.url, run });
  for (let seconds = 0; seconds < 60 && (await report(clients)).ended < SOCKETS; seconds++) await sleep(1_000);
  const { ended, faults } = await report(clients);
  clients.kill();
  await other.server.stop();
  await other.store[Symbol.asyncDispose]();
  const lines = [
    `sockets ${SOCKETS}`,
    `memory of the server for each: ${Math.round(perSocket / 1_024)} KiB`,
    `event loop, p99: ${busy.toFixed(1)} ms with live text, ${idle.toFixed(1)} ms idle, ratio ${(busy / idle).toFixed(1)}`,
    `stop with all of them open: ${Math.round(stopMs)} ms`,
    `moved to another server and read to the end: ${ended}, gaps or repeats: ${faults}`,
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  process.exit(ended === SOCKETS && faults === 0 ? 0 : 1);
}

if (process.argv[2] === "clients") runClients();
else await main();
