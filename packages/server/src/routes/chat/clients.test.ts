import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { type BaseEvent, EventType, HttpAgent } from "@ag-ui/client";
import { openMemory } from "@baton/store/sqlite";
import { EventSource } from "eventsource";
import { Chat } from "../../testing/chat.ts";
import { ASKS, GatedModel, RELAY, SLOW, WAITS } from "../../testing/crews.ts";
import { startTestServer } from "../../testing/test-server.ts";

test("the AI SDK's chat talks with a crew, and continues where it waits", async () => {
  await using server = await startTestServer([RELAY, WAITS]);
  const chat = new Chat(`${server.url}/api/chat?crew=waits`);
  await chat.sendMessage({ text: "hello" });
  await chat.sendMessage({ text: "that one" });
  assert.equal(chat.error, undefined);
  assert.deepEqual(
    chat.said,
    ["hello", "Which one?", "that one", "Good. ", "Thanks."].map((text) => text.trimEnd()),
  );
  await chat.regenerate();
  assert.equal(chat.error, undefined);
});

test("the AI SDK's chat approves tools", async () => {
  await using server = await startTestServer([ASKS]);
  const chat = new Chat(`${server.url}/api/chat`);
  await chat.sendMessage({ text: "erase" });
  const asked = chat.lastMessage?.parts.flatMap((part) =>
    part.type === "dynamic-tool" && part.approval !== undefined ? [part.approval.id] : [],
  );
  assert.equal(asked?.length, 2);
  for (const id of asked ?? []) await chat.addToolApprovalResponse({ id, approved: true });
  while (chat.status !== "ready" && chat.status !== "error") await new Promise((resolve) => setImmediate(resolve));
  assert.equal(chat.error, undefined);
  const states = chat.lastMessage?.parts.flatMap((part) => (part.type === "dynamic-tool" ? [part.state] : []));
  assert.deepEqual(states, ["output-available", "output-available"]);
  assert.equal(chat.said.at(-1), "As you wish.");
});

test("AG-UI's agent runs a crew, is interrupted, and resumes", async () => {
  await using server = await startTestServer([ASKS]);
  const agent = new HttpAgent({ url: `${server.url}/api/agui`, threadId: "thread-1" });
  agent.addMessage({ id: "m-1", role: "user", content: "erase" });
  const events: BaseEvent[] = [];
  const onEvent = ({ event }: { readonly event: BaseEvent }) => {
    events.push(event);
  };
  await agent.runAgent({}, { onEvent });
  const finished = events.find(({ type }) => type === EventType.RUN_FINISHED);
  assert.partialDeepStrictEqual(finished, { threadId: "thread-1", outcome: { type: "interrupt" } });
  const ids = JSON.stringify(finished).match(/"id":"[^"]+"/g) ?? [];
  const resume = ids.map((text) => ({
    interruptId: text.slice('"id":"'.length, -1),
    status: "resolved" as const,
    payload: { approved: true },
  }));
  assert.equal(resume.length, 2);
  events.length = 0;
  const { newMessages } = await agent.runAgent({ resume }, { onEvent });
  assert.ok(newMessages.some(({ content }) => content === "As you wish."));
  assert.equal(events.filter(({ type }) => type === EventType.TOOL_CALL_RESULT).length, 2);
});

test("a message that an AG-UI client sends beside its answers, which nobody would hear, is refused", async () => {
  await using server = await startTestServer([ASKS]);
  const user = (content: string) => ({ id: content, role: "user", content });
  const send = (messages: readonly object[], resume: readonly object[] = []) =>
    server.post("/api/agui", {
      threadId: "t",
      runId: "r",
      state: {},
      tools: [],
      context: [],
      forwardedProps: {},
      messages,
      resume,
    });
  const text = await (await send([user("erase")])).text();
  const ids = [...new Set(text.match(/[0-9a-f-]{36}\/1\.1\.[12]/g) ?? [])];
  const resume = ids.map((interruptId) => ({ interruptId, status: "resolved", payload: { approved: true } }));
  assert.equal(resume.length, 2);
  const refused = await send([user("erase"), user("not b.txt")], resume);
  assert.equal(refused.status, 400);
  assert.match(await refused.text(), /messages\.1\.content/);
  assert.match(await (await send([user("erase")], resume)).text(), /erased b\.txt/);
});

test("an AG-UI run has the name that the client gave it, also if its stream is resumed", async () => {
  await using server = await startTestServer([WAITS]);
  const ask = (runId: string) =>
    server.post("/api/agui", { threadId: "t", runId, messages: [{ id: "m", role: "user", content: "hello" }] });
  const namesOf = (text: string) => [...text.matchAll(/"type":"RUN_[A-Z]+","threadId":"t","runId":"([^"]+)"/g)];
  const first = await ask("mine 1");
  const run = first.headers.get("x-run-id");
  const whole = await first.text();
  assert.deepEqual(
    namesOf(whole).map(([, name]) => name),
    ["mine 1", "mine 1"],
  );
  const again = await ask("mine 2");
  assert.equal(again.headers.get("x-run-id"), run);
  assert.deepEqual(
    namesOf(await again.text()).map(([, name]) => name),
    ["mine 2", "mine 2"],
  );
  const events = `/api/runs/${run}/events?dialect=agui`;
  const resumed = await (await server.get(`${events}&run_id=mine+1`)).text();
  assert.ok(resumed.startsWith(whole));
  assert.deepEqual(
    namesOf(await (await server.get(events)).text()).map(([, name]) => name),
    [run, run, `${run}-2`, `${run}-2`],
  );
});

test("what AG-UI and the AI SDK cannot ask for is refused with its place", async () => {
  await using server = await startTestServer([RELAY]);
  const agui = { threadId: "t", runId: "r" };
  for (const [path, body, status] of [
    ["/api/agui", { ...agui, messages: [{ role: "user", content: "nul \0" }] }, 400],
    ["/api/agui", { ...agui, messages: [{ role: "activity", content: { any: "thing" } }] }, 400],
    ["/api/agui", { ...agui, messages: [], resume: [{ interruptId: "x/1", status: "resolved" }] }, 404],
    ["/api/agui?crew=nobody", { ...agui, messages: [{ role: "user", content: "hello" }] }, 404],
    ["/api/chat", { id: "not ok", messages: [] }, 400],
    ["/api/chat", { id: "c", messages: [{ role: "user", parts: [{ type: "text", text: "bell \u0007" }] }] }, 400],
    [
      "/api/chat",
      { id: "c", crew: "nobody", messages: [{ role: "user", parts: [{ type: "text", text: "hi" }] }] },
      404,
    ],
    ["/api/chat", { id: "c", messages: [{ role: "assistant", parts: [{ type: "text", text: "hi" }] }] }, 400],
  ] as const) {
    const answer = await server.post(path, body);
    assert.equal(answer.status, status, JSON.stringify(body));
    assert.equal(answer.headers.get("content-type"), "application/problem+json");
  }
});

test("an answer that a stopping server interrupts is an error to the AI SDK and to AG-UI, and its run continues", async () => {
  const database = openMemory();
  const model = new GatedModel();
  const server = await startTestServer([SLOW], { model: () => model, database });
  model.say("Half an");
  const chat = new Chat(`${server.url}/api/chat`);
  const agent = new HttpAgent({ url: `${server.url}/api/agui`, threadId: "t" });
  agent.addMessage({ id: "1", role: "user", content: "hello" });
  const sent = chat.sendMessage({ text: "hello" });
  const errors: string[] = [];
  const onRunErrorEvent = ({ event }: { readonly event: { readonly message: string } }) => {
    errors.push(event.message);
  };
  const run = agent.runAgent({}, { onRunErrorEvent });
  while ((await database.runs.list({ status: "running" })).length < 2 || !chat.said.includes("Half an"))
    await setTimeout(1);
  await server.server.stop();
  await sent;
  await Promise.allSettled([run]);
  assert.match(chat.error?.message ?? "", /the server is stopping/);
  assert.deepEqual(errors, ["the server is stopping"]);
  assert.deepEqual(
    (await database.runs.list({})).map(({ status }) => status),
    ["running", "running"],
  );
  await server.store[Symbol.asyncDispose]();
});

test("an EventSource that loses its connection comes back by itself, and stops at the end", async () => {
  await using server = await startTestServer([SLOW]);
  const started = await server.post("/api/runs", { input: "hello" });
  const path = `/api/runs/${started.headers.get("x-run-id")}/events`;
  let connections = 0;
  const source = new EventSource(server.url + path, {
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      return connections++ === 0 ? new Response(answer.body?.pipeThrough(cutAfter(2_000)), answer) : answer;
    },
  });
  const seen: string[] = [];
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  source.addEventListener("message", ({ data }) => seen.push(String(data)));
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) end();
  });
  await ended;
  assert.equal(connections, 3);
  const log: unknown = await (await server.get(path, { Accept: "application/json" })).json();
  assert.deepEqual({ events: seen.map((text): unknown => JSON.parse(text)) }, log);
});

/** A connection that is lost after so many bytes. */
function cutAfter(bytes: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let left = bytes;
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) controller.terminate();
    },
  });
}
