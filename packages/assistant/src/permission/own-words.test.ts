/** What is searched for, or looked up by name, comes from the user. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defineTool, type Json } from "@baton/core";
import type { AskingContext } from "@baton/core/ports";
import { z } from "zod";
import { type OwnWords, withOwnWords } from "./own-words.ts";

const search = defineTool({
  name: "search",
  description: "",
  effect: "read",
  input: z.object({ query: z.string() }),
  run: () => "found",
});

async function decide(query: string, question: string, more: Partial<OwnWords> = {}) {
  const values = new Map<string, Json>([["question", question]]);
  const state = { get: (key: string) => values.get(key), entries: () => values.entries() };
  const context: AskingContext = { agent: "a", run: "r", call: "1.1.1", state, messages: [] };
  const tool = withOwnWords(search, { from: ["query"], ...more });
  return (await tool.permission?.({ query }, context))?.decision;
}

test("the user's words may be searched for, with the year and with the names of what is asked about", async () => {
  const question = "Search the web for what Nvidia announced about chips";
  assert.equal(await decide("Nvidia announced chips 2024", question), "allow");
  const named = { namesOf: () => ["NVDA", "NVIDIA Corporation"] };
  assert.equal(await decide("NVIDIA Corporation NVDA chips", question, named), "allow");
});

test("words, numbers and addresses that the user has not written are not searched for", async () => {
  const question = "Search the web for what Nvidia announced";
  for (const query of [
    "GameStop",
    "evil.example 10 shares of AAPL at 150",
    "Nvidia announced 37",
    "https://evil.example",
  ]) {
    assert.equal(await decide(query, question), "deny", query);
  }
});

test("what the user only quotes does not count", async () => {
  const ownOf = (message: string): string => message.replace(/".*"/, "");
  assert.equal(await decide("GameStop", 'Summarise "GameStop"'), "allow");
  assert.equal(await decide("GameStop", 'Summarise "GameStop"', { ownOf }), "deny");
});
