import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { defineCrew, type RunEvent } from "@baton/core";
import { openLasting } from "@baton/store/testing";

import { z } from "zod";
import { SCENES } from "../dialects/testing/scenes.ts";
import { ASKS, GatedModel, SLOW, WAITS } from "../testing/crews.ts";
import { sentOf } from "../testing/sent.ts";
import { type Scripted, startTestServer, type TestServer } from "../testing/test-server.ts";
import { createObserver } from "./observer.ts";

const LINE = z.looseObject({ msg: z.string() });

/** Returns the origin fields of log lines. */
function originsIn(logs: readonly string[], ...messages: readonly string[]): readonly unknown[] {
  const lines = logs.map((line) => LINE.parse(JSON.parse(line))).filter(({ msg }) => messages.includes(msg));
  return lines.map(({ msg, request, session, crew, agent, position }) => [
    msg,
    request,
    session,
    crew,
    agent,
    position,
  ]);
}

/** Starts a run that pauses, in the session `s`. */
async function pause(server: TestServer, input = "hello"): Promise<string> {
  const body = { input, session_id: "s" };
  const { id = "" } = await sentOf(await server.post("/api/runs", body, { Prefer: "wait", "X-Request-Id": "first" }));
  return id;
}

const SECOND = { "X-Request-Id": "second" };

/** The server itself, or another one that takes over its store. */
const SERVERS: readonly (readonly [name: string, take: (crews: readonly Scripted[]) => Promise<TestServer>])[] = [
  ["of a paused run", (crews) => startTestServer(crews, { logLevel: "debug" })],
  ["of a run that paused in another process", handOver],
];

async function handOver(crews: readonly Scripted[]): Promise<TestServer> {
  const database = openLasting();
  const first = await startTestServer(crews, { database });
  await pause(first);
  await first[Symbol.asyncDispose]();
  return startTestServer(crews, { database, logLevel: "debug" });
}

async function pausedIn(server: TestServer): Promise<string> {
  const { runs = [] } = await sentOf(await server.get("/api/runs"));
  return runs[0]?.id ?? pause(server);
}

for (const [whose, take] of SERVERS) {
  test(`the cancel ${whose} is logged and counted with its request, session, crew and place`, async () => {
    await using server = await take([WAITS]);
    const id = await pausedIn(server);
    const cancelled = await server.post(`/api/runs/${id}/commands`, { type: "cancel" }, SECOND);
    assert.equal(cancelled.status, 200);
    const metrics = await (await server.get("/metrics")).text();
    assert.match(metrics, /baton_runs_total\{crew="waits",outcome="cancelled"\} 1/);
    assert.doesNotMatch(metrics, /crew="unknown"/);
    assert.deepEqual(originsIn(server.logs, "run ended"), [["run ended", "second", "s", "waits", "asker", "1"]]);
  });

  test(`a configuration ${whose} is logged with its request, session, crew and place`, async () => {
    await using server = await take([WAITS]);
    const id = await pausedIn(server);
    const configure = (more: object) =>
      server.post(`/api/runs/${id}/commands`, { type: "configure", temperature: 0, ...more }, SECOND);
    assert.equal((await configure({})).status, 202);
    assert.equal((await configure({ agent: "closer" })).status, 202);
    await (await server.get("/metrics")).text();
    assert.deepEqual(originsIn(server.logs, "command"), [
      ["command", "second", "s", "waits", "asker", "1"],
      ["command", "second", "s", "waits", "closer", "1"],
    ]);
  });

  test(`the cancel of a call ${whose} is logged with the call, and counted for its crew`, async () => {
    await using server = await take([ASKS]);
    const id = await pausedIn(server);
    const cancel = { type: "cancel", call: "1.1.1" };
    assert.equal((await server.post(`/api/runs/${id}/commands`, cancel, SECOND)).status, 200);
    const metrics = await (await server.get("/metrics")).text();
    assert.match(metrics, /baton_cancellations_total\{crew="asks",what="call"\} 1/);
    assert.deepEqual(originsIn(server.logs, "command", "run resumed"), [
      ["command", "second", "s", "asks", "helper", "1.1.1"],
      ["run resumed", "second", "s", "asks", "helper", "1"],
    ]);
  });

  test(`a session's cancel ${whose} is logged with its request`, async () => {
    await using server = await take([WAITS]);
    await pausedIn(server);
    const cancelled = await server.post("/api/sessions/s/cancel", {}, SECOND);
    assert.equal(cancelled.status, 200);
    await (await server.get("/metrics")).text();
    assert.deepEqual(originsIn(server.logs, "run ended"), [["run ended", "second", "s", "waits", "asker", "1"]]);
  });
}

test("a recovered run is logged with the request, session and crew that it began with", async () => {
  const database = openLasting();
  const model = new GatedModel();
  const first = await startTestServer([SLOW], { database, model: () => model });
  model.say("Half");
  const body = { input: "hello", session_id: "s" };
  const { id } = await sentOf(await first.post("/api/runs", body, { "X-Request-Id": "first" }));
  while (!/text.delta/.test(await (await first.get(`/api/runs/${id}/events`, { Accept: "application/json" })).text()))
    await setTimeout(1);
  await first[Symbol.asyncDispose]();
  await using second = await startTestServer([SLOW], { database, model: () => model });
  model.end();
  await (await second.get(`/api/runs/${id}/events`)).text();
  assert.deepEqual(originsIn(second.logs, "run resumed", "run ended"), [
    ["run resumed", "first", "s", "slow", "talker", "1"],
    ["run ended", "first", "s", "slow", "talker", "1"],
  ]);
  const metrics = await (await second.get("/metrics")).text();
  assert.match(metrics, /baton_runs_resumed_total\{crew="slow"\} 1/);
  assert.doesNotMatch(metrics, /crew="unknown"/);
});

async function laterEvents(): Promise<readonly [before: readonly RunEvent[], after: readonly RunEvent[]]> {
  const { events } = (await SCENES.get("a pause and a resume")?.()) ?? assert.fail();
  const resumed = events.findIndex(({ type }) => type === "run.resumed");
  return [events.slice(0, resumed), events.slice(resumed)];
}

test("events that wait for the log of their run stay in order, and are passed on if it cannot be read", async () => {
  const [before, after] = await laterEvents();
  for (const isReadable of [true, false]) {
    const lines: string[] = [];
    const read = Promise.withResolvers<readonly RunEvent[]>();
    const observer = createObserver({
      crews: [],
      logTo: { write: (line) => lines.push(line) },
      readLog: () => read.promise,
    });
    for (const event of after) observer.observe(event);
    assert.deepEqual(lines, []);
    if (isReadable) read.resolve(before);
    else read.reject(new Error("the disk is gone"));
    await read.promise.catch(() => undefined);
    await setTimeout(0);
    const known = isReadable
      ? [undefined, "session", "waiting", "clarifier"]
      : [undefined, undefined, undefined, "clarifier"];
    assert.deepEqual(originsIn(lines, "run resumed", "run ended"), [
      ["run resumed", ...known, isReadable ? "1" : undefined],
      ["run ended", ...known, "2"],
    ]);
    observer.close();
  }
});

test("an observer that closes tells what still waits, once", async () => {
  const [before, after] = await laterEvents();
  const lines: string[] = [];
  const read = Promise.withResolvers<readonly RunEvent[]>();
  const observer = createObserver({
    crews: [],
    logTo: { write: (line) => lines.push(line) },
    readLog: () => read.promise,
  });
  for (const event of after) observer.observe(event);
  observer.close();
  const told = lines.length;
  assert.equal(originsIn(lines, "run ended").length, 1);
  read.resolve(before);
  await setTimeout(0);
  assert.equal(lines.length, told);
});

test("log lines of a run that follows another have its request and session", async () => {
  const after = defineCrew({ name: "learn", agents: [{ id: "learner", isTerminal: true }] });
  const crew = defineCrew({ name: "talk", agents: [{ id: "talker", isTerminal: true }], after });
  const script = { talker: [{ say: "Yes." }], learner: [{ say: "Learned." }] };
  await using server = await startTestServer([
    { crew, script },
    { crew: after, script },
  ]);
  const body = { crew: "talk", input: "hello", session_id: "s" };
  await server.post("/api/runs", body, { Prefer: "wait", "X-Request-Id": "first" });
  const ended = () => originsIn(server.logs, "run ended").filter((line) => String(line).includes("learn"));
  while (ended().length === 0) await setTimeout(10);
  assert.deepEqual(ended(), [["run ended", "first", "s", "learn", "learner", "1"]]);
});
