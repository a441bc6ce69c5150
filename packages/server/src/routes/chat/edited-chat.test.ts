/** A client's chat shows what its session remembers, also after the client has edited or restored it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew } from "@baton/core";
import type { UIMessage } from "ai";
import { z } from "zod";
import { Chat } from "../../testing/chat.ts";
import { sentOf } from "../../testing/sent.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";

const TALK = {
  crew: defineCrew({ name: "talk", agents: [{ id: "a", isTerminal: true }] }),
  script: { a: [{ say: "So it is." }] },
};
const MESSAGES = z.array(z.object({ content: z.string() }));

async function remembered(server: TestServer, { id }: Chat): Promise<readonly string[]> {
  const { messages } = await sentOf(await server.get(`/api/sessions/${id}/messages`));
  return MESSAGES.parse(messages).map(({ content }) => content);
}

const textsOf = ({ messages }: Chat) =>
  messages.map(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(""));

async function say(chat: Chat, text: string): Promise<void> {
  await chat.sendMessage({ text });
  assert.equal(chat.error, undefined);
}

test("an answer that the user has thrown away is forgotten, with all that came after it", async () => {
  await using server = await startTestServer([TALK]);
  const chat = new Chat(`${server.url}/api/chat`);
  for (const text of ["one", "two", "three"]) await say(chat, text);
  const [, , , second] = chat.messages;
  await chat.regenerate({ messageId: second?.id ?? assert.fail() });
  assert.equal(chat.error, undefined);
  assert.deepEqual(textsOf(chat), ["one", "So it is.", "two", "So it is."]);
  assert.deepEqual(await remembered(server, chat), textsOf(chat));
  await say(chat, "four");
  assert.deepEqual(await remembered(server, chat), textsOf(chat));
});

test("a message that the user has changed takes the place of the old one and of all that came after it", async () => {
  await using server = await startTestServer([TALK]);
  const chat = new Chat(`${server.url}/api/chat`);
  for (const text of ["one", "two"]) await say(chat, text);
  const messageId = chat.messages[0]?.id ?? assert.fail();
  await chat.sendMessage({ text: "changed", messageId });
  assert.equal(chat.error, undefined);
  assert.deepEqual(textsOf(chat), ["changed", "So it is."]);
  assert.deepEqual(await remembered(server, chat), textsOf(chat));
});

test("the first answer may be thrown away too", async () => {
  await using server = await startTestServer([TALK]);
  const chat = new Chat(`${server.url}/api/chat`);
  await say(chat, "one");
  await chat.regenerate();
  assert.deepEqual(textsOf(chat), ["one", "So it is."]);
  assert.deepEqual(await remembered(server, chat), textsOf(chat));
});

test("a chat from a client's store is remembered from its first message here on", async () => {
  await using server = await startTestServer([TALK]);
  const kept: UIMessage[] = [
    { id: "m1", role: "user", parts: [{ type: "text", text: "I am Bob" }] },
    { id: "m2", role: "assistant", parts: [{ type: "text", text: "Hello Bob" }] },
  ];
  const chat = new Chat(`${server.url}/api/chat`, { id: "restored", messages: kept });
  for (const text of ["one", "two"]) {
    await say(chat, text);
    assert.deepEqual(await remembered(server, chat), textsOf(chat));
  }
  assert.equal(textsOf(chat).length, 6);
});
