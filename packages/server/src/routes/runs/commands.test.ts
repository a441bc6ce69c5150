import assert from "node:assert/strict";
import { test } from "node:test";
import { scriptModel } from "@baton/core";
import { z } from "zod";
import { ASKS, GatedModel, RELAY, SLOW, WAITS } from "../../testing/crews.ts";
import { sentOf } from "../../testing/sent.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";

async function begin(server: TestServer, body: object): Promise<(command: unknown) => Promise<Response>> {
  const { id = "" } = await sentOf(await server.post("/api/runs", body));
  return (command) => server.post(`/api/runs/${id}/commands`, command);
}

test("a cancel is answered with its receipt, which is in the run's end; after that the run has ended", async () => {
  const model = new GatedModel();
  await using server = await startTestServer([SLOW], { model: () => model });
  const started = await server.post("/api/runs", { input: "hello" });
  const path = `/api/runs/${started.headers.get("x-run-id")}`;
  const cancelled = await server.post(`${path}/commands`, { type: "cancel", reason: "enough" });
  assert.equal(cancelled.status, 200);
  const receipt = await sentOf(cancelled);
  assert.deepEqual(Object.keys(receipt).toSorted(), ["abandoned", "finished", "stopped"]);
  const { events } = await sentOf(await server.get(`${path}/events`, { Accept: "application/json" }));
  assert.ok(Array.isArray(events));
  assert.partialDeepStrictEqual(events.at(-1), { type: "run.ended", outcome: "cancelled", receipt });
  const late = await server.post(`${path}/commands`, { type: "cancel" });
  assert.equal(late.status, 409);
  assert.equal((await sentOf(late)).code, "run_ended");
});

test("a paused run is cancelled with an empty receipt", async () => {
  await using server = await startTestServer([WAITS]);
  const { id } = await sentOf(await server.post("/api/runs", { input: "hello" }, { Prefer: "wait" }));
  const cancelled = await server.post(`/api/runs/${id}/commands`, { type: "cancel" });
  assert.deepEqual(await sentOf(cancelled), { stopped: [], finished: [], abandoned: [] });
});

test("questions are answered one by one, in any order, and only as they ask", async () => {
  await using server = await startTestServer([ASKS]);
  const { id } = await sentOf(await server.post("/api/runs", { input: "erase" }, { Prefer: "wait" }));
  const answer = (question: string, value: unknown) =>
    server.post(`/api/runs/${id}/commands`, { type: "answer", question, value });
  const wrong = await answer("1.1.2", "maybe");
  assert.equal(wrong.status, 400);
  assert.deepEqual((await sentOf(wrong)).problems, [
    { field: "value", message: 'the answer to 1.1.2 does not fit: must be one of "allow", "deny"' },
  ]);
  assert.equal((await answer("9.9.9", "allow")).status, 404);
  assert.equal((await server.post(`/api/runs/${id}/commands`, { type: "resume", input: "go" })).status, 409);
  assert.equal((await answer("1.1.2", "deny")).status, 202);
  assert.equal((await answer("1.1.1", "allow")).status, 202);
  // The stream lasts until the run has ended.
  assert.match(await (await server.get(`/api/runs/${id}/events`)).text(), /erased a\.txt/);
});

test("a run is paused between two turns, and continues when it is resumed", async () => {
  const first = new GatedModel();
  const models = new Map([["first", first]]);
  await using server = await startTestServer([RELAY], {
    model: ({ id }) => models.get(id) ?? scriptModel({ second: [{ say: "Done." }] }),
  });
  const started = await server.post("/api/runs", { input: "hello" });
  const path = `/api/runs/${started.headers.get("x-run-id")}`;
  const send = (command: object) => server.post(`${path}/commands`, command);
  assert.equal((await send({ type: "resume" })).status, 409);
  assert.equal((await send({ type: "pause" })).status, 202);
  const segment = server.get(`${path}/events`);
  first.say("Over. [NEXT]");
  first.end();
  while ((await sentOf(await server.get(path)))["status"] !== "paused");
  assert.equal((await send({ type: "resume", input: "Shorter, please." })).status, 202);
  const log = await (await segment).text();
  assert.match(log, /"type":"run.paused","by":"command"/);
  assert.match(log, /"kind":"pause".*"who":"user"/);
  assert.match(log, /"value":"Shorter, please\.","by":\{"tenant":/);
  assert.match(log, /"type":"run.ended","outcome":"done"/);
});

for (const way of ["say", "session"] as const) {
  test(`who ends a pause is in the log, also by a message (${way})`, async () => {
    const first = new GatedModel();
    const models = new Map([["first", first]]);
    await using server = await startTestServer([RELAY], {
      model: ({ id }) => models.get(id) ?? scriptModel({ second: [{ say: "Done." }] }),
    });
    const { headers } = await server.post("/api/runs", { input: "hello" });
    const path = `/api/runs/${headers.get("x-run-id")}`;
    assert.equal((await server.post(`${path}/commands`, { type: "pause" })).status, 202);
    first.say("Over. [NEXT]");
    first.end();
    while ((await sentOf(await server.get(path)))["status"] !== "paused");
    const session = headers.get("x-session-id");
    const message =
      way === "say"
        ? server.post(`${path}/commands`, { type: "say", text: "Shorter." })
        : server.post("/api/runs", { input: "Shorter.", session_id: session });
    assert.equal((await message).status, 202);
    const log = await (await server.get(`${path}/events`)).text();
    assert.match(log, /"type":"question.answered".*"value":"Shorter\.","by":\{"tenant":"local","user":"local"/);
  });
}

test("an answer to a run that a command paused is a text like any other that a user says", async () => {
  const first = new GatedModel();
  await using server = await startTestServer([RELAY], {
    model: ({ id }) => (id === "first" ? first : scriptModel({ second: [{ when: "a\nb", say: "Heard." }] })),
  });
  const started = await server.post("/api/runs", { input: "hello" });
  const path = `/api/runs/${started.headers.get("x-run-id")}`;
  const send = (command: object) => server.post(`${path}/commands`, command);
  assert.equal((await send({ type: "pause" })).status, 202);
  first.say("Over. [NEXT]");
  first.end();
  let run = await sentOf(await server.get(path));
  while (run["status"] !== "paused") run = await sentOf(await server.get(path));
  const [question] = z.array(z.string()).parse(run["questions"]);
  for (const [value, message] of [
    ["", "is empty"],
    ["  ", "has only spaces"],
    ["x".repeat(10_001), "has 10,001 characters, at most 10,000 are allowed"],
    ["a\rb", "a carriage return (U+000D) without a line feed at character 2 is not allowed"],
  ]) {
    const refused = await send({ type: "answer", question, value });
    assert.equal(refused.status, 400);
    assert.deepEqual((await sentOf(refused)).problems, [{ field: "value", message }]);
  }
  assert.equal((await send({ type: "answer", question, value: "a\r\nb" })).status, 202);
  assert.match(await (await server.get(`${path}/events`)).text(), /Heard\./);
});

test("what is no command is refused, and so is a command to nobody", async () => {
  await using server = await startTestServer([WAITS]);
  const send = await begin(server, { input: "hello" });
  for (const wrong of [{}, { type: "stop" }, { type: "say" }, { type: "answer", question: "1" }, []]) {
    assert.equal((await send(wrong)).status, 400, JSON.stringify(wrong));
  }
  assert.equal((await server.post("/api/runs/nobody/commands", { type: "cancel" })).status, 404);
});

test("a run can be stopped by whoever has used up the requests of a minute, and told nothing else", async () => {
  const model = new GatedModel();
  const rateLimits = { key: { requests: 1, windowSeconds: 60 } };
  await using server = await startTestServer([SLOW], { model: () => model, rateLimits });
  const send = await begin(server, { input: "hello" });
  assert.equal((await send({ type: "say", text: "more" })).status, 429);
  assert.equal((await send({ type: "pause" })).status, 202);
  assert.equal((await send({ type: "cancel" })).status, 200);
  assert.equal((await server.get("/api/runs")).status, 429);
});

test("what a session continues with counts for its rate, and what stops it does not", async () => {
  const rateLimits = { session: { requests: 2, windowSeconds: 60 } };
  await using server = await startTestServer([WAITS], { rateLimits });
  const { id = "" } = await sentOf(
    await server.post("/api/runs", { input: "hello", session_id: "s" }, { Prefer: "wait" }),
  );
  const send = async (command: object) => (await server.post(`/api/runs/${id}/commands`, command)).status;
  assert.equal(await send({ type: "resume", input: "this one" }), 202);
  assert.equal(await send({ type: "say", text: "more" }), 429);
  assert.equal(await send({ type: "resume", input: "more" }), 429);
  assert.equal(await send({ type: "answer", question: "1", value: "allow" }), 429);
  assert.notEqual(await send({ type: "cancel" }), 429);
});

test("a command that is sent again under its key is carried out once", async () => {
  await using server = await startTestServer([WAITS]);
  const begun = await server.post("/api/runs", { input: "hello" }, { Prefer: "wait" });
  const path = `/api/runs/${begun.headers.get("x-run-id")}/commands`;
  const key = { "Idempotency-Key": "once" };
  const first = await server.post(path, { type: "cancel" }, key);
  const second = await server.post(path, { type: "cancel" }, key);
  assert.deepEqual([first.status, second.status], [200, 200]);
  assert.equal(second.headers.get("idempotency-replayed"), "true");
  assert.equal(await second.text(), await first.text());
  assert.equal((await server.post(path, { type: "pause" }, key)).status, 422);
  assert.equal((await server.post(path, { type: "cancel" })).status, 409);
});
