/**
 * Fault worker: a legacy server over standard input and output that misbehaves as its first argument and its tools say.
 */
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
const [mode = "", log = ""] = process.argv.slice(2);
const SCHEMA = { type: "object", properties: { text: { type: "string" } } };
const NAMES = ["echo", "die", "hang", "big", "noise", "misfit", "steps", "refuse"];
const write = (value: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...value })}\n`);

if (mode === "dead") {
  process.stderr.write("no such database\n");
  process.exit(3);
}

function listTools(): readonly object[] {
  if (mode === "many") return Array.from({ length: 600 }, (_, index) => ({ name: `t${index}`, inputSchema: SCHEMA }));
  if (mode === "long") return [{ name: "echo", description: "x".repeat(70_000), inputSchema: SCHEMA }];
  const names = mode === "renamed" ? NAMES.map((name) => `${name}2`) : NAMES;
  return names.map((name) => ({
    name,
    description: mode === "changed" ? "something else" : `does ${name}`,
    inputSchema: SCHEMA,
    ...(name === "misfit" ? { outputSchema: { type: "object", required: ["answer"] } } : {}),
  }));
}

type Called = Readonly<{ name: string; text: string; token: unknown }>;

function call(id: unknown, { name, text: said, token }: Called): void {
  if (log !== "") appendFileSync(log, `${name}\n`);
  const result = (text: string, more: object = {}) =>
    write({ id, result: { content: [{ type: "text", text }], ...more } });
  switch (name) {
    case "die":
      process.stderr.write("out of memory\n");
      process.exit(7);
      break;
    case "hang":
      break;
    case "big": {
      process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":"`);
      const chunk = "y".repeat(1_048_576);
      for (let megabyte = 0; megabyte < 100; megabyte++) process.stdout.write(chunk);
      process.stdout.write(`"}]}}\n`);
      break;
    }
    case "noise":
      process.stdout.write("starting up\nstill starting\n");
      result("done");
      break;
    case "misfit":
      result("{}", { structuredContent: { other: 1 } });
      break;
    case "steps":
      for (let progress = 1; progress <= 100; progress++)
        write({ method: "notifications/progress", params: { progressToken: token, progress, total: 100 } });
      result("done");
      break;
    case "refuse":
      result("you may not", { isError: true });
      break;
    default:
      result(`echo: ${said}`);
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
const at = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);
const toText = (value: unknown): string => (typeof value === "string" ? value : "");

for await (const line of createInterface({ input: process.stdin })) {
  const message: unknown = JSON.parse(line);
  const [method, params] = [at(message, "method"), at(message, "params")];
  const id = at(message, "id");
  if (method === "initialize") {
    const serverInfo = { name: "faults", version: "1" };
    write({ id, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo } });
  } else if (method === "tools/list") write({ id, result: { tools: listTools() } });
  else if (method === "tools/call")
    call(id, {
      name: toText(at(params, "name")),
      text: toText(at(at(params, "arguments"), "text")),
      token: at(at(params, "_meta"), "progressToken"),
    });
  else if (id !== undefined) write({ id, error: { code: -32_601, message: "no such method" } });
}
