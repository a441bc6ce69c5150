import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import OpenAI, { APIError } from "openai";
import { defineCrew, defineTool, scriptModel } from "@baton/core";
import { openMemory } from "@baton/store/sqlite";
import { withMethods } from "@baton/store/testing";
import { z } from "zod";
import { ASKS, GatedModel, RELAY, SLOW, WAITS } from "../../testing/crews.ts";
import { sentOf } from "../../testing/sent.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";

function clientOf({ url }: TestServer): OpenAI {
  return new OpenAI({ apiKey: "none", baseURL: `${url}/v1`, maxRetries: 0 });
}

const user = (content: string) => ({ role: "user", content }) as const;

test("the OpenAI client streams a crew, and gets the same without a stream", async () => {
  await using server = await startTestServer([RELAY]);
  const client = clientOf(server);
  const said = "Kết\r\nthúc [almost]\n\nsecond: Done: 🎉 \u2028 all.";
  const stream = client.chat.completions.stream({
    model: "relay",
    messages: [user("hello")],
    stream_options: { include_usage: true },
  });
  assert.equal(await stream.finalContent(), said);
  assert.ok(((await stream.totalUsage()).total_tokens ?? 0) > 0);
  const whole = await client.chat.completions.create({ model: "relay", messages: [user("hello")] });
  assert.equal(whole.choices[0]?.message.content, said);
  assert.equal(whole.model, "relay");
  const response = await client.responses.create({ model: "relay", input: "hello" });
  assert.equal(response.output_text, said);
  const streamed = client.responses.stream({ model: "relay", input: [user("hello")] });
  assert.equal((await streamed.finalResponse()).output_text, response.output_text);
});

test("baton_final_only gives the last answer alone, on each route, streamed or not, and when a stream is read again", async () => {
  await using server = await startTestServer([RELAY]);
  const client = clientOf(server);
  const final = "Done: 🎉 \u2028 all.";
  const only = { baton_final_only: true };
  const chat = { ...only, model: "relay", messages: [user("hello")] };
  assert.equal((await client.chat.completions.create(chat)).choices[0]?.message.content, final);
  assert.equal(await client.chat.completions.stream(chat).finalContent(), final);
  const respond = { ...only, model: "relay", input: "hello" };
  const response = await client.responses.create(respond);
  assert.equal(response.output_text, final);
  assert.equal((await client.responses.stream(respond).finalResponse()).output_text, final);
  const events = `/api/runs/${response.metadata?.["run_id"]}/events?dialect=openai`;
  const text = async (query: string) => (await server.get(events + query)).text();
  assert.equal((await text("&baton_final_only=true")).includes("thúc"), false);
  assert.ok((await text("")).includes("thúc"));
  const wrong = { ...chat, baton_final_only: "yes" };
  await assert.rejects(client.chat.completions.create(wrong), { status: 400 });
});

test("crews are models, and one that is not served is an error of the client's own kind", async () => {
  await using server = await startTestServer([RELAY, WAITS]);
  const client = clientOf(server);
  const models = await Array.fromAsync(client.models.list());
  assert.deepEqual(
    models.map(({ id }) => id),
    ["relay", "waits"],
  );
  assert.equal((await client.models.retrieve("waits")).id, "waits");
  const refused = (body: Parameters<typeof client.chat.completions.create>[0], status: number) =>
    assert.rejects(
      async () => client.chat.completions.create(body),
      (error) => {
        assert.ok(error instanceof APIError);
        assert.equal(error.status, status);
        return true;
      },
    );
  await refused({ model: "nobody", messages: [user("hello")] }, 404);
  await refused({ model: "relay", messages: [] }, 400);
  await refused({ model: "relay", messages: [user("")] }, 400);
  await refused({ model: "relay", messages: [user("nul \0")] }, 400);
});

test("a run that fails is an error that the client throws, streamed or not", async () => {
  const model = () => scriptModel({ talker: [{ fail: "the provider is down" }] });
  await using server = await startTestServer([SLOW], { model });
  const client = clientOf(server);
  const body = { model: "slow", messages: [user("hello")] };
  await assert.rejects(client.chat.completions.stream(body).finalContent(), /the provider is down/);
  await assert.rejects(client.chat.completions.create(body), (error) => {
    assert.ok(error instanceof APIError);
    assert.equal(error.status, 502);
    assert.match(error.message, /the provider is down/);
    return true;
  });
});

/** A client with its default settings: it retries. */
function repeatingClientOf({ url }: TestServer): OpenAI {
  return new OpenAI({ apiKey: "none", baseURL: `${url}/v1` });
}

const hello = { model: "slow", messages: [user("hello")] };
const ASKED: readonly (readonly [string, (client: OpenAI) => Promise<unknown>])[] = [
  ["a completion", (client) => client.chat.completions.create(hello)],
  ["a streamed completion", (client) => client.chat.completions.stream(hello).finalContent()],
  ["a response", (client) => client.responses.create({ model: "slow", input: "hello" })],
  ["a streamed response", (client) => client.responses.stream({ model: "slow", input: "hello" }).finalResponse()],
];

for (const [what, ask] of ASKED) {
  test(`a client that repeats what fails begins one run for ${what} that fails, and for one that is cancelled`, async () => {
    const model = () => scriptModel({ talker: [{ fail: "the provider is down" }] });
    await using failing = await startTestServer([SLOW], { model });
    const list = async (server: TestServer) => (await sentOf(await server.get("/api/runs"))).runs ?? [];
    const outcomesOf = async (server: TestServer) => (await list(server)).map(({ outcome }) => outcome);
    await ask(repeatingClientOf(failing)).catch(() => undefined);
    assert.deepEqual(await outcomesOf(failing), ["failed"]);
    const gated = new GatedModel();
    await using waiting = await startTestServer([SLOW], { model: () => gated });
    const asking = ask(repeatingClientOf(waiting)).catch(() => undefined);
    while ((await list(waiting)).length === 0);
    const cancelled = await waiting.post(`/api/runs/${(await list(waiting))[0]?.["id"]}/commands`, { type: "cancel" });
    assert.equal(cancelled.status, 200);
    await asking;
    assert.deepEqual(await outcomesOf(waiting), ["cancelled"]);
  });
}

test("questions are tool calls, whose results are the answers", async () => {
  await using server = await startTestServer([ASKS]);
  const client = clientOf(server);
  const asked = await client.chat.completions.create({ model: "asks", messages: [user("erase")] });
  const message = asked.choices[0]?.message;
  assert.ok(message?.tool_calls);
  assert.equal(message.tool_calls.length, 2);
  const answers = message.tool_calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: "allow" }) as const);
  const messages = [user("erase"), message, ...answers];
  const done = client.chat.completions.stream({ model: "asks", messages });
  assert.match((await done.finalContent()) ?? "", /As you wish\./);
  const twice = await fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ model: "asks", messages }),
  });
  assert.equal(twice.status, 409);
});

test("a message beside answers, which nobody would hear, is refused; one of the past is not", async () => {
  await using server = await startTestServer([ASKS]);
  const client = clientOf(server);
  const asked = await client.responses.create({ model: "asks", input: "erase" });
  const approvals = asked.output.flatMap((item) =>
    item.type === "mcp_approval_request"
      ? [{ type: "mcp_approval_response", approval_request_id: item.id, approve: true } as const]
      : [],
  );
  const send = (input: OpenAI.Responses.ResponseInput, previous_response_id?: string) =>
    client.responses.create({ model: "asks", input, ...(previous_response_id ? { previous_response_id } : {}) });
  const refused = { status: 400, param: /^input\.[02]$/ };
  await assert.rejects(send([...approvals, user("not the second")]), refused);
  await assert.rejects(send([user("not the second"), ...approvals], asked.id), refused);
  assert.match((await send([user("erase"), ...approvals])).output_text, /As you wish\./);
});

test("an item of the past that is only named is refused where nobody remembers it", async () => {
  await using server = await startTestServer([RELAY]);
  const client = clientOf(server);
  const first = await client.responses.create({ model: "relay", input: "hello" });
  const input = [user("hello"), { type: "item_reference", id: first.output[0]?.id ?? "" } as const, user("and?")];
  await assert.rejects(client.responses.create({ model: "relay", input }), { status: 400, param: "input.1" });
  const second = await client.responses.create({ model: "relay", input, previous_response_id: first.id });
  assert.equal(second.status, "completed");
});

test("an answer to a question of another crew is refused", async () => {
  await using server = await startTestServer([ASKS, RELAY]);
  const client = clientOf(server);
  const asked = await client.chat.completions.create({ model: "asks", messages: [user("erase")] });
  const [call] = asked.choices[0]?.message.tool_calls ?? [];
  const answer = { role: "tool", tool_call_id: call?.id ?? "", content: "allow" } as const;
  await assert.rejects(client.chat.completions.create({ model: "relay", messages: [user("erase"), answer] }), {
    status: 409,
    message: /crew asks/,
    param: "messages.1.tool_call_id",
  });
});

test("approvals and earlier responses are gone on from", async () => {
  await using server = await startTestServer([ASKS, WAITS]);
  const client = clientOf(server);
  const asked = await client.responses.create({ model: "asks", input: "erase" });
  const input = asked.output.flatMap((item) =>
    item.type === "mcp_approval_request"
      ? [{ type: "mcp_approval_response", approval_request_id: item.id, approve: true } as const]
      : [],
  );
  assert.equal(input.length, 2);
  const done = client.responses.stream({ model: "asks", input, previous_response_id: asked.id });
  assert.match((await done.finalResponse()).output_text, /As you wish\./);
  const first = await client.responses.create({ model: "waits", input: "hello" });
  const second = await client.responses.create({ model: "waits", input: "that", previous_response_id: first.id });
  assert.equal(second.output_text, "Good.\n\ncloser: Thanks.");
  assert.equal(second.previous_response_id, first.id);
  const path = `/api/runs/${second.metadata?.["run_id"]}/events?dialect=responses&previous_response_id=${first.id}`;
  assert.match(await (await server.get(path)).text(), new RegExp(`"previous_response_id":"${first.id}"`));
  await assert.rejects(client.responses.create({ model: "waits", input: "that", previous_response_id: "resp_x" }), {
    status: 404,
  });
});

test("a run that a stopping server cancels after it has begun to act is not to be asked for again", async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const pay = defineTool({
    name: "pay",
    description: "Pays.",
    effect: "irreversible",
    input: z.object({}),
    run: async (_, { scope }) => {
      begin();
      await scope.sleep(60_000);
      return "paid";
    },
  });
  const agents = [{ id: "payer", isTerminal: true, tools: ["pay"] }];
  const crew = defineCrew({ name: "pays", agents, tools: [pay], permissions: { pay: "allow" } });
  const script = { payer: [{ say: "", call: [{ tool: "pay", args: {} }] }, { say: "Paid." }] };
  await using server = await startTestServer([{ crew, script }], { graceMs: 10 });
  const client = new OpenAI({ apiKey: "none", baseURL: `${server.url}/v1` });
  const asking = assert.rejects(client.chat.completions.create({ model: "pays", messages: [user("pay")] }), {
    status: 503,
    message: /started its work: GET \/api\/runs\//,
  });
  await begun;
  await server.server.stop();
  await asking;
});

test("a limit is 429, and a message after answers, which would be lost with them, is refused", async () => {
  const crew = defineCrew({ ...LOOP, settings: { maxHandoffs: 2 } });
  await using server = await startTestServer([{ crew, script: LOOP_SCRIPT }, ASKS]);
  const client = clientOf(server);
  const limited = client.chat.completions.create({ model: "loop", messages: [user("hello")] });
  await assert.rejects(limited, { status: 429, code: "limit", message: /max_handoffs is 2/ });
  const asked = await client.chat.completions.create({ model: "asks", messages: [user("erase")] });
  const { message } = asked.choices[0] ?? assert.fail();
  const answers = (message.tool_calls ?? []).map(
    ({ id }) => ({ role: "tool", tool_call_id: id, content: "allow" }) as const,
  );
  const messages = [user("erase"), message, ...answers, user("no, wait")];
  await assert.rejects(client.chat.completions.create({ model: "asks", messages }), {
    status: 400,
    param: "messages.4",
  });
});

const LOOP = {
  name: "loop",
  agents: [{ id: "one" }, { id: "two" }],
  signals: { one: [{ signal: "[GO]", target: "two" }], two: [{ signal: "[BACK]", target: "one" }] },
};
const LOOP_SCRIPT = { one: [{ say: "[GO]" }], two: [{ say: "[BACK]" }] };

/** Answers as slowly as one on another machine may: of a run that is there only when the test lets it continue. */
function openSlow() {
  const memory = openMemory();
  const gate = Promise.withResolvers<void>();
  const find = async (id: string) => {
    const record = await memory.runs.find(id);
    if (record !== undefined) await gate.promise;
    return record;
  };
  return { database: withMethods(memory, { runs: { ...memory.runs, find } }), [Symbol.dispose]: () => gate.resolve() };
}

for (const isStreamed of [true, false]) {
  const how = isStreamed ? "with a stream" : "without";

  test(`a client that leaves while its run is started, ${how}, cancels the run`, async () => {
    const model = new GatedModel();
    const slow = openSlow();
    await using server = await startTestServer([SLOW], { model: () => model, database: slow.database });
    using gate = slow;
    const socket = connect(server.server.port, server.server.host);
    const body = JSON.stringify({ model: "slow", messages: [user("hello")], stream: isStreamed });
    const head = "POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json";
    socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    const list = async () => (await sentOf(await server.get("/api/runs"))).runs ?? [];
    while ((await list()).length === 0);
    socket.destroy();
    await once(socket, "close");
    // What came on this connection later is answered: the server knows by now that the other one is closed.
    for (let round = 0; round < 3; round++) await (await server.get("/health")).text();
    gate[Symbol.dispose]();
    while ((await list())[0]?.["status"] !== "ended");
    assert.equal((await list())[0]?.["outcome"], "cancelled");
    assert.match(await (await server.get("/metrics")).text(), /baton_open_streams 0\n/);
  });

  test(`a server that stops cancels a run that was asked for ${how}, and its client can ask again`, async () => {
    const model = new GatedModel();
    const database = openMemory();
    await using server = await startTestServer([SLOW], { model: () => model, database, graceMs: 10 });
    model.say("Half an");
    const client = clientOf(server);
    const messages = [user("hello")];
    const asking = isStreamed
      ? client.chat.completions.stream({ model: "slow", messages }).finalContent()
      : client.chat.completions.create({ model: "slow", messages });
    const refused = assert.rejects(asking, (error) => {
      assert.ok(error instanceof APIError);
      if (isStreamed) assert.match(error.message, /the server stopped/);
      else {
        const headers: unknown = error.headers;
        assert.ok(error.status === 503 && headers instanceof Headers);
        assert.equal(headers.get("x-should-retry"), "true");
      }
      return true;
    });
    while ((await database.runs.list({}))[0]?.status !== "running") await setTimeout(1);
    await server.server.stop();
    await refused;
    assert.deepEqual(
      (await database.runs.list({})).map(({ status, outcome }) => [status, outcome]),
      [["ended", "cancelled"]],
    );
  });

  test(`a client that leaves ${isStreamed ? "a stream" : "before the answer"} cancels the run`, async () => {
    const model = new GatedModel();
    await using server = await startTestServer([SLOW], { model: () => model });
    const abort = new AbortController();
    const asking = fetch(`${server.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ model: "slow", messages: [user("hello")], stream: isStreamed }),
      signal: abort.signal,
    });
    const list = async () => (await sentOf(await server.get("/api/runs"))).runs ?? [];
    if (isStreamed) await asking;
    while ((await list()).length === 0);
    abort.abort();
    await asking.catch(() => undefined);
    while ((await list())[0]?.["status"] !== "ended");
    assert.equal((await list())[0]?.["outcome"], "cancelled");
    assert.equal(model.aborted, 1);
  });
}
