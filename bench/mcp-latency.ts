/**
 * MCP latency: one call of a server's tool by a crew, and the same call by the SDK's own client.
 *
 * `node bench/mcp-latency.ts` prints the medians of 200 calls each, by turns, and exits with 1 if a crew's call takes more
 * than 3 ms longer.
 */
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { defineCrew, defineProgram, Engine } from "@baton/core";
import { noDocuments } from "@baton/core/ports";
import { McpHost, mcpTools } from "@baton/mcp";
import { inspectServer, toLockedServer } from "@baton/mcp/lock";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const CALLS = 200;
const WARM_UP = 50;
const MOST_MS = 3;
const NAME = "weather";
const TOOL = "get_weather";
const ARGS = { city: "Chicago" };

const folder = join(import.meta.dirname, "..", "crews", "weather-desk");
const command = [process.execPath, "--no-warnings", join(folder, "server.ts")] as const;
const server = { command, tools: { "*": "read" } } as const;

await using host = new McpHost();
const caller = { tenant: "local", user: "local", documents: noDocuments("a bench has none") };
const inspected = await inspectServer({ host, name: NAME, server, caller });
const lock = { version: 1, servers: { [NAME]: toLockedServer(server, inspected) } } as const;
const times = { from: 0, to: 0 };
const tool = `${NAME}__${TOOL}`;
const program = defineProgram(({ results }) => {
  if (results.length === 0) {
    times.from = performance.now();
    return { call: [{ tool, args: ARGS }] };
  }
  times.to = performance.now();
  return { say: "done", end: true };
});
const crew = defineCrew({
  name: "latency",
  agents: [{ id: "caller", model: { name: "code/call" }, tools: [tool], isTerminal: true }],
  tools: mcpTools({ [NAME]: server }, lock, host),
  programs: new Map([["call", program]]),
});
await using engine = new Engine({ model: () => program });

const [node, ...args] = command;
const client = new Client({ name: "bench", version: "1" });
await client.connect(new StdioClientTransport({ command: node, args }));

const own: number[] = [];
const sdk: number[] = [];
for (let index = 0; index < WARM_UP + CALLS; index++) {
  const before = performance.now();
  await client.callTool({ name: TOOL, arguments: ARGS });
  sdk.push(performance.now() - before);
  await engine.start(crew, { input: "go" }).result;
  own.push(times.to - times.from);
}
await client.close();

const medianOf = (values: readonly number[]) => values.slice(WARM_UP).toSorted((a, b) => a - b)[CALLS / 2] ?? 0;
const [batonMs, sdkMs] = [medianOf(own), medianOf(sdk)];
process.stdout.write(
  `a call by a crew ${batonMs.toFixed(2)} ms, by the SDK ${sdkMs.toFixed(2)} ms, difference ${(batonMs - sdkMs).toFixed(2)} ms\n`,
);
if (batonMs - sdkMs > MOST_MS) process.exitCode = 1;
