/**
 * Engine: a program that runs a crew with a tool and keeps the run in SQLite. The test of installed packages runs it.
 */
import { defineCrew, defineTool, scriptModel } from "@baton/core";
import { DurableEngine } from "@baton/durable";
import { Store } from "@baton/store";
import { openSqlite } from "@baton/store/sqlite";
import { z } from "zod";

const look = defineTool({
  name: "Look",
  description: "What a thing is.",
  effect: "read",
  input: z.object({ thing: z.string() }),
  run: ({ thing }) => `${thing}: short and stout`,
});
const crew = defineCrew({
  name: "tea",
  tools: [look],
  agents: [{ id: "host", tools: ["Look"], isTerminal: true }],
});
const model = scriptModel({
  host: [{ call: [{ tool: "Look", args: { thing: "teapot" } }] }, { say: "It is short and stout." }],
});

await using store = await Store.open({ database: await openSqlite({ path: "runs/baton.db" }) });
await using engine = new DurableEngine({ store, crews: [crew], model: () => model });
const { outcome, content } = await (await engine.start(crew, { input: "What is the teapot?" })).result;
process.stdout.write(`${outcome}: ${content}\n`);
