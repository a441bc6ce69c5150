/** Clients of the AI SDK's chat that send anything, or leave at any time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inSlice } from "@baton/core/testing";
import { PICKS_AND_ASKS, SLOW } from "../../testing/crews.ts";
import { parseFrames } from "../../testing/frames.ts";
import { leaveEarly, sendHostile, toHostileBodies } from "../../testing/hostile-bodies.ts";
import { sentOf } from "../../testing/sent.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";

const USER = { id: "m1", role: "user", parts: [{ type: "text", text: "hello" }] };
const CALL = { type: "tool-erase", toolCallId: "1.1.2", state: "approval-responded", input: { path: "a" } };
const BODIES = [
  { id: "chat", trigger: "submit-message", messageId: "m1", crew: "picks-and-asks", messages: [USER] },
  {
    id: "chat",
    messages: [
      USER,
      {
        id: "m2",
        role: "assistant",
        parts: [
          { type: "step-start" },
          { type: "text", text: "One moment.", state: "done" },
          { ...CALL, approval: { id: "1.1.2", approved: true } },
          { type: "tool-pickColour", toolCallId: "1.1.1", state: "output-available", output: { colour: "blue" } },
        ],
      },
    ],
  },
] as const;

async function checkAlive(server: TestServer): Promise<void> {
  const answer = await server.post("/api/chat", { id: crypto.randomUUID(), messages: [USER] });
  assert.equal(parseFrames(await answer.text()).at(-1)?.data, "[DONE]");
}

test("whatever stands at any place of a chat is answered or refused as a problem, and the server goes on", async () => {
  await using server = await startTestServer([PICKS_AND_ASKS]);
  for (const body of inSlice(BODIES.flatMap(toHostileBodies))) await sendHostile(`${server.url}/api/chat`, body);
  await checkAlive(server);
});

test("clients that leave before, in and after their request leave no stream and no run behind", async () => {
  await using server = await startTestServer([SLOW]);
  const body = JSON.stringify({ id: "chat", messages: [USER] });
  const url = `${server.url}/api/chat`;
  for (const sent of inSlice([1, 20, 60, 120, -1])) await leaveEarly(url, body, { sent });
  for (const read of [1, 1_000]) await leaveEarly(url, body.replace("chat", `chat-${read}`), { read });
  const { runs = [] } = await sentOf(await server.get("/api/runs"));
  assert.equal(runs.length, 2);
  for (const { id } of runs) assert.match(await (await server.get(`/api/runs/${id}/events`)).text(), /"run\.ended"/);
  assert.match(await (await server.get("/metrics")).text(), /^baton_open_streams 0$/m);
  await checkAlive(server);
});
