/** docs/memory.md: its examples give the answers it shows; its tables have every route and tool. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { defineLearnTools, defineMemoryTools } from "@baton/assistant";
import { memoryRoutes } from "@baton/assistant/chat";
import { defineCrew, scriptModel } from "@baton/core";
import { callTool, toolContext, toolOf } from "@baton/core/testing";
import { startServer } from "@baton/server";
import { LOCAL, Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { fetchCurl } from "./curl.ts";
import { assertAnswer, toExamples } from "./http-example.ts";

const page = await readFile(join(import.meta.dirname, "../docs/memory.md"), "utf8");
/** Requests; programs of the page are run by the test of all examples. */
const examples = toExamples(page).filter(({ text }) => text.startsWith("curl"));

/** The first cells of the table under a heading. */
function cellsUnder(heading: string): readonly string[] {
  const from = page.indexOf(`## ${heading}`);
  const end = page.indexOf("\n## ", from);
  const section = page.slice(from, end === -1 ? undefined : end);
  return Array.from(section.matchAll(/^\| `([^`]+)` \|/gm), ([, cell = ""]) => cell);
}

/** What a model reads in the message of the page. */
const statements = [
  { text: "A cautious investor", category: "preference", trait: "risk" },
  { text: "Likes dividends", category: "preference" },
  { text: "Name: Lan", category: "fact", trait: "name" },
];

test("every example gives the answer that is shown", async () => {
  assert.equal(examples.length, 3);
  const database = openMemory();
  await using store = await Store.open({ database });
  const crew = defineCrew({ name: "chat", agents: [{ id: "a", isTerminal: true }] });
  const served = [{ id: "chat", crew, findings: [], graph: "graph TD" }];
  const options = { store, crews: served, model: () => scriptModel({}), routes: memoryRoutes() };
  const server = await startServer({ ...options, port: 0, graceMs: 0, logLevel: "silent" });
  try {
    const input = "I am a cautious investor, I like dividends, call me Lan";
    const context = toolContext([], { documents: database.documents(LOCAL) });
    const tools = defineLearnTools();
    await callTool(toolOf(tools, "keepTurn"), { run: "r", session: "s", input, answer: "Hello" }, context());
    await callTool(toolOf(tools, "saveLearned"), { run: "r", said: [input], learned: { statements } }, context());
    for (const { text, shown = "", line } of examples) {
      const answer = await fetchCurl(text.replaceAll("localhost:8080", server.url.slice("http://".length)), {});
      assertAnswer(answer, shown, `docs/memory.md:${line}`);
    }
  } finally {
    await server.stop();
  }
});

test("its tables have every route and every tool, and no other", () => {
  const routes = memoryRoutes().map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  assert.deepEqual(new Set(cellsUnder("See and change it")), new Set(routes));
  const tools = cellsUnder("In your own assistant");
  assert.deepEqual(new Set(tools), new Set(defineMemoryTools().map(({ name }) => name)));
  for (const { name } of defineLearnTools()) assert.ok(page.includes(`\`${name}\``), name);
});
