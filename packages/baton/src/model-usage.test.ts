/** Tokens of a provider's cache, from the wire to the step, the result and the record of a run. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { defineCrew } from "@baton/core";
import { of } from "@baton/core/testing";
import { openBaton } from "./index.ts";

const USAGE = { input_tokens: 10, cache_read_input_tokens: 2_000, cache_creation_input_tokens: 300, output_tokens: 1 };
const message = { id: "m", type: "message", role: "assistant", model: "c", content: [], usage: USAGE };
const EVENTS = [
  { type: "message_start", message },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Well." } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 100 } },
  { type: "message_stop" },
];

test("cached and cache-written tokens are part of the input, each at its price, in step, result and record", async () => {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(EVENTS.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const env = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: `http://127.0.0.1:${address.port}` };
  const crew = defineCrew({ name: "c", agents: [{ id: "a", isTerminal: true }] });
  await using baton = await openBaton({ store: "memory", model: "anthropic/claude-sonnet-4-5", env });
  const run = baton.start(crew, "hi");
  const events = await Array.fromAsync(run.events());
  const { usage, costUsd } = await run.result;
  const expected = { inputTokens: 2_310, outputTokens: 100, cachedTokens: 2_000, cacheWriteTokens: 300 };
  const cost = (10 * 3 + 2_000 * 0.3 + 300 * 3.75 + 100 * 15) / 1e6;
  const [step] = of(events, "step.ended");
  assert.deepEqual(step?.usage, expected);
  assert.deepEqual({ ...usage, reasoningTokens: 0 }, { ...expected, reasoningTokens: 0 });
  for (const usd of [step?.costUsd, costUsd]) assert.ok(Math.abs((usd ?? 0) - cost) < 1e-12, String(usd));
  const [record] = await baton.runs();
  assert.deepEqual(
    [record?.inputTokens, record?.cachedTokens, record?.cacheWriteTokens],
    [expected.inputTokens, expected.cachedTokens, expected.cacheWriteTokens],
  );
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
});
