/**
 * First-token server: the process that bench/first-token.ts measures, Baton on SQLite or the least node:http.
 *
 * Its model waits as many milliseconds as it is asked for, then says when it was called and what time it is: the
 * monotonic clock is the same in all processes of a machine. Started as `node first-token-server.ts baton|bare`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Chunk, defineCrew } from "@baton/core";
import { startServer } from "@baton/server";
import { Store } from "@baton/store";
import { openSqlite } from "@baton/store/sqlite";
import { z } from "zod";

const BODY = z.object({ query: z.string() });
const MAX_RUNS = 10_000;

if (process.argv[2] === "baton") await serveBaton();
else serveBare();

/** One word that holds its own times. */
async function say(asked: string): Promise<string> {
  const calledAt = process.hrtime.bigint();
  await sleep(Number(asked));
  return `@${calledAt},${process.hrtime.bigint()}@`;
}

function serveBare(): void {
  process.on("disconnect", () => process.exit(0));
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { query } = BODY.parse(JSON.parse(Buffer.concat(chunks).toString()));
      response.writeHead(200, { "Content-Type": "text/event-stream" }).flushHeaders();
      say(query).then(
        (text) => response.end(`data: ${JSON.stringify({ text })}\n\n`),
        () => response.destroy(),
      );
    });
  });
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    process.send?.(typeof address === "object" ? address?.port : undefined);
  });
}

async function serveBaton(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "baton-first-"));
  process.on("disconnect", () => {
    rm(folder, { recursive: true, force: true }).then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
  const crew = defineCrew({ name: "talk", agents: [{ id: "a", isTerminal: true }] });
  const model = {
    name: "clock",
    async *stream({ messages }: { readonly messages: readonly { readonly content: string }[] }) {
      yield [{ type: "text", text: await say(messages.at(-1)?.content ?? "0") }] satisfies Chunk[];
      yield [{ type: "end", finish: "stop", usage: { inputTokens: 1, outputTokens: 1 } }] satisfies Chunk[];
    },
  };
  const store = await Store.open({ database: await openSqlite({ path: join(folder, "baton.db") }) });
  const crews = [{ id: "talk", crew, findings: [] }];
  const options = { store, crews, model: () => model, port: 0, logLevel: "silent", maxRuns: MAX_RUNS } as const;
  const { port } = await startServer(options);
  process.send?.(port);
}
