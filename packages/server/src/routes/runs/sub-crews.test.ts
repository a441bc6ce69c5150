import assert from "node:assert/strict";
import { test } from "node:test";
import { type Crew, defineCrew } from "@baton/core";
import OpenAI from "openai";
import { z } from "zod";
import { Chat } from "../../testing/chat.ts";
import { ASKS } from "../../testing/crews.ts";
import { parseFrames } from "../../testing/frames.ts";
import { sentOf } from "../../testing/sent.ts";
import { type Scripted, startTestServer, type TestServer, toModels } from "../../testing/test-server.ts";

const ALPHA: Scripted = {
  crew: defineCrew({
    name: "alpha-crew",
    agents: [
      { id: "asker", name: "Asker" },
      { id: "helper", audience: "crew" },
      { id: "teller", isTerminal: true },
    ],
    behaviors: { asker: { waitForSignal: true } },
    signals: { asker: [{ signal: "[OK]", target: "helper" }] },
    defaults: { helper: "teller" },
  }),
  script: {
    asker: [{ say: "Which one?" }, { say: "Good. [OK]" }],
    helper: [{ say: "Only for the crew." }],
    teller: [{ say: "Told." }],
  },
};

/** A crew whose sub-crew asks the user. */
function toOuter(alpha: Crew): Scripted {
  const crew = defineCrew({
    name: "outer",
    agents: [
      { id: "lead", audience: "crew" },
      { id: "closer", name: "Closer", isTerminal: true },
    ],
    subCrews: { alpha },
    signals: { lead: [{ signal: "[ALPHA]", target: "alpha", returnTo: "closer" }] },
  });
  return { crew, script: { lead: [{ say: "To alpha. [ALPHA]" }], closer: [{ say: "Bye." }] } };
}

const OUTER = toOuter(ALPHA.crew);

/** Serves the outer crew alone: its sub-crew need not be served. */
function start(): Promise<TestServer> {
  return startTestServer([OUTER], { model: toModels([OUTER, ALPHA]) });
}

const MESSAGES = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string() })) });

test("the next message of a session answers the sub-crew that waits, whatever route it comes by", async () => {
  await using server = await start();
  const first = await server.post("/api/runs", { input: "hello", session_id: "s" }, { Prefer: "wait" });
  const run = first.headers.get("x-run-id");
  assert.partialDeepStrictEqual(await sentOf(first), {
    outcome: "paused",
    result: { agent: "asker", content: "Which one?" },
  });
  const second = await server.post("/api/runs", { input: "that one", session_id: "s" }, { Prefer: "wait" });
  assert.equal(second.headers.get("x-run-id"), run);
  assert.partialDeepStrictEqual(await sentOf(second), { outcome: "done", result: { content: "Bye." } });

  const chat = new Chat(`${server.url}/api/chat`);
  await chat.sendMessage({ text: "hello" });
  await chat.sendMessage({ text: "that one" });
  assert.equal(chat.error, undefined);
  assert.deepEqual(chat.said, ["hello", "Which one?", "that one", "Good.", "Told.", "Bye."]);
});

test("OpenAI's client answers a sub-crew with a message of the session", async () => {
  await using server = await start();
  const client = new OpenAI({ apiKey: "none", baseURL: `${server.url}/v1`, maxRetries: 0 });
  const ask = async (content: string) => {
    const body = { model: "outer", messages: [{ role: "user" as const, content }], session_id: "s" };
    const [choice] = (await client.chat.completions.create(body)).choices;
    return [choice?.finish_reason, choice?.message.content, choice?.message.tool_calls];
  };
  assert.deepEqual(await ask("hello"), ["stop", "Which one?", undefined]);
  assert.deepEqual(await ask("that one"), ["stop", "Good.\n\nteller: Told.\n\nCloser: Bye.", undefined]);
});

test("the crew stream continues with the sub-crew's agent that a pause names, and with no other", async () => {
  await using server = await start();
  const ask = (query: string, agent?: string) =>
    server.post("/api/crew/stream", { query, session_id: "s", resume_agent_id: agent });
  const typesOf = async (answer: Response) =>
    parseFrames(await answer.text()).map(({ data }) => FRAME.parse(JSON.parse(data)));
  const pause = (await typesOf(await ask("hello"))).find(({ type }) => type === "pause");
  assert.equal(pause?.content, "[PAUSE:asker] waits for your message");
  assert.equal((await ask("that one", "closer")).status, 409);
  assert.equal((await ask("that one", "nobody")).status, 404);
  const told = await typesOf(await ask("that one", "asker"));
  assert.equal(told.at(-1)?.content, "Bye.");
});

const FRAME = z.object({ type: z.string(), content: z.string() });

test("a session has only what was said to its user", async () => {
  await using server = await start();
  await server.post("/api/runs", { input: "hello", session_id: "s" }, { Prefer: "wait" });
  await server.post("/api/runs", { input: "that one", session_id: "s" }, { Prefer: "wait" });
  const { messages } = MESSAGES.parse(await (await server.get("/api/sessions/s/messages")).json());
  const said = messages.map(({ content }) => content);
  assert.ok(!said.some((text) => text.includes("To alpha") || text.includes("Only for the crew")), said.join("; "));
  assert.deepEqual([said.at(0), said.at(-1)], ["hello", "Bye."]);
});

test("an answer by its id is a message too, and follows the rules of text", async () => {
  await using server = await start();
  const first = await server.post("/api/runs", { input: "hello", session_id: "s" }, { Prefer: "wait" });
  const path = `/api/runs/${first.headers.get("x-run-id")}/commands`;
  const answer = { type: "answer", question: "2/alpha/1/message" };
  assert.equal((await server.post(path, { ...answer, value: "" })).status, 400);
  assert.equal((await server.post(path, { ...answer, value: "that one" })).status, 202);
});

test("a client that sends the message to a sub-crew again with an answer says nothing new", async () => {
  const { crew } = ASKS;
  const [tool] = crew.tools.values();
  assert.ok(tool);
  const beta = defineCrew({
    name: "beta-crew",
    agents: [{ id: "asker" }, { id: "helper", tools: ["erase"], isTerminal: true }],
    tools: [tool],
    behaviors: { asker: { waitForSignal: true } },
    signals: { asker: [{ signal: "[OK]", target: "helper" }] },
  });
  const outer = toOuter(beta);
  const script = {
    ...Object.fromEntries(Object.entries(ALPHA.script)),
    ...Object.fromEntries(Object.entries(ASKS.script)),
  };
  await using server = await startTestServer([outer], { model: toModels([outer, { crew: beta, script }]) });
  const ask = async (messages: readonly object[]) =>
    server.post("/v1/chat/completions", { model: "outer", messages, session_id: "s" });
  const user = (content: string) => ({ role: "user", content });
  await ask([user("hello")]);
  const asked = CALLS.parse(await (await ask([user("that one")])).json());
  const calls = asked.choices.flatMap(({ message }) => message.tool_calls);
  assert.equal(calls.length, 2);
  const answers = calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: "allow" }));
  const answered = await ask([user("hello"), user("that one"), ...answers]);
  assert.equal(answered.status, 200, await answered.text());
});

const CALLS = z.object({
  choices: z.array(z.object({ message: z.object({ tool_calls: z.array(z.object({ id: z.string() })) }) })),
});
