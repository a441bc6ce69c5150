/** `baton serve` with TypeScript files. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inFolder } from "../testing/command.ts";
import { Served } from "../testing/served.ts";

const FILES = {
  "package.json": '{"type":"module"}',
  "two.ts": `import { defineCrew } from "@baton/baton";
const agents = [{ id: "a", isTerminal: true }, { id: "lost" }] as const;
export default [defineCrew({ name: "one", agents, entry: "a" }), defineCrew({ name: "two", agents, entry: "a" })];
`,
  "away.ts": `import { threadId } from "node:worker_threads";
import { defineCrew, defineProgram, defineTool } from "@baton/baton";
import { z } from "zod";
const where = defineTool({
  name: "Where", description: "w", effect: "read", input: z.object({}), run: () => "in a thread: " + (threadId > 0),
});
const go = defineProgram(({ results = [] }) =>
  results.length > 0 ? { say: String(results[0]?.output) } : { call: [{ tool: "Where", args: {} }] });
export default defineCrew({
  name: "away", programs: { go }, tools: [where],
  agents: [{ id: "a", model: { name: "code/go" }, tools: ["Where"], isTerminal: true }],
});
`,
};

test("a crew in a TypeScript file is served under its name, and its tools run in a thread of their own", async () => {
  await inFolder(FILES, async (cwd) => {
    await using server = await Served.start(["away.ts", "two.ts", "--model", "offline"], { cwd });
    const crews = await (await server.get("/api/crews")).text();
    for (const id of ["away", "one", "two"]) assert.match(crews, new RegExp(`"id":"${id}"`));
    const run = await server.run({ crew: "away", input: "go" }, { wait: true });
    assert.match(JSON.stringify(run), /in a thread: true/);
    await server.stop();
  });
});
