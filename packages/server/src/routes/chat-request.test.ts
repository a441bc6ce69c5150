import assert from "node:assert/strict";
import { test } from "node:test";
import { RELAY } from "../testing/crews.ts";
import { startTestServer } from "../testing/test-server.ts";

test("a message of images alone is told that it has no text, in every chat protocol", async () => {
  await using server = await startTestServer([RELAY]);
  const url = "data:image/png;base64,YQ==";
  const source = { type: "data", value: "YQ==", mimeType: "image/png" };
  const chat = [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }];
  const input = [{ role: "user", content: [{ type: "input_image", image_url: url }] }];
  const parts = [{ type: "file", url, mediaType: "image/png" }];
  const agui = [{ role: "user", content: [{ type: "image", source }] }];
  const table = [
    ["/v1/chat/completions", { model: "relay", messages: chat }, "messages.0.content"],
    ["/v1/responses", { model: "relay", input }, "input.0.content"],
    ["/api/chat", { id: "c", messages: [{ role: "user", parts }] }, "messages.0.parts"],
    ["/api/agui", { threadId: "t", runId: "r", messages: agui }, "messages.0.content"],
  ] as const;
  for (const [path, body, field] of table) {
    const answer = await server.post(path, body);
    const text = await answer.text();
    assert.equal(answer.status, 400, path);
    assert.ok(text.includes(field) && text.includes("has images, but no text"), text);
  }
});
