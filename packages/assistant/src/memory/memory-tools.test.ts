import assert from "node:assert/strict";
import { test } from "node:test";
import { callTool, toolContext, toolOf } from "@baton/core/testing";
import { openMemory } from "@baton/store/sqlite";
import { defineMemoryTools } from "./memory-tools.ts";

const TOOLS = defineMemoryTools();
const LAN = { tenant: "acme", user: "lan" };

test("what is saved is in the profile, once, however often the call is tried", async () => {
  const context = toolContext([], { documents: openMemory().documents(LAN) });
  const save = toolOf(TOOLS, "saveToMemory");
  const args = { content: "Grows tomatoes on the balcony", category: "fact" };
  const first = await callTool(save, args, context("1.1.1"));
  assert.deepEqual(await callTool(save, args, context("1.1.1")), first);
  assert.partialDeepStrictEqual(first, { saved: true, operation: "ADD", category: "fact", text: args.content });
  assert.partialDeepStrictEqual(await callTool(save, args, context("2.1.1")), { saved: true, operation: "NOOP" });
  assert.deepEqual(await callTool(toolOf(TOOLS, "loadProfile"), {}, context()), {
    text: "- Grows tomatoes on the balcony",
  });
});
