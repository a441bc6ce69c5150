import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { setImmediate, setTimeout } from "node:timers/promises";
import { defineCrew, defineTool, type Model } from "@baton/core";
import { inSlice } from "@baton/core/testing";
import { z } from "zod";
import { GatedModel, RELAY } from "../testing/crews.ts";
import { parseFrames } from "../testing/frames.ts";
import { type Scripted, startTestServer, type TestServer } from "../testing/test-server.ts";

const TALKS = {
  crew: defineCrew({
    name: "talks",
    agents: [{ id: "talker", isTerminal: true }],
    settings: { sseKeepAliveMs: 1_000 },
  }),
  script: {},
};

const bulk = defineTool({
  name: "bulk",
  description: "Returns much.",
  effect: "read",
  input: z.object({}),
  run: () => "x".repeat(900_000),
});
const CALLS = { call: Array.from({ length: 8 }, () => ({ tool: "bulk", args: {} })) };

/** Has a log of more bytes than the sockets' buffers, in many pages. */
const BULKY: Scripted = {
  crew: defineCrew({ name: "bulky", agents: [{ id: "a", tools: ["bulk"], isTerminal: true }], tools: [bulk] }),
  script: { a: [CALLS, CALLS, CALLS, { say: "Done." }] },
};

/** The model as a program, whose replies may be longer than the sockets' buffers. */
function unlimited(model: GatedModel): Model {
  return { name: model.name, isProgram: true, stream: (prompt, scope) => model.stream(prompt, scope) };
}

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

/** Readers that take nothing. */
const STUCK = 200;

test("readers that never read slow nobody, hold little, and are interrupted; who comes back finds everything", async () => {
  using answers = watchAnswers();
  const model = new GatedModel();
  await using server = await startTestServer([TALKS], { model: () => unlimited(model), logLevel: "silent" });
  const started = await server.post("/api/runs", { input: "hello" });
  const path = `/api/runs/${started.headers.get("x-run-id")}/events`;
  const stuck = await Promise.all(Array.from({ length: STUCK }, () => askOnly(server, path)));
  const fast = Array.from({ length: 2 }, async () => parseFrames(await (await server.get(path)).text()).length);
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
  assert.ok([...counts].every((count) => count > 24 * 250));
  await untilMetric(server, "baton_open_streams", 0);
  assert.equal(await readMetric(server, "baton_streams_cut_off_total"), STUCK);
  // The log has 6 MB; what waits for one reader is never much more than one write.
  assert.ok(Math.max(...held) > 0 && Math.max(...held) < 524_288, held.join(" "));
  assert.equal(parseFrames(await (await server.get(path)).text()).length, [...counts][0]);
  for (const socket of stuck) socket.destroy();
});

for (const dialect of inSlice(["baton", "crew"])) {
  test(`a reader in ${dialect} that is behind on a run which is deleted is interrupted`, async () => {
    await using server = await startTestServer([BULKY]);
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

test("a reader of the feed that takes nothing is closed, and counted", async () => {
  await using server = await startTestServer([RELAY]);
  const socket = await askOnly(server, "/api/feed");
  const closed = once(socket, "close");
  const input = "x".repeat(10_000);
  while ((await readMetric(server, "baton_streams_cut_off_total")) === 0)
    await Promise.all(Array.from({ length: 20 }, () => server.post("/api/runs", { input })));
  socket.resume();
  await closed;
});
