import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew } from "@baton/core";
import { openLasting } from "@baton/store/testing";
import { createLinkCode } from "./inbox/links.ts";
import { toAnswerRows } from "./outbox/answer-rows.ts";
import { telegram } from "./platform/telegram.ts";
import { zalo } from "./platform/zalo.ts";
import { ChannelRecords } from "./state/channel-records.ts";
import { LocalPlatform } from "./testing/local-platform.ts";
import { startChannelServer } from "./testing/simulated-server.ts";

const HELLO = {
  crew: defineCrew({ name: "hello", agents: [{ id: "host", isTerminal: true }] }),
  script: {
    host: [
      { when: "slow", say: "Slow.", delayMs: 60_000 },
      { when: "second", say: "Two." },
      { when: "third", say: "Three." },
      { say: "One." },
    ],
  },
};
const HOUR_MS = 60 * 60 * 1_000;

const start = (options: Parameters<typeof startChannelServer>[1] = {}) => startChannelServer(HELLO, options);

test("a platform that is down for an hour gets all messages in order when it is back, none of them marked", async () => {
  await using server = await start();
  const { platform, clock, until } = server;
  await until(() => platform.of("setMyCommands").length === 2);
  platform.faults.push({ method: "sendMessage", kind: "refused" });
  platform.called = ({ method }) => {
    platform.isDown ||= method === "sendMessage";
  };
  for (const text of ["first", "second", "third"]) platform.say(text);
  await clock.advance(HOUR_MS);
  assert.match(await server.view(), /"status":"down".*"waiting":3/);
  platform.called = () => {};
  assert.equal(platform.texts().length, 0);
  platform.isDown = false;
  await until(() => platform.texts().length === 3);
  assert.deepEqual(platform.texts(), ["One.", "Two.", "Three."]);
});

test("a message of 100,000 characters has 20 parts, and the last says what is missing", () => {
  const chat = { id: "7", target: "7", isPrivate: true, language: "en", n: 1, next: 1, isGone: false } as const;
  const segment = {
    chat: { ...chat, wrongCodes: 0, ignoredUntil: 0, toldAt: 0 },
    delivery: { run: crypto.randomUUID(), chat: "7", seq: 1, isOver: true },
    event: { type: "run.paused", by: "signal", agent: "host", questions: [], run: "", seq: 1, at: 0, lane: "" },
    text: "😀".repeat(50_000),
    extras: undefined,
  } as const;
  for (const platform of [telegram, zalo]) {
    const rows = toAnswerRows({ platform }, segment);
    assert.equal(rows.length, 20);
    assert.ok(rows.every(({ text }) => text.length <= platform.maxUnits && text.isWellFormed()));
    const shown = rows.map(({ text }) => text.replaceAll(/[^😀]/gu, "").length).reduce((one, other) => one + other);
    const missing = /\n… (\d+) more characters are missing \(req-[^)]+\)\.$/.exec(rows[19]?.text ?? "")?.[1];
    assert.equal(shown + Number(missing), 100_000);
  }
});

test("an album is one run after its last part; more than four pictures are said", async () => {
  await using server = await start();
  const { platform, until, store } = server;
  platform.files.set("p", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
  const photo = [{ file_id: "p", file_unique_id: "p", width: 1, height: 1 }];
  const chat = { id: 7, type: "private" };
  const from = { id: 7, is_bot: false, first_name: "Lan" };
  for (let part = 0; part < 6; part++)
    platform.deliver({
      message: {
        message_id: part,
        date: 1,
        from,
        chat,
        photo,
        media_group_id: "a",
        ...(part === 0 ? { caption: "What?" } : {}),
      },
    });
  platform.say("second");
  await until(() => platform.texts().length === 3);
  assert.deepEqual(platform.texts(), ["Only the first 4 pictures were used.", "One.", "Two."]);
  assert.equal((await store.database.runs.list({})).length, 2);
});

test("of a flood twenty messages wait; the others are dropped, and the chat is told once", async () => {
  await using server = await start();
  const { platform, until, store } = server;
  platform.say("slow");
  await until(() => platform.of("sendMessageDraft").length > 0);
  for (let count = 0; count < 40; count++) platform.say(`message ${count}`);
  await until(() => platform.texts().filter((text) => text === "One.").length === 20);
  assert.equal(platform.texts().filter((text) => text.startsWith("Too many")).length, 1);
  assert.equal((await store.database.runs.list({})).length, 21);
});

test("a group that becomes a supergroup gets its messages under its new id", async () => {
  await using server = await start({ channel: { allow: [-5] } });
  const { platform, until } = server;
  const upgraded = "Bad Request: group chat was upgraded to a supergroup chat";
  const parameters = { migrate_to_chat_id: -1_005 };
  platform.faults.push({ method: "sendMessage", kind: "answer", code: 400, description: upgraded, parameters });
  const from = { id: 9, is_bot: false, first_name: "Lan" };
  const say = (id: number) =>
    platform.deliver({ message: { message_id: 1, date: 1, from, chat: { id, type: "group" }, text: "/ask second" } });
  say(-5);
  await until(() => platform.texts(-1_005).length === 1);
  say(-1_005);
  await until(() => platform.texts(-1_005).length === 2);
  assert.deepEqual(platform.texts(-1_005), ["Two.", "Two."]);
});

test("another program that polls is a conflict, told once a minute, and ends with it", async () => {
  const logs: string[] = [];
  const platform = new LocalPlatform();
  const conflict = { method: "getUpdates", kind: "answer", code: 409, description: "Conflict" } as const;
  platform.faults.push(...Array.from({ length: 6 }, () => conflict));
  await using server = await start({ platform, logs });
  await server.clock.advance(30_000);
  assert.match(await server.view(), /"status":"conflict"/);
  await server.until(() => platform.faults.length === 0);
  const lines = logs
    .join("")
    .split("\n")
    .filter((line) => line.includes("a channel is conflict"));
  assert.ok(lines.length >= 2 && lines.length <= 4, `${lines.length}`);
  platform.say("first");
  await server.until(() => platform.texts().length === 1);
  assert.match(await server.view(), /"status":"up"/);
});

test("a server that has lost the lead writes and sends nothing more; the next term sends each message once", async () => {
  const database = openLasting();
  await using server = await start({ database });
  const { platform, until, store } = server;
  await until(() => platform.of("setMyCommands").length === 2);
  const other = new ChannelRecords(database, "telegram");
  await other.lead();
  platform.say("first");
  await until(() => platform.texts().length === 1);
  await assert.rejects(other.write(ChannelRecords.progress({ offset: 0, lookedAt: 0 })), { code: "conflict" });
  await server.clock.advance(60_000);
  assert.deepEqual(platform.texts(), ["One."]);
  assert.equal((await store.database.runs.list({})).length, 1);
});

test("a run in a session that is named like a chat's is delivered only if it is the chat's user's", async () => {
  await using server = await start({ channel: { access: "linked" } });
  const { platform, until, store, clock } = server;
  const { code } = await createLinkCode({ database: store.database, now: 0 }, "telegram", {
    tenant: "local",
    user: "local",
  });
  platform.say(`/link ${code}`);
  await until(() => platform.texts().length === 1);
  const ask = (session: string) =>
    server.request("/api/runs", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ input: "second", session_id: session }),
    });
  await ask("telegram-7-2");
  await until(() => platform.texts().length === 2);
  assert.equal(platform.texts()[1], "Two.");
  platform.say("/unlink");
  await until(() => platform.texts().length === 3);
  await ask("telegram-7-2");
  await clock.advance(60_000);
  assert.equal(platform.texts().length, 3);
});

test("the token is in no log, record, event, answer or page, whatever the platform repeats", async () => {
  const logs: string[] = [];
  const platform = new LocalPlatform();
  const echo = `Bad Request: https://api.telegram.org/bot${platform.token}/sendMessage`;
  platform.faults.push(
    { method: "getMe", kind: "answer", code: 500, description: echo },
    ...[400, 400, 502].map((code) => ({ method: "sendMessage", kind: "answer", code, description: echo }) as const),
  );
  const database = openLasting();
  await using server = await start({ platform, logs, database });
  platform.say("first");
  platform.say("second");
  await server.until(() => platform.texts().length === 1);
  const pages = ["/api/channels", "/api/runs", "/metrics", "/openapi.json", "/api/channels/telegram/chats", "/health"];
  const texts = await Promise.all(pages.map(async (page) => (await server.request(page)).body.toString()));
  const documents = database.documents({ tenant: ":channels", user: "telegram" });
  const { documents: records } = await documents.list("channel", { limit: 1_000 });
  const runs = await server.store.database.runs.list({});
  const events = await Promise.all(runs.map(({ id }) => server.store.lines(id, 0)));
  const all = [...logs, ...texts, JSON.stringify(records), JSON.stringify(runs), ...events.flat(), process.title].join(
    "\n",
  );
  assert.ok(records.length > 0 && events.length === 2 && all.includes("a message was refused"));
  assert.ok(!all.includes(platform.token));
});
