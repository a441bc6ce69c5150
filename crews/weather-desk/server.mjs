/**
 * Weather server: an MCP server over standard input and output, without a network and without packages.
 *
 * It knows the averages of a July of three cities, so its answers are the same every time.
 */
import { createInterface } from "node:readline";

const JULY = {
  Chicago: { temperature_c: 24, conditions: "warm, with thunderstorms", humidity_percent: 70 },
  "New York": { temperature_c: 25, conditions: "warm and humid", humidity_percent: 64 },
  "Los Angeles": { temperature_c: 23, conditions: "sunny after morning clouds", humidity_percent: 71 },
};
const CITIES = Object.keys(JULY);
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

function answer(method, params) {
  if (method === "initialize")
    return {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "weather", version: "1.0.0" },
    };
  if (method === "tools/list") return { tools: TOOLS };
  if (method !== "tools/call") return undefined;
  if (params.name === "list_cities") return { content: [{ type: "text", text: CITIES.join("\n") }] };
  const weather = JULY[params.arguments?.city];
  if (weather === undefined) return { content: [{ type: "text", text: "that city is not known" }], isError: true };
  return { content: [{ type: "text", text: JSON.stringify(weather) }], structuredContent: weather };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = answer(method, params ?? {});
  const error = { code: -32601, message: `there is no method ${method}` };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) })}\n`);
}
