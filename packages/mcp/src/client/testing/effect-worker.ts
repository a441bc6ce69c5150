/**
 * Effect worker: a legacy server whose tools write down what they did, and which goes on when its input ends.
 *
 * Started as `node effect-worker.ts FOLDER`: `effects` there has a line for each effect, `pids` one for each process.
 */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

const [folder = ""] = process.argv.slice(2);
const STEP_MS = 15;
appendFileSync(join(folder, "pids"), `${process.pid}\n`);
setInterval(() => {}, 60_000);

const inputSchema = { type: "object", properties: {} };
const TOOLS = ["note", "look"].map((name) => ({ name, description: name, inputSchema }));
const at = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;

async function answer(method: unknown, params: unknown): Promise<object | undefined> {
  if (method === "initialize")
    return {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "effects", version: "1" },
    };
  if (method === "tools/list") return { tools: TOOLS };
  if (method !== "tools/call") return undefined;
  await sleep(STEP_MS);
  if (at(params, "name") === "note")
    appendFileSync(join(folder, "effects"), `${JSON.stringify(at(at(params, "_meta"), "baton/key"))}\n`);
  await sleep(STEP_MS);
  return { content: [{ type: "text", text: "done" }] };
}

async function receive(line: string): Promise<void> {
  const message: unknown = JSON.parse(line);
  const id = at(message, "id");
  if (id === undefined) return;
  const result = await answer(at(message, "method"), at(message, "params"));
  const said = result === undefined ? { error: { code: -32_601, message: "no such method" } } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...said })}\n`);
}

process.stdout.on("error", () => {});
createInterface({ input: process.stdin }).on("line", (line) => {
  receive(line).catch(() => process.exit(1));
});
