import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { setImmediate as turn } from "node:timers/promises";
import { ASKS, GatedModel, RELAY, SLOW, WAITS } from "../testing/crews.ts";
import { startTestServer } from "../testing/test-server.ts";
import { openLasting } from "@baton/store/testing";
import { SocketClient } from "./testing/socket-client.ts";

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at);

test("start is answered with the run and then its events to the end, each once and in order", async () => {
  await using server = await startTestServer([RELAY]);
  await using client = await SocketClient.open(server.url);
  const { ok, run, session_id } = await client.ask({ id: "s", op: "start", input: "hello" });
  assert.equal(ok, true);
  assert.equal(typeof session_id, "string");
  assert.equal(await client.ended("s"), "ended");
  const seqs = client.seqs("s", run);
  assert.deepEqual(seqs, range(1, seqs.length));
  const answer = await server.get(`/api/runs/${run}/events`, { Accept: "application/json" });
  const { events } = z.object({ events: z.array(z.unknown()) }).parse(await answer.json());
  assert.deepEqual(
    client.messages.flatMap(({ event }) => (event === undefined ? [] : [event])),
    events,
  );
  const at = client.messages.findIndex(({ re }) => re === "s");
  assert.ok(
    client.messages.slice(0, at).every(({ on }) => on === undefined),
    "the reply comes before the events",
  );
});

test("a follow begins after the event it names, in any dialect; at the end of an ended run it ends at once", async () => {
  await using server = await startTestServer([RELAY]);
  await using client = await SocketClient.open(server.url);
  const { run } = await client.ask({ id: "s", op: "start", input: "hello" });
  await client.ended("s");
  const last = client.seqs("s").length;
  await client.ask({ id: "f", op: "follow", run, after: 3 });
  assert.equal(await client.ended("f"), "ended");
  assert.deepEqual(client.seqs("f"), range(4, last));
  await client.ask({ id: "o", op: "follow", run, dialect: "openai" });
  await client.ended("o");
  const frames = client.messages.filter(({ on, frame }) => on === "o" && frame !== undefined);
  assert.equal(frames.at(-1)?.["frame"], "[DONE]");
  const sse = await (await server.get(`/api/runs/${run}/events?dialect=openai`)).text();
  for (const { frame } of frames) assert.ok(sse.includes(`data: ${String(frame)}\n\n`));
  await client.ask({ id: "e", op: "follow", run, after: last });
  assert.equal(await client.ended("e"), "ended");
  assert.deepEqual(client.seqs("e"), []);
  await client.ask({ id: "x", op: "follow", run, after: last + 100 });
  assert.equal(await client.ended("x"), "ended");
});

test("a follow of a run until its pause ends there; the answer to it continues the run", async () => {
  await using server = await startTestServer([WAITS]);
  await using client = await SocketClient.open(server.url);
  const { run, session_id } = await client.ask({ id: "s", op: "start", input: "hello" });
  assert.equal(await client.ended("s"), "paused");
  const paused = client.seqs("s").length;
  const next = await client.ask({ id: "n", op: "start", input: "that one", session_id });
  assert.equal(next.run, run);
  assert.equal(await client.ended("n"), "ended");
  const seqs = client.seqs("n");
  assert.deepEqual(seqs, range(paused + 1, paused + seqs.length));
  await client.ask({ id: "p", op: "follow", run, until: "pause" });
  assert.equal(await client.ended("p"), "paused");
  assert.deepEqual(client.seqs("p"), range(1, paused));
});

test("commands get HTTP's answers: a receipt for a cancel, and errors with HTTP's codes", async () => {
  const model = new GatedModel();
  await using server = await startTestServer([SLOW, ASKS], { model: () => model });
  await using client = await SocketClient.open(server.url);
  const { run, session_id: session } = await client.ask({ id: "s", op: "start", crew: "slow", input: "hello" });
  model.say("some words");
  await client.find(({ on, event }) => on === "s" && event?.type === "text.delta");
  const cancelled = await client.ask({ id: "c", op: "command", run, command: { type: "cancel" } });
  assert.equal(cancelled.ok, true);
  assert.ok(Array.isArray(cancelled["stopped"]));
  assert.equal(await client.ended("s"), "ended");
  const again = await client.ask({ id: "d", op: "command", run, command: { type: "say", text: "hi" } });
  assert.deepEqual([again.error?.status, again.error?.code], [409, "run_ended"]);
  const none = await client.ask({ id: "n", op: "command", run: "nope", command: { type: "pause" } });
  assert.equal(none.error?.code, "not_found");
  const wrong = await client.ask({ id: "w", op: "command", run, command: { type: "dance" } });
  assert.equal(wrong.error?.status, 400);
  const all = await client.ask({ id: "a", op: "command", session, command: { type: "cancel" } });
  assert.deepEqual(all["runs"], []);
});

test("ops about one run are carried out in the order they came", async () => {
  const model = new GatedModel();
  await using server = await startTestServer([SLOW], { model: () => model });
  await using client = await SocketClient.open(server.url);
  const { run } = await client.ask({ id: "s", op: "start", input: "hello", follow: false });
  for (const id of ["1", "2", "3", "4"]) client.send({ id, op: "command", run, command: { type: "say", text: id } });
  client.send({ id: "5", op: "command", run, command: { type: "cancel" } });
  await client.find(({ re }) => re === "5");
  const order = client.messages.flatMap(({ re }) => (re === "s" || re === undefined ? [] : [re]));
  assert.deepEqual(order, ["1", "2", "3", "4", "5"]);
});

test("a session's follow has the events of its open run and of those that begin later", async () => {
  await using server = await startTestServer([RELAY]);
  await using client = await SocketClient.open(server.url);
  await server.post("/api/runs", { input: "before", session_id: "talk" }, { Prefer: "wait" });
  await client.ask({ id: "f", op: "follow", session: "talk" });
  const { run } = await client.ask({ id: "a", op: "start", input: "one", session_id: "talk", follow: false });
  await client.find(({ on, event }) => on === "f" && event?.type === "run.ended");
  const runs = new Set(client.messages.flatMap(({ on, run: of }) => (on === "f" && of !== undefined ? [of] : [])));
  assert.deepEqual([...runs], [run]);
  const seqs = client.seqs("f", run);
  assert.deepEqual(seqs, range(1, seqs.length));
  const next = await client.ask({ id: "b", op: "start", input: "two", session_id: "talk", follow: false });
  await client.find(({ on, run: of, event }) => on === "f" && of === next.run && event?.type === "run.ended");
  assert.equal((await client.ask({ id: "u", op: "unfollow", on: "f" })).ok, true);
  assert.equal(await client.ended("f"), "unfollowed");
  await client.ask({ id: "g", op: "follow", session: "talk", after: { run, seq: 4 } });
  await client.find(({ on, run: of, event }) => on === "g" && of === next.run && event?.type === "run.ended");
  assert.deepEqual(client.seqs("g", run), range(5, seqs.length));
});

test("what is not an op is refused with its id or null and the socket stays; the tenth in a row closes it", async () => {
  await using server = await startTestServer([RELAY]);
  await using client = await SocketClient.open(server.url);
  for (const message of ["{", "[]", '{"op":"ping"}', '{"id":"x","op":"dance"}', '{"id":"y"}', '{"id":"","op":"ping"}'])
    client.send(message);
  assert.equal((await client.ask({ id: "p", op: "ping" })).ok, true);
  const refused = client.messages.flatMap(({ re, ok, error }) => (ok === false ? [[re, error?.status]] : []));
  assert.deepEqual(refused, [
    [null, 400],
    [null, 400],
    [null, 400],
    ["x", 400],
    ["y", 400],
    [null, 400],
  ]);
  for (let count = 0; count < 10; count++) client.send("nonsense");
  assert.equal(await client.closed, 4400);
});

test("binary, too large and malformed messages close the socket with their codes", async () => {
  await using server = await startTestServer([RELAY], { maxBodyBytes: 10_000 });
  const codeOf = async (spoil: (client: SocketClient) => void) => {
    await using client = await SocketClient.open(server.url);
    spoil(client);
    return await client.closed;
  };
  assert.equal(await codeOf(({ socket }) => socket.send(Buffer.from("x"))), 1003);
  assert.equal(await codeOf((client) => client.send("x".repeat(10_001))), 1009);
  assert.equal(await codeOf(({ socket }) => socket.send(Buffer.from([0xff, 0xfe]), { binary: false })), 1007);
  assert.equal(await codeOf(({ socket }) => socket.send("x", { mask: false })), 1002);
});

test("an id that still follows, a 65th follow and a 33rd op without a reply are refused", async () => {
  const model = new GatedModel();
  await using server = await startTestServer([SLOW], { model: () => model });
  await using client = await SocketClient.open(server.url);
  const { run } = await client.ask({ id: "s", op: "start", input: "hello" });
  assert.equal((await client.ask({ id: "s2", op: "follow", run })).ok, true);
  client.messages.length = 0;
  assert.equal((await client.ask({ id: "s2", op: "ping" })).error?.status, 409);
  for (const id of range(3, 64)) assert.equal((await client.ask({ id: `f${id}`, op: "follow", run })).ok, true);
  assert.equal((await client.ask({ id: "more", op: "follow", run })).error?.code, "limit");
  assert.equal((await client.ask({ id: "u", op: "unfollow", on: "f3" })).ok, true);
  await client.ended("f3");
  assert.equal((await client.ask({ id: "again", op: "follow", run })).ok, true);
  for (const id of range(1, 200))
    client.send({ id: `p${id}`, op: "command", run, command: { type: "say", text: "x" } });
  await client.find(({ re }) => re === "p200");
  const refused = client.messages.filter(({ re, error }) => re?.startsWith("p") === true && error?.code === "limit");
  assert.ok(refused.length > 0);
  model.end();
});

test("disconnecting detaches; with on_disconnect cancel it cancels the run", async () => {
  const model = new GatedModel();
  await using server = await startTestServer([SLOW], { model: () => model });
  const statusOf = async (run: unknown) => (await server.store.database.runs.find(String(run)))?.outcome;
  const client = await SocketClient.open(server.url);
  const kept = await client.ask({ id: "k", op: "start", input: "hello" });
  const tied = await client.ask({ id: "t", op: "start", input: "hello", on_disconnect: "cancel" });
  await client[Symbol.asyncDispose]();
  while ((await statusOf(tied.run)) === undefined) await turn();
  assert.equal(await statusOf(tied.run), "cancelled");
  assert.equal(await statusOf(kept.run), undefined);
  model.end();
});

test("a server that stops lets follows go on through the grace period, refuses starts, and closes with 1012", async () => {
  const model = new GatedModel();
  const server = await startTestServer([SLOW], { model: () => model, graceMs: 60_000 });
  const client = await SocketClient.open(server.url);
  await client.ask({ id: "s", op: "start", input: "hello" });
  const stopped = server.server.stop();
  assert.equal((await client.ask({ id: "n", op: "start", input: "more" })).error?.code, "stopping");
  assert.equal((await client.ask({ id: "p", op: "ping" })).ok, true);
  model.say("the last words");
  model.end();
  assert.equal(await client.ended("s"), "ended");
  assert.equal(await client.closed, 1012);
  await stopped;
  await server[Symbol.asyncDispose]();
});

test("a run that goes on is followed on another server from the last event, without a gap or a repeat", async () => {
  const model = new GatedModel();
  const database = openLasting();
  const first = await startTestServer([SLOW], { model: () => model, database });
  const client = await SocketClient.open(first.url);
  const { run } = await client.ask({ id: "s", op: "start", input: "hello" });
  model.say("some");
  await client.find(({ event }) => event?.type === "text.delta");
  await using second = await startTestServer([SLOW], { model: () => model, database });
  await first[Symbol.asyncDispose]();
  assert.equal(await client.ended("s"), "stopped");
  assert.equal(await client.closed, 1012);
  const after = client.seqs("s").length;
  model.end();
  await using next = await SocketClient.open(second.url);
  await next.ask({ id: "f", op: "follow", run, after });
  assert.equal(await next.ended("f"), "ended");
  const seqs = [...client.seqs("s"), ...next.seqs("f")];
  assert.deepEqual(seqs, range(1, seqs.length));
});

test("a client that takes nothing stops the reading of the log for it, and gets all once it reads again", async () => {
  const crew = { ...SLOW, script: { talker: [{ say: `${"x".repeat(1_000)} `.repeat(1_500) }] } };
  await using server = await startTestServer([crew]);
  const run = (await server.post("/api/runs", { input: "x" }, { Prefer: "wait" })).headers.get("x-run-id");
  await using client = await SocketClient.open(server.url);
  const ids = range(1, 6).map(String);
  client.socket.pause();
  for (const id of ids) client.send({ id, op: "follow", run });
  const before = process.memoryUsage();
  for (let count = 0; count < 200; count++) await turn();
  const after = process.memoryUsage();
  const grownBytes = after.heapUsed + after.external - before.heapUsed - before.external;
  assert.ok(grownBytes < 25_000_000, `${grownBytes}`);
  assert.equal((await server.get("/health")).status, 200);
  client.socket.resume();
  for (const id of ids) assert.equal(await client.ended(id), "ended");
  for (const id of ids) assert.deepEqual(client.seqs(id), range(1, client.seqs("1").length));
});
