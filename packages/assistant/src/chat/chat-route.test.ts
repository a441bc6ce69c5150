import assert from "node:assert/strict";
import { test } from "node:test";
import type { Model } from "@baton/core";
import { z } from "zod";
import { makeKey, parseSent, PATHS, startChatServer } from "./testing/chat-server.ts";
import { DESK } from "./testing/chat-harness.ts";
import { toContentText } from "./testing/chat-frames.ts";
import { openLasting } from "@baton/store/testing";

const REPLIES = {
  intent_model: [{ say: '{"route":"direct"}' }],
  direct: [{ say: "Hello there." }],
  analyst: [{ call: [{ tool: "look", args: { word: "x" } }] }, { say: "Found. [WRITE]" }],
  planner: [{ say: "{}" }],
  writer: [{ say: "The answer." }],
};

const PROBLEM = z.looseObject({
  code: z.string(),
  detail: z.string(),
  problems: z.array(z.object({ field: z.string(), message: z.string() })),
});

async function problemOf(answer: Response) {
  assert.equal(answer.headers.get("content-type"), "application/problem+json", await answer.clone().text());
  return PROBLEM.parse(await answer.json());
}

/** The smallest file of each format, by its first bytes. */
const PICTURES = {
  png: Buffer.from("89504e470d0a1a0a0000000d49484452", "hex").toString("base64"),
  jpeg: Buffer.from("ffd8ffe000104a464946", "hex").toString("base64"),
  webp: Buffer.from("524946460a00000057454250565038", "hex").toString("base64"),
  gif: Buffer.from("474946383961", "hex").toString("base64"),
} as const;

for (const path of PATHS) {
  test(`POST ${path} streams an answer, whose run and session are named`, async () => {
    await using server = await startChatServer({ crew: DESK, replies: REPLIES });
    const answer = await server.post(path, { question_input: "analyst what?", session_id: "mine", unknown: 1 });
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get("content-type") ?? "", /^text\/event-stream/);
    assert.equal(answer.headers.get("x-session-id"), "mine");
    const sent = parseSent(await answer.text());
    const frames = sent.map(({ frame }) => frame);
    assert.equal(toContentText(frames), "The answer.");
    assert.deepEqual(
      frames.slice(-4).map(({ type }) => type),
      ["content_end", "sources", "done", "[DONE]"],
    );
    assert.equal(sent.at(-1)?.id, undefined);
    const { data } = z.looseObject({ data: z.looseObject({ flow_id: z.string() }) }).parse(frames.at(-2));
    assert.match(data.flow_id, /^v4_mine_\d{13}$/);
    const run = answer.headers.get("x-run-id");
    const again = await server.get(`/api/runs/${run}/events?dialect=chat`);
    assert.deepEqual(parseSent(await again.text()), sent);
  });
}

test("a session is made for a client that names none, and its next question finds what was said", async () => {
  await using server = await startChatServer({ crew: DESK, replies: REPLIES });
  const first = await server.post(PATHS[1], { question_input: "direct one" });
  assert.match(await first.text(), /"disclaimer":"not advice"/);
  const session = first.headers.get("x-session-id") ?? "";
  assert.match(session, /^[0-9a-f-]{36}$/);
  const second = await server.post(PATHS[1], { question_input: "direct two", session_id: session });
  assert.doesNotMatch(await second.text(), /disclaimer/);
  const { messages } = z
    .object({ messages: z.array(z.looseObject({ content: z.string() })) })
    .parse(await (await server.get(`/api/sessions/${session}/messages`)).json());
  assert.deepEqual(
    messages.map(({ content }) => content),
    ["direct one", "Hello there.", "direct two", "Hello there."],
  );
});

const image = (data: string, more: object = {}) => ({ data, ...more });

/** A body, and the fields that are wrong with it. */
const WRONG: readonly (readonly [body: unknown, fields: readonly string[]])[] = [
  [{}, ["question_input"]],
  [{ question_input: "" }, ["question_input"]],
  [{ question_input: " \n" }, ["question_input"]],
  [{ question_input: "x".repeat(10_001) }, ["question_input"]],
  [{ question_input: "a\u0000b" }, ["question_input"]],
  [{ question_input: "a\ud800" }, ["question_input"]],
  [{ question_input: 1 }, ["question_input"]],
  [
    { question_input: "a", session_id: "a b", mode: "fast", enable_tools: "yes" },
    ["session_id", "mode", "enable_tools"],
  ],
  [{ question_input: "a", ui_context: "tab" }, ["ui_context"]],
  [{ question_input: "a", ui_context: { note: "x".repeat(17_000) } }, ["ui_context"]],
  [{ question_input: "a", ui_context: { note: "\u0007" } }, ["ui_context"]],
  [{ question_input: "a", model_name: "" }, ["model_name"]],
  [{ question_input: "a", images: [image(PICTURES.gif)] }, ["images.0.data"]],
  [{ question_input: "a", images: [image("https://a.org/a.png")] }, ["images.0.data"]],
  [{ question_input: "a", images: [image("%%%")] }, ["images.0.data"]],
  [{ question_input: "a", images: [image(PICTURES.png, { source: "url" })] }, ["images.0.source"]],
  [{ question_input: "a", images: Array.from({ length: 5 }, () => image(PICTURES.png)) }, ["images"]],
  [{ question_input: "a", images: [image(Buffer.alloc(5 * 1_024 * 1_024 + 1).toString("base64"))] }, ["images.0.data"]],
  [{ question_input: "", images: [] }, ["question_input"]],
];

test("what is wrong with a request is told by field, before anything runs", async () => {
  await using server = await startChatServer({ crew: DESK, replies: REPLIES });
  for (const [body, fields] of WRONG) {
    const answer = await server.post(PATHS[0], body);
    assert.equal(answer.status, 400);
    const { code, problems } = await problemOf(answer);
    assert.equal(code, "invalid");
    assert.deepEqual([...new Set(problems.map(({ field }) => field))].toSorted(), [...fields].toSorted());
  }
  const { runs } = z.object({ runs: z.array(z.unknown()) }).parse(await (await server.get("/api/runs")).json());
  assert.deepEqual(runs, []);
});

test("pictures are taken as base64 or data URL, and may stand without a question", async () => {
  await using server = await startChatServer({ crew: DESK, replies: REPLIES });
  const images = [
    image(PICTURES.png, { source: "base64", media_type: "image/png", alt_text: "a chart" }),
    image(`data:image/jpeg;base64,${PICTURES.jpeg}`, { source: "data_url" }),
    image(PICTURES.webp, { media_type: "image/png" }),
  ];
  const answer = await server.post(PATHS[0], { images, session_id: "s" });
  assert.equal(answer.status, 200, await answer.clone().text());
  await answer.text();
  const log = await server.get(`/api/runs/${answer.headers.get("x-run-id")}/events`, { Accept: "application/json" });
  const { events } = z
    .object({ events: z.array(z.looseObject({ images: z.array(z.unknown()).optional() })) })
    .parse(await log.json());
  assert.deepEqual(events[0]?.images, [
    { mediaType: "image/png", data: PICTURES.png, altText: "a chart" },
    { mediaType: "image/jpeg", data: PICTURES.jpeg },
    { mediaType: "image/webp", data: PICTURES.webp },
  ]);
  const said = await (await server.get("/api/sessions/s/messages")).text();
  assert.match(said, /\[image: a chart\]/);
  assert.ok(!said.includes(PICTURES.png), "in the session a picture is text");
});

test("the flags of a request are the run's options", async () => {
  await using server = await startChatServer({ crew: DESK, replies: REPLIES });
  const ui_context = { active_tab: "stock", recent_symbols: ["A"] };
  const answer = await server.post(PATHS[0], { question_input: "direct", ui_context, enable_web_search: true });
  await answer.text();
  const log = await server.get(`/api/runs/${answer.headers.get("x-run-id")}/events`, { Accept: "application/json" });
  const { events } = z.object({ events: z.array(z.looseObject({})) }).parse(await log.json());
  assert.deepEqual(events[0]?.["options"], {
    mode: "auto",
    enable_thinking: true,
    enable_tools: true,
    enable_web_search: true,
    enable_compaction: true,
    tool_search_mode: "auto",
    ui_context,
  });
});

test("only models that the server offers may be named", async () => {
  const models = ["openai/gpt-5-mini"];
  await using server = await startChatServer({ crew: DESK, replies: REPLIES, models });
  const ask = (more: object) => server.post(PATHS[0], { question_input: "direct", ...more });
  for (const more of [{ model_name: "gpt-9" }, { model_name: "gpt-5-mini", provider_type: "google" }]) {
    const answer = await ask(more);
    assert.equal(answer.status, 400);
    assert.equal((await problemOf(answer)).code, "unknown_model");
  }
  for (const more of [{ model_name: "openai/gpt-5-mini" }, { model_name: "gpt-5-mini", provider_type: "openai" }]) {
    assert.equal((await ask(more)).status, 200);
  }
});

test("wrong types, methods, sizes and crews are refused", async () => {
  await using server = await startChatServer({ crew: DESK, replies: REPLIES, maxBodyBytes: 10_000 });
  const form = { "Content-Type": "text/plain" };
  for (const [answer, status, code] of [
    [await server.post(PATHS[0], { question_input: "x" }, form), 415, "unsupported_media_type"],
    [await server.get(PATHS[0]), 405, "method_not_allowed"],
    [await server.post(PATHS[0], { question_input: "x", filler: "y".repeat(40_001) }), 413, "too_large"],
    [await server.post(PATHS[0], { question_input: "x", crew: "nobody" }), 404, "not_found"],
  ] as const) {
    assert.equal(answer.status, status);
    assert.equal((await problemOf(answer)).code, code);
  }
});

test("a question that waits for an answer keeps new ones out, and is answered by a command", async () => {
  const erase = { tool: "erase", args: { path: "a.txt" } };
  const replies = { ...REPLIES, analyst: [{ say: "I erase.", call: [erase] }, { say: "Done. [WRITE]" }] };
  await using server = await startChatServer({ crew: DESK, replies });
  const first = await server.post(PATHS[0], { question_input: "analyst erase", session_id: "s" });
  const run = first.headers.get("x-run-id");
  const frames = parseSent(await first.text());
  assert.deepEqual(
    frames.slice(-3).map(({ frame }) => frame.type),
    ["question", "done", "[DONE]"],
  );
  const refused = await server.post(PATHS[0], { question_input: "direct next", session_id: "s" });
  assert.equal(refused.status, 409);
  const problem = await problemOf(refused);
  assert.equal(problem.code, "question_open");
  assert.ok(problem.detail.includes(run ?? "?"), problem.detail);
  const command = { type: "answer", question: "3.1.1", value: "allow" };
  assert.equal((await server.post(`/api/runs/${run}/commands`, command)).status, 202);
  const all = parseSent(await (await server.get(`/api/runs/${run}/events?dialect=chat`)).text());
  assert.deepEqual(all.slice(0, frames.length - 1), frames.slice(0, -1), "the same frames again");
  const rest = all.slice(frames.length - 1).map(({ frame }) => frame);
  assert.equal(toContentText(rest), "The answer.");
});

test("with keys, others need one; another user's run and session are not there", async () => {
  const database = openLasting();
  const [ann, bob] = [await makeKey(database, "ann"), await makeKey(database, "bob")];
  await using server = await startChatServer({ crew: DESK, replies: REPLIES, database });
  const body = { question_input: "direct", session_id: "s" };
  assert.equal((await server.post(PATHS[0], body)).status, 401);
  const answer = await server.post(PATHS[0], body, ann);
  const run = answer.headers.get("x-run-id");
  const sent = parseSent(await answer.text());
  for (const path of [`/api/runs/${run}/events?dialect=chat`, `/api/runs/${run}`, "/api/sessions/s/messages"]) {
    assert.equal((await server.get(path, bob)).status, 404, path);
    assert.equal((await server.get(path, ann)).status, 200, path);
  }
  const back = { ...bob, "Last-Event-ID": sent[0]?.id ?? "" };
  const stolen = await server.post(PATHS[0], body, back);
  assert.deepEqual([stolen.status, await stolen.text()], [204, ""]);
  const own = await server.post(PATHS[0], body, bob);
  assert.match(await own.text(), /disclaimer/, "the same name is a session of its own");
});

test("a user asks 20 times an hour, over all keys, sessions and both paths; a premium one more often", async () => {
  const database = openLasting();
  const keys = [await makeKey(database, "ann"), await makeKey(database, "ann")];
  const premium = await makeKey(database, "bob", "premium");
  await using server = await startChatServer({ crew: DESK, replies: REPLIES, database });
  const ask = async (headers: Record<string, string> | undefined, path: string, body: object = {}) => {
    const answer = await server.post(path, { question_input: "direct", ...body }, headers);
    await answer.body?.cancel();
    return answer;
  };
  for (let count = 0; count < 20; count++) {
    assert.equal((await ask(keys[count % 2], PATHS[count % 2] ?? "")).status, 200);
    assert.equal((await ask(keys[0], PATHS[0], { mode: "none" })).status, 400, "a refused request costs nothing");
  }
  const refused = await server.post(PATHS[0], { question_input: "direct" }, keys[1]);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  assert.equal((await problemOf(refused)).code, "rate_limited");
  for (let count = 0; count < 21; count++) assert.equal((await ask(premium, PATHS[0])).status, 200);
  assert.equal((await server.get("/api/crews", keys[0])).status, 200, "other routes are not counted by it");
});

/** Says its first word, and the rest when it is told to. */
function toGated() {
  const gate = Promise.withResolvers<void>();
  const began = Promise.withResolvers<void>();
  const model: Model = {
    name: "test/gated",
    async *stream(_, scope) {
      yield [{ type: "text", text: "First" }];
      began.resolve();
      await scope.race(() => gate.promise);
      yield [
        { type: "text", text: " and last." },
        { type: "end", finish: "stop", usage: { inputTokens: 1, outputTokens: 1 } },
      ];
    },
  };
  return { model, open: () => gate.resolve(), began: began.promise };
}

test("a question in a session that is busy says its place in line, without an id", async () => {
  const gated = toGated();
  await using server = await startChatServer({ crew: DESK, model: () => gated.model });
  const ask = () => server.post(PATHS[0], { question_input: "direct", session_id: "s" });
  const first = await ask();
  await gated.began;
  const [second, third] = [await ask(), await ask()];
  gated.open();
  const warningsOf = async (answer: Response) =>
    parseSent(await answer.text()).filter(({ id, frame }) => frame.type === "warning" && id === undefined);
  assert.deepEqual(await warningsOf(first), []);
  for (const [answer, place] of [
    [second, 1],
    [third, 2],
  ] as const) {
    const [warning] = await warningsOf(answer);
    assert.match(String(warning?.frame["message"]), new RegExp(`place ${place} in line`));
  }
});

test("a client that disconnects loses nothing: it comes back with the id of its last frame, by either way", async () => {
  const gated = toGated();
  await using server = await startChatServer({ crew: DESK, model: () => gated.model });
  const body = { question_input: "direct", session_id: "s" };
  const leaving = new AbortController();
  const answer = await fetch(server.url + PATHS[0], {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal: leaving.signal,
  });
  const run = answer.headers.get("x-run-id");
  await gated.began;
  leaving.abort();
  gated.open();
  const whole = parseSent(await (await server.get(`/api/runs/${run}/events?dialect=chat`)).text());
  assert.equal(toContentText(whole.map(({ frame }) => frame)), "First and last.", "the run was not cancelled");
  for (const [index, { id }] of whole.entries()) {
    if (id === undefined) continue;
    const headers = { "Last-Event-ID": id };
    const ways = [
      await server.post(PATHS[0], body, headers),
      await server.get(`/api/runs/${run}/events?dialect=chat`, headers),
    ];
    const isLast = index === whole.length - 2;
    for (const way of ways) {
      assert.equal(way.status, isLast ? 204 : 200);
      if (!isLast) assert.deepEqual(parseSent(await way.text()), whole.slice(index + 1));
    }
  }
  const { runs } = z.object({ runs: z.array(z.unknown()) }).parse(await (await server.get("/api/runs")).json());
  assert.equal(runs.length, 1, "nothing was asked again");
});

test("a server that stops refuses new questions, and the next one continues with the answer", async () => {
  const database = openLasting();
  const gated = toGated();
  let run = "";
  let last = "";
  {
    await using server = await startChatServer({ crew: DESK, model: () => gated.model, database, graceMs: 300 });
    const answer = await server.post(PATHS[0], { question_input: "direct", session_id: "s" });
    run = answer.headers.get("x-run-id") ?? "";
    await gated.began;
    const stopping = server.stop();
    const refused = await server.post(PATHS[0], { question_input: "direct", session_id: "other" });
    assert.equal(refused.status, 503);
    assert.ok(Number(refused.headers.get("retry-after")) > 0);
    assert.equal((await problemOf(refused)).code, "stopping");
    const text = await answer.text();
    assert.match(text, /: the server is stopping\nretry: \d+\n\n$/);
    assert.ok(!text.includes("[DONE]"));
    last = parseSent(text).at(-1)?.id ?? "";
    await stopping;
  }
  gated.open();
  await using next = await startChatServer({ crew: DESK, model: () => gated.model, database });
  const rest = await next.post(PATHS[0], { question_input: "direct", session_id: "s" }, { "Last-Event-ID": last });
  assert.equal(rest.headers.get("x-run-id"), run);
  const frames = parseSent(await rest.text()).map(({ frame }) => frame);
  assert.equal(frames[0]?.type, "content_restart", "the step starts again");
  assert.equal(toContentText(frames), "First and last.");
  assert.equal(frames.at(-1)?.type, "[DONE]");
});
