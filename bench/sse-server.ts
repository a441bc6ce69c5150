/**
 * SSE server: the process that bench/server.ts measures, either Baton or the floor.
 *
 * The floor is the least plain Node that sends as many events, of 85 bytes each: its source is awaited, and frames
 * that are ready in one turn of the event loop leave in one write. Started as `node sse-server.ts baton|floor RUNS`,
 * with so many stored runs; it tells its parent where it listens and, when asked, what memory it has.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Chunk, defineCrew, type Model } from "@baton/core";
import { startServer } from "@baton/server";
import { Store } from "@baton/store";
import { openSqlite } from "@baton/store/sqlite";

/** Where a side listens, and which paths to ask for. */
export interface Ready {
  readonly port: number;
  /** Streams of so many events that end, one for each client. */
  readonly paths: readonly string[];
  readonly events: number;
  /** A stream that stays open. */
  readonly idle: string;
}

const EVENTS = 2_000;
const DELTA = "sixteen chars!! ";
const BATCH_CHARS = 16_384;

/** Talks much, says one word, or never answers, as it is asked to. */
const talker: Model = {
  name: "talker",
  async *stream({ messages }, scope): AsyncGenerator<readonly Chunk[]> {
    const asked = messages.at(-1)?.content;
    if (asked === "hold") await scope.sleep(3_600_000);
    const count = asked === "talk" ? EVENTS : 1;
    for (let index = 0; index < count; index++) yield [{ type: "text", text: DELTA }];
    yield [{ type: "end", finish: "stop", usage: { inputTokens: 1, outputTokens: 1 } }];
  },
};

const ready = process.argv[2] === "baton" ? await startBaton(Number(process.argv[3])) : await startFloor();
process.on("message", () => {
  globalThis.gc?.();
  process.send?.(process.memoryUsage().rss);
});
process.send?.(ready);

async function startBaton(runs: number): Promise<Ready> {
  const folder = await mkdtemp(join(tmpdir(), "baton-bench-"));
  process.on("disconnect", () => {
    rm(folder, { recursive: true, force: true }).then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
  const crew = defineCrew({ name: "talk", agents: [{ id: "a", isTerminal: true }] });
  const store = await Store.open({ database: await openSqlite({ path: join(folder, "baton.db") }) });
  const crews = [{ id: "talk", crew, findings: [] }];
  const { port, url } = await startServer({ store, crews, model: () => talker, port: 0, logLevel: "silent" });
  const talked: string[] = [];
  while (talked.length < runs) talked.push(await begin(url, "talk", { prefer: "wait" }));
  const stuck = await begin(url, "hold", {});
  const events = await store.database.logs.length(talked[0] ?? "");
  const [idle = "", ...paths] = [stuck, ...talked].map((run) => `/api/runs/${run}/events`);
  return { port, paths, events, idle };
}

async function begin(url: string, input: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const body = JSON.stringify({ crew: "talk", input });
  const answer = await fetch(`${url}/api/runs`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  await answer.arrayBuffer();
  return answer.headers.get("x-run-id") ?? "";
}

async function startFloor(): Promise<Ready> {
  process.on("disconnect", () => process.exit(0));
  const server = createServer((request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    if (request.url === "/idle") response.write(": hello\n\n");
    else send(response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1", 4_096);
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { port, paths: ["/stream"], events: EVENTS, idle: "/idle" };
}

/** Writes what is ready in one turn of the event loop at once. */
async function send(response: ServerResponse): Promise<void> {
  let waiting = "";
  let isFull = false;
  let isArmed = false;
  const flush = (): void => {
    isArmed = false;
    if (waiting !== "") isFull = !response.write(waiting);
    waiting = "";
  };
  for await (const event of talk()) {
    waiting += `event: text\ndata: ${JSON.stringify(event)}\n\n`;
    if (waiting.length >= BATCH_CHARS) {
      flush();
      if (isFull) await once(response, "drain");
    } else if (!isArmed) {
      isArmed = true;
      setImmediate(flush);
    }
  }
  flush();
  response.end();
}

/** Events as an agent's run gives them: one after the other, each awaited. */
async function* talk(): AsyncGenerator<object> {
  for (let seq = 0; seq < EVENTS; seq++) yield { type: "text", agent: "A", seq, delta: DELTA };
}
