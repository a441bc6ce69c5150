import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { defineCrew, defineTool } from "@baton/core";
import { type Database, LOCAL, readAll, type RunFilter } from "@baton/store";
import { openMemory, openSqlite } from "@baton/store/sqlite";
import { openLasting, withMethods } from "@baton/store/testing";
import { z } from "zod";
import { ASKS, GatedModel, RELAY, SLOW, WAITS } from "../../testing/crews.ts";
import { sentOf } from "../../testing/sent.ts";
import { startTestServer, type TestServer, toModels } from "../../testing/test-server.ts";

const RECEIPTS = z.object({
  runs: z.array(z.object({ id: z.string(), receipt: z.object({ stopped: z.array(z.string()) }) })),
});

const EXPORTED = z.object({ messages: z.array(z.object({ run: z.string(), at: z.string() })) });

const MESSAGES = z.object({
  messages: z.array(
    z.object({ role: z.string(), calls: z.array(z.unknown()).optional(), commentary: z.literal(true).optional() }),
  ),
});

test("a session remembers what was said, and forgets it with its runs", async () => {
  await using server = await startTestServer([RELAY, WAITS]);
  const start = (body: object) => server.post("/api/runs", body, { Prefer: "wait" });
  await start({ input: "hello", session_id: "one" });
  const { id } = await sentOf(await start({ crew: "waits", input: "hello", session_id: "two" }));
  const { sessions } = await sentOf(await server.get("/api/sessions"));
  assert.partialDeepStrictEqual(sessions, [{ id: "two", paused_run: id }, { id: "one" }]);
  const { messages } = await sentOf(await server.get("/api/sessions/one/messages"));
  assert.partialDeepStrictEqual(messages, [
    { role: "user", content: "hello" },
    { role: "assistant", agent: "first" },
    { role: "assistant", agent: "second" },
  ]);
  const remove = () => fetch(`${server.url}/api/sessions/two`, { method: "DELETE" });
  assert.equal((await remove()).status, 204);
  assert.equal((await remove()).status, 404);
  assert.equal((await server.get(`/api/runs/${id}`)).status, 404);
  assert.equal((await server.get("/api/sessions/two/messages")).status, 404);
  assert.equal((await server.get("/api/sessions?limit=0")).status, 400);
});

test("text that comes with calls is marked as commentary, and the answer is not", async () => {
  const silent = { say: "", call: [{ tool: "add", args: { a: 1, b: 2 } }] };
  const script = { helper: [{ ...silent, say: 'Let me see: "calls".' }, silent, { say: 'It is "calls": 3.' }] };
  const add = defineTool({ name: "add", description: "Adds.", effect: "read", input: z.object({}), run: () => 3 });
  const crew = defineCrew({
    name: "adds",
    agents: [{ id: "helper", isTerminal: true, tools: ["add"] }],
    tools: [add],
  });
  await using server = await startTestServer([{ crew, script }]);
  await server.post("/api/runs", { input: "1 + 2?", session_id: "one" }, { Prefer: "wait" });
  const { messages } = MESSAGES.parse(await (await server.get("/api/sessions/one/messages")).json());
  assert.deepEqual(
    messages.map(({ role, calls = [], commentary }) => [role, calls.length, commentary]),
    [
      ["user", 0, undefined],
      ["assistant", 1, true],
      ["tool", 0, undefined],
      ["assistant", 1, undefined],
      ["tool", 0, undefined],
      ["assistant", 0, undefined],
    ],
  );
  const exported = MESSAGES.parse(await (await server.get("/api/sessions/one/export")).json());
  assert.deepEqual(
    exported.messages.map(({ role, commentary }) => [role, commentary]),
    [
      ["user", undefined],
      ["assistant", true],
      ["assistant", undefined],
    ],
  );
  const markdown = await (await server.get("/api/sessions/one/export?format=markdown")).text();
  assert.match(markdown, /run \S+ · commentary_\n\nLet me see/);
  assert.equal(markdown.split("commentary").length, 2);
});

test("sessions are listed page by page", async () => {
  await using server = await startTestServer([RELAY]);
  for (const id of ["one", "two", "three"])
    await server.post("/api/runs", { input: "hello", session_id: id }, { Prefer: "wait" });
  const seen: unknown[] = [];
  for (let before: string | undefined; ;) {
    const { sessions, next } = await sentOf(
      await server.get(`/api/sessions?limit=1${before === undefined ? "" : `&before=${before}`}`),
    );
    seen.push(sessions);
    before = next;
    if (before === undefined) break;
  }
  assert.partialDeepStrictEqual(seen, [[{ id: "three" }], [{ id: "two" }], [{ id: "one" }]]);
  assert.equal(seen.length, 3);
  const missing = await server.get("/api/sessions?before=four");
  assert.equal(missing.status, 404);
  assert.partialDeepStrictEqual((await sentOf(missing)).problems, [{ field: "before" }]);
});

test("sessions have title, crew, number of runs and status, and are found by their title", async () => {
  await using server = await startTestServer([RELAY, WAITS]);
  const start = (body: object) => server.post("/api/runs", body, { Prefer: "wait" });
  await start({ crew: "waits", input: "Hello\n  there", session_id: "one" });
  await start({ crew: "relay", input: "x".repeat(200), session_id: "two" });
  await start({ crew: "relay", input: "again", session_id: "two" });
  const list = async (query = "") => (await sentOf(await server.get(`/api/sessions${query}`)))["sessions"];
  const two = { id: "two", title: `${"x".repeat(119)}…`, crew: "relay", runs: 2, status: "ended" };
  const one = { id: "one", title: "Hello there", crew: "waits", runs: 1, status: "paused" };
  assert.partialDeepStrictEqual(await list(), [two, one]);
  assert.partialDeepStrictEqual(await list("?q=HELLO%20th"), [one]);
  assert.deepEqual(await list("?q=again"), []);
  await start({ crew: "waits", input: "go", session_id: "one" });
  assert.partialDeepStrictEqual(await list(), [{ ...one, status: "ended" }, two]);
});

test("a page of sessions begins where the one before ended, though sessions are used meanwhile", async () => {
  await using server = await startTestServer([RELAY]);
  const use = (id: string) => server.post("/api/runs", { input: "hello", session_id: id }, { Prefer: "wait" });
  for (const id of ["one", "two", "three"]) await use(id);
  const { next = "" } = await sentOf(await server.get("/api/sessions?limit=2"));
  await use("two");
  const rest = await sentOf(await server.get(`/api/sessions?limit=2&before=${next}`));
  assert.partialDeepStrictEqual(rest["sessions"], [{ id: "one" }]);
  assert.equal(z.array(z.unknown()).parse(rest["sessions"]).length, 1);
  const byId = await sentOf(await server.get("/api/sessions?before=two"));
  assert.partialDeepStrictEqual(byId["sessions"], [{ id: "three" }, { id: "one" }]);
  for (const before of ["a%20b", ".x", "1..", "1.2."])
    assert.equal((await server.get(`/api/sessions?before=${before}`)).status, 400, before);
});

test("a stream of a run whose session is removed ends with the run", async () => {
  await using server = await startTestServer([WAITS]);
  const { id } = await sentOf(await server.post("/api/runs", { input: "hello", session_id: "s" }, { Prefer: "wait" }));
  const stream = await server.get(`/api/runs/${id}/events`);
  await fetch(`${server.url}/api/sessions/s`, { method: "DELETE" });
  assert.match(await stream.text(), /"type":"run.ended","outcome":"cancelled"/);
});

/** A database whose logs are slow to read. */
function toSlowLogs(database: Database): Database {
  const slowly = async <T>(read: () => Promise<T>) => {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    return read();
  };
  const { logs } = database;
  const length = (run: string) => slowly(() => logs.length(run));
  const batches = (...asked: Parameters<typeof logs.batches>) => slowly(() => logs.batches(...asked));
  return withMethods(database, { logs: { ...logs, length, batches } });
}

test("a stream ends with its run though the log is deleted sooner than it would have been read", async () => {
  await using server = await startTestServer([WAITS], { database: toSlowLogs(openMemory()) });
  const { id } = await sentOf(await server.post("/api/runs", { input: "hello", session_id: "s" }, { Prefer: "wait" }));
  const streams = [await server.get(`/api/runs/${id}/events`), await server.get(`/api/runs/${id}/events`)];
  const removed = fetch(`${server.url}/api/sessions/s`, { method: "DELETE" });
  for (const stream of streams) assert.match(await stream.text(), /"type":"run.ended","outcome":"cancelled"/);
  assert.equal((await removed).status, 204);
});

test("a stream of a run that has ended and is deleted has its end", async () => {
  await using server = await startTestServer([WAITS], { database: toSlowLogs(openMemory()) });
  const ended = await sentOf(await server.post("/api/runs", { input: "hello" }, { Prefer: "wait" }));
  await server.post(`/api/runs/${ended.id}/commands`, { type: "cancel" });
  const last = await server.get(`/api/runs/${ended.id}/events`);
  assert.equal((await fetch(`${server.url}/api/runs/${ended.id}`, { method: "DELETE" })).status, 204);
  assert.match(await last.text(), /"type":"run.ended","outcome":"cancelled"/);
});

const remove = ({ url }: TestServer, session: string) => fetch(`${url}/api/sessions/${session}`, { method: "DELETE" });

test("a session whose run ends by itself just when it is to be cancelled is removed", async () => {
  const model = new GatedModel();
  const memory = openMemory();
  /** The run ends when it has just been found to be running. */
  const list = async (filter: RunFilter) => {
    const found = await memory.runs.list(filter);
    const running = found.filter(({ status }) => status === "running");
    if (running.length > 0) model.end();
    for (const { id } of running)
      while ((await memory.runs.find(id))?.status === "running") await new Promise((resolve) => setImmediate(resolve));
    return found;
  };
  const database = withMethods(memory, { runs: { ...memory.runs, list } });
  await using server = await startTestServer([RELAY], { database, model: () => model });
  const { id } = await sentOf(await server.post("/api/runs", { input: "hello", session_id: "s" }));
  assert.equal((await remove(server, "s")).status, 204);
  assert.equal((await server.get(`/api/runs/${id}`)).status, 404);
});

test("cancelling a session stops what runs and waits in it, and keeps its messages and runs", async () => {
  const model = new GatedModel();
  const rateLimits = { key: { requests: 4, windowSeconds: 60 } };
  await using server = await startTestServer([SLOW, WAITS], {
    model: (agent, crew) => (crew.name === "slow" ? model : toModels([WAITS])(agent, crew)),
    rateLimits,
  });
  const start = async (body: object) => (await sentOf(await server.post("/api/runs", { input: "hello", ...body }))).id;
  const running = await start({ session_id: "s" });
  const queued = await start({ session_id: "s" });
  const other = await start({ crew: "slow", session_id: "t" });
  const paused = (
    await sentOf(await server.post("/api/runs", { crew: "waits", input: "hello", session_id: "u" }, { Prefer: "wait" }))
  ).id;
  const cancel = async (session: string): Promise<unknown> =>
    (await server.post(`/api/sessions/${session}/cancel`, {})).json();
  const { database } = server.store;
  const statusOf = async (id = "") => {
    const { status, outcome } = (await database.runs.find(id)) ?? {};
    return [status, outcome];
  };
  // No rate limit refuses what stops a run.
  const receipts = RECEIPTS.parse(await cancel("s")).runs;
  assert.deepEqual(
    new Map(receipts.map(({ id, receipt }) => [id, receipt.stopped.length])),
    new Map([
      [queued, 0],
      [running, 1],
    ]),
  );
  assert.deepEqual(await cancel("u"), {
    runs: [{ id: paused, receipt: { stopped: [], finished: [], abandoned: [] } }],
  });
  for (const id of [running, queued, paused]) assert.deepEqual(await statusOf(id), ["ended", "cancelled"]);
  assert.deepEqual(await statusOf(other), ["running", undefined]);
  assert.deepEqual(await cancel("s"), { runs: [] });
  assert.ok((await database.sessions.messages(LOCAL, "u")).length > 0);
  assert.equal((await server.post("/api/sessions/nobody/cancel", {})).status, 404);
});

/** Leaves runs behind on a store, and starts a server that does not know their crews. */
async function leaveBehind(): Promise<{ readonly server: TestServer; readonly ids: readonly string[] }> {
  const ids: string[] = [];
  const database = openLasting();
  await using before = await startTestServer([SLOW, ASKS], { database });
  for (const body of [
    { crew: "slow", session_id: "cut" },
    { crew: "slow", session_id: "cut" },
    { crew: "asks", session_id: "asked" },
  ]) {
    const headers = body.crew === "asks" ? { Prefer: "wait" } : {};
    const { id = "" } = await sentOf(await before.post("/api/runs", { input: "hello", ...body }, headers));
    ids.push(id);
  }
  await before.server.stop();
  return { server: await startTestServer([RELAY], { database }), ids };
}

test("sessions of crews that are not served any more are told of at the start, and can be removed", async () => {
  const { server: started, ids } = await leaveBehind();
  await using server = started;
  assert.match(server.logs.join(""), /"level":"warn".*crews that are not here: 2 of crew slow;/);
  const blocked = await server.post("/api/runs", { input: "hello", session_id: "cut" });
  assert.equal(blocked.status, 409);
  assert.match((await sentOf(blocked)).detail ?? "", new RegExp(`${ids[0]}.*crew slow is not here: cancel it`));
  for (const session of ["cut", "asked"]) assert.equal((await remove(server, session)).status, 204, session);
  for (const id of ids) assert.equal((await server.get(`/api/runs/${id}`)).status, 404);
  assert.deepEqual(await sentOf(await server.get("/api/sessions")), { sessions: [] });
});

test("runs of crews that are not served any more can be cancelled, and their sessions continue", async () => {
  const { server: started, ids } = await leaveBehind();
  await using server = started;
  for (const id of ids) {
    const cancelled = await server.post(`/api/runs/${id}/commands`, { type: "cancel", reason: "not wanted" });
    assert.equal(cancelled.status, 200);
    const stream = await (await server.get(`/api/runs/${id}/events`)).text();
    assert.match(stream, /"type":"run.ended","outcome":"cancelled".*not wanted/);
    assert.partialDeepStrictEqual(await sentOf(await server.get(`/api/runs/${id}`)), { outcome: "cancelled" });
  }
  for (const session of ["cut", "asked"]) {
    const next = await server.post("/api/runs", { input: "hello", session_id: session }, { Prefer: "wait" });
    assert.partialDeepStrictEqual(await sentOf(next), { outcome: "done" });
  }
});

test("a session is removed by any server, and its run that another server executes is cancelled there", async () => {
  const folder = await mkdtemp(join(tmpdir(), "baton-sessions-"));
  const open = () => openSqlite({ path: join(folder, "baton.db") });
  {
    const model = new GatedModel();
    await using first = await startTestServer([SLOW], { model: () => model, database: await open() });
    await using second = await startTestServer([SLOW], { database: await open() });
    const ids = await Promise.all(
      ["one", "two"].map(async (input) => sentOf(await first.post("/api/runs", { input, session_id: "s" }))),
    );
    assert.equal((await remove(second, "s")).status, 204);
    for (const { id } of ids) assert.equal((await first.get(`/api/runs/${id}`)).status, 404);
    const next = await first.post("/api/runs", { input: "three", session_id: "s" });
    assert.equal(next.status, 202);
    model.end();
  }
  await rm(folder, { recursive: true });
});

const patch = (server: TestServer, id: string, body: object) =>
  fetch(`${server.url}/api/sessions/${id}`, {
    method: "PATCH",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

test("a session is renamed and pinned, and gets its automatic title back", async () => {
  await using server = await startTestServer([RELAY]);
  for (const session_id of ["one", "two", "three"])
    await server.post("/api/runs", { input: `About ${session_id}`, session_id }, { Prefer: "wait" });
  const renamed = await patch(server, "one", { title: "Câu hỏi đầu tiên", pinned: true });
  assert.partialDeepStrictEqual(await renamed.json(), { id: "one", title: "Câu hỏi đầu tiên", pinned: true, runs: 1 });
  const { sessions } = await sentOf(await server.get("/api/sessions"));
  assert.partialDeepStrictEqual(sessions, [{ id: "one" }, { id: "three" }, { id: "two", pinned: false }]);
  const { next } = await sentOf(await server.get("/api/sessions?limit=1"));
  const { sessions: others } = await sentOf(await server.get(`/api/sessions?limit=1&before=${String(next)}`));
  assert.partialDeepStrictEqual(others, [{ id: "three" }]);
  const { runs } = await sentOf(await server.get("/api/runs?q=cau+hoi"));
  assert.partialDeepStrictEqual(runs, [{ session_id: "one", matched: ["title"] }]);
  const back: unknown = await (await patch(server, "one", { title: null, pinned: false })).json();
  assert.partialDeepStrictEqual(back, { title: "About one", pinned: false });
  assert.equal((await patch(server, "nobody", { pinned: true })).status, 404);
  for (const body of [{ title: "" }, { title: "x".repeat(201) }, { pinned: "yes" }, { title: 1 }])
    assert.equal((await patch(server, "one", body)).status, 400, JSON.stringify(body));
});

test("a conversation is exported as JSON and as Markdown, without outputs of tools", async () => {
  await using server = await startTestServer([RELAY]);
  const begun = await server.post("/api/runs", { input: "hello", session_id: "one" }, { Prefer: "wait" });
  const run = begun.headers.get("x-run-id");
  const json = await server.get("/api/sessions/one/export");
  assert.equal(json.headers.get("content-disposition"), 'attachment; filename="session-one.json"');
  assert.partialDeepStrictEqual(await sentOf(json), {
    id: "one",
    title: "hello",
    messages: [
      { role: "user", content: "hello", run },
      { role: "assistant", agent: "first", run },
      { agent: "second" },
    ],
  });
  const markdown = await server.get("/api/sessions/one/export?format=markdown");
  assert.match(markdown.headers.get("content-type") ?? "", /^text\/markdown/);
  assert.match(await markdown.text(), /^# hello\n\n## User\n\n_20.*run .*_\n\nhello\n\n## first\n/);
  assert.equal((await server.get("/api/sessions/one/export?format=pdf")).status, 400);
});

test("an exported message has the run and the time at which it was said, though a run went on and texts are equal", async () => {
  await using server = await startTestServer([WAITS]);
  const ask = (input: string) => server.post("/api/runs", { input, session_id: "one" }, { Prefer: "wait" });
  const runs: string[] = [];
  for (const input of ["hello", "hello", "hello"]) runs.push((await ask(input)).headers.get("x-run-id") ?? "");
  assert.deepEqual([runs[0] === runs[1], runs[1] === runs[2]], [true, false]);
  const { messages } = EXPORTED.parse(await (await server.get("/api/sessions/one/export")).json());
  const logs = await Promise.all([...new Set(runs)].map((run) => readAll(server.store.database, run)));
  const said = logs.flat().flatMap((event) => {
    if (event.type === "run.started" || event.type === "run.resumed") return [[event.run, event.at]];
    return event.type === "step.ended" ? [[event.run, event.at]] : [];
  });
  assert.deepEqual(
    messages.map(({ run, at }) => [run, Date.parse(at)]),
    said,
  );
});
