import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedClock } from "@baton/core/testing";
import { defineLogger } from "./observe/logs.ts";
import type { OnShutdown } from "@baton/crewfile";
import { startServer } from "./server.ts";
import { runShutdown } from "./shutdown.ts";
import { GatedModel, RELAY, SLOW } from "./testing/crews.ts";
import { startTestServer, toServed } from "./testing/test-server.ts";

/** Calls callbacks in simulated time, and says how long that took and what was logged. */
async function callAll(onShutdown: readonly OnShutdown[], remainingMs: number) {
  const clock = new SimulatedClock(1);
  const lines: string[] = [];
  const logger = defineLogger({ logTo: { write: (line) => lines.push(line) }, redact: (text) => text });
  const crews = [{ ...toServed(RELAY.crew), onShutdown: onShutdown[0] ?? (() => undefined) }];
  await clock.run(runShutdown({ onShutdown, crews }, { clock, logger, remainingMs }));
  assert.equal(clock.pending, 0);
  return { tookMs: clock.monotonic(), lines };
}

test("every callback is called once, though one throws, one rejects and one hangs", async () => {
  const called: string[] = [];
  const { tookMs, lines } = await callAll(
    [
      () => {
        called.push("throws");
        throw new Error("no connection");
      },
      async () => {
        called.push("rejects");
        await Promise.reject(new Error("half closed"));
      },
      () => {
        called.push("hangs");
        return new Promise(() => undefined);
      },
      async () => {
        await Promise.resolve();
        called.push("ends");
      },
    ],
    5_000,
  );
  assert.deepEqual(called, ["throws", "rejects", "hangs", "ends"]);
  assert.equal(tookMs, 5_000);
  assert.deepEqual(
    lines.map((line) => ["no connection", "half closed", "did not end in time"].find((text) => line.includes(text))),
    ["no connection", "half closed", "did not end in time"],
  );
});

test("callbacks that end do not use up the grace period; after a long run they still have a second", async () => {
  assert.equal((await callAll([() => "done"], 5_000)).tookMs, 0);
  assert.equal((await callAll([() => new Promise(() => undefined)], -20)).tookMs, 1_000);
});

test("a server that stops lets its runs end first, then awaits the callbacks", async () => {
  const model = new GatedModel();
  const told: string[] = [];
  const onShutdown = async () => {
    const listed = await server.store.database.runs.list({ tenant: "local" });
    told.push(...listed.map(({ status }) => status));
    await new Promise((resolve) => setImmediate(resolve));
    told.push("closed");
  };
  const server = await startTestServer([SLOW], { model: () => model, graceMs: 60_000, onShutdown: [onShutdown] });
  await server.post("/api/runs", { input: "hello" });
  const stopped = server.server.stop();
  model.end();
  await stopped;
  assert.deepEqual(told, ["ended", "closed"]);
  await server[Symbol.asyncDispose]();
});

test("a server that could not start calls nothing", async () => {
  const told: string[] = [];
  await using first = await startTestServer([RELAY]);
  const { store, server } = first;
  const crews = [{ ...toServed(RELAY.crew), onShutdown: () => told.push("called") }];
  const model = () => new GatedModel();
  await assert.rejects(startServer({ store, crews, model, port: server.port, logLevel: "silent" }), /EADDRINUSE/);
  assert.deepEqual(told, []);
});
