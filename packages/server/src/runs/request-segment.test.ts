import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { ASKS, RELAY, WAITS } from "../testing/crews.ts";
import { parseFrames } from "../testing/frames.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";

const PAUSED = z.object({
  choices: z.tuple([z.object({ message: z.object({ tool_calls: z.array(z.object({ id: z.string() })) }) })]),
});

/** Asks until two questions are open, and gives what answers them. */
async function ask(server: TestServer) {
  const hello = { role: "user", content: "hello" };
  const paused = await server.post("/v1/chat/completions", { model: "asks", messages: [hello] });
  const run = paused.headers.get("x-run-id");
  const { choices } = PAUSED.parse(JSON.parse(await paused.text()));
  const [first = "", second = ""] = choices[0].message.tool_calls.map(({ id }) => id);
  const answer = (...answers: readonly (readonly [string, string])[]) => {
    const told = answers.map(([id, content]) => ({ role: "tool", tool_call_id: id, content }));
    return server.post("/v1/chat/completions", { model: "asks", messages: [hello, ...told] });
  };
  const log = async () => (await server.get(`/api/runs/${run}/events`, { Accept: "application/json" })).text();
  return { first, second, answer, log };
}

test("several answers are all looked at before the first is carried out", async () => {
  await using server = await startTestServer([ASKS]);
  const { first, second, answer, log } = await ask(server);
  const fit = await answer([first, "allow"], [second, "maybe"]);
  assert.equal(fit.status, 400);
  assert.match(await fit.text(), /messages\.2\.content: the answer to 1\.1\.2 does not fit/);
  const twice = await answer([first, "allow"], [first, "deny"]);
  assert.equal(twice.status, 400);
  assert.match(await twice.text(), /messages\.2\.content: question 1\.1\.1 is answered more than once/);
  assert.doesNotMatch(await log(), /question.answered/);
  assert.equal((await answer([first, "allow"], [second, "deny"])).status, 200);
  assert.match(await log(), /erased a\.txt/);
  const late = await answer([first, "allow"], [second, "deny"]);
  assert.equal(late.status, 409);
  assert.match(await late.text(), /"code":"run_ended"/);
});

test("answers count for the rate of their session", async () => {
  const rateLimits = { session: { requests: 1, windowSeconds: 60 } };
  await using server = await startTestServer([ASKS], { rateLimits });
  const { first, second, answer, log } = await ask(server);
  const statuses = [(await answer([first, "deny"])).status, (await answer([second, "deny"])).status];
  assert.deepEqual(statuses, [200, 429]);
  assert.equal((await log()).split("question.answered").length, 2);
});

test("a run's log names the request that started it", async () => {
  await using server = await startTestServer([RELAY]);
  const started = await server.post("/api/runs", { input: "hello" }, { "X-Request-Id": "mine-1" });
  const log = await server.get(`/api/runs/${started.headers.get("x-run-id")}/events`);
  assert.match(await log.text(), /"type":"run.started".*"request":"mine-1"/);
});

test(
  "a request that begins a run in a session where another one waits is answered from its first event",
  { timeout: 10_000 },
  async () => {
    await using server = await startTestServer([WAITS]);
    const first = await server.post("/api/crew/stream", { query: "hello", session_id: "s" });
    assert.match(await first.text(), /\[PAUSE:asker\]/);
    const history = [{ role: "user", content: "Something else" }];
    const second = await server.post("/api/crew/stream", { query: "hello", session_id: "s", history });
    assert.notEqual(second.headers.get("x-run-id"), first.headers.get("x-run-id"));
    const frames = parseFrames(await second.text()).filter(({ data }) => data !== "");
    assert.equal(frames[0]?.id, "1");
    assert.match(frames[0].data, /"type":"start".*"resumed":false/);
  },
);
