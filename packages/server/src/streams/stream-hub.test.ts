import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { test } from "node:test";
import { defineCrew } from "@baton/core";
import { SimulatedClock } from "@baton/core/testing";
import { DurableEngine } from "@baton/durable";
import { Store } from "@baton/store";
import { openMemory, openSqlite } from "@baton/store/sqlite";
import { baton } from "../dialects/baton.ts";
import { GatedModel, WAITS } from "../testing/crews.ts";
import { parseFrames } from "../testing/frames.ts";
import { startTestServer } from "../testing/test-server.ts";
import { toFormat } from "./stream-format.ts";
import { Projection } from "./projection.ts";
import { StreamHub } from "./stream-hub.ts";

const TALKS = {
  crew: defineCrew({
    name: "talks",
    agents: [{ id: "talker", isTerminal: true }],
  }),
  script: {},
};

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
  assert.equal(clock.pending, 0, "a timer stays");
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
