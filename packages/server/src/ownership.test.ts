import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineRoute } from "./mount.ts";
import type { KeyScope } from "./gateway/keys.ts";
import { RELAY, WAITS } from "./testing/crews.ts";
import { sentOf } from "./testing/sent.ts";
import { TestKeys } from "./testing/test-keys.ts";
import { startTestServer, type TestServer } from "./testing/test-server.ts";

const ALL: readonly KeyScope[] = ["run", "read", "admin"];
const MESSAGES = z.object({ messages: z.array(z.looseObject({ content: z.string() })) });
const WAIT = { Prefer: "wait" };

type Headers = Readonly<Record<string, string>>;

async function start(server: TestServer, body: object, headers: Headers): Promise<string> {
  const answer = await server.post("/api/runs", body, { ...headers, ...WAIT });
  assert.equal(answer.status, 200, await answer.clone().text());
  return (await sentOf(answer)).id ?? "";
}

async function idsOf(server: TestServer, path: string, headers: Headers): Promise<readonly string[]> {
  const { runs = [] } = await sentOf(await server.get(path, headers));
  return runs.map(({ id }) => id);
}

/** Every route that could reach a run of another user, and its answer. */
async function tryAll(server: TestServer, run: string, headers: Headers): Promise<ReadonlyMap<string, number>> {
  const short = run.replaceAll("-", "").slice(-12);
  const get = async (path: string) => [path.replace(run, "RUN"), (await server.get(path, headers)).status] as const;
  const post = async (path: string, body: object) =>
    [`POST ${path.replace(run, "RUN")}`, (await server.post(path, body, headers)).status] as const;
  const answer = { role: "tool", tool_call_id: `${run}/1.1.1`, content: "allow" };
  const messages = [{ role: "user", content: "hello" }, answer];
  return new Map([
    await get(`/api/runs/${run}`),
    ["short id", (await server.get(`/api/runs/${short}`, headers)).status],
    ["req-", (await server.get(`/api/runs/req-${short}`, headers)).status],
    await get(`/api/runs/${run}/events?after=1`),
    await get(`/api/runs/${run}/calls/1.1.1`),
    await get(`/api/runs?before=${run}`),
    await get("/api/sessions/s/messages"),
    await get("/api/sessions?before=s"),
    await post(`/api/runs/${run}/commands`, { type: "say", text: "hello" }),
    await post("/api/sessions/s/cancel", {}),
    await post("/v1/chat/completions", { model: "waits", messages }),
    await post("/v1/responses", { model: "waits", input: "hello", previous_response_id: `resp_${run}` }),
    [
      "DELETE session",
      (await fetch(`${server.url}/api/sessions/s`, { method: "DELETE", headers: { ...headers } })).status,
    ],
  ]);
}

test("a user's runs and sessions are as if they were not there for another user of the same tenant", async () => {
  const keys = new TestKeys();
  const ann = await keys.make("acme", ["run", "read"], { user: "ann" });
  const bob = await keys.make("acme", ["run", "read"], { user: "bob" });
  await using server = await startTestServer([WAITS], { database: keys.database });
  const run = await start(server, { input: "hello", session_id: "s" }, ann);
  const tried = await tryAll(server, run, bob);
  assert.deepEqual(new Map([...tried].filter(([, status]) => status !== 404)), new Map());
  assert.deepEqual(await idsOf(server, "/api/runs", bob), []);
  assert.deepEqual(await sentOf(await server.get("/api/sessions", bob)), { sessions: [] });
  assert.partialDeepStrictEqual(await sentOf(await server.get(`/api/runs/${run}`, ann)), {
    status: "paused",
    user: "ann",
  });
});

test("the same session id of two users is two sessions, and the same Idempotency-Key two requests", async () => {
  const keys = new TestKeys();
  const ann = await keys.make("acme", ["run", "read"], { user: "ann" });
  const bob = await keys.make("acme", ["run", "read"], { user: "bob" });
  await using server = await startTestServer([WAITS], { database: keys.database });
  const body = { input: "hello", session_id: "s" };
  const once = { "Idempotency-Key": "k" };
  const first = await start(server, body, { ...ann, ...once });
  const second = await start(server, body, { ...bob, ...once });
  assert.notEqual(first, second);
  assert.equal(await start(server, body, { ...ann, ...once }), first);
  const other = await server.post("/api/runs", { input: "other" }, { ...bob, ...once });
  assert.equal(other.status, 422);
  assert.equal(await start(server, { input: "this one", session_id: "s" }, ann), first);
  const said = async (headers: Headers) =>
    MESSAGES.parse(await (await server.get("/api/sessions/s/messages", headers)).json()).messages;
  assert.partialDeepStrictEqual(await said(ann), [
    { content: "hello" },
    { content: "Which one?" },
    { content: "this one" },
  ]);
  assert.equal((await said(bob)).length, 2);
  assert.partialDeepStrictEqual(await sentOf(await server.get(`/api/runs/${second}`, bob)), { status: "paused" });
});

test("two keys of one user see the same, and a key without a user sees only its own", async () => {
  const keys = new TestKeys();
  const laptop = await keys.make("acme", ["run", "read"], { user: "ann" });
  const phone = await keys.make("acme", ["run", "read"], { user: "ann" });
  const [one, two] = [await keys.make("acme", ["run", "read"]), await keys.make("acme", ["run", "read"])];
  await using server = await startTestServer([WAITS], { database: keys.database });
  const run = await start(server, { input: "hello", session_id: "s" }, laptop);
  assert.deepEqual(await idsOf(server, "/api/runs", phone), [run]);
  assert.equal(await start(server, { input: "this one", session_id: "s" }, phone), run);
  const own = await start(server, { input: "hello" }, one);
  assert.deepEqual([await idsOf(server, "/api/runs", one), await idsOf(server, "/api/runs", two)], [[own], []]);
});

test("a key with admin sees and stops its tenant's runs, and neither their sessions nor another tenant's runs", async () => {
  const keys = new TestKeys();
  const ann = await keys.make("acme", ["run", "read"], { user: "ann" });
  const boss = await keys.make("acme", ALL, { user: "boss" });
  const foreign = await keys.make("other", ALL, { user: "boss" });
  await using server = await startTestServer([WAITS], { database: keys.database });
  const run = await start(server, { input: "hello", session_id: "s" }, ann);
  const tried = await tryAll(server, run, boss);
  const seen = [...tried].filter(([, status]) => status !== 404).map(([path]) => path);
  assert.deepEqual(seen, [
    "/api/runs/RUN",
    "short id",
    "req-",
    "/api/runs/RUN/events?after=1",
    "/api/runs?before=RUN",
    "POST /api/runs/RUN/commands",
    "POST /v1/chat/completions",
  ]);
  assert.deepEqual(await idsOf(server, "/api/runs", boss), [run]);
  assert.deepEqual(await sentOf(await server.get("/api/sessions", boss)), { sessions: [] });
  assert.deepEqual(
    [...(await tryAll(server, run, foreign)).values()].filter((status) => status !== 404),
    [],
  );
});

test("runs are found by the id of their request and by their short id, the newest of several", async () => {
  await using server = await startTestServer([RELAY]);
  const twin = "0000-7000-8000-00001a2b3c4d";
  const first = await start(server, { input: "one" }, { "X-Request-Id": "mine.1" });
  const second = await start(server, { input: "two" }, { "X-Request-Id": "mine.1" });
  const third = await start(server, { input: "three" }, { "X-Request-Id": "other" });
  assert.deepEqual(await idsOf(server, "/api/runs?request=mine.1", {}), [second, first]);
  assert.deepEqual(await idsOf(server, "/api/runs?request=mine.1&limit=1", {}), [second]);
  assert.deepEqual(await idsOf(server, "/api/runs?request=nobody", {}), []);
  assert.equal((await server.get("/api/runs?request=a%20b")).status, 400);
  const view = await sentOf(await server.get(`/api/runs/${third}`));
  assert.partialDeepStrictEqual(view, { request_id: "other", user: "local" });
  const short = String(view["short_id"]);
  for (const name of [short, short.slice("req-".length)]) {
    assert.equal((await sentOf(await server.get(`/api/runs/${name}`))).id, third, name);
  }
  assert.match(await (await server.get(`/api/runs/${short}/events`)).text(), /run\.ended/);
  const record = await server.store.database.runs.find(third);
  assert.ok(record !== undefined);
  for (const [id, createdAt] of [
    [`aaaaaaaa-${twin}`, 1],
    [`bbbbbbbb-${twin}`, 3],
    [`cccccccc-${twin}`, 2],
  ] as const) {
    const claim = await server.store.lease.claim(`run:${id}`);
    assert.ok(claim !== undefined);
    assert.ok(await server.store.write({ claim, run: { ...record, id, createdAt, status: "queued" } }));
  }
  assert.equal((await sentOf(await server.get("/api/runs/req-00001a2b3c4d"))).id, `bbbbbbbb-${twin}`);
  assert.equal((await server.get("/api/runs/req-ffffffffffff")).status, 404);
});

test("a premium key has the limit of its plan, and another key that of all", async () => {
  const keys = new TestKeys();
  const free = await keys.make("acme", ["read"]);
  const premium = await keys.make("acme", ["read"], { plan: "premium" });
  const policyOf = async (rateLimits: object, headers: Headers) => {
    await using server = await startTestServer([RELAY], { database: keys.database, ...rateLimits });
    return (await server.get("/api/crews", headers)).headers.get("ratelimit-policy");
  };
  const all = '"global";q=6000;w=60';
  assert.equal(await policyOf({}, free), `"key";q=600;w=60, ${all}`);
  assert.equal(await policyOf({}, premium), `"premium";q=3000;w=60, ${all}`);
  const key = { requests: 5, windowSeconds: 60 };
  assert.equal(await policyOf({ rateLimits: { key } }, premium), '"key";q=5;w=60');
  assert.equal(
    await policyOf({ rateLimits: { key, premium: { ...key, requests: 9 } } }, premium),
    '"premium";q=9;w=60',
  );
});

const CHAT = defineRoute({
  method: "post",
  path: "/api/counted",
  summary: "A run, counted",
  scope: "run",
  body: z.object({ say: z.string(), agent: z.string().exactOptional(), session: z.string().exactOptional() }),
  limits: { key: { requests: 1, windowSeconds: 3_600 } },
  answers: { 200: { description: "A stream", type: "text/event-stream" } },
  handle: ({ body: { say, ...asked }, ask }) => ask({ input: say, ...asked }, { dialect: "baton" }),
});

test("a reader that comes back with Last-Event-ID gets its own run, never another user's of the same session name", async () => {
  const keys = new TestKeys();
  const ann = await keys.make("acme", ["run", "read"], { user: "ann" });
  const bob = await keys.make("acme", ["run", "read"], { user: "bob" });
  await using server = await startTestServer([RELAY], { database: keys.database, routes: [CHAT] });
  await start(server, { input: "hello", session_id: "s" }, ann);
  const again = { "Last-Event-ID": "1" };
  const requests = [
    ["/api/crew/stream", { query: "hello", session_id: "s" }],
    ["/api/counted", { say: "hello", session: "s" }],
  ] as const;
  for (const [path, body] of requests) {
    const own = await server.post(path, body, { ...ann, ...again });
    assert.equal(own.status, 200, path);
    assert.match(await own.text(), /done/, path);
    const foreign = await server.post(path, body, { ...bob, ...again });
    assert.deepEqual([foreign.status, await foreign.text()], [204, ""], path);
  }
});

test("a mounted route gives a user's quota back if the run was refused", async () => {
  const keys = new TestKeys();
  const ann = await keys.make("acme", ["run", "read"], { user: "ann" });
  await using server = await startTestServer([RELAY], { database: keys.database, routes: [CHAT] });
  const ask = async (body: object) => {
    const answer = await server.post("/api/counted", body, ann);
    await answer.text();
    return answer.status;
  };
  assert.equal(await ask({ say: "hello", agent: "no-such-agent" }), 404);
  assert.equal(await ask({ say: "hello" }), 200);
  assert.equal(await ask({ say: "hello" }), 429);
});
