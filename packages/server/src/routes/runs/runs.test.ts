import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { ASKS, ENDS, GatedModel, RELAY, SLOW, WAITS } from "../../testing/crews.ts";
import { sentOf } from "../../testing/sent.ts";
import { startTestServer, toModels } from "../../testing/test-server.ts";

test("a run is started with 202, its ids and where more of it is", async () => {
  await using server = await startTestServer([RELAY, WAITS]);
  const answer = await server.post("/api/runs", { crew: "waits", input: "hello", session_id: "s-1" });
  assert.equal(answer.status, 202);
  const id = answer.headers.get("x-run-id") ?? "";
  assert.equal(answer.headers.get("x-session-id"), "s-1");
  assert.equal(answer.headers.get("location"), `/api/runs/${id}`);
  const body = await sentOf(answer);
  assert.equal(body.id, id);
  assert.match(String(body["short_id"]), /^req-[0-9a-f]{12}$/);
  assert.deepEqual(body["links"], {
    self: `/api/runs/${id}`,
    events: `/api/runs/${id}/events`,
    commands: `/api/runs/${id}/commands`,
  });
});

test("a session in which too many requests wait says so, when to come back and what to do", async () => {
  const model = new GatedModel();
  await using server = await startTestServer([SLOW], { model: () => model });
  const start = (session: string) => server.post("/api/runs", { input: "hello", session_id: session });
  let answer = await start("s");
  for (let sent = 1; answer.status === 202 && sent < 100; sent++) answer = await start("s");
  assert.deepEqual([answer.status, answer.headers.get("retry-after")], [409, "1"]);
  const { code, detail } = await sentOf(answer);
  assert.equal(code, "busy");
  assert.match(detail ?? "", /^Session s has 32 requests waiting\W.*try again later/);
  assert.equal((await start("other")).status, 202);
});

test("with `Prefer: wait` the answer has the result, and with seconds it comes in time", async () => {
  const model = new GatedModel();
  await using server = await startTestServer([RELAY, SLOW], {
    model: (_, { name }) => (name === "slow" ? model : new GatedModel()),
  });
  const late = await server.post("/api/runs", { crew: "slow", input: "hello" }, { Prefer: "respond-async, wait=0" });
  assert.equal(late.status, 202);
  model.say("Hello [there].");
  model.end();
  const patient = await server.post("/api/runs", { crew: "slow", input: "hello" }, { Prefer: "wait=99999999999" });
  assert.equal(patient.status, 200);
  const done = await server.post("/api/runs", { crew: "slow", input: "hello" }, { Prefer: "wait" });
  assert.equal(done.status, 200);
  assert.equal(done.headers.get("preference-applied"), "wait");
  assert.partialDeepStrictEqual(await sentOf(done), {
    status: "ended",
    outcome: "done",
    input: "hello",
    agent_calls: 1,
    rounds: 1,
    tool_calls: 0,
    tokens: { input: 1, output: 1, total: 2, cached: 0, cache_write: 0 },
    result: { outcome: "done", content: "Hello [there].", agent: "talker" },
  });
});

test("the next input of a session resumes the run that waits, and is refused where that waits for answers", async () => {
  await using server = await startTestServer([WAITS, ASKS]);
  const start = (body: object) => server.post("/api/runs", { session_id: "s", ...body }, { Prefer: "wait" });
  const first = await sentOf(await start({ input: "hello" }));
  assert.partialDeepStrictEqual(first, { status: "paused", outcome: "paused" });
  const second = await sentOf(await start({ input: "that one" }));
  assert.partialDeepStrictEqual(second, { id: first.id, status: "ended", result: { content: "Thanks." } });
  const asked = await sentOf(await start({ crew: "asks", input: "erase", session_id: "t" }));
  assert.deepEqual(asked["questions"], ["1.1.1", "1.1.2"]);
  const refused = await start({ crew: "asks", input: "well?", session_id: "t" });
  assert.equal(refused.status, 409);
  assert.equal((await sentOf(refused)).code, "question_open");
});

test("a run that is paused or has ended has the result that whoever waited for it was given", async () => {
  const model = new GatedModel();
  const scripts = toModels([RELAY, ENDS, WAITS, ASKS]);
  await using server = await startTestServer([RELAY, ENDS, WAITS, ASKS, SLOW], {
    model: (agent, crew) => (crew.name === "slow" ? model : scripts(agent, crew)),
  });
  const seen = async (id = "") => sentOf(await server.get(`/api/runs/${id}`));
  for (const crew of ["relay", "ends", "waits", "asks"]) {
    const waited = await sentOf(await server.post("/api/runs", { crew, input: "hello" }, { Prefer: "wait" }));
    assert.deepEqual(await seen(waited.id), waited, crew);
    if (crew === "ends") assert.partialDeepStrictEqual(waited["result"], { content: "Hello there." });
    if (crew === "asks") assert.partialDeepStrictEqual(waited["result"], { questions: QUESTIONS });
  }
  const { id } = await sentOf(await server.post("/api/runs", { crew: "slow", input: "hello" }));
  assert.equal((await seen(id))["result"], undefined);
  await server.post(`/api/runs/${id}/commands`, { type: "cancel", reason: "enough" });
  assert.partialDeepStrictEqual(await seen(id), { result: { outcome: "cancelled", error: { code: "cancelled" } } });
});

const QUESTIONS = ["a.txt", "b.txt"].map((path) => ({
  kind: "approval",
  agent: "helper",
  tool: "erase",
  args: { path },
  schema: { anyOf: [{ enum: ["allow", "deny"] }] },
}));

test("what is wrong with a start is listed field by field, before anything runs", async () => {
  await using server = await startTestServer([RELAY]);
  const refused = await server.post("/api/runs", { crew: "a b", input: "", session_id: 7, limits: { max_usd: -1 } });
  assert.equal(refused.status, 400);
  assert.deepEqual(
    (await sentOf(refused)).problems?.map(({ field }) => field),
    ["crew", "input", "session_id", "limits.max_usd"],
  );
  assert.equal((await server.post("/api/runs", { crew: "nobody", input: "hello" })).status, 404);
  assert.equal((await server.post("/api/runs", { input: "x".repeat(10_001) })).status, 400);
  assert.deepEqual((await sentOf(await server.get("/api/runs"))).runs, []);
});

test("a limit of the caller ends the run", async () => {
  await using server = await startTestServer([SLOW]);
  const body = { input: "hello", limits: { max_seconds: 0.05 } };
  assert.partialDeepStrictEqual(await sentOf(await server.post("/api/runs", body, { Prefer: "wait" })), {
    outcome: "limit",
  });
});

test("an Idempotency-Key starts one run, however often it is sent", async () => {
  await using server = await startTestServer([RELAY]);
  const start = (input: string) => server.post("/api/runs", { input }, { "Idempotency-Key": "k-1" });
  const first = await start("hello");
  const again = await start("hello");
  assert.equal(again.status, 202);
  assert.equal(again.headers.get("x-run-id"), first.headers.get("x-run-id"));
  assert.equal(again.headers.get("idempotency-replayed"), "true");
  assert.equal((await start("other")).status, 422);
  assert.equal((await sentOf(await server.get("/api/runs"))).runs?.length, 1);
});

test("runs are listed newest first, by page and by what they are", async () => {
  await using server = await startTestServer([RELAY, WAITS]);
  const ids: string[] = [];
  for (const [crew, input] of [
    ["relay", "one"],
    ["waits", "Two"],
    ["relay", "three"],
  ] as const) {
    const { id = "" } = await sentOf(
      await server.post("/api/runs", { crew, input, session_id: crew }, { Prefer: "wait" }),
    );
    ids.unshift(id);
  }
  const list = async (query: string) => {
    const { runs = [], next } = await sentOf(await server.get(`/api/runs?${query}`));
    return { ids: runs.map(({ id }) => id), next };
  };
  const [third = "", second = "", first = ""] = ids;
  assert.deepEqual(await list(""), { ids, next: undefined });
  assert.deepEqual(await list("limit=2"), { ids: [third, second], next: second });
  assert.deepEqual(await list(`limit=2&before=${second}`), { ids: [first], next: undefined });
  assert.deepEqual((await list("status=paused")).ids, [second]);
  assert.deepEqual((await list("crew=relay")).ids, [third, first]);
  assert.deepEqual((await list("session=waits")).ids, [second]);
  assert.deepEqual((await list("q=tW")).ids, [second]);
  for (const query of ["limit=0", "limit=x", "status=odd", "crew=a%20b", "limit=1&limit=2"]) {
    assert.equal((await server.get(`/api/runs?${query}`)).status, 400, query);
  }
  assert.equal((await server.get("/api/runs?before=nothing")).status, 404);
  assert.equal((await sentOf(await server.get(`/api/runs/${first}`)))["crew"], "relay");
  assert.equal((await server.get("/api/runs/nothing")).status, 404);
});

test("the log is a list where JSON is asked for", async () => {
  await using server = await startTestServer([RELAY]);
  const { id = "" } = await sentOf(await server.post("/api/runs", { input: "hello" }, { Prefer: "wait" }));
  const accept = { Accept: "application/json" };
  const { events } = await sentOf(await server.get(`/api/runs/${id}/events`, accept));
  assert.ok(Array.isArray(events));
  assert.partialDeepStrictEqual(events.at(0), { seq: 1, type: "run.started" });
  assert.partialDeepStrictEqual(events.at(-1), { seq: events.length, type: "run.ended" });
  const rest = await sentOf(await server.get(`/api/runs/${id}/events?after=3`, accept));
  assert.deepEqual(rest["events"], events.slice(3));
  assert.equal((await server.get(`/api/runs/${id}/events?dialect=ui`, accept)).status, 400);
  assert.equal((await server.get(`/api/runs/${id}/events?dialect=odd`)).status, 400);
});

test("runs are listed by outcome and time, with how long they ran and what they called", async () => {
  await using server = await startTestServer([RELAY, WAITS]);
  const start = (crew: string) => server.post("/api/runs", { crew, input: "hello" }, { Prefer: "wait" });
  const { id } = await sentOf(await start("relay"));
  const { id: waiting } = await sentOf(await start("waits"));
  const list = async (query: string) => (await sentOf(await server.get(`/api/runs?${query}`)))["runs"];
  const [done] = z.array(RUN).parse(await list("outcome=done"));
  assert.equal(done?.id, id);
  assert.deepEqual(done?.models, ["script"]);
  assert.ok(done.active_ms <= done.duration_ms && done.first_text_ms <= done.active_ms);
  assert.partialDeepStrictEqual(await list("outcome=paused"), [{ id: waiting }]);
  assert.deepEqual(await list("outcome=failed"), []);
  assert.deepEqual(await list("until=2001-01-01T00:00:00Z"), []);
  assert.deepEqual(await list("since=2999-01-01T00:00:00%2B07:00"), []);
  assert.equal(z.array(RUN).parse(await list("since=2001-01-01T00:00:00Z")).length, 2);
  for (const query of ["outcome=best", "since=yesterday", "until=2001-01-01"])
    assert.equal((await server.get(`/api/runs?${query}`)).status, 400, query);
});

const RUN = z.looseObject({
  id: z.string(),
  duration_ms: z.number(),
  active_ms: z.number(),
  first_text_ms: z.number(),
  models: z.array(z.string()),
});

test("a run that has ended is removed with its log, one that waits is not", async () => {
  await using server = await startTestServer([RELAY, WAITS]);
  const start = (crew: string) =>
    server.post("/api/runs", { crew, input: "hello", session_id: crew }, { Prefer: "wait" });
  const remove = (id: string | undefined) => fetch(`${server.url}/api/runs/${id}`, { method: "DELETE" });
  const { id: ended } = await sentOf(await start("relay"));
  const { id: waiting } = await sentOf(await start("waits"));
  assert.equal((await remove(waiting)).status, 409);
  assert.equal((await remove(ended)).status, 204);
  assert.equal((await remove(ended)).status, 404);
  assert.equal((await server.get(`/api/runs/${ended}/events`)).status, 404);
  assert.equal((await server.get("/api/sessions/relay/messages")).status, 200);
});
