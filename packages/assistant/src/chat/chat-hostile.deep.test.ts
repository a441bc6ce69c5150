/** Clients of the assistant's chat that send anything, or leave at any time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inSlice } from "@baton/core/testing";
import { leaveEarly, sendHostile, toHostileBodies } from "@baton/server/testing/hostile";
import { z } from "zod";
import { DESK } from "./testing/chat-harness.ts";
import { type ChatServer, parseSent, PATHS, startChatServer } from "./testing/chat-server.ts";

const REPLIES = { intent_model: [{ say: '{"route":"direct"}' }], direct: [{ say: "Hello there.", delayMs: 5 }] };
const [PATH] = PATHS;
const BODY = {
  question_input: "hello",
  session_id: "mine",
  crew: "desk",
  mode: "auto",
  model_name: "gpt-5-mini",
  provider_type: "openai",
  ui_context: { page: "portfolio", symbols: ["VNM"] },
  images: [{ data: "iVBORw0KGgo=", media_type: "image/png", alt_text: "a dot" }],
  enable_thinking: true,
  enable_tools: true,
  enable_web_search: false,
  enable_compaction: true,
  tool_search_mode: "auto",
} as const;
const RUNS = z.object({ runs: z.array(z.object({ id: z.string() })) });

async function checkAlive(server: ChatServer): Promise<void> {
  const answer = await server.post(PATH, { question_input: "hello" });
  assert.equal(parseSent(await answer.text()).at(-1)?.frame.type, "[DONE]");
}

test("whatever stands at any place of a request is answered or refused as a problem, and the server goes on", async () => {
  await using server = await startChatServer({ crew: DESK, replies: REPLIES });
  const { model_name: _, provider_type: __, crew: ___, images: ____, ...plain } = BODY;
  for (const body of inSlice([BODY, plain].flatMap(toHostileBodies))) await sendHostile(server.url + PATH, body);
  await checkAlive(server);
});

test("clients that leave before, in and after their request leave no stream and no run behind", async () => {
  await using server = await startChatServer({ crew: DESK, replies: REPLIES });
  const url = server.url + PATH;
  const body = JSON.stringify({ question_input: "hello" });
  for (const sent of inSlice([1, 20, 60, 120, -1])) await leaveEarly(url, body, { sent });
  for (const read of [1, 400]) await leaveEarly(url, body, { read });
  const { runs } = RUNS.parse(await (await server.get("/api/runs")).json());
  assert.equal(runs.length, 2);
  for (const { id } of runs) assert.match(await (await server.get(`/api/runs/${id}/events`)).text(), /"run\.ended"/);
  assert.match(await (await server.get("/metrics")).text(), /^baton_open_streams 0$/m);
  await checkAlive(server);
});
