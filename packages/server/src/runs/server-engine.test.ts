import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, scriptModel } from "@baton/core";
import { SystemClock } from "@baton/core/ports";
import { Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { startServer } from "../server.ts";
import { toServed } from "../testing/test-server.ts";
import { AwaitedRuns } from "./awaited-runs.ts";
import { ServerEngine } from "./server-engine.ts";

const crew = defineCrew({ name: "tea", agents: [{ id: "host", isTerminal: true }] });
const model = () => scriptModel({ host: [{ say: "Green tea." }] });

test("a stop waits for requests on their way and for runs, not for what comes after it has left", async () => {
  await using store = await Store.open({ database: openMemory() });
  await using shared = new ServerEngine({ store, crews: [toServed(crew)], model });
  const run = await shared.engine.start(shared.toRedacted(crew), { input: "hello" });
  const attended = new AwaitedRuns();
  const coming = attended.enter();
  const settled = attended.settled(new SystemClock(), 60_000);
  const outcome = attended.outcome(run);
  coming[Symbol.dispose]();
  await settled;
  assert.equal((await outcome)?.content, "Green tea.");
  attended.leave();
  assert.equal(await attended.outcome(run), undefined);
});

test("a server on another store than its engine's cannot start", async () => {
  await using store = await Store.open({ database: openMemory() });
  await using other = await Store.open({ database: openMemory() });
  await using engine = new ServerEngine({ store: other, crews: [toServed(crew)], model });
  const starting = startServer({ store, engine, crews: [toServed(crew)], model, port: 0, logLevel: "silent" });
  await assert.rejects(starting, /`store` must be the store of `engine`/);
});

test("what the tools of crews want to do at the end is called when the engine ends, not when a server stops", async () => {
  let calls = 0;
  const served = { ...toServed(crew), onShutdown: () => calls++ };
  await using store = await Store.open({ database: openMemory() });
  const engine = new ServerEngine({ store, crews: [served], model });
  const server = await startServer({ store, engine, crews: [served], model, port: 0, logLevel: "silent" });
  await server.stop();
  assert.equal(calls, 0);
  await engine[Symbol.asyncDispose]();
  assert.equal(calls, 1);
});
