import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, defineTool } from "@baton/core";
import { openLasting } from "@baton/store/testing";
import { z } from "zod";
import { createLinkCode } from "./inbox/links.ts";
import { LocalPlatform } from "./testing/local-platform.ts";
import { startChannelServer } from "./testing/simulated-server.ts";

const HELLO = {
  crew: defineCrew({ name: "hello", agents: [{ id: "host", isTerminal: true }] }),
  script: { host: [{ when: "again", say: "Hello **again**." }, { say: "Hello **there**, see `x`." }] },
};

const refund = defineTool({
  name: "refund",
  description: "Refunds an order.",
  effect: "irreversible",
  input: z.object({ order: z.string() }),
  run: ({ order }) => `refunded ${order}`,
});
const SHOP = {
  crew: defineCrew({ name: "shop", agents: [{ id: "clerk", isTerminal: true, tools: ["refund"] }], tools: [refund] }),
  script: {
    clerk: [
      { say: "", call: [{ tool: "refund", args: { order: "A1" } }] },
      { when: "refunded", say: "It is done." },
      { say: "As you wish." },
    ],
  },
};

test("a message is answered, with entities and without a link preview", async () => {
  await using server = await startChannelServer(HELLO);
  const { platform } = server;
  platform.say("Hi");
  await server.until(() => platform.texts().length === 1);
  assert.deepEqual(platform.of("sendMessage")[0], {
    chat_id: 7,
    text: "Hello there, see x.",
    entities: [
      { type: "bold", offset: 6, length: 5 },
      { type: "code", offset: 17, length: 1 },
    ],
    link_preview_options: { is_disabled: true },
  });
  const [run] = await server.store.database.runs.list({ tenant: "local" });
  assert.equal(run?.session, "telegram-7-1");
  assert.equal(run?.user, "telegram-7");
  assert.deepEqual(run?.options, {
    channel: { name: "telegram", type: "telegram", chat: "7", from: "7", message: "100", language: "en", group: false },
  });
});

test("an update that comes twice starts one run", async () => {
  await using server = await startChannelServer(HELLO);
  const { platform } = server;
  const message = {
    message_id: 5,
    date: 1,
    from: { id: 7, is_bot: false, first_name: "Lan" },
    chat: { id: 7, type: "private" },
    text: "Hi",
  };
  platform.deliver({ message });
  await server.until(() => platform.texts().length === 1);
  platform.deliver({ update_id: 1, message });
  platform.say("again");
  await server.until(() => platform.texts().length === 2);
  assert.equal((await server.store.database.runs.list({ tenant: "local" })).length, 2);
});

test("a chat without access is told how to link, once, and starts nothing; a code makes it a user's", async () => {
  await using server = await startChannelServer(HELLO, { channel: { access: "linked" } });
  const { platform, store } = server;
  platform.say("Hi");
  platform.say("Hi?");
  await server.until(() => platform.texts().length === 1);
  assert.match(platform.texts()[0] ?? "", /no access/);
  const { code } = await createLinkCode({ database: store.database, now: 0 }, "telegram", {
    tenant: "acme",
    user: "lan",
  });
  assert.match(code, /^[A-HJ-NP-Z2-9]{8}$/);
  platform.say(`/start ${code}`);
  await server.until(() => platform.texts().length === 2);
  platform.say("Hi");
  await server.until(() => platform.texts().length === 3);
  const runs = await store.database.runs.list({});
  assert.deepEqual(
    runs.map(({ tenant, user }) => [tenant, user]),
    [["acme", "lan"]],
  );
  platform.say(`/link ${code}`);
  await server.until(() => platform.texts().length === 4);
  assert.match(platform.texts()[3] ?? "", /not valid/);
});

test("an approval is asked with buttons, and a press allows the call", async () => {
  await using server = await startChannelServer(SHOP);
  const { platform } = server;
  platform.say("refund A1");
  await server.until(() => platform.texts().length === 1);
  const [asked] = platform.of("sendMessage");
  assert.match(String(asked?.["text"]), /refund/);
  const markup = z
    .object({ inline_keyboard: z.array(z.array(z.object({ text: z.string(), callback_data: z.string() }))) })
    .parse(asked?.["reply_markup"]);
  assert.deepEqual(
    markup.inline_keyboard.map(([one]) => one?.text),
    ["Allow", "Deny"],
  );
  platform.say("what now?");
  await server.until(() => platform.texts().length === 2);
  assert.match(platform.texts()[1] ?? "", /question is open/);
  const data = markup.inline_keyboard[0]?.[0]?.callback_data ?? "";
  platform.press(data);
  await server.until(() => platform.texts().length === 3);
  assert.equal(platform.texts()[2], "It is done.");
  assert.equal(platform.of("editMessageText").length, 1);
  platform.press(data);
  await server.until(() => platform.of("answerCallbackQuery").length === 2);
  assert.match(String(platform.of("answerCallbackQuery")[1]?.["text"]), /before/);
});

test("a message whose answer never came is sent again and says so; a refused connection is only retried", async () => {
  await using server = await startChannelServer(HELLO);
  const { platform } = server;
  platform.faults.push({ method: "sendMessage", kind: "broken" });
  platform.say("Hi");
  await server.until(() => platform.texts().length === 2);
  assert.match(platform.texts()[1] ?? "", /^↻ \(sent again/);
  platform.faults.push({ method: "sendMessage", kind: "refused" });
  platform.say("again");
  await server.until(() => platform.texts().length === 3);
  assert.equal(platform.texts()[2], "Hello again.");
  const metrics = (await server.request("/metrics")).body.toString();
  assert.match(metrics, /baton_channel_messages_unknown_total\{channel="telegram"\} 1/);
});

test("entities that the platform refuses are left out, and then the message arrives", async () => {
  await using server = await startChannelServer(HELLO);
  const { platform } = server;
  platform.faults.push({
    method: "sendMessage",
    kind: "answer",
    code: 400,
    description: "Bad Request: can't parse entities",
  });
  platform.say("Hi");
  await server.until(() => platform.texts().length === 1);
  assert.equal(platform.of("sendMessage")[0]?.["entities"], undefined);
});

test("a server that dies leaves its messages and updates to the next, which sends what is missing once", async () => {
  const platform = new LocalPlatform();
  const database = openLasting();
  const first = await startChannelServer(HELLO, { platform, database });
  platform.faults.push(...Array.from({ length: 50 }, () => ({ method: "sendMessage", kind: "refused" }) as const));
  platform.say("Hi");
  await first.until(() => platform.faults.length < 50);
  assert.equal((await database.runs.list({ outcome: "done" })).length, 1);
  await first[Symbol.asyncDispose]();
  platform.faults.length = 0;
  await using second = await startChannelServer(HELLO, { platform, database });
  await second.until(() => platform.texts().length === 1);
  assert.equal((await second.store.database.runs.list({})).length, 1);
});

test("no token is in any log", async () => {
  const logs: string[] = [];
  await using server = await startChannelServer(HELLO, { logs });
  server.platform.faults.push(
    { method: "sendMessage", kind: "answer", code: 400, description: "Bad Request: no" },
    { method: "sendMessage", kind: "answer", code: 400, description: "Bad Request: no" },
  );
  server.platform.say("Hi");
  await server.until(() => server.platform.faults.length === 0);
  server.platform.say("again");
  await server.until(() => server.platform.texts().length === 1);
  assert.ok(!logs.join("").includes(server.platform.token));
});
