import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, defineTool } from "@baton/core";
import { z } from "zod";
import { withPictures } from "./testing/picture-dialect.ts";
import { startSimulatedServer } from "./testing/simulated-server.ts";
import { ZaloPlatform } from "./testing/zalo-platform.ts";

const HELLO = {
  crew: defineCrew({ name: "hello", agents: [{ id: "host", isTerminal: true }] }),
  script: {
    host: [
      { when: "long", say: `${"x".repeat(1_500)}\n\n${"y".repeat(1_500)}` },
      { when: "again", say: "Lần **hai**, xem [trang](https://example.com/a)." },
      { say: "Xin **chào**." },
    ],
  },
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
      { when: "refunded", say: "Done." },
      { say: "No." },
    ],
  },
};
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const start = (scripted: Parameters<typeof startSimulatedServer>[0], channel: object = {}, more: object = {}) =>
  startSimulatedServer(scripted, { platform: new ZaloPlatform(), channel: { type: "zalo", ...channel }, ...more });

test("a message is answered in plain text; an empty poll is not a fault", async () => {
  await using server = await start(HELLO);
  const { platform } = server;
  platform.isImpatient = true;
  platform.say("Chào");
  await server.until(() => platform.texts().length === 1);
  platform.say("again");
  await server.until(() => platform.texts().length === 2);
  assert.deepEqual(platform.texts(), ["Xin chào.", "Lần hai, xem trang (https://example.com/a)."]);
  const [run] = await server.store.database.runs.list({});
  assert.equal(run?.session, "zalo-6ede-1");
  const view: unknown = JSON.parse(await server.view());
  assert.partialDeepStrictEqual(view, { channels: [{ name: "zalo", status: "up", bot: "bot.baton", chats: 1 }] });
});

test("a long answer has parts of at most 2,000 units", async () => {
  await using server = await start(HELLO);
  server.platform.say("long");
  await server.until(() => server.platform.texts().length === 2);
  assert.deepEqual(
    server.platform.texts().map((text) => text.length),
    [1_500, 1_500],
  );
});

test("choices are numbered; a number or a word answers, anything else shows them again", async () => {
  await using server = await start(SHOP);
  const { platform } = server;
  platform.say("hoàn tiền A1");
  await server.until(() => platform.texts().length === 1);
  assert.match(platform.texts()[0] ?? "", /refund[\s\S]*1\. Cho phép\n2\. Từ chối$/);
  platform.say("có lẽ");
  await server.until(() => platform.texts().length === 2);
  assert.match(platform.texts()[1] ?? "", /1\. Cho phép\n2\. Từ chối$/);
  platform.say("cho phép");
  await server.until(() => platform.texts().length === 3);
  assert.equal(platform.texts()[2], "Done.");
});

test("pictures, stickers, groups and links: read, refused or ignored as on Telegram", async () => {
  await using server = await start(HELLO, { access: "linked", allow: ["6ede", "9a"], api_url: "http://127.0.0.1:9" });
  const { platform, store } = server;
  platform.files.set("/p.png", PNG);
  platform.say("", { event: "image", fields: { photo_url: "http://127.0.0.1:9/p.png", caption: "Đây là gì?" } });
  await server.until(() => platform.texts().length === 1);
  platform.say("", { event: "sticker", fields: { sticker: "1", url: "https://x" } });
  await server.until(() => platform.texts().length === 2);
  assert.match(platform.texts()[1] ?? "", /chỉ đọc được/);
  platform.say("", { event: "image", fields: { photo: "http://10.0.0.1/p.png" } });
  await server.until(() => platform.texts().length === 3);
  assert.match(platform.texts()[2] ?? "", /Không đọc được/);
  platform.say("nói chuyện riêng", { chat: "9a", group: true });
  platform.say("@bot.baton again", { chat: "9a", group: true });
  platform.say("x", { chat: "77" });
  platform.say("y", { chat: "77" });
  await server.until(() => platform.texts("9a").length === 1 && platform.texts("77").length === 1);
  assert.match(platform.texts("77")[0] ?? "", /chưa có quyền/);
  const runs = await store.database.runs.list({});
  assert.deepEqual(runs.map(({ input }) => input).toSorted(), ["again", "Đây là gì?"].toSorted());
});

test("an answer's picture is sent by its address, which anyone can read for a day; without an address it is said", async () => {
  const channel = { mode: "webhook", secret_env: "SECRET", public_url: "https://bot.example.com" };
  await using server = await start(HELLO, channel, { dialects: [withPictures("hello")] });
  const { platform } = server;
  await server.until(() => platform.webhook !== "");
  assert.equal(platform.webhook, "https://bot.example.com/api/channels/zalo/webhook");
  const message = {
    from: { id: "6ede", display_name: "T" },
    chat: { id: "6ede" },
    text: "Hi",
    message_id: "a1",
    date: 1,
  };
  const posted = await server.request("/api/channels/zalo/webhook", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Bot-Api-Secret-Token": "hook-secret" },
    body: JSON.stringify({ ok: true, result: { event_name: "message.text.received", message } }),
  });
  assert.equal(posted.status, 200);
  // The picture is drawn on another thread.
  await server.until(() => platform.texts().length === 1, 1);
  await server.until(() => platform.of("sendPhoto").length === 1);
  assert.match(
    platform.texts()[0] ?? "",
    /^Xin chào\.\n\nNguồn\n1\. Bảng giá \(https:\/\/example\.com\/\) · FPT · 2026-11-17\n\nKhông phải lời khuyên\.$/,
  );
  const [sent] = platform.of("sendPhoto");
  assert.equal(sent?.["caption"], "Nguồn: FPT");
  const address = new URL(String(sent?.["photo"]));
  assert.match(address.pathname, /^\/api\/channels\/zalo\/media\/[0-9a-f]{64}$/);
  const shown = await server.request(address.pathname);
  assert.equal(shown.status, 200);
  assert.equal(shown.headers.get("x-content-type-options"), "nosniff");
  assert.deepEqual([shown.body.readUInt32BE(16), shown.body.readUInt32BE(20)], [1_200, 675]);
  assert.equal((await server.request(`/api/channels/zalo/media/${"0".repeat(64)}`)).status, 404);
});

test("in poll mode without an address a picture is a sentence, and too many requests wait", async () => {
  await using server = await start(HELLO, {}, { dialects: [withPictures("hello")] });
  const { platform } = server;
  platform.faults.push({ method: "sendMessage", kind: "answer", code: 429, parameters: { retry_after: 0.1 } });
  platform.say("Hi");
  await server.until(() => platform.texts().length === 2);
  assert.match(platform.texts()[1] ?? "", /không có địa chỉ công khai/);
  assert.equal(platform.of("sendPhoto").length, 0);
});

test("a token that the platform refuses is told, and everything else is served", async () => {
  const platform = new ZaloPlatform();
  const refused = { token: "1:other", fetch: platform.fetch, called: () => {} };
  await using server = await startSimulatedServer(HELLO, { platform: refused, channel: { type: "zalo" } });
  await server.clock.advance(1_000);
  const view = await server.view();
  assert.match(view, /"status":"unauthorized"/);
  assert.ok(!view.includes("1:other"));
});
