import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew } from "@baton/core";
import { openLasting } from "@baton/store/testing";
import { createLinkCode } from "../inbox/links.ts";
import { ChannelRecords, CHAT, type OutboxRow } from "../state/channel-records.ts";
import { LocalPlatform } from "../testing/local-platform.ts";
import { startChannelServer } from "../testing/simulated-server.ts";

/** Fills a message to the last character, and is bold at its end. */
const LONG = `${"word ".repeat(810)}**${"z".repeat(46)}**`;
const HELLO = {
  crew: defineCrew({ name: "hello", agents: [{ id: "host", isTerminal: true }] }),
  script: {
    host: [
      { when: "second", say: "Two." },
      { when: "third", say: "Three." },
      { when: "long", say: LONG },
      { say: "One." },
    ],
  },
};
const start = (options: Parameters<typeof startChannelServer>[1] = {}) => startChannelServer(HELLO, options);

test("the mark of a repeat makes no message too long: what has no room is a second one, marked and with its spans", async () => {
  await using server = await start();
  const { platform, until } = server;
  platform.faults.push({ method: "sendMessage", kind: "broken" });
  platform.say("long");
  platform.say("second");
  await until(() => platform.texts().includes("Two."));
  const [whole = "", ...again] = platform.texts();
  assert.equal(whole.length, 4_096);
  assert.equal(again.length, 3);
  const marked = again
    .slice(0, 2)
    .map((text) => /^↻ \(sent again[^)]*\)\n([\s\S]*)$/.exec(text)?.[1] ?? assert.fail(text));
  assert.equal(marked.join(" ").replaceAll(/\s+/g, " "), whole);
  assert.deepEqual(platform.of("sendMessage")[2]?.["entities"], [
    { type: "bold", offset: (again[1]?.length ?? 0) - 46, length: 46 },
  ]);
});

test("a message that was being sent when its server died is counted as unknown once, also by later servers", async () => {
  const database = openLasting();
  const platform = new LocalPlatform();
  {
    await using server = await start({ database, platform });
    platform.say("first");
    await server.until(() => platform.texts().length === 1);
  }
  // As a server leaves it that is killed between the request and its answer.
  const records = new ChannelRecords(database, "telegram");
  await records.lead();
  const chat = (await records.find(CHAT, "chat/7")) ?? assert.fail();
  const row: OutboxRow = {
    chat: "7",
    n: chat.next,
    state: "sending",
    createdAt: Date.UTC(2025, 0, 1),
    text: "Left.",
    entities: [],
  };
  await records.write(ChannelRecords.chat({ ...chat, next: chat.next + 1 }), ChannelRecords.row(row));
  for (let servers = 0; servers < 2; servers++) {
    await using server = await start({ database, platform });
    await server.until(() => platform.texts().length === 2);
    assert.match(platform.texts()[1] ?? "", /^↻ \(sent again[^)]*\)\nLeft\.$/);
    assert.match(await server.view(), /"waiting":0,"unknown":1/);
    const metrics = (await server.request("/metrics")).body.toString();
    assert.match(metrics, /baton_channel_messages_unknown_total\{channel="telegram"\} 1/);
  }
  assert.equal(platform.texts().length, 2);
});

test("a bot that is blocked sends nothing more to the chat, whose runs go on; an update brings the chat back", async () => {
  await using server = await start({ channel: { access: "linked" } });
  const { platform, until, clock, store } = server;
  const owner = { tenant: "local", user: "local" };
  const { code } = await createLinkCode({ database: store.database, now: 0 }, "telegram", owner);
  platform.say(`/link ${code}`);
  await until(() => platform.texts().length === 1);
  const description = "Forbidden: bot was blocked by the user";
  const retried = Array.from({ length: 3 }, () => ({ method: "sendMessage", kind: "refused" }) as const);
  platform.faults.push(...retried, { method: "sendMessage", kind: "answer", code: 403, description });
  const ask = () =>
    server.request("/api/runs", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ input: "third", session_id: "telegram-7-1" }),
    });
  platform.say("first");
  await until(() => platform.faults.length < 4);
  // Its answer waits behind the first one.
  await ask();
  await clock.advance(1_000);
  assert.match(await server.view(), /"waiting":2/);
  await until(() => platform.faults.length === 0);
  const calls = platform.calls.length;
  await ask();
  await clock.advance(60_000);
  assert.match(await server.view(), /"status":"up".*"waiting":0/);
  assert.deepEqual(platform.calls.slice(calls), []);
  platform.say("second");
  await until(() => platform.texts().length === 2);
  await clock.advance(60_000);
  assert.deepEqual(platform.texts().slice(1), ["Two."]);
  assert.equal((await store.database.runs.list({ outcome: "done" })).length, 4);
});
