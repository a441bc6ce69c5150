import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { defineCrew } from "@baton/core";
import { type KeyRecord, MemoryDatabase } from "@baton/store";
import { openSqlite } from "@baton/store/sqlite";
import { GatedModel, WAITS } from "../testing/crews.ts";
import { parseFrames } from "../testing/frames.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";

const TALKS = {
  crew: defineCrew({
    name: "talks",
    agents: [{ id: "talker", isTerminal: true }],
    settings: { sseKeepAliveMs: 1_000 },
  }),
  script: {},
};

/** A client that asks and then reads nothing. */
async function askOnly({ server }: TestServer, path: string): Promise<Socket> {
  const socket = connect(server.port, server.host).pause();
  await once(socket, "connect");
  socket.on("error", () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  return socket;
}

test("readers that never read slow nobody, hold little, and are cut off; who comes back finds everything", async () => {
  const model = new GatedModel();
  await using server = await startTestServer([TALKS], { model: () => model, logLevel: "silent" });
  const started = await server.post("/api/runs", { input: "hello" });
  const path = `/api/runs/${started.headers.get("x-run-id")}/events`;
  const stuck = await Promise.all(Array.from({ length: 200 }, () => askOnly(server, path)));
  const fast = Array.from({ length: 5 }, async () => parseFrames(await (await server.get(path)).text()).length);
  const word = "x".repeat(1_000);
  const held: number[] = [];
  for (let round = 0; round < 24; round++) {
    for (let piece = 0; piece < 250; piece++) model.say(word);
    const length = () => server.store.database.length(started.headers.get("x-run-id") ?? "");
    while ((await length()) < (round + 1) * 250) await new Promise((resolve) => setImmediate(resolve));
    const { heapUsed, external } = process.memoryUsage();
    held.push((heapUsed + external) / 1_048_576);
  }
  model.end();
  const counts = new Set(await Promise.all(fast));
  assert.equal(counts.size, 1);
  assert.ok([...counts].every((count) => count > 6_000));
  const open = async () => /open_streams (\d+)/.exec(await (await server.get("/metrics")).text())?.[1];
  while ((await open()) !== "0") await setTimeout(50);
  assert.match(await (await server.get("/metrics")).text(), /baton_streams_cut_off_total 200\n/);
  // The log itself is in memory here, 24 MiB of it; 200 readers with all of it would be 5 GiB.
  assert.ok(Math.max(...held) - (held[0] ?? 0) < 300, held.map((mib) => mib.toFixed()).join(" "));
  assert.equal(parseFrames(await (await server.get(path)).text()).length, [...counts][0]);
  for (const socket of stuck) socket.destroy();
});

for (const dialect of ["baton", "crew"]) {
  test(`a reader in ${dialect} that is behind on a run which is deleted is cut off`, async () => {
    const say = Array.from({ length: 100 }, () => "x".repeat(200_000)).join(" ");
    const crew = defineCrew({ name: "long", agents: [{ id: "talker", isTerminal: true }] });
    await using server = await startTestServer([{ crew, script: { talker: [{ say, delayMs: 1 }] } }]);
    const ended = await server.post("/api/runs", { input: "hello", session_id: "s" }, { Prefer: "wait" });
    const run = ended.headers.get("x-run-id") ?? "";
    const socket = await askOnly(server, `/api/runs/${run}/events?dialect=${dialect}`);
    await setTimeout(100);
    assert.equal((await fetch(`${server.url}/api/sessions/s`, { method: "DELETE" })).status, 204);
    let last = Buffer.alloc(0);
    socket.on("data", (bytes) => (last = bytes));
    socket.resume();
    await once(socket, "close");
    assert.ok(!last.subarray(-5).equals(Buffer.from("0\r\n\r\n")), "it was behind");
    assert.equal((await server.get(`/api/runs/${run}/events`)).status, 404);
  });
}

test("a stream of a run that was deleted before it began is cut off", async () => {
  const model = new GatedModel();
  await using server = await startTestServer([TALKS], { model: () => model });
  const [first, second] = await Promise.all(
    ["one", "two"].map((input) => server.post("/api/runs", { input, session_id: "s" })),
  );
  const ids = [first, second].map((answer) => answer?.headers.get("x-run-id") ?? "");
  const queued = await Promise.all(ids.map(async (id) => (await server.store.database.run(id))?.status === "queued"));
  const id = ids[queued.indexOf(true)] ?? assert.fail();
  const stream = await server.get(`/api/runs/${id}/events`);
  await server.store.database.deleteRun(id);
  await assert.rejects(stream.text());
  model.end();
});

test("a stream of a run that was deleted at another server is cut off", async () => {
  const folder = await mkdtemp(join(tmpdir(), "baton-streams-"));
  const open = () => openSqlite({ path: join(folder, "baton.db") });
  {
    await using first = await startTestServer([WAITS], { database: await open() });
    await using second = await startTestServer([WAITS], { database: await open() });
    const paused = await first.post("/api/runs", { input: "hello", session_id: "s" }, { Prefer: "wait" });
    const path = `/api/runs/${paused.headers.get("x-run-id")}/events`;
    const stream = await second.get(path);
    assert.equal((await fetch(`${first.url}/api/sessions/s`, { method: "DELETE" })).status, 204);
    // It may still see the end.
    await stream.text().catch(() => undefined);
    assert.equal((await second.get(path)).status, 404);
  }
  await rm(folder, { recursive: true });
});

/** Its keys cannot be read from some moment on, and nobody says so. */
class MuteDatabase extends MemoryDatabase {
  isMute = false;

  override async keys(): Promise<readonly KeyRecord[]> {
    return this.isMute ? new Promise(() => undefined) : super.keys();
  }
}

test("streams are kept alive while keys cannot be read", async () => {
  const database = new MuteDatabase();
  const crew = defineCrew({
    name: "quiet",
    agents: [{ id: "asker" }],
    behaviors: { asker: { waitForSignal: true } },
    settings: { sseKeepAliveMs: 20 },
  });
  await using server = await startTestServer([{ crew, script: WAITS.script }], { database });
  const started = await server.post("/api/runs", { input: "hello" }, { Prefer: "wait" });
  const answer = await server.get(`/api/runs/${started.headers.get("x-run-id")}/events`);
  database.isMute = true;
  // What was read of the keys is believed for a second.
  await setTimeout(1_100);
  const reader = answer.body?.getReader();
  assert.ok(reader);
  await reader.read();
  for (let signs = 0; signs < 5; signs++)
    assert.match(Buffer.from((await reader.read()).value ?? []).toString(), /keep-alive/);
  await reader.cancel();
  database.isMute = false;
});

for (const [dialect, sign] of [
  ["crew", /data: \{"type":"ping"/],
  ["baton", /\n: keep-alive\n\n/],
] as const) {
  test(`a silent stream in ${dialect} says that it lives, with no id`, async () => {
    const crew = defineCrew({
      name: "quiet",
      agents: [{ id: "asker" }],
      behaviors: { asker: { waitForSignal: true } },
      settings: { sseKeepAliveMs: 20 },
    });
    await using server = await startTestServer([{ crew, script: WAITS.script }]);
    const started = await server.post("/api/runs", { input: "hello" }, { Prefer: "wait" });
    const answer = await server.get(`/api/runs/${started.headers.get("x-run-id")}/events?dialect=${dialect}`);
    const reader = answer.body?.getReader();
    assert.ok(reader);
    let text = "";
    while (!sign.test(text)) {
      const { done, value } = await reader.read();
      assert.ok(!done);
      text += Buffer.from(value).toString();
    }
    await reader.cancel();
    assert.match(text, /^retry: \d+\nid: 0\n\n/);
    assert.ok(parseFrames(text).every(({ id, data }) => (id === undefined) === data.includes('"ping"')));
  });
}
