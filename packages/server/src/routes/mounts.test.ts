import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { BatonError, defineCrew, defineProgram } from "@baton/core";
import { SystemClock } from "@baton/core/ports";
import { Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { Validator } from "@seriousme/openapi-schema-validator";
import { z } from "zod";
import { KeyRing, type KeyScope } from "../gateway/keys.ts";
import { defineRoute, type Dialect, ID, QUERY, type RouteMount } from "../mount.ts";
import { ASKS, GatedModel, RELAY, SLOW } from "../testing/crews.ts";
import { lastIdOf, parseFrames, readBytes } from "../testing/frames.ts";
import { sentOf } from "../testing/sent.ts";
import { startServer } from "../server.ts";
import { type Scripted, startTestServer, toModels, toServed } from "../testing/test-server.ts";

/** Says only what agents say, loudly, and what they note. */
const SHOUT: Dialect<number> = {
  name: "shout",
  headers: { "X-Shout": "yes" },
  start: () => 0,
  next(count, event) {
    const id = `${event.seq}`;
    if (event.type === "note.made") return [count, [{ id, event: "note", data: JSON.stringify(event.data) }]];
    if (event.type === "run.ended") return [count, [{ id, event: "end", data: event.outcome }]];
    if (event.type !== "turn.ended") return [count, []];
    return [count + 1, [{ id, event: `turn-${count + 1}`, data: event.text.toUpperCase() }]];
  },
  closing: [{ event: "bye", data: "" }],
  interrupted: (why) => ({ event: "cut", data: why }),
};

const BODY = z.object({ say: QUERY, session: ID.optional(), crew: ID.optional() });

/** Asks a crew, and streams what it says loudly. */
const SHOUTING = defineRoute({
  method: "post",
  path: "/api/shout/:tone",
  summary: "Ask loudly",
  scope: "run",
  body: BODY,
  query: z.object({ leave: z.enum(["detach", "cancel"]).default("detach") }),
  answers: { 200: { description: "What was said", type: "text/event-stream" } },
  handle({ body: { say, session, crew }, query, params, ask }) {
    const options = { tone: params["tone"] ?? "" };
    return ask({ input: say, field: "say", session, crew, options }, { dialect: "shout", onDisconnect: query.leave });
  },
});

/** The caller's identity. */
const WHO = defineRoute({
  method: "get",
  path: "/api/who",
  summary: "Who asks",
  scope: "read",
  query: z.object({ fail: z.enum(["not_found", "bug"]).optional() }),
  answers: { 200: { description: "Who", schema: z.object({ tenant: z.string(), user: z.string() }) } },
  handle({ tenant, user, requestId, query }) {
    if (query.fail === "bug") throw new TypeError("a secret of the handler");
    if (query.fail !== undefined) throw new BatonError(query.fail, "there is no such note");
    return Response.json({ tenant, user, requestId });
  },
});

const MOUNTED = { routes: [SHOUTING, WHO], dialects: [SHOUT] };

const NOTES: Scripted = {
  crew: defineCrew({
    name: "notes",
    agents: [{ id: "program", model: { name: "code/program" }, isTerminal: true }],
    programs: { program: defineProgram(() => ({ say: "noted", notes: [{ kind: "title", data: "A title" }] })) },
  }),
  script: {},
};

test("a mounted route starts a run and streams it in a mounted dialect", async () => {
  await using server = await startTestServer([RELAY], MOUNTED);
  const answer = await server.post("/api/shout/soft", { say: "hello", session: "s" });
  assert.deepEqual([answer.status, answer.headers.get("x-shout")], [200, "yes"]);
  const run = answer.headers.get("x-run-id");
  assert.equal(answer.headers.get("x-session-id"), "s");
  const frames = parseFrames(await answer.text());
  assert.deepEqual(
    frames.map(({ event, data }) => [event, data.split(/\s/)[0]]),
    [
      ["turn-1", "KẾT"],
      ["turn-2", "DONE:"],
      ["end", "done"],
      ["bye", ""],
    ],
  );
  const again = await server.get(`/api/runs/${run}/events?dialect=shout`);
  assert.deepEqual(parseFrames(await again.text()), frames);
  const log = await (await server.get(`/api/runs/${run}/events`, { Accept: "application/json" })).text();
  assert.ok(log.includes('"options":{"tone":"soft"}'));
});

test("a mounted dialect is told notes, and the server's own chat dialects leave them out", async () => {
  await using server = await startTestServer([NOTES], MOUNTED);
  const answer = await server.post("/api/shout/soft", { say: "hello" });
  const [note] = parseFrames(await answer.text());
  assert.deepEqual([note?.event, note?.data], ["note", '"A title"']);
  const run = answer.headers.get("x-run-id");
  const told = async (dialect: string) =>
    (await (await server.get(`/api/runs/${run}/events?dialect=${dialect}`)).text()).includes("A title");
  const names = ["baton", "crew", "openai", "responses", "ui", "agui"];
  assert.deepEqual(await Promise.all(names.map(told)), [true, false, false, false, false, false]);
});

test("a client that was interrupted resumes on the mounted route and on the log, without loss or repeat", async () => {
  await using server = await startTestServer([RELAY], MOUNTED);
  const ask = (headers = {}) => server.post("/api/shout/soft", { say: "hello", session: "s" }, headers);
  const whole = parseFrames(await (await ask()).text());
  const [first] = whole;
  const rest = parseFrames(await (await ask({ "Last-Event-ID": first?.id ?? "" })).text());
  assert.deepEqual(rest, whole.slice(1));
  const run = (await sentOf(await server.get("/api/runs"))).runs?.[0]?.id;
  const path = `/api/runs/${run}/events?dialect=shout`;
  assert.deepEqual(parseFrames(await (await server.get(path, { "Last-Event-ID": first?.id ?? "" })).text()), rest);
  assert.equal((await ask({ "Last-Event-ID": lastIdOf(whole) ?? "" })).status, 204);
  assert.equal((await sentOf(await server.get("/api/runs"))).runs?.length, 1, "nothing was asked again");
});

test("mounted routes need their scope, and know tenant and user from the key alone", async () => {
  const database = openMemory();
  const ring = new KeyRing({ database, clock: new SystemClock(), isLoopback: true });
  const toHeaders = async (scopes: readonly KeyScope[]) => ({
    Authorization: `Bearer ${(await ring.create("acme", scopes, { user: "ann" })).key}`,
  });
  const [run, read] = [await toHeaders(["run"]), await toHeaders(["read"])];
  await using server = await startTestServer([RELAY], { ...MOUNTED, database });
  assert.equal((await server.get("/api/who")).status, 401);
  assert.equal((await server.get("/api/who", run)).status, 403);
  const who = await server.get("/api/who", { ...read, "X-Request-Id": "mine" });
  assert.deepEqual(await who.json(), { tenant: "acme", user: "ann", requestId: "mine" });
  assert.equal((await server.post("/api/shout/soft", { say: "hello" }, read)).status, 403);
  assert.equal((await server.post("/api/shout/soft", { say: "hello" }, run)).status, 200);
});

test("what is wrong with a request to a mounted route is a problem, as everywhere", async () => {
  const rateLimits = { global: { requests: 9, windowSeconds: 60 } };
  await using server = await startTestServer([RELAY], { ...MOUNTED, maxBodyBytes: 1_000, rateLimits });
  const path = "/api/shout/soft";
  for (const [answer, status, code] of [
    [await server.post(path, {}), 400, "invalid"],
    [await server.post(path, { say: "a\u0000" }), 400, "invalid"],
    [await server.post(path, { say: "hello", crew: "nobody" }), 404, "not_found"],
    [await server.post(path, { say: "x".repeat(2_000) }), 413, "too_large"],
    [await server.get(path), 405, "method_not_allowed"],
    [await server.get("/api/who?fail=maybe"), 400, "invalid"],
    [await server.get("/api/who?fail=not_found"), 404, "not_found"],
    [await server.get("/api/who?fail=bug"), 500, "internal"],
    [await server.get("/api/runs/nobody/events?dialect=whisper"), 400, "invalid"],
    [await server.get("/api/who"), 429, "rate_limited"],
  ] as const) {
    assert.equal(answer.headers.get("content-type"), "application/problem+json");
    const text = await answer.text();
    assert.deepEqual(
      [answer.status, z.object({ code: z.string() }).parse(JSON.parse(text)).code],
      [status, code],
      text,
    );
    assert.ok(!text.includes("secret of the handler"));
  }
});

test("mounted routes and dialects are in the description, which is still OpenAPI", async () => {
  await using server = await startTestServer([RELAY], MOUNTED);
  const document = z
    .looseObject({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
    .parse(await (await server.get("/openapi.json")).json());
  assert.deepEqual(await new Validator().validate(document), { valid: true });
  assert.partialDeepStrictEqual(document.paths["/api/shout/{tone}"]?.["post"], {
    summary: "Ask loudly",
    description: "Needs the scope `run`.",
    requestBody: { content: { "application/json": { schema: { required: ["say"] } } } },
    responses: { 200: { content: { "text/event-stream": {} } }, 204: {} },
  });
  assert.partialDeepStrictEqual(document.paths["/api/who"]?.["get"], {
    responses: { 200: { content: { "application/json": { schema: { properties: { tenant: { type: "string" } } } } } } },
  });
  assert.match(JSON.stringify(document.paths["/api/runs/{id}/events"]), /"agui","shout"/);
});

test("a server that stops closes mounted streams and tells their clients why", async () => {
  const model = new GatedModel();
  await using server = await startTestServer([SLOW], { ...MOUNTED, model: () => model });
  const answer = await server.post("/api/shout/soft", { say: "hello" });
  const stopping = server.server.stop();
  const frames = parseFrames(await answer.text());
  assert.deepEqual(frames, [{ id: undefined, event: "cut", data: "the server is stopping" }]);
  await stopping;
});

test("a client that leaves cancels the run if the route says so", async () => {
  const model = new GatedModel();
  await using server = await startTestServer([SLOW], { ...MOUNTED, model: () => model });
  const answer = await server.post("/api/shout/soft?leave=cancel", { say: "hello" });
  const run = answer.headers.get("x-run-id");
  await readBytes(answer, 1);
  const log = await server.get(`/api/runs/${run}/events`);
  assert.match(await log.text(), /"outcome":"cancelled"/);
});

test("a handler is told that its client has left", async () => {
  const { promise, resolve } = Promise.withResolvers<AbortSignal>();
  const wait: RouteMount = {
    ...WHO,
    path: "/api/wait",
    async handle({ abort }) {
      resolve(abort);
      await once(abort, "abort");
      return new Response(null, { status: 204 });
    },
  };
  await using server = await startTestServer([RELAY], { routes: [wait] });
  const leaving = new AbortController();
  const asked = fetch(`${server.url}/api/wait`, { signal: leaving.signal });
  const abort = await promise;
  assert.equal(abort.aborted, false);
  leaving.abort();
  await assert.rejects(asked);
  if (!abort.aborted) await once(abort, "abort");
  assert.match(String(abort.reason), /the client disconnected/);
});

test("if two crews mount the same route, the crew of the request chooses, and else the first", async () => {
  const routes = ["relay", "slow"].map((crew): RouteMount => {
    const { query: _query, ...rest } = WHO;
    return {
      ...rest,
      method: "post",
      scope: "run",
      body: z.object({ crew: ID.optional() }),
      crew,
      handle: async (request) => {
        const { id } = await request.start({ input: "hello", crew: undefined });
        return Response.json({ id, by: crew });
      },
    };
  });
  await using server = await startTestServer([RELAY, SLOW], { routes });
  for (const [sent, by] of [
    [{}, "relay"],
    [{ crew: "slow" }, "slow"],
    [{ crew: "relay" }, "relay"],
  ] as const) {
    const answer = await sentOf(await server.post("/api/who", sent));
    assert.equal(answer["by"], by);
    assert.equal((await sentOf(await server.get(`/api/runs/${answer.id}`)))["crew"], by);
  }
});

test("mounts that cannot be told apart keep a server from starting", async () => {
  const other: Dialect<number> = { ...SHOUT };
  for (const [options, message] of [
    [{ routes: [WHO, { ...WHO }] }, "GET /api/who is mounted twice for one crew: mount one of them at another path"],
    [
      { routes: [{ ...WHO, path: "/api/runs" }] },
      "the server already has a route GET /api/runs: mount yours at another path",
    ],
    [{ routes: [{ ...WHO, path: "who" }] }, 'the mounted path "who" must begin with /'],
    [{ dialects: [{ ...SHOUT, name: "ui" }] }, 'there are two dialects called "ui": give the mounted one another name'],
    [{ dialects: [SHOUT, other] }, 'there are two dialects called "shout": give the mounted one another name'],
    [{ dialects: [{ ...SHOUT, name: "a b" }] }, 'the dialect "a b" needs a name of a-z, 0-9, _ and -, at most 64'],
  ] as const) {
    await using store = await Store.open({ database: openMemory() });
    const starting = startServer({
      ...options,
      store,
      crews: [toServed(RELAY.crew)],
      model: toModels([RELAY]),
      port: 0,
    });
    await assert.rejects(starting, { code: "invalid", message });
  }
  await using _server = await startTestServer([RELAY], { dialects: [SHOUT, SHOUT] });
});

/** Looks at a run, and answers its question. */
const INBOX = [
  defineRoute({
    method: "get",
    path: "/api/inbox/:id",
    summary: "A run and the crews",
    scope: "read",
    answers: { 200: { description: "It" } },
    async handle({ params, crews, run }) {
      const { status, questions, result } = await run(params["id"] ?? "");
      const asked = questions.map(({ question }) => question);
      return Response.json({ crews: crews.map(({ id }) => id), status, asked, outcome: result?.outcome });
    },
  }),
  defineRoute({
    method: "post",
    path: "/api/inbox/:id",
    summary: "Answer",
    scope: "run",
    body: z.object({ question: z.string(), value: z.json() }),
    answers: { 200: { description: "Answered" } },
    async handle({ params, body: { question, value }, command }) {
      const receipt = await command(params["id"] ?? "", { type: "answer", question, value });
      return Response.json({ receipt: receipt ?? null });
    },
  }),
];

test("a mounted route sees the crews and the caller's runs, and sends them commands", async () => {
  await using server = await startTestServer([ASKS], { routes: INBOX });
  const started = await server.post("/api/runs", { crew: "asks", input: "erase" }, { Prefer: "wait" });
  const id = started.headers.get("X-Run-Id") ?? "";
  const look = async () => sentOf(await fetch(`${server.url}/api/inbox/${id}`));
  assert.deepEqual(await look(), { crews: ["asks"], status: "paused", asked: ["1.1.1", "1.1.2"], outcome: "paused" });
  const wrong = await server.post(`/api/inbox/${id}`, { question: "1.1.1", value: { decision: "edit", args: {} } });
  assert.equal((await sentOf(wrong)).code, "invalid_answer");
  for (const question of ["1.1.1", "1.1.2"]) {
    assert.equal((await server.post(`/api/inbox/${id}`, { question, value: "deny" })).status, 200);
  }
  const again = await server.post(`/api/inbox/${id}`, { question: "1.1.1", value: "deny" });
  assert.ok([404, 409].includes(again.status), `${again.status}`);
  assert.equal((await fetch(`${server.url}/api/inbox/none`)).status, 404);
});

test("an open route needs no key, and a route may have its own challenge", async () => {
  const route = (path: string, more: Pick<RouteMount, "scope" | "challenge">) =>
    defineRoute({
      method: "get",
      path,
      summary: "Says who asks",
      answers: { 200: { description: "Who" } },
      handle: ({ user }) => new Response(user),
      ...more,
    });
  const routes = [
    route("/api/open/:id/back", { scope: "open" }),
    route("/api/shut", { scope: "run", challenge: 'Bearer resource_metadata="x"' }),
  ];
  const database = openMemory();
  const ring = new KeyRing({ database, clock: new SystemClock(), isLoopback: true });
  await ring.create("acme", ["run"], { user: "ann" });
  await using server = await startTestServer([RELAY], { routes, database });
  const open = await server.get("/api/open/1/back");
  assert.deepEqual([open.status, await open.text()], [200, "local"]);
  assert.equal((await server.get("/api/open/1")).status, 401);
  const shut = await server.get("/api/shut");
  assert.deepEqual([shut.status, shut.headers.get("WWW-Authenticate")], [401, 'Bearer resource_metadata="x"']);
  assert.match((await server.get("/api/runs")).headers.get("WWW-Authenticate") ?? "", /realm="baton"/);
});
