import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { getRequestListener } from "@hono/node-server";
import { Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { Hono } from "hono";
import { z } from "zod";
import { type HandlerOptions, openHandler, type RunningHandler } from "./handler.ts";
import { GatedModel, RELAY, SLOW } from "./testing/crews.ts";
import { lastIdOf, parseFrames, readBytes } from "./testing/frames.ts";
import { startTestServer, toModels, toServed } from "./testing/test-server.ts";
import { TestKeys } from "./testing/test-keys.ts";

interface Opened extends RunningHandler, AsyncDisposable {
  readonly store: Store;
}

async function open({
  database = openMemory(),
  ...options
}: Partial<HandlerOptions> & { database?: ReturnType<typeof openMemory> } = {}): Promise<Opened> {
  const store = await Store.open({ database });
  const scripted = [RELAY, SLOW];
  const crews = scripted.map(({ crew }) => toServed(crew));
  const handler = await openHandler({
    model: toModels(scripted),
    logLevel: "silent",
    graceMs: 0,
    ...options,
    store,
    crews,
  });
  const close = async () => {
    await handler.stop();
    await store[Symbol.asyncDispose]();
  };
  return { ...handler, store, [Symbol.asyncDispose]: close };
}

/** The fields of answers that the tests read. */
const ANSWER = z.looseObject({
  id: z.string().default(""),
  code: z.string().optional(),
  user: z.string().optional(),
  result: z.looseObject({ outcome: z.string() }).optional(),
  links: z.object({ events: z.string() }).default({ events: "" }),
  events: z.array(z.unknown()).default([]),
});

const read = async (answer: Response) => ANSWER.parse(await answer.json());

const ORIGIN = "http://localhost";

function post(path: string, body: unknown, init: RequestInit = {}): Request {
  const headers = { "Content-Type": "application/json", ...Object.fromEntries(new Headers(init.headers)) };
  return new Request(ORIGIN + path, { method: "POST", body: JSON.stringify(body), ...init, headers });
}

test("every route answers a plain request, with the headers of a server", async () => {
  await using handler = await open();
  const begun = await handler.fetch(post("/api/runs", { crew: "relay", input: "hi" }, { headers: { Prefer: "wait" } }));
  assert.equal(begun.status, 200);
  assert.equal(begun.headers.get("x-content-type-options"), "nosniff");
  const { id, result } = await read(begun);
  assert.equal(begun.headers.get("x-run-id"), id);
  assert.equal(result?.outcome, "done");
  const list = await handler.fetch(
    new Request(`${ORIGIN}/api/runs/${id}/events`, { headers: { Accept: "application/json" } }),
  );
  assert.ok((await read(list)).events.length > 5);
  assert.equal((await handler.fetch(new Request(`${ORIGIN}/api/runs`, { method: "HEAD" }))).body, null);
  assert.equal((await handler.fetch(new Request(`${ORIGIN}/nothing`))).status, 404);
  const wrong = await handler.fetch(new Request(`${ORIGIN}/api/crews`, { method: "POST" }));
  assert.deepEqual([wrong.status, wrong.headers.get("allow")], [405, "GET, HEAD"]);
  const large = post("/api/runs", { input: "x".repeat(9_000_000) });
  assert.equal((await handler.fetch(large)).status, 400);
});

test("a stream has the same bytes and ids as on a connection, and resumes", async () => {
  const database = openMemory();
  await using server = await startTestServer([RELAY], { database, logLevel: "silent" });
  const begun = await server.post("/api/crew/stream", { crew: "relay", query: "hi" });
  const sent = await begun.text();
  await using handler = await open();
  const answer = await handler.fetch(post("/api/crew/stream", { crew: "relay", query: "hi" }));
  assert.equal(answer.headers.get("content-type"), "text/event-stream; charset=utf-8");
  const timeless = (text: string) => text.replaceAll(/"timestamp":"[^"]*"/g, "").replaceAll(/[0-9a-f-]{36}/g, "ID");
  const own = await answer.text();
  assert.equal(timeless(own), timeless(sent));
  const frames = parseFrames(own);
  const path = `/api/runs/${answer.headers.get("x-run-id")}/events?dialect=crew`;
  const half = frames.slice(0, 4);
  const rest = await handler.fetch(new Request(ORIGIN + path, { headers: { "Last-Event-ID": lastIdOf(half) ?? "" } }));
  assert.deepEqual(
    [...half, ...parseFrames(await rest.text())].filter(({ id }) => id !== undefined),
    frames.filter(({ id }) => id !== undefined),
  );
});

for (const [way, leave] of [
  ["aborting the request", (controller: AbortController) => controller.abort()],
  ["cancelling the body", (_: AbortController, body: ReadableStream | null) => body?.cancel()],
] as const) {
  test(`${way} is a disconnect: the run goes on, or is cancelled if the request says so`, async () => {
    for (const query of ["", "?on_disconnect=cancel"]) {
      const model = new GatedModel();
      await using handler = await open({ model: () => model });
      const controller = new AbortController();
      const asked = post(`/api/crew/stream${query}`, { crew: "slow", query: "hi" }, { signal: controller.signal });
      const answer = await handler.fetch(asked);
      const id = answer.headers.get("x-run-id") ?? "";
      const run = await handler.fetch(new Request(`${ORIGIN}/api/runs/${id}/events?dialect=crew`));
      await leave(controller, answer.body);
      if (query === "") {
        model.say("Still here.");
        model.end();
      }
      const frames = parseFrames(await run.text());
      assert.equal(
        frames.some(({ data }) => data.includes("Still here.")),
        query === "",
      );
      assert.equal(
        frames.some(({ data }) => data.includes('"done"')),
        true,
      );
    }
  });
}

test("a request that is aborted before its answer rejects with the reason", async () => {
  await using handler = await open({ model: () => new GatedModel() });
  const controller = new AbortController();
  const asked = post(
    "/api/runs",
    { crew: "slow", input: "hi" },
    { signal: controller.signal, headers: { Prefer: "wait" } },
  );
  const answer = handler.fetch(asked);
  controller.abort(new Error("gone"));
  await assert.rejects(answer, /gone/);
  await assert.rejects(handler.fetch(asked), /gone/);
});

test("a reader that stops reading holds nothing up, and the rest comes when it reads again", async () => {
  await using handler = await open();
  const answer = await handler.fetch(post("/api/crew/stream", { crew: "relay", query: "hi" }));
  const path = `/api/runs/${answer.headers.get("x-run-id")}/events`;
  const whole = await (await handler.fetch(new Request(ORIGIN + path))).text();
  const piece = await readBytes(await handler.fetch(new Request(ORIGIN + path)), 40);
  assert.ok(whole.startsWith(piece));
  assert.match(await answer.text(), /"done"/);
});

test("without keys and without `identify` only a loopback host is answered", async () => {
  await using handler = await open();
  const statusOf = async (url: string, headers = {}) => (await handler.fetch(new Request(url, { headers }))).status;
  assert.equal(await statusOf("http://127.0.0.1:3000/api/runs"), 200);
  assert.equal(await statusOf("http://[::1]/api/runs"), 200);
  assert.equal(await statusOf("https://agents.example/api/runs"), 403);
  assert.equal(await statusOf("http://localhost/api/runs", { Host: "evil.example" }), 403);
  assert.equal(await statusOf("https://agents.example/health"), 200);
});

test("with a key any host is answered to those who send it", async () => {
  const keys = new TestKeys();
  const headers = await keys.make("acme", ["read"]);
  await using handler = await open({ database: keys.database });
  const url = "https://agents.example/api/runs";
  assert.equal((await handler.fetch(new Request(url))).status, 401);
  assert.equal((await handler.fetch(new Request(url, { headers }))).status, 200);
});

test("`identify` names the caller, before keys and for any host", async () => {
  const identify: HandlerOptions["identify"] = async (request) => {
    const user = request.headers.get("x-user") ?? undefined;
    if (user === undefined) return undefined;
    return user === "root" ? { user, scopes: ["run", "read", "admin"] } : { user };
  };
  await using handler = await open({ identify });
  const as = (user: string, request: Request) => {
    request.headers.set("x-user", user);
    return handler.fetch(request);
  };
  const url = "https://agents.example/api/runs";
  const refused = await handler.fetch(new Request(url));
  assert.deepEqual([refused.status, (await read(refused)).code], [401, "invalid_api_key"]);
  const begun = await as("ada", post("/api/runs", { crew: "relay", input: "hi" }, { headers: { Prefer: "wait" } }));
  const { id, user } = await read(begun);
  assert.equal(user, "ada");
  assert.equal((await as("bob", new Request(`${url}/${id}`))).status, 404);
  assert.equal((await as("ada", new Request(`${url}/${id}`))).status, 200);
  assert.equal((await as("root", new Request(`${url}/${id}`))).status, 200);
  assert.equal((await as("ada", new Request("https://agents.example/api/crew/stream?q=hi&crew=relay"))).status, 200);
});

test("a base path is taken off the path and put before links", async () => {
  await using handler = await open({ basePath: "/agents" });
  const begun = await handler.fetch(post("/agents/api/runs", { crew: "relay", input: "hi" }));
  const { id, links } = await read(begun);
  assert.equal(begun.headers.get("location"), `/agents/api/runs/${id}`);
  assert.equal(links.events, `/agents/api/runs/${id}/events`);
  assert.equal((await handler.fetch(new Request(ORIGIN + links.events))).status, 200);
  assert.equal((await handler.fetch(new Request(`${ORIGIN}/api/runs`))).status, 404);
  assert.equal((await handler.fetch(new Request(`${ORIGIN}/agentsapi/runs`))).status, 404);
  const { store } = handler;
  const model = toModels([]);
  await assert.rejects(openHandler({ basePath: "agents/", store, model, crews: [] }), { code: "invalid" });
});

test("it answers when it is mounted in Hono, and behind a server of Node", async () => {
  await using handler = await open();
  const app = new Hono();
  app.mount("/agents", handler.fetch);
  const mounted = await app.request("/agents/api/crew/stream?q=hi&crew=relay");
  assert.match(await mounted.text(), /"done"/);
  const listener = getRequestListener(handler.fetch);
  const http = createServer((incoming, outgoing) => {
    listener(incoming, outgoing).catch(() => outgoing.destroy());
  }).listen(0, "127.0.0.1");
  await once(http, "listening");
  try {
    const address = http.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const answer = await fetch(`http://127.0.0.1:${port}/api/crew/stream?q=hi&crew=relay`);
    assert.match(await answer.text(), /"done"/);
    const begun = await fetch(`http://127.0.0.1:${port}/api/runs`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: '{"input":"hi"}',
    });
    assert.equal(begun.status, 202);
  } finally {
    http.closeAllConnections();
    http.close();
  }
});
