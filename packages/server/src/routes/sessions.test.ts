import assert from "node:assert/strict";
import { test } from "node:test";
import { RELAY, WAITS } from "../testing/crews.ts";
import { sentOf } from "../testing/sent.ts";
import { startTestServer } from "../testing/test-server.ts";

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

test("a stream of a run whose session is removed ends with the run", async () => {
  await using server = await startTestServer([WAITS]);
  const { id } = await sentOf(await server.post("/api/runs", { input: "hello", session_id: "s" }, { Prefer: "wait" }));
  const stream = await server.get(`/api/runs/${id}/events`);
  await fetch(`${server.url}/api/sessions/s`, { method: "DELETE" });
  assert.match(await stream.text(), /"type":"run.ended","outcome":"cancelled"/);
});
