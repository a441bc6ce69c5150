import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, defineTool } from "@baton/core";
import { SimulatedClock } from "@baton/core/testing";
import { DUE } from "@baton/store/ports";
import { openLasting } from "@baton/store/testing";
import { z } from "zod";
import { createLinkCode } from "./inbox/links.ts";
import { LocalPlatform } from "./testing/local-platform.ts";
import { startChannelServer } from "./testing/simulated-server.ts";

const FALL_MS = 5 * 60 * 1_000;

/** A crew that looks at a price every minute, which falls after five, and then tells the conversation that asked. */
function defineDesk() {
  let fallsAt = Infinity;
  const setAlert = defineTool({
    name: "set_alert",
    description: "Sets an alert.",
    effect: "idempotent",
    input: z.object({}),
    run: async (_, { documents, scope, session }) => {
      const now = scope.clock.now();
      fallsAt = now + FALL_MS;
      const check = { tool: "check_price", args: {} };
      const when = { everyMs: 60_000 };
      const data = { name: "fall", crew: "desk", input: "fell", origin: "user", nextAt: now + 60_000, when, check };
      const at = session === undefined ? {} : { session };
      await documents.put("schedules", { id: "fall", data: { ...data, ...at }, index: { [DUE]: now + 60_000 }, ...at });
      return "the alert is set";
    },
  });
  const checkPrice = defineTool({
    name: "check_price",
    description: "Looks at a price.",
    effect: "read",
    input: z.object({}),
    run: (_, { scope }) => (scope.clock.now() < fallsAt ? { fires: false } : { fires: true, done: true }),
  });
  const crew = defineCrew({
    name: "desk",
    agents: [{ id: "host", isTerminal: true, tools: ["set_alert", "check_price"] }],
    tools: [setAlert, checkPrice],
    schedules: [{ name: "brief", cron: "2 0 * * *", timeZone: "UTC", input: "brief me" }],
  });
  const script = {
    host: [
      { when: "fell", say: "The price fell." },
      { when: "brief", say: "Good morning." },
      { when: "is set", say: "I will tell you." },
      { when: "alert", say: "", call: [{ tool: "set_alert", args: {} }] },
      { say: "Hello." },
    ],
  };
  return { crew, script };
}

test("a scheduled run of a linked user goes to all of that user's private chats, and to nobody else's", async () => {
  await using server = await startChannelServer(defineDesk(), { channel: { access: "linked" } });
  const { platform, database, until } = server;
  const link = async (user: string, chat: number) => {
    const { code } = await createLinkCode({ database, now: 0 }, "telegram", { tenant: "local", user });
    platform.say(`/link ${code}`, { chat });
    await until(() => platform.texts(chat).length === 1);
  };
  // The schedules of a crew are those of the user local.
  for (const chat of [7, 8]) await link("local", chat);
  await link("other", 9);
  await until(() => platform.texts(7).length === 2 && platform.texts(8).length === 2);
  await server.clock.advance(120_000);
  for (const chat of [7, 8]) assert.deepEqual(platform.texts(chat).slice(1), ["Good morning."]);
  assert.equal(platform.texts(9).length, 1);
});

test("an alert that was set in a chat comes back there, once, also if another server runs by then", async () => {
  const [clock, database, platform] = [new SimulatedClock(1), openLasting(), new LocalPlatform()];
  const desk = defineDesk();
  {
    await using server = await startChannelServer(desk, { clock, database, platform });
    platform.say("set an alert");
    platform.say("hello", { chat: 8 });
    await server.until(() => platform.texts().length === 1 && platform.texts(8).length === 1);
  }
  await using server = await startChannelServer(desk, { clock, database, platform });
  await server.until(() => platform.texts().length === 2);
  await clock.advance(120_000);
  assert.deepEqual(platform.texts(), ["I will tell you.", "The price fell."]);
  assert.deepEqual(platform.texts(8), ["Hello."]);
  const [alert] = (await database.runs.list({})).filter(({ input }) => input === "fell");
  assert.equal(alert?.session, "telegram-7-1");
});

test("of two servers on one channel one polls, and the other goes on when it stops; nothing is sent twice", async () => {
  const [clock, database, platform] = [new SimulatedClock(1), openLasting(), new LocalPlatform()];
  const given = { clock, database };
  let polls = 0;
  let most = 0;
  /** The platform as one server sees it, with the number of its own calls. */
  const seenBy = () => {
    const seen = Object.assign(new LocalPlatform(), { count: 0 });
    const send: typeof fetch = async (input, init) => {
      seen.count++;
      const isPoll = (input instanceof Request ? input.url : String(input)).endsWith("/getUpdates");
      if (isPoll) most = Math.max(most, ++polls);
      try {
        return await platform.fetch(input, init);
      } finally {
        if (isPoll) polls--;
      }
    };
    return Object.assign(seen, { fetch: send });
  };
  const desk = defineDesk();
  const [one, other] = [seenBy(), seenBy()];
  const first = await startChannelServer(desk, { ...given, platform: one });
  await first.until(() => polls === 1);
  await using second = await startChannelServer(desk, { ...given, platform: other });
  for (const chat of [7, 8, 9]) platform.say("hello", { chat });
  await second.until(() => platform.texts(9).length === 1);
  assert.equal(other.count, 0);
  assert.match(await second.view(), /"status":"up".*"chats":3/);
  for (const chat of [7, 8, 9]) platform.say("hello", { chat });
  await first[Symbol.asyncDispose]();
  const before = one.count;
  platform.say("hello");
  await second.until(() => platform.texts(7).length === 3 && platform.texts(9).length === 2);
  await clock.advance(60_000);
  assert.deepEqual(
    [7, 8, 9].map((chat) => platform.texts(chat)),
    [3, 2, 2].map((count) => Array.from({ length: count }, () => "Hello.")),
  );
  assert.equal(one.count, before);
  assert.equal(most, 1);
  assert.equal((await database.runs.list({})).filter(({ input }) => input === "hello").length, 7);
});
