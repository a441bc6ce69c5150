import assert from "node:assert/strict";
import { test } from "node:test";
import { type Agent, BatonError, defineCrew, type Model, type Prompt } from "@baton/core";
import { z } from "zod";
import { GatedModel } from "../../testing/crews.ts";
import { sentOf } from "../../testing/sent.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "../../testing/test-server.ts";

const CREW = defineCrew({
  name: "talk",
  model: { name: "test/plain" },
  agents: [{ id: "asker" }, { id: "closer", isTerminal: true, model: { name: "test/other" } }],
  signals: { asker: [{ signal: "[GO]", target: "closer" }] },
  behaviors: { asker: { waitForSignal: true } },
});

/** Says which model it is and what it was asked with. */
class Spoken {
  readonly prompts: (Pick<Prompt, "temperature" | "maxTokens"> & { readonly model: string })[] = [];

  readonly modelOf = ({ id, model }: Agent): Model => {
    const name = model?.name ?? "test/plain";
    if (name === "test/missing") throw new BatonError("invalid", "test/missing needs a key");
    const { prompts } = this;
    return {
      name,
      async *stream({ temperature, maxTokens }) {
        prompts.push({
          model: name,
          ...(temperature !== undefined && { temperature }),
          ...(maxTokens !== undefined && { maxTokens }),
        });
        const text = id === "asker" && prompts.length > 1 ? "Good. [GO]" : "Which one?";
        yield [{ type: "text", text }];
        yield [{ type: "end", finish: "stop", usage: { inputTokens: 1, outputTokens: 1 } }];
      },
    };
  };
}

async function startPaused(options: TestServerOptions = {}) {
  const spoken = new Spoken();
  const server = await startTestServer([{ crew: CREW, script: {} }], { model: spoken.modelOf, ...options });
  const { id } = await sentOf(await server.post("/api/runs", { input: "hello" }, { Prefer: "wait" }));
  const path = `/api/runs/${id}`;
  const send = (command: object) => server.post(`${path}/commands`, command);
  return { server, spoken, path, send };
}

const STEPS = z.object({ events: z.array(z.looseObject({ type: z.string(), model: z.string().optional() })) });

async function modelsOf(server: TestServer, path: string) {
  await (await server.get(`${path}/events`)).text();
  const { events } = STEPS.parse(await (await server.get(`${path}/events`, { Accept: "application/json" })).json());
  return events.filter(({ type }) => type === "step.started").map(({ model }) => model);
}

test("a paused run takes a configure without waking, and holds to it from its next step on", async () => {
  const { server: started, spoken, path, send } = await startPaused();
  await using server = started;
  const taken = await send({ type: "configure", agent: "asker", model: "test/other", temperature: 0.1, max_tokens: 7 });
  assert.equal(taken.status, 202);
  assert.partialDeepStrictEqual(await sentOf(await server.get(path)), { status: "paused", agent_calls: 1 });
  assert.equal((await send({ type: "resume", input: "this one" })).status, 202);
  assert.deepEqual(await modelsOf(server, path), ["test/plain", "test/other", "test/other"]);
  assert.partialDeepStrictEqual(spoken.prompts[1], { model: "test/other", temperature: 0.1, maxTokens: 7 });
  assert.notEqual(spoken.prompts[2]?.temperature, 0.1);
});

test("without an agent it is for all of them", async () => {
  const { server: started, spoken, path, send } = await startPaused();
  await using server = started;
  assert.equal((await send({ type: "configure", temperature: 0 })).status, 202);
  await send({ type: "resume", input: "this one" });
  assert.deepEqual(await modelsOf(server, path), ["test/plain", "test/plain", "test/other"]);
  assert.deepEqual(
    spoken.prompts.slice(1).map(({ temperature }) => temperature),
    [0, 0],
  );
});

test("a request names only models that the crews name, or those that the server was started with", async () => {
  for (const [models, allowed, refused] of [
    [undefined, "test/other", "test/new"],
    [["test/new"], "test/new", "test/other"],
  ] as const) {
    const { server: started, send } = await startPaused(models === undefined ? {} : { models });
    await using _server = started;
    assert.equal((await send({ type: "configure", model: allowed })).status, 202);
    const answer = await send({ type: "configure", model: refused });
    assert.equal(answer.status, 400);
    const known = models?.join(", ") ?? "test/plain, test/other";
    assert.deepEqual((await sentOf(answer)).problems, [
      { field: "model", message: `must be one of ${known} (baton serve --models)` },
    ]);
  }
});

test("what cannot be configured is refused with its field, and the run stays as it was", async () => {
  const { server: started, path, send } = await startPaused({ models: [] });
  await using server = started;
  for (const [command, status, why] of [
    [{}, 400, "is missing: a configure sets at least one of model, temperature and max_tokens"],
    [{ agent: "asker" }, 400, "is missing"],
    [{ temperature: 3 }, 400, "temperature"],
    [{ max_tokens: 0 }, 400, "max_tokens"],
    [{ max_tokens: 1.5 }, 400, "max_tokens"],
    [{ model: "test/other" }, 400, "this server does not let requests choose a model"],
    [{ agent: "nobody", temperature: 1 }, 404, 'has no agent "nobody"'],
    [{ agent: "aske", temperature: 1 }, 404, "did you mean asker?"],
    [{ agent: "a b", temperature: 1 }, 400, "agent"],
  ] as const) {
    const answer = await send({ type: "configure", ...command });
    const text = await answer.text();
    assert.equal(answer.status, status, text);
    assert.ok(text.includes(JSON.stringify(why).slice(1, -1)), text);
  }
  const { events } = STEPS.parse(await (await server.get(`${path}/events`, { Accept: "application/json" })).json());
  assert.equal(events.filter(({ type }) => type === "command.received").length, 0);
  assert.equal((await send({ type: "cancel" })).status, 200);
  assert.equal((await send({ type: "configure", temperature: 1 })).status, 409);
});

test("a model that cannot be had is an error of the command, not of the run", async () => {
  const { server: started, path, send } = await startPaused({ models: ["test/missing"] });
  await using server = started;
  const answer = await send({ type: "configure", model: "test/missing" });
  assert.equal(answer.status, 400);
  assert.deepEqual((await sentOf(answer)).problems, [{ field: "model", message: "test/missing needs a key" }]);
  assert.partialDeepStrictEqual(await sentOf(await server.get(path)), { status: "paused" });
});

test("a running run takes it between two steps", async () => {
  const gate = new GatedModel();
  const spoken = new Spoken();
  const model = (agent: Agent): Model => (agent.id === "asker" ? gate : spoken.modelOf(agent));
  await using server = await startTestServer([{ crew: CREW, script: {} }], { model });
  const started = await server.post("/api/runs", { input: "hello" });
  const path = `/api/runs/${started.headers.get("x-run-id")}`;
  const taken = await server.post(`${path}/commands`, { type: "configure", agent: "closer", temperature: 0.3 });
  assert.equal(taken.status, 202);
  gate.say("[GO]");
  gate.end();
  assert.deepEqual(await modelsOf(server, path), ["test/gated", "test/other"]);
  assert.partialDeepStrictEqual(spoken.prompts, [{ model: "test/other", temperature: 0.3 }]);
});
