import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, defineTool } from "@baton/core";
import { z } from "zod";
import { ASKS } from "../../testing/crews.ts";
import { sentOf } from "../../testing/sent.ts";
import { type Scripted, startTestServer, type TestServer } from "../../testing/test-server.ts";

const LONG = "x".repeat(100_000);

/** Fails the first time it is asked for something. */
const look = defineTool({
  name: "look",
  description: "Looks something up.",
  effect: "read",
  input: z.object({ what: z.string() }),
  run: ({ what }, { attempt }) => {
    if (what === "flaky" && attempt === 1) throw new Error("try again");
    return { what, text: LONG };
  },
});

const TEAM: Scripted = {
  crew: defineCrew({
    name: "team",
    agents: [{ id: "lead" }, { id: "one", tools: ["look"] }, { id: "two", tools: ["look"] }],
    tools: [look],
    signals: { lead: [{ signal: "[ASK]", target: "both" }] },
    groups: { both: { agents: ["one", "two"] } },
    settings: { retryMinMs: 1, retryMaxMs: 1 },
  }),
  script: {
    lead: [{ say: "[ASK]" }],
    one: [{ call: [{ tool: "look", args: { what: "flaky" } }] }, { say: "Found." }],
    two: [
      {
        call: [
          { tool: "look", args: { what: "a" } },
          { tool: "look", args: { what: 1 } },
        ],
      },
      { say: "Found too." },
    ],
  },
};

async function play(server: TestServer, input: string): Promise<string> {
  return (await sentOf(await server.post("/api/runs", { input }, { Prefer: "wait" }))).id ?? "";
}

/** The positions of all calls of a run. */
async function callsOf(server: TestServer, run: string): Promise<readonly string[]> {
  const { events } = await sentOf(await server.get(`/api/runs/${run}/events`, { Accept: "application/json" }));
  return z
    .array(z.looseObject({ type: z.string(), call: z.string().optional() }))
    .parse(events)
    .flatMap(({ type, call }) => (type === "call.started" && call !== undefined ? [call] : []));
}

test("a call of a group's member is found by its position, slashes and all, with its whole output", async () => {
  await using server = await startTestServer([TEAM]);
  const id = await play(server, "hello");
  const calls = await callsOf(server, id);
  const [flaky = "", ...others] = calls;
  assert.match(flaky, /^\d+\/both\/one\/1\.1\.1$/);
  assert.equal(others.length, 2);
  for (const path of [flaky, encodeURIComponent(flaky)]) {
    const answer = await server.get(`/api/runs/${id}/calls/${path}`);
    assert.equal(answer.headers.get("x-run-id"), id);
    const call = await sentOf(answer);
    assert.partialDeepStrictEqual(call, {
      run: id,
      call: flaky,
      agent: "one",
      tool: "look",
      effect: "read",
      status: "ended",
      args: { what: "flaky" },
      output: { what: "flaky", text: LONG },
      attempts: 2,
      retries: [{ attempt: 2, error: { kind: "temporary", message: "try again" } }],
    });
    const times = z.object({ started_at: z.iso.datetime(), ended_at: z.iso.datetime(), duration_ms: z.number() });
    const { started_at: startedAt, ended_at: endedAt, duration_ms: durationMs } = times.parse(call);
    assert.equal(durationMs, Date.parse(endedAt) - Date.parse(startedAt));
  }
});

test("a call that was refused has its error and no attempt", async () => {
  await using server = await startTestServer([TEAM]);
  const id = await play(server, "hello");
  const refused = (await callsOf(server, id)).find((call) => call.endsWith("1.1.2")) ?? "";
  const call = await sentOf(await server.get(`/api/runs/${id}/calls/${refused}`));
  assert.partialDeepStrictEqual(call, { status: "ended", attempts: 0, retries: [], error: { kind: "validation" } });
  assert.equal("output" in call, false);
});

test("a call that waits for a person says so, until it is answered", async () => {
  await using server = await startTestServer([ASKS]);
  const id = await play(server, "erase");
  const show = (call: string) => server.get(`/api/runs/${id}/calls/${call}`).then(sentOf);
  assert.partialDeepStrictEqual(await show("1.1.1"), { status: "waiting", args: { path: "a.txt" }, attempts: 0 });
  const answer = (question: string, value: string) =>
    server.post(`/api/runs/${id}/commands`, { type: "answer", question, value });
  await answer("1.1.1", "allow");
  await answer("1.1.2", "deny");
  await (await server.get(`/api/runs/${id}/events`)).text();
  assert.partialDeepStrictEqual(await show("1.1.1"), { status: "ended", output: "erased a.txt", attempts: 1 });
  assert.partialDeepStrictEqual(await show("1.1.2"), { status: "ended", attempts: 0, error: { kind: "permission" } });
});

test("a position without a call, and a call of a run that is not there, are not found", async () => {
  await using server = await startTestServer([TEAM]);
  const id = await play(server, "hello");
  for (const path of [`${id}/calls/9.9.9`, `${id}/calls/1.1`, `${id}/calls/__proto__`, "nobody/calls/1.1.1"]) {
    const answer = await server.get(`/api/runs/${path}`);
    assert.deepEqual([answer.status, (await sentOf(answer)).code], [404, "not_found"], path);
  }
  assert.equal((await server.get(`/api/runs/${id}/calls/`)).status, 404);
  assert.equal((await server.post(`/api/runs/${id}/calls/1.1.1`, {})).status, 405);
});

test("requests of calls are counted and logged under their route, whatever its parameters may be", async () => {
  await using server = await startTestServer([ASKS]);
  const id = await play(server, "erase");
  assert.equal((await server.get(`/api/runs/${id}/calls/1.1.1`)).status, 200);
  const route = "/api/runs/:id/calls/:call";
  assert.match(await (await server.get("/metrics")).text(), new RegExp(`route="${route}",status="200"`));
  assert.ok(server.logs.some((line) => line.includes(`"route":"${route}"`)));
});
