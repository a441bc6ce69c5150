/** Results of the librarian's tools for a conversation. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Message } from "@baton/core";
import { z } from "zod";
import { callTool, refusedPaths, toolContext, toolOf } from "@baton/core/testing";
import tools from "./tools.ts";

const CONVERSATION: readonly Message[] = [
  { role: "user", content: "I would like a Coffee, please" },
  { role: "assistant", agent: "librarian", content: "", calls: [{ id: "1.1.1", tool: "GetCurrentTime", args: {} }] },
  { role: "tool", call: "1.1.1", tool: "GetCurrentTime", content: "noon" },
  { role: "assistant", agent: "librarian", content: "It is noon: time for coffee." },
  { role: "user", content: "Thank you" },
];

const call = (name: string, args = {}) => callTool(toolOf(tools, name), args, toolContext(CONVERSATION)());

test("messages are counted in all and by role", async () => {
  assert.deepEqual(await call("GetMessageCount"), { total: 5, user: 2, assistant: 2, tool: 1 });
});

test("a search finds text in any case and returns the newest message first", async () => {
  assert.deepEqual(await call("SearchMessages", { query: "COFFEE" }), {
    query: "COFFEE",
    found: 2,
    hits: [
      { position: 4, from: "librarian", excerpt: "It is noon: time for coffee." },
      { position: 1, from: "user", excerpt: "I would like a Coffee, please" },
    ],
  });
});

test("a search returns no more messages than its limit", async () => {
  assert.partialDeepStrictEqual(await call("SearchMessages", { query: "coffee", limit: 1 }), { found: 1 });
});

test("an excerpt of a long message is cut around the find", async () => {
  const content = `${"before ".repeat(50)}needle${" after".repeat(50)}`;
  const context = toolContext([{ role: "user", content }])();
  const found = JSON.stringify(await callTool(toolOf(tools, "SearchMessages"), { query: "needle" }, context));
  assert.match(found, /needle/);
  assert.ok(found.length < 250, `${found.length} characters`);
});

test("messages are counted by role, by agent and by content", async () => {
  const count = async (filter_by: string, filter_value: string) => call("CountMessagesBy", { filter_by, filter_value });
  assert.partialDeepStrictEqual(await count("role", "tool"), { count: 1 });
  assert.partialDeepStrictEqual(await count("agent", "Librarian"), { count: 2 });
  assert.partialDeepStrictEqual(await count("content", "thank"), { count: 1 });
});

test("a filter that does not exist is refused", async () => {
  const paths = await refusedPaths(toolOf(tools, "CountMessagesBy"), { filter_by: "mood", filter_value: "good" });
  assert.deepEqual(paths, ["filter_by"]);
});

test("a summary names who took part, the questions and the tools", async () => {
  assert.partialDeepStrictEqual(await call("GetConversationSummary"), {
    participants: ["user", "librarian"],
    first_question: "I would like a Coffee, please",
    tools_used: ["GetCurrentTime"],
  });
});

test("the time is that of the clock", async () => {
  const before = new Date().toISOString();
  const { utc } = z.object({ utc: z.iso.datetime() }).parse(await call("GetCurrentTime"));
  assert.ok(utc >= before && utc <= new Date().toISOString());
});
