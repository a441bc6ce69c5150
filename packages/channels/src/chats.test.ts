import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew } from "@baton/core";
import { startChannelServer } from "./testing/simulated-server.ts";

const HELLO = {
  crew: defineCrew({ name: "hello", agents: [{ id: "host", isTerminal: true }] }),
  script: {
    host: [
      { when: "second", say: "The second." },
      { when: "slow", say: "one two three", delayMs: 1_500 },
      { say: "The first." },
    ],
  },
};
const EDITED = {
  message_id: 100,
  date: 1,
  edit_date: 2,
  from: { id: 7, is_bot: false, first_name: "Lan" },
  chat: { id: 7, type: "private" },
};

test("an edited message is answered anew in a session that begins there, as a reply to it", async () => {
  await using server = await startChannelServer(HELLO);
  const { platform, store } = server;
  platform.say("first");
  await server.until(() => platform.texts().length === 1);
  platform.deliver({ edited_message: { ...EDITED, text: "second" } });
  await server.until(() => platform.texts().length === 2);
  assert.equal(platform.texts()[1], "The second.");
  assert.deepEqual(platform.of("sendMessage")[1]?.["reply_parameters"], {
    message_id: 100,
    allow_sending_without_reply: true,
  });
  const [fork] = await store.database.runs.list({});
  assert.equal(fork?.session, "telegram-7-2");
});

test("stop cancels what runs, and says so if nothing does", async () => {
  await using server = await startChannelServer(HELLO);
  const { platform, store } = server;
  platform.say("slow");
  await server.until(() => platform.of("sendMessageDraft").length > 0 || platform.texts().length > 0);
  platform.say("/stop");
  await server.until(() => platform.texts().some((text) => text.startsWith("⏹")));
  assert.equal((await store.database.runs.list({}))[0]?.outcome, "cancelled");
  platform.say("/stop");
  await server.until(() => platform.texts().some((text) => text === "Nothing is running."));
});

test("a webhook is taken only with its secret, before anything runs", async () => {
  const channel = { mode: "webhook", secret_env: "SECRET", public_url: "https://bot.example.com" };
  await using server = await startChannelServer(HELLO, { channel });
  const { platform } = server;
  await server.until(() => platform.of("setWebhook").length === 1);
  const post = (secret: string, body: string) =>
    server.request("/api/channels/telegram/webhook", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Telegram-Bot-Api-Secret-Token": secret },
      body,
    });
  assert.equal((await post("wrong", "{}")).status, 401);
  assert.equal((await post("hook-secret", "[]")).status, 400);
  const message = {
    message_id: 5,
    date: 1,
    from: { id: 7, is_bot: false, first_name: "Lan" },
    chat: { id: 7, type: "private" },
    text: "Hi",
  };
  for (let count = 0; count < 2; count++)
    assert.equal((await post("hook-secret", JSON.stringify({ update_id: 9, message }))).status, 200);
  await server.until(() => platform.texts().length === 1);
  assert.equal((await server.store.database.runs.list({})).length, 1);
});

test("a reply to an answer of an older run begins a session with the conversation up to that answer", async () => {
  await using server = await startChannelServer(HELLO);
  const { platform, store } = server;
  platform.say("first");
  await server.until(() => platform.texts().length === 1);
  const [answered = 0] = platform.sentIds();
  platform.say("/new");
  await server.until(() => platform.texts().length === 2);
  const from = { id: 42, is_bot: true, first_name: "Baton" };
  const asked = platform.say("second", { more: { reply_to_message: { message_id: answered, from } } });
  await server.until(() => platform.texts().length === 3);
  assert.equal(platform.texts()[2], "↳ The second.");
  assert.deepEqual(platform.of("sendMessage")[2]?.["reply_parameters"], {
    message_id: asked,
    allow_sending_without_reply: true,
  });
  const [run] = await store.database.runs.list({});
  assert.equal(run?.session, "telegram-7-3");
});
