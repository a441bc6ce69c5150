/**
 * Console worker: a process that serves the console and a crew on a SQLite store until it is killed; it says its address
 * when it is ready. The crew's agent writes one half, and the other once the file `DATABASE.go` is there.
 *
 * Started as `node console-worker.ts DATABASE PORT CONSOLE`.
 */
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { defineCrew, type Model } from "@baton/core";
import { Store } from "@baton/store";
import { openSqlite } from "@baton/store/sqlite";
import { startServer } from "../server.ts";
import { toServed } from "./test-server.ts";

const LEASE_MS = 150;
const LOOK_MS = 20;
const WORDS = 20;

const [path = "", port = "0", folder = ""] = process.argv.slice(2);

const model: Model = {
  name: "test/halves",
  async *stream() {
    for (let word = 1; word <= WORDS; word++) yield [{ type: "text", text: `first${word} ` }];
    while (!existsSync(`${path}.go`)) await sleep(LOOK_MS);
    for (let word = 1; word <= WORDS; word++) yield [{ type: "text", text: `second${word} ` }];
    yield [{ type: "end", finish: "stop", usage: { inputTokens: 1, outputTokens: 2 * WORDS } }];
  },
};
const crew = defineCrew({ name: "halves", agents: [{ id: "teller", isTerminal: true }] });
const store = await Store.open({ database: await openSqlite({ path }), leaseMs: LEASE_MS });
const { url } = await startServer({
  store,
  crews: [toServed(crew)],
  model: () => model,
  port: Number(port),
  console: folder,
  logLevel: "silent",
});
process.stdout.write(`${url}\n`);
