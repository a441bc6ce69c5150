/**
 * Program: the first program of the documents, as a process of its own: it must end by itself.
 */
import { defineCrew, defineTool, openBaton } from "@baton/baton";
import { z } from "zod";

const getPrice = defineTool({
  name: "GetPrice",
  description: "The price of a thing.",
  effect: "read",
  input: z.object({ thing: z.string() }),
  run: ({ thing }) => ({ thing, euros: 12 }),
});

const crew = defineCrew({
  name: "shop",
  agents: [{ id: "clerk", systemPrompt: "Answer questions about prices.", tools: ["GetPrice"], isTerminal: true }],
  tools: [getPrice],
});

await using baton = await openBaton(); // keys from the environment, runs kept in .baton
const run = baton.start(crew, "What is the teapot?");
for await (const text of run.text()) process.stdout.write(text);
process.stdout.write(`${(await run.result).content}\n`);
await baton.serve({ port: Number(process.env["PORT"] ?? 8080) }); // the same crews over HTTP, with the console
