import assert from "node:assert/strict";
import { test } from "node:test";
import { type Agent, defineCrew, defineProgram, type Model, scriptModel } from "@baton/core";
import { z } from "zod";
import { sentOf } from "../../testing/sent.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";

const ESSAY = defineCrew({
  name: "essay",
  agents: [
    { id: "scout", model: { name: "code/scout" }, audience: "crew" },
    { id: "critic", model: { name: "test/plain" }, audience: "crew", systemPrompt: "Depth {{state.options.depth}}" },
    { id: "writer", model: { name: "test/plain" }, isTerminal: true },
  ],
  programs: { scout: defineProgram(() => ({ say: "scouted" })) },
  defaults: { scout: "critic", critic: "writer" },
});

/** The model of each agent, and what agents were told in their system prompts. */
class Cast {
  readonly systems = new Map<string, string>();

  modelOf(agent: Agent): Model {
    const name = agent.model?.name ?? "none";
    const script = scriptModel({ critic: [{ say: "Fine." }], writer: [{ say: "An essay." }] });
    const { systems } = this;
    return {
      name,
      stream(prompt, scope) {
        systems.set(prompt.agent, prompt.system);
        return script.stream(prompt, scope);
      },
    };
  }
}

const LOG = z.object({ events: z.array(z.looseObject({ type: z.string() })) });

async function logOf(server: TestServer, run: string | null) {
  const answer = await server.get(`/api/runs/${run}/events`, { Accept: "application/json" });
  return LOG.parse(await answer.json()).events;
}

test("the options of a run are in its log, its state and its view", async () => {
  const cast = new Cast();
  await using server = await startTestServer([{ crew: ESSAY, script: {} }], { model: (agent) => cast.modelOf(agent) });
  const options = { depth: "deep", flags: [1, null, { a: true }] };
  const answer = await server.post("/api/runs", { input: "hello", options }, { Prefer: "wait" });
  assert.equal(answer.status, 200);
  const [started] = await logOf(server, answer.headers.get("x-run-id"));
  assert.deepEqual(started?.["options"], options);
  assert.match(cast.systems.get("critic") ?? "", /Depth deep/);
  const run = answer.headers.get("x-run-id");
  for (const path of [`/api/runs/${run}`, "/api/runs"]) {
    const { runs, ...one } = await sentOf(await server.get(path));
    assert.partialDeepStrictEqual(runs?.[0] ?? one, { id: run, user: "local", options });
  }
});

test("the model of a run is that of the agents that write for the user, and of no other", async () => {
  const cast = new Cast();
  const models = ["test/large"];
  await using server = await startTestServer([{ crew: ESSAY, script: {} }], {
    model: (agent) => cast.modelOf(agent),
    models,
  });
  const answer = await server.post("/api/runs", { input: "hello", model: "test/large" }, { Prefer: "wait" });
  assert.equal(answer.status, 200);
  const events = await logOf(server, answer.headers.get("x-run-id"));
  assert.equal(events[0]?.["model"], "test/large");
  const asked = events.flatMap(({ type, agent, model }) => (type === "step.started" ? [[agent, model]] : []));
  assert.deepEqual(asked, [
    ["scout", "code/scout"],
    ["critic", "test/plain"],
    ["writer", "test/large"],
  ]);
});

test("a model that the server does not offer, and options of more than 16 KB, start nothing", async () => {
  await using server = await startTestServer([{ crew: ESSAY, script: {} }]);
  for (const [asked, code, field, message] of [
    [{ model: "test/large" }, "unknown_model", "model", "must be one of test/plain (baton serve --models)"],
    [{ model: "code/scout" }, "unknown_model", "model", "must be one of test/plain (baton serve --models)"],
    [{ model: 7 }, "invalid", "model", "must be a text, not 7"],
    [{ options: "x".repeat(17 * 1_024) }, "invalid", "options", "is 18 KB of JSON, at most 16 KB are allowed"],
    [{ options: { "a\u0000": 1 } }, "invalid", "options", "NUL (U+0000) at character 2 is not allowed"],
  ] as const) {
    const answer = await server.post("/api/runs", { input: "hello", ...asked });
    assert.equal(answer.status, 400);
    const sent = await sentOf(answer);
    assert.deepEqual([sent.code, sent.problems], [code, [{ field, message }]]);
  }
  const fits = await server.post("/api/runs", { input: "hello", options: "é".repeat(8 * 1_024 - 1) });
  assert.equal(fits.status, 202);
  assert.deepEqual((await sentOf(await server.get("/api/runs"))).runs?.length, 1);
});

test("a run that follows another says which", async () => {
  const crew = defineCrew({ name: "first", agents: [{ id: "talker", isTerminal: true }], after: AFTER });
  const script = { talker: [{ say: "Said." }], archivist: [{ say: "Kept." }] };
  await using server = await startTestServer([{ crew, script }], { model: () => scriptModel(script) });
  const answer = await server.post("/api/runs", { input: "hello" }, { Prefer: "wait" });
  const id = answer.headers.get("x-run-id");
  const following = await untilSome(server);
  assert.partialDeepStrictEqual(following, { crew: "after-crew", after_of: id, user: "local" });
  assert.equal((await sentOf(await server.get(`/api/runs/${following?.id}`)))["after_of"], id);
});

test("a list may leave out the runs that follow others, and has full pages nevertheless", async () => {
  const crew = defineCrew({ name: "first", agents: [{ id: "talker", isTerminal: true }], after: AFTER });
  const script = { talker: [{ say: "Said." }], archivist: [{ say: "Kept." }] };
  await using server = await startTestServer([{ crew, script }], { model: () => scriptModel(script) });
  const started: (string | null)[] = [];
  for (const input of ["one", "two", "three"]) {
    const { headers } = await server.post("/api/runs", { input }, { Prefer: "wait" });
    started.unshift(headers.get("x-run-id"));
    await untilSome(server, 2 * started.length);
  }
  const list = async (query: string) => {
    const { runs = [], next } = await sentOf(await server.get(`/api/runs?after=none&limit=2${query}`));
    return { ids: runs.map(({ id }) => id), next };
  };
  const first = await list("");
  assert.deepEqual(first.ids, started.slice(0, 2));
  assert.deepEqual(await list(`&before=${String(first.next)}`), { ids: started.slice(2), next: undefined });
  assert.deepEqual(await list("&crew=after-crew"), { ids: [], next: undefined });
  assert.equal((await server.get("/api/runs?after=some")).status, 400);
});

const AFTER = defineCrew({ name: "after-crew", agents: [{ id: "archivist", isTerminal: true }] });

/** A run that follows another, once there are so many. */
async function untilSome(server: TestServer, count = 2) {
  for (;;) {
    const { runs = [] } = await sentOf(await server.get("/api/runs"));
    if (runs.length >= count) return runs.find(({ after_of: other }) => other !== undefined);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
