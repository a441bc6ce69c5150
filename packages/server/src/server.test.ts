import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { BatonError, defineCrew, defineTool, type Model } from "@baton/core";
import { SystemClock } from "@baton/core/ports";
import { type Database, Store } from "@baton/store";
import { openMemory, openSqlite } from "@baton/store/sqlite";
import { z } from "zod";
import { KeyRing, type KeyScope } from "./gateway/keys.ts";
import { startServer } from "./server.ts";
import { GatedModel, RELAY, SLOW, WAITS } from "./testing/crews.ts";
import { lastIdOf, parseFrames } from "./testing/frames.ts";
import { sentOf } from "./testing/sent.ts";
import { startTestServer, toModels, toServed } from "./testing/test-server.ts";

async function withKeys(database: Database, tenants: readonly (readonly [string, readonly KeyScope[]])[]) {
  const ring = new KeyRing({ database, clock: new SystemClock(), isLoopback: true });
  return Promise.all(
    tenants.map(async ([tenant, scopes]) => ({ Authorization: `Bearer ${(await ring.create(tenant, scopes)).key}` })),
  );
}

test("a tenant's runs and sessions are as if they were not there for any other", async () => {
  const database = openMemory();
  const [mine = {}, theirs = {}] = await withKeys(database, [
    ["mine", ["run", "read", "admin"]],
    ["theirs", ["run", "read", "admin"]],
  ]);
  await using server = await startTestServer([WAITS], { database });
  const started = await server.post("/api/runs", { input: "hello", session_id: "s" }, { ...mine, Prefer: "wait" });
  const run = started.headers.get("x-run-id");
  for (const path of [
    `/api/runs/${run}`,
    `/api/runs/${run}/events`,
    "/api/sessions/s/messages",
    `/api/runs?before=${run}`,
  ]) {
    assert.equal((await server.get(path, theirs)).status, 404, path);
    assert.equal((await server.get(path)).status, 401, path);
  }
  const cancel = { type: "cancel" };
  assert.equal((await server.post(`/api/runs/${run}/commands`, cancel, theirs)).status, 404);
  const answer = { role: "tool", tool_call_id: `${run}/1.1.1`, content: "allow" };
  const body = { model: "waits", messages: [{ role: "user", content: "hello" }, answer] };
  assert.equal((await server.post("/v1/chat/completions", body, theirs)).status, 404);
  const previous = { model: "waits", input: "hello", previous_response_id: `resp_${run}` };
  assert.equal((await server.post("/v1/responses", previous, theirs)).status, 404);
  const removed = await fetch(`${server.url}/api/sessions/s`, { method: "DELETE", headers: theirs });
  assert.equal(removed.status, 404);
  assert.deepEqual(await sentOf(await server.get("/api/sessions", theirs)), { sessions: [] });
  assert.deepEqual((await sentOf(await server.get("/api/runs", theirs))).runs, []);
  const same = await server.post("/api/runs", { input: "hello", session_id: "s" }, { ...theirs, Prefer: "wait" });
  assert.notEqual(same.headers.get("x-run-id"), run);
  assert.equal((await server.get(`/api/runs/${run}`, mine)).status, 200);
});

test("a server for other hosts warns once at the start if it has no key, and not if it has one", async () => {
  const warned = async (database: Database, allowedHosts: readonly string[]) => {
    await using server = await startTestServer([RELAY], { database, allowedHosts });
    return server.logs.filter((line) => line.includes('"level":"warn"')).join("");
  };
  const open = await warned(openMemory(), ["localhost:80", "crews.example.com", "b.example:443"]);
  assert.match(open, /requests to crews\.example\.com, b\.example:443 get 401 until this server has an API key/);
  assert.equal(await warned(openMemory(), ["localhost"]), "");
  const database = openMemory();
  await withKeys(database, [["mine", ["run"]]]);
  assert.equal(await warned(database, ["crews.example.com"]), "");
});

test("a key does what its scopes say and nothing else", async () => {
  const database = openMemory();
  const [run = {}, read = {}] = await withKeys(database, [
    ["t", ["run"]],
    ["t", ["read"]],
  ]);
  await using server = await startTestServer([RELAY], { database });
  assert.equal((await server.post("/api/runs", { input: "hello" }, read)).status, 403);
  assert.equal((await server.post("/api/runs", { input: "hello" }, run)).status, 202);
  assert.equal((await server.get("/api/runs", run)).status, 403);
  const back = await server.get("/api/crew/stream?q=hello&session_id=s", { ...run, "Last-Event-ID": "1" });
  assert.equal(back.status, 403, "what others have asked is read with the scope read");
  assert.equal((await server.get("/api/runs", read)).status, 200);
  assert.equal((await server.get("/metrics", read)).status, 403);
  assert.equal((await server.get("/health")).status, 200);
  assert.equal((await server.get("/")).status, 404, "its page needs no key, and this server has none");
});

test("a stream ends with the key it was opened with, and no other does", async () => {
  const database = openMemory();
  const [revoked = {}, kept = {}] = await withKeys(database, [
    ["t", ["run", "read"]],
    ["t", ["read", "run", "admin"]],
  ]);
  await using server = await startTestServer([WAITS], { database });
  const started = await server.post("/api/runs", { input: "hello" }, { ...revoked, Prefer: "wait" });
  const path = `/api/runs/${started.headers.get("x-run-id")}`;
  const [ends, stays] = await Promise.all([revoked, kept].map((key) => server.get(`${path}/events`, key)));
  const { id = "" } = (await database.keys.list()).find(({ scopes }) => !scopes.includes("admin")) ?? {};
  await database.keys.revoke(id, 0);
  assert.match((await ends?.text()) ?? "", /"run.paused".*\n\n: the key was revoked\nretry: \d+\n\n$/);
  assert.equal((await server.get(`${path}/events`, revoked)).status, 401);
  assert.match(await (await server.get("/metrics", kept)).text(), /baton_open_streams 1\n/);
  await stays?.body?.cancel();
});

test("a server refuses an address that others can reach without a key, and crews that cannot be told apart", async () => {
  await using store = await Store.open({ database: openMemory() });
  const served = toServed(RELAY.crew);
  const options = { store, crews: [served], model: toModels([RELAY]), port: 0, logLevel: "silent" } as const;
  await assert.rejects(startServer({ ...options, host: "0.0.0.0" }), /baton keys create/);
  await assert.rejects(startServer({ ...options, crews: [] }), /at least one crew/);
  const taken = await startServer(options);
  await assert.rejects(startServer({ ...options, port: taken.port }), { code: "EADDRINUSE" });
  await taken.stop();
  await assert.rejects(startServer({ ...options, crews: [served, served] }), /same id or name/);
});

test("more runs than it may hold are refused before anything is started, and taken again when there is room", async () => {
  const model = new GatedModel();
  await using server = await startTestServer([SLOW], { model: () => model, maxRuns: 2 });
  const bodies = Array.from({ length: 10 }, () => server.post("/api/runs", { input: "hello" }));
  const statuses = (await Promise.all(bodies)).map(({ status }) => status).toSorted((one, other) => one - other);
  assert.deepEqual(statuses, [202, 202, ...Array.from({ length: 8 }, () => 503)]);
  const refused = await server.post("/api/crew/stream", { query: "hello" });
  assert.equal(refused.status, 503);
  assert.ok(Number(refused.headers.get("retry-after")) >= 1);
  const { runs = [] } = await sentOf(await server.get("/api/runs"));
  assert.equal(runs.length, 2);
  const told = await server.post(`/api/runs/${runs[0]?.id}/commands`, { type: "say", text: "and this" });
  assert.equal(told.status, 202, "a run that is at work needs no more room");
  assert.match(await (await server.get("/metrics")).text(), /baton_mailbox_depth 1\n/);
  model.end();
  for (const { id } of runs) await (await server.get(`/api/runs/${id}/events`)).text();
  while ((await server.post("/api/runs", { input: "hello" })).status !== 202);
});

test("a server that stops refuses new runs, serves what is under way, and lets runs end in their grace", async () => {
  const model = new GatedModel();
  await using server = await startTestServer([SLOW], { model: () => model, graceMs: 60_000 });
  const started = await server.post("/api/runs", { input: "hello" });
  const path = `/api/runs/${started.headers.get("x-run-id")}`;
  const waiting = server.post("/api/runs", { input: "hello", session_id: "w" }, { Prefer: "wait" });
  while ((await sentOf(await server.get("/api/runs"))).runs?.length !== 2);
  const stream = await server.get(`${path}/events`);
  const stopped = server.server.stop();
  const refused = await server.post("/api/runs", { input: "hello" });
  assert.equal(refused.status, 503);
  assert.ok(Number(refused.headers.get("retry-after")) >= 1);
  assert.equal((await server.get("/ready")).status, 503);
  assert.equal((await server.get("/health")).status, 200);
  assert.equal((await server.get(path)).status, 200);
  model.say("Still here.");
  model.end();
  assert.match(await stream.text(), /"type":"run.ended","outcome":"done"/);
  assert.equal((await waiting).status, 200);
  await stopped;
  await assert.rejects(server.get("/health"));
});

test("what is left at a stop continues at the next start, and its stream without a gap", async () => {
  const folder = await mkdtemp(join(tmpdir(), "baton-server-"));
  const open = () => openSqlite({ path: join(folder, "baton.db") });
  const first = await startTestServer([SLOW], { database: await open(), graceMs: 30 });
  const started = await first.post("/api/runs", { input: "hello" });
  const waiting = first.post("/api/runs", { input: "hello", session_id: "w" }, { Prefer: "wait" });
  const path = `/api/runs/${started.headers.get("x-run-id")}/events`;
  const streaming = await first.get(path);
  while ((await sentOf(await first.get("/api/runs"))).runs?.length !== 2);
  await first[Symbol.asyncDispose]();
  assert.equal((await waiting).status, 202);
  const before = parseFrames(await streaming.text());
  {
    await using second = await startTestServer([SLOW], { database: await open() });
    const after = await second.get(path, { "Last-Event-ID": lastIdOf(before) ?? "" });
    const all = [...before, ...parseFrames(await after.text())];
    assert.deepEqual(
      all.map(({ id }) => id),
      all.map((_, index) => `${index + 1}`),
    );
    assert.match(all.at(-1)?.data ?? "", /"outcome":"done"/);
    assert.ok(all.some(({ data }) => data.includes('"type":"step.retried"')));
  }
  await rm(folder, { recursive: true });
});

test("ended runs beyond what is kept are forgotten at the start", async () => {
  const database = openMemory();
  const store = await Store.open({ database });
  const options = {
    store,
    crews: [toServed(RELAY.crew)],
    model: toModels([RELAY]),
    port: 0,
    logLevel: "silent",
  } as const;
  const one = await startServer(options);
  for (const input of ["one", "two", "three"]) {
    await fetch(`${one.url}/api/runs`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Prefer: "wait" },
      body: JSON.stringify({ input }),
    });
  }
  await one.stop();
  const two = await startServer({ ...options, retention: { maxRuns: 1 } });
  const { runs = [] } = await sentOf(await fetch(`${two.url}/api/runs`));
  assert.deepEqual(
    runs.map(({ input }) => input),
    ["three"],
  );
  await two.stop();
  await store[Symbol.asyncDispose]();
});

test("no secret is anywhere: not in logs, events, metrics or answers", async () => {
  const secret = 'a-provider\'s-"secret"-7Q';
  const shaped = "sk-live-0123456789abcdef";
  const broken: Model = {
    name: "test/broken",
    stream: () => ({
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          throw new BatonError("model", `401: key ${secret} (${shaped}) is not valid`, { cause: new Error(secret) });
        },
      }),
    }),
  };
  const database = openMemory();
  const [headers = { Authorization: "" }] = await withKeys(database, [["t", ["run", "read", "admin"]]]);
  const key = headers.Authorization.slice("Bearer ".length);
  const crew = defineCrew({ name: "broken", agents: [{ id: "one" }] });
  await using server = await startTestServer([{ crew, script: {} }, RELAY], {
    database,
    model: () => broken,
    secrets: [secret],
    logLevel: "debug",
  });
  const texts: string[] = [];
  const keep = async (answer: Response) => texts.push(JSON.stringify([...answer.headers]), await answer.text());
  const started = await server.post("/api/runs", { input: "hello" }, { ...headers, Prefer: "wait" });
  const run = started.headers.get("x-run-id");
  await keep(started);
  for (const dialect of ["baton", "crew", "openai", "responses", "ui", "agui"]) {
    await keep(await server.get(`/api/runs/${run}/events?dialect=${dialect}`, headers));
  }
  const chat = { model: "broken", messages: [{ role: "user", content: "hello" }] };
  await keep(await server.post("/v1/chat/completions", chat, headers));
  await keep(await server.get("/api/runs", headers));
  await keep(await server.get("/metrics", headers));
  await keep(await server.get("/metrics?format=json", headers));
  await keep(await server.get(`/api/runs/${run}`, { Authorization: `Bearer ${key}x` }));
  const all = [...texts, ...server.logs].join("\n");
  assert.match(all, /401: key \*\*\*/);
  for (const hidden of [secret, JSON.stringify(secret).slice(1, -1), shaped, key]) {
    assert.ok(!all.includes(hidden), hidden);
  }
});

test("no more tools run at the same time than maxToolCalls says", async () => {
  const most = async (maxToolCalls: number) => {
    let active = 0;
    let seen = 0;
    const work = defineTool({
      name: "work",
      description: "Works.",
      effect: "read",
      input: z.object({}),
      run: async () => {
        seen = Math.max(seen, ++active);
        await setImmediate();
        active--;
        return "done";
      },
    });
    const crew = defineCrew({ name: "busy", agents: [{ id: "a", isTerminal: true, tools: ["work"] }], tools: [work] });
    const call = Array.from({ length: 4 }, () => ({ tool: "work", args: {} }));
    await using server = await startTestServer([{ crew, script: { a: [{ call }, { say: "Done." }] } }], {
      maxToolCalls,
    });
    await server.post("/api/runs", { input: "hello" }, { Prefer: "wait" });
    return seen;
  };
  assert.deepEqual([await most(1), await most(4)], [1, 4]);
});
