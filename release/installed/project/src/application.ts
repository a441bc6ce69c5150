/**
 * Application: a program on the one import: it starts a run, prints its text as it streams, serves its crew and ends.
 * The test of installed packages runs it without a key.
 */
import { defineCrew, defineTool, openBaton } from "@baton/baton";
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
  agents: [{ id: "host", systemPrompt: "You know tea things.", tools: ["Look"], isTerminal: true }],
});

await using baton = await openBaton();
const run = baton.start(crew, "What is the teapot?");
let shown = "";
for await (const text of run.text()) shown += text;
const { content, outcome } = await run.result;
const served = await baton.serve({ port: 0 });
const page = await (await fetch(served.url)).text();
const crews = await (await fetch(`${served.url}/api/crews`)).text();
const isShown = shown !== "" && content.endsWith(shown.trim());
process.stdout.write(`${outcome} ${isShown} ${page.includes("<title>Baton")} ${crews.includes('"tea"')}\n`);
