import assert from "node:assert/strict";
import { test } from "node:test";
import { GatedModel, RELAY, SLOW, WAITS } from "../testing/crews.ts";
import { parseFrames, readBytes } from "../testing/frames.ts";
import { sentOf } from "../testing/sent.ts";
import { startTestServer } from "../testing/test-server.ts";

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

test("a session that waits goes on with the agent that waits, and refuses to go on with another", async () => {
  await using server = await startTestServer([WAITS]);
  const ask = (agent: string, session_id = "s") =>
    server.post("/api/crew/stream", { query: "hello", session_id, resume_agent_id: agent });
  assert.match(await (await ask("asker")).text(), /"type":"pause"/);
  const other = await ask("closer");
  assert.equal(other.status, 409);
  assert.match((await sentOf(other)).detail ?? "", /asker waits/);
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

test("a run goes on when its client leaves, unless that was to cancel it", async () => {
  const models = new Map([
    ["detach", new GatedModel()],
    ["cancel", new GatedModel()],
  ]);
  for (const [mode, model] of models) {
    await using server = await startTestServer([SLOW], { model: () => model });
    const answer = await server.post(`/api/crew/stream?on_disconnect=${mode}`, { query: "hello" });
    await readBytes(answer, 200);
    const stream = await server.get(`/api/runs/${answer.headers.get("x-run-id")}/events`);
    if (mode === "detach") model.end();
    assert.match(await stream.text(), mode === "detach" ? /"outcome":"done"/ : /"outcome":"cancelled"/);
    assert.equal(model.aborted, mode === "detach" ? 0 : 1);
  }
});
