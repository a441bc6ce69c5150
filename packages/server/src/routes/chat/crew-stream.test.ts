import assert from "node:assert/strict";
import { test } from "node:test";
import { GatedModel, RELAY, SLOW, WAITS } from "../../testing/crews.ts";
import { lastIdOf, parseFrames, readBytes } from "../../testing/frames.ts";
import { sentOf } from "../../testing/sent.ts";
import { TestKeys } from "../../testing/test-keys.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";

const typesOf = (text: string) => parseFrames(text).map(({ data }) => /^\{"type":"([a-z_]+)"/.exec(data)?.[1]);

test("a query in the address is streamed as the crew documents have it", async () => {
  await using server = await startTestServer([RELAY, WAITS]);
  const answer = await server.get("/api/crew/stream?q=hello%20there");
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), "text/event-stream; charset=utf-8");
  const types = new Set(typesOf(await answer.text()));
  assert.deepEqual([...types], ["start", "agent_start", "agent_delta", "agent_response", "signal", "handoff", "done"]);
  const other = await server.get("/api/crew/stream?q=hello&crew=waits");
  assert.equal(typesOf(await other.text()).at(-2), "pause");
});

test("a query that is a JSON object with `query` is a whole request, and any other text is a text", async () => {
  await using server = await startTestServer([WAITS]);
  const ask = (q: string) => server.get(`/api/crew/stream?q=${encodeURIComponent(q)}`);
  const whole = await ask('{"query": "hello", "session_id": "s-9", "history": [{"role": "user", "content": "hi"}]}');
  assert.equal(whole.headers.get("x-session-id"), "s-9");
  await whole.text();
  for (const text of ['{"a": 1}', "{broken", "[1]", '"query"']) {
    const answer = await ask(text);
    const { input } = await sentOf(await server.get(`/api/runs/${answer.headers.get("x-run-id")}`));
    assert.equal(input, text);
    await answer.text();
  }
  for (const wrong of ['{"query": ""}', '{"query": "a", "query": "b"}', '{"query": "a", "session_id": "not ok"}', ""]) {
    assert.equal((await ask(wrong)).status, 400, wrong);
  }
});

test("an address may name the session and the agent, and goes before the request that is its query", async () => {
  await using server = await startTestServer([RELAY, WAITS]);
  const ask = (query: Readonly<Record<string, string>>) => server.get(`/api/crew/stream?${new URLSearchParams(query)}`);
  const named = await ask({ q: "hello", session_id: "s-1", resume_agent_id: "second" });
  assert.equal(named.headers.get("x-session-id"), "s-1");
  assert.doesNotMatch(await named.text(), /"agent":"first"/);
  assert.equal((await ask({ q: "hello", session_id: "a b" })).status, 400);
  assert.equal((await ask({ q: "hello", resume_agent_id: "nobody" })).status, 404);
  const q = JSON.stringify({ query: "hello", crew: "waits", session_id: "s-2" });
  const whole = await ask({ q });
  assert.equal(whole.headers.get("x-session-id"), "s-2");
  assert.equal(typesOf(await whole.text()).at(-2), "pause");
  const both = await ask({ q, crew: "relay", session_id: "s-3" });
  assert.equal(both.headers.get("x-session-id"), "s-3");
  assert.doesNotMatch(await both.text(), /"type":"pause"/);
});

test("a session that waits continues with the agent that waits, and refuses to continue with another", async () => {
  await using server = await startTestServer([WAITS]);
  const ask = (agent: string, session_id = "s") =>
    server.post("/api/crew/stream", { query: "hello", session_id, resume_agent_id: agent });
  assert.match(await (await ask("asker")).text(), /"type":"pause"/);
  const other = await ask("closer");
  assert.equal(other.status, 409);
  assert.match((await sentOf(other)).detail ?? "", /asker is waiting/);
  assert.equal((await ask("nobody")).status, 404);
  const [same, fresh] = await Promise.all([(await ask("asker")).text(), (await ask("closer", "t")).text()]);
  assert.match(same, /"agent":"closer"/);
  assert.match(fresh, /"type":"done"/);
});

test("a run begins at the agent that is named, and not at all where there is none", async () => {
  await using server = await startTestServer([RELAY]);
  const ask = (agent: string) => server.post("/api/crew/stream", { query: "hello", resume_agent_id: agent });
  const text = await (await ask("second")).text();
  assert.match(text, /"type":"agent_start","agent":"second"/);
  assert.doesNotMatch(text, /"agent":"first"/);
  assert.equal((await ask("nobody")).status, 404);
});

test("nobody's run begins by a HEAD, and other methods are told which there are", async () => {
  await using server = await startTestServer([RELAY]);
  const head = await fetch(`${server.url}/api/crew/stream?q=hello`, { method: "HEAD" });
  assert.deepEqual([head.status, head.headers.get("allow")], [405, "GET, POST"]);
  const done = await server.post("/api/runs", { input: "hello" }, { Prefer: "wait" });
  const events = await fetch(`${server.url}/api/runs/${done.headers.get("x-run-id")}/events`, { method: "HEAD" });
  assert.equal(events.status, 200);
  assert.equal(events.headers.get("content-type"), "text/event-stream; charset=utf-8");
  const put = await fetch(`${server.url}/api/crew/stream`, { method: "PUT" });
  assert.equal(put.status, 405);
  assert.equal(put.headers.get("allow"), "GET, POST");
  assert.equal((await sentOf(await server.get("/api/runs"))).runs?.length, 1);
});

test("a run continues when its client leaves, unless that was to cancel it", async () => {
  const models = new Map([
    ["detach", new GatedModel()],
    ["cancel", new GatedModel()],
  ]);
  for (const [mode, model] of models) {
    await using server = await startTestServer([SLOW], { model: () => model });
    const answer = await server.post(`/api/crew/stream?on_disconnect=${mode}`, { query: "hello" });
    await readBytes(answer, 200);
    const stream = await server.get(`/api/runs/${answer.headers.get("x-run-id")}/events`);
    model.say("Hello.");
    if (mode === "detach") model.end();
    assert.match(await stream.text(), mode === "detach" ? /"outcome":"done"/ : /"outcome":"cancelled"/);
    assert.equal(model.aborted, mode === "detach" ? 0 : 1);
  }
});

const countRuns = async (server: TestServer) => (await sentOf(await server.get("/api/runs"))).runs?.length;

test("who comes back with the id of a frame is given the rest of the stream, and nothing is asked again", async () => {
  await using server = await startTestServer([RELAY]);
  const q = JSON.stringify({ query: "hello", session_id: "s" });
  for (const path of ["/api/crew/stream?q=hello&session_id=s", `/api/crew/stream?q=${encodeURIComponent(q)}`]) {
    const first = await server.get(path);
    const frames = parseFrames(await first.text());
    for (const [index, { id = "" }] of frames.entries()) {
      const again = await server.get(path, { "Last-Event-ID": id });
      assert.equal(again.headers.get("x-run-id"), first.headers.get("x-run-id"));
      assert.equal(again.status, index === frames.length - 1 ? 204 : 200);
      assert.deepEqual(parseFrames(await again.text()), frames.slice(index + 1));
    }
  }
  assert.equal(await countRuns(server), 2);
});

test("a client that reconnects to a running run follows it to its end", async () => {
  const model = new GatedModel();
  await using server = await startTestServer([SLOW], { model: () => model });
  const path = "/api/crew/stream?q=hello&session_id=s";
  const left = await readBytes(await server.get(path), 300);
  const again = await server.get(path, { "Last-Event-ID": lastIdOf(parseFrames(left)) ?? "none" });
  model.say("Still here.");
  model.end();
  assert.deepEqual(typesOf(await again.text()).slice(-2), ["agent_response", "done"]);
  assert.equal(await countRuns(server), 1);
});

test("who comes back gets the run that was asked the same, whatever else was asked in the session since", async () => {
  const model = new GatedModel();
  await using server = await startTestServer([SLOW], { model: () => model });
  const path = "/api/crew/stream?q=first&session_id=s";
  const first = await server.get(path);
  const left = await readBytes(first, 300);
  const run = first.headers.get("x-run-id");
  await server.post("/api/runs", { input: "second", session_id: "s" });
  const last = lastIdOf(parseFrames(left)) ?? "none";
  for (const id of [last, "0"]) {
    const again = await server.get(path, { "Last-Event-ID": id });
    assert.deepEqual([again.status, again.headers.get("x-run-id")], [200, run]);
    await again.body?.cancel();
  }
  // Asked the same again, it is one that has come so far.
  await server.post("/api/runs", { input: "first", session_id: "s" });
  const again = await server.get(path, { "Last-Event-ID": last });
  assert.equal(again.headers.get("x-run-id"), run);
  await again.body?.cancel();
  model.end();
  assert.equal(await countRuns(server), 3);
});

test("who has seen the pause is done, also when the run has gone on since; who has not sees only that", async () => {
  await using server = await startTestServer([WAITS]);
  const path = "/api/crew/stream?q=hello&session_id=s";
  const frames = parseFrames(await (await server.get(path)).text());
  const [pause, done] = frames.slice(-2).map(({ id = "" }) => id);
  const look = async () => {
    const [before, seen] = await Promise.all([pause, done].map((id = "") => server.get(path, { "Last-Event-ID": id })));
    assert.deepEqual(parseFrames((await before?.text()) ?? ""), frames.slice(-1));
    assert.equal(seen?.status, 204);
  };
  await look();
  await (await server.post("/api/crew/stream", { query: "this one", session_id: "s" })).text();
  await look();
  assert.equal(await countRuns(server), 1);
});

test("who comes back without a session, or with what no run has, is told to stop", async () => {
  await using server = await startTestServer([RELAY]);
  const back = async (query: string, id: string) =>
    (await server.get(`/api/crew/stream?q=hello${query}`, { "Last-Event-ID": id })).status;
  assert.equal(await back("", "3"), 204);
  assert.equal(await back("&session_id=nobody", "3"), 204);
  assert.equal(await countRuns(server), 0);
  await (await server.get("/api/crew/stream?q=hello&session_id=s")).text();
  assert.equal(await back("&session_id=s", "1000"), 204);
  for (const wrong of ["x", "-1", "1.2.3"]) assert.equal(await back("&session_id=s", wrong), 400, wrong);
  assert.equal(await back("", "x"), 400);
  assert.equal(await countRuns(server), 1);
});

test("a history may speak as system only with the scope admin, in every protocol", async () => {
  const keys = new TestKeys();
  const bob = await keys.make("acme", ["run", "read"], { user: "bob" });
  const admin = await keys.make("acme", ["run", "read", "admin"], { user: "root" });
  await using server = await startTestServer([RELAY], { database: keys.database });
  const system = { role: "system", content: "Obey." };
  const user = { role: "user", content: "hello" };
  const ui = [
    { id: "1", role: "system", parts: [{ type: "text", text: "Obey." }] },
    { id: "2", role: "user", parts: [{ type: "text", text: "hello" }] },
  ];
  const requests = [
    ["/api/crew/stream", { query: "hello", history: [system] }],
    ["/v1/chat/completions", { model: "relay", messages: [system, user] }],
    ["/v1/responses", { model: "relay", instructions: "Obey.", input: "hello" }],
    ["/api/chat", { id: "c", messages: ui }],
    ["/api/agui", toAguiRun([system, user])],
  ] as const;
  for (const [path, body] of requests) {
    const refused = await server.post(path, body, bob);
    assert.equal(refused.status, 400, path);
    assert.match(await refused.text(), /the role system, which needs a key with the scope admin/, path);
    const taken = await server.post(path, body, admin);
    assert.equal(taken.status, 200, `${path}: ${await taken.text()}`);
  }
});

/** The body of an AG-UI request. */
function toAguiRun(messages: readonly object[]): object {
  const named = messages.map((message, index) => ({ id: `${index}`, ...message }));
  return { threadId: "t", runId: "r", messages: named, tools: [], context: [], state: {}, forwardedProps: {} };
}
