import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { test } from "node:test";
import { setImmediate, setTimeout } from "node:timers/promises";
import { defineCrew } from "@baton/core";
import { SimulatedClock } from "@baton/core/testing";
import { DurableEngine } from "@baton/durable";
import { Store } from "@baton/store";
import { openMemory, openSqlite } from "@baton/store/sqlite";
import { baton } from "../dialects/baton.ts";
import { GatedModel, WAITS } from "../testing/crews.ts";
import { parseFrames } from "../testing/frames.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { toFormat } from "./stream-format.ts";
import { Projection } from "./projection.ts";
import { StreamHub } from "./stream-hub.ts";

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

/** The value of a metric that has no labels. */
async function readMetric(server: TestServer, name: string): Promise<number> {
  const text = await (await server.get("/metrics")).text();
  const line = text.split("\n").find((one) => one.startsWith(`${name} `)) ?? assert.fail(`there is no ${name}`);
  return Number(line.slice(name.length));
}

const POLL_MS = 20;

/** Waits until a metric has a value. */
async function untilMetric(server: TestServer, name: string, value: number): Promise<void> {
  while ((await readMetric(server, name)) !== value) await setTimeout(POLL_MS);
}

/** Every answer that servers of this process have begun since. */
function watchAnswers() {
  const answers: { readonly writableLength: unknown }[] = [];
  const note = (message: unknown) => {
    if (typeof message !== "object" || message === null || !("response" in message)) return;
    const { response } = message;
    if (typeof response === "object" && response !== null && "writableLength" in response) answers.push(response);
  };
  subscribe("http.server.request.start", note);
  const unsentBytes = () => Math.max(...answers.map(({ writableLength }) => Number(writableLength)));
  return { unsentBytes, [Symbol.dispose]: () => unsubscribe("http.server.request.start", note) };
}

test("readers that never read slow nobody, hold little, and are interrupted; who comes back finds everything", async () => {
  using answers = watchAnswers();
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
    const length = () => server.store.database.logs.length(started.headers.get("x-run-id") ?? "");
    while ((await length()) < (round + 1) * 250) await setImmediate();
    held.push(answers.unsentBytes());
  }
  model.end();
  const counts = new Set(await Promise.all(fast));
  assert.equal(counts.size, 1);
  assert.ok([...counts].every((count) => count > 6_000));
  await untilMetric(server, "baton_open_streams", 0);
  assert.equal(await readMetric(server, "baton_streams_cut_off_total"), 200);
  // The log has 6 MB; what waits for one reader is never much more than one write.
  assert.ok(Math.max(...held) > 0 && Math.max(...held) < 524_288, held.join(" "));
  assert.equal(parseFrames(await (await server.get(path)).text()).length, [...counts][0]);
  for (const socket of stuck) socket.destroy();
});

for (const dialect of ["baton", "crew"]) {
  test(`a reader in ${dialect} that is behind on a run which is deleted is interrupted`, async () => {
    const say = Array.from({ length: 100 }, () => "x".repeat(200_000)).join(" ");
    const crew = defineCrew({ name: "long", agents: [{ id: "talker", isTerminal: true }] });
    await using server = await startTestServer([{ crew, script: { talker: [{ say, delayMs: 1 }] } }]);
    const ended = await server.post("/api/runs", { input: "hello", session_id: "s" }, { Prefer: "wait" });
    const run = ended.headers.get("x-run-id") ?? "";
    const socket = await askOnly(server, `/api/runs/${run}/events?dialect=${dialect}`);
    await untilMetric(server, "baton_streams_behind", 1);
    assert.equal((await fetch(`${server.url}/api/sessions/s`, { method: "DELETE" })).status, 204);
    let last = Buffer.alloc(0);
    socket.on("data", (bytes) => (last = bytes));
    socket.resume();
    await once(socket, "close");
    assert.ok(!last.subarray(-5).equals(Buffer.from("0\r\n\r\n")), "it was behind");
    assert.equal((await server.get(`/api/runs/${run}/events`)).status, 404);
  });
}

test("a stream of a run that was deleted before it began is interrupted", async () => {
  const model = new GatedModel();
  await using server = await startTestServer([TALKS], { model: () => model });
  const [first, second] = await Promise.all(
    ["one", "two"].map((input) => server.post("/api/runs", { input, session_id: "s" })),
  );
  const ids = [first, second].map((answer) => answer?.headers.get("x-run-id") ?? "");
  const queued = await Promise.all(
    ids.map(async (id) => (await server.store.database.runs.find(id))?.status === "queued"),
  );
  const id = ids[queued.indexOf(true)] ?? assert.fail();
  const stream = await server.get(`/api/runs/${id}/events`);
  await server.store.database.runs.delete(id);
  await assert.rejects(stream.text());
  model.end();
});

test("a stream of a run that was deleted at another server is interrupted", async () => {
  const folder = await mkdtemp(join(tmpdir(), "baton-streams-"));
  const open = () => openSqlite({ path: join(folder, "baton.db") });
  {
    await using first = await startTestServer([WAITS], { database: await open() });
    await using second = await startTestServer([WAITS], { database: await open() });
    const paused = await first.post("/api/runs", { input: "hello", session_id: "s" }, { Prefer: "wait" });
    const run = paused.headers.get("x-run-id") ?? "";
    const stream = await second.get(`/api/runs/${run}/events`);
    // Nothing tells the stream that the run ends: it must see by itself that the log has gone.
    await first.store.database.runs.delete(run);
    await assert.rejects(stream.text());
    assert.equal((await second.get(`/api/runs/${run}/events`)).status, 404);
  }
  await rm(folder, { recursive: true });
});

test("streams are kept alive while keys cannot be read", async () => {
  const keepAliveMs = 20;
  const clock = new SimulatedClock(1);
  const crew = defineCrew({ name: "quiet", agents: [{ id: "asker" }], settings: { sseKeepAliveMs: keepAliveMs } });
  const model = new GatedModel();
  const store = await Store.open({ database: openMemory(), clock });
  const engine = new DurableEngine({ store, crews: [crew], model: () => model });
  const { id: run } = await clock.run(engine.start(crew, { input: "hello", tenant: "local" }));
  let asked = 0;
  const isWelcome = () => {
    asked++;
    return new Promise<never>(() => undefined);
  };
  const report = (error: unknown) => assert.fail(String(error));
  const hub = new StreamHub({ store, tickMs: keepAliveMs / 2, isWelcome, report });
  const taken: string[] = [];
  const outgoing = new Writable({
    write(bytes: Buffer, _, done) {
      taken.push(bytes.toString());
      done();
    },
  });
  const context = { run, session: undefined, crew, createdAt: 0, model: "quiet" };
  const projection = new Projection(toFormat(baton, context), undefined);
  hub.open(run, { outgoing, projection, key: "local", pauseAfter: 0, left: undefined });
  await clock.advance(6 * keepAliveMs);
  assert.equal(asked, 1);
  assert.deepEqual(
    taken.slice(-5),
    Array.from({ length: 5 }, () => ": keep-alive\n\n"),
  );
  await hub.close();
  await clock.run(engine.stop());
  await clock.run(store[Symbol.asyncDispose]());
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
