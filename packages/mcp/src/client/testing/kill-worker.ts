/**
 * Kill worker: a process that serves a crew with two MCP servers until it is killed; it says its address when it is ready.
 *
 * Started as `node kill-worker.ts FOLDER URL`: the data folder, and a server whose tool gives tasks.
 */
import { join } from "node:path";
import { defineCrew, defineProgram } from "@baton/core";
import { startServer } from "@baton/server";
import { Store } from "@baton/store";
import { openSqlite } from "@baton/store/sqlite";
import { inspectServer, toLockedServer } from "../inspect-server.ts";
import { McpHost } from "../mcp-host.ts";
import { mcpTools } from "../mcp-tools.ts";
import { CALLER, programOf } from "./mcp-calls.ts";

const LEASE_MS = 150;
const CALLS = ["own__note", "own__look", "jobs__make", "own__note"];

const [folder = "", url = ""] = process.argv.slice(2);
const host = new McpHost({ data: folder });
const servers = {
  own: { ...programOf("effect-worker.ts", folder), tools: { note: "irreversible", look: "read" } },
  jobs: { url, tools: { make: "irreversible" } },
} as const;
const locked = await Promise.all(
  Object.entries(servers).map(async ([name, server]) => {
    const inspected = await inspectServer({ host, name, server, caller: CALLER });
    return [name, toLockedServer(server, inspected)] as const;
  }),
);
const program = defineProgram(({ state }) => {
  const done = typeof state === "number" ? state : 0;
  const tool = CALLS[done];
  return tool === undefined ? { say: "done", end: true } : { call: [{ tool, args: {} }], state: done + 1 };
});
const crew = defineCrew({
  name: "worker",
  agents: [{ id: "a", model: { name: "code/work" }, tools: CALLS.slice(0, 3), isTerminal: true }],
  tools: mcpTools(servers, { version: 1, servers: Object.fromEntries(locked) }, host),
  programs: new Map([["work", program]]),
  permissions: new Map([["*", "allow"]]),
});
const store = await Store.open({ database: await openSqlite({ path: join(folder, "baton.db") }), leaseMs: LEASE_MS });
const server = await startServer({
  store,
  crews: [{ id: "worker", crew, findings: [] }],
  model: () => program,
  port: 0,
  logLevel: "silent",
});
process.stdout.write(`${server.url}\n`);
process.once("SIGTERM", () => {
  const stop = async () => {
    await server.stop();
    await host[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
  };
  stop().then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
