/**
 * Weather server: an MCP server over standard input and output, without a network and without packages.
 *
 * It knows the averages of a July of three cities, so its answers are the same every time.
 */
import { createInterface } from "node:readline";

const JULY: ReadonlyMap<unknown, object> = new Map([
  ["Chicago", { temperature_c: 24, conditions: "warm, with thunderstorms", humidity_percent: 70 }],
  ["New York", { temperature_c: 25, conditions: "warm and humid", humidity_percent: 64 }],
  ["Los Angeles", { temperature_c: 23, conditions: "sunny after morning clouds", humidity_percent: 71 }],
]);
const CITIES = [...JULY.keys()];
const READS = { readOnlyHint: true };

const TOOLS = [
  {
    name: "get_weather",
    title: "Weather of a city",
    description: "Gives temperature, conditions and humidity of a city, as they are in an average July.",
    inputSchema: {
      type: "object",
      properties: { city: { type: "string", enum: CITIES } },
      required: ["city"],
    },
    outputSchema: {
      type: "object",
      properties: {
        temperature_c: { type: "number" },
        conditions: { type: "string" },
        humidity_percent: { type: "number" },
      },
      required: ["temperature_c", "conditions", "humidity_percent"],
    },
    annotations: READS,
  },
  {
    name: "list_cities",
    title: "Cities",
    description: "Lists the cities whose weather is known.",
    inputSchema: { type: "object", properties: {} },
    annotations: READS,
  },
];

/** The answer to a request; undefined if there is no such method. */
function answer(method: unknown, params: unknown): object | undefined {
  if (method === "initialize")
    return {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "weather", version: "1.0.0" },
    };
  if (method === "tools/list") return { tools: TOOLS };
  if (method !== "tools/call") return undefined;
  if (read(params, "name") === "list_cities") return { content: [{ type: "text", text: CITIES.join("\n") }] };
  const weather = JULY.get(read(read(params, "arguments"), "city"));
  if (weather === undefined) return { content: [{ type: "text", text: "that city is not known" }], isError: true };
  return { content: [{ type: "text", text: JSON.stringify(weather) }], structuredContent: weather };
}

/** A field of a value; undefined if it has none. */
function read(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? new Map<string, unknown>(Object.entries(value)).get(name)
    : undefined;
}

for await (const line of createInterface({ input: process.stdin })) {
  const message: unknown = JSON.parse(line);
  const [id, method] = [read(message, "id"), read(message, "method")];
  if (id === undefined) continue;
  const result = answer(method, read(message, "params"));
  const said = result === undefined ? { error: { code: -32_601, message: "there is no such method" } } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...said })}\n`);
}
