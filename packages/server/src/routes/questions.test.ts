import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew } from "@baton/core";
import { z } from "zod";
import { ASKS } from "../testing/crews.ts";
import { sentOf } from "../testing/sent.ts";
import { TestKeys } from "../testing/test-keys.ts";
import { type Scripted, startTestServer, type TestServer } from "../testing/test-server.ts";

/** The same crew, whose tool needs an operator. */
const GUARDED: Scripted = {
  ...ASKS,
  crew: defineCrew({
    name: "guarded",
    agents: [{ id: "helper", isTerminal: true, tools: ["erase"] }],
    tools: [...ASKS.crew.tools.values()],
    permissions: { erase: "ask_operator" },
  }),
};

const QUESTIONS = z.object({
  questions: z.array(z.object({ run: z.string(), user: z.string(), question: z.string(), who: z.string() })),
});
const PAGE = QUESTIONS.extend({ next: z.string().optional() });
const EVENTS = z.object({ events: z.array(z.looseObject({ type: z.string(), by: z.unknown().optional() })) });

type Headers = Readonly<Record<string, string>>;

async function start(server: TestServer, crew: string, headers: Headers = {}): Promise<string> {
  const answer = await server.post("/api/runs", { crew, input: "go" }, { ...headers, Prefer: "wait" });
  return (await sentOf(answer)).id ?? assert.fail(await answer.text());
}

async function questions(server: TestServer, query: string, headers: Headers = {}) {
  const answer = await server.get(`/api/questions${query}`, headers);
  assert.equal(answer.status, 200, await answer.clone().text());
  return QUESTIONS.parse(await answer.json()).questions;
}

function allow(server: TestServer, asked: readonly [run: string, question: string], headers: Headers) {
  const [run, question] = asked;
  return server.post(`/api/runs/${run}/commands`, { type: "answer", question, value: "allow" }, headers);
}

test("a question for an operator is answered by an operator alone, and the log says by whom", async () => {
  const keys = new TestKeys();
  const bob = await keys.make("acme", ["run", "read"], { user: "bob" });
  const olga = await keys.make("acme", ["approve"], { user: "olga" });
  const other = await keys.make("other", ["approve", "read"], { user: "olga" });
  const admin = await keys.make("acme", ["read", "admin"], { user: "root" });
  await using server = await startTestServer([GUARDED], { database: keys.database });
  const run = await start(server, "guarded", bob);

  const refused = await allow(server, [run, "1.1.1"], bob);
  assert.equal(refused.status, 403);
  assert.equal((await sentOf(refused)).code, "not_allowed");
  const open = await questions(server, "?who=operator", olga);
  assert.deepEqual(
    open.map(({ run: of, user, question, who }) => [of, user, question, who]),
    [
      [run, "bob", "1.1.1", "operator"],
      [run, "bob", "1.1.2", "operator"],
    ],
  );
  assert.equal((await server.get("/api/questions?who=operator", bob)).status, 403);
  assert.deepEqual(await questions(server, "", bob), []);
  assert.deepEqual(await questions(server, "", other), []);
  assert.equal((await allow(server, [run, "1.1.1"], other)).status, 404);

  assert.equal((await allow(server, [run, "1.1.1"], olga)).status, 202);
  assert.equal((await allow(server, [run, "1.1.1"], olga)).status, 404, "it is answered");
  assert.equal((await allow(server, [run, "1.1.2"], admin)).status, 202);
  const { events } = EVENTS.parse(
    await (await server.get(`/api/runs/${run}/events`, { ...bob, Accept: "application/json" })).json(),
  );
  const [first] = events.filter(({ type }) => type === "question.answered");
  assert.partialDeepStrictEqual(first?.by, { tenant: "acme", user: "olga" });
  assert.deepEqual(await questions(server, "", olga), []);
});

test("a key that may only approve can do nothing else with another user's run", async () => {
  const keys = new TestKeys();
  const bob = await keys.make("acme", ["run", "read"], { user: "bob" });
  const olga = await keys.make("acme", ["approve"], { user: "olga" });
  await using server = await startTestServer([ASKS], { database: keys.database });
  const run = await start(server, "asks", bob);
  const refused = await allow(server, [run, "1.1.1"], olga);
  assert.deepEqual(
    [refused.status, (await sentOf(refused)).code],
    [403, "not_allowed"],
    "the question is for its user",
  );
  assert.deepEqual(await questions(server, "", olga), []);
  assert.equal((await server.get(`/api/runs/${run}`, olga)).status, 403);
  for (const command of [{ type: "cancel" }, { type: "say", text: "hello" }, { type: "pause" }])
    assert.equal((await server.post(`/api/runs/${run}/commands`, command, olga)).status, 403);
  assert.equal((await questions(server, "", bob)).length, 2);
  assert.equal((await allow(server, [run, "1.1.1"], bob)).status, 202);
});

test("without keys the local user has both rights", async () => {
  await using server = await startTestServer([GUARDED, ASKS]);
  const run = await start(server, "guarded");
  const own = await start(server, "asks");
  assert.equal((await questions(server, "")).length, 4);
  assert.deepEqual(new Set((await questions(server, "?who=user")).map(({ run: of }) => of)), new Set([own]));
  assert.equal((await questions(server, "?limit=4")).length, 4);
  assert.equal((await allow(server, [run, "1.1.1"], {})).status, 202);
});

test("pages have at most the limit, and together every question once", async () => {
  await using server = await startTestServer([GUARDED, ASKS]);
  for (const crew of ["guarded", "asks", "guarded"]) await start(server, crew);
  const all = await questions(server, "");
  assert.equal(all.length, 6);
  for (const limit of [1, 2, 3, 5, 6]) {
    const read: typeof all = [];
    let before = "";
    do {
      const answer = await server.get(`/api/questions?limit=${limit}${before}`);
      const { questions: page, next } = PAGE.parse(await answer.json());
      assert.ok(page.length <= limit, `${page.length} of ${limit}`);
      read.push(...page);
      before = next === undefined ? "" : `&before=${encodeURIComponent(next)}`;
    } while (before !== "");
    assert.deepEqual(read, all);
  }
});

test("a page whose last question was answered since is followed by the rest of its run", async () => {
  await using server = await startTestServer([ASKS]);
  const run = await start(server, "asks");
  const { next } = PAGE.parse(await (await server.get("/api/questions?limit=1")).json());
  assert.equal(next, `${run}:1.1.1`);
  assert.equal((await allow(server, [run, "1.1.1"], {})).status, 202);
  assert.deepEqual(
    (await questions(server, `?before=${next}`)).map(({ question }) => question),
    ["1.1.2"],
  );
  assert.equal((await server.get("/api/questions?before=gone:1.1.1")).status, 404);
});

test("a user is told in the chat that an operator was asked, and gets no request to approve", async () => {
  await using server = await startTestServer([GUARDED]);
  const messages = [{ role: "user", content: "go" }];
  const chat = await (await server.post("/v1/chat/completions", { model: "guarded", messages })).text();
  assert.match(chat, /An operator was asked/);
  assert.doesNotMatch(chat, /answer_question/);
  const crew = await (await server.post("/api/crew/stream", { crew: "guarded", query: "go" })).text();
  assert.match(crew, /an operator was asked/);
  const parts = [{ type: "text", text: "go" }];
  const ui = await (
    await server.post("/api/chat", { id: "c", crew: "guarded", messages: [{ id: "m", role: "user", parts }] })
  ).text();
  assert.match(ui, /An operator was asked/);
  assert.doesNotMatch(ui, /tool-approval-request/);
});
