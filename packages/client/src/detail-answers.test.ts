/** Tests of the answers about past runs, and of those that a page needs to draw a run. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { type Client, ClientError, createClient, type RunEvent } from "./index.ts";
import { LogServer } from "./testing/log-server.ts";
import { STORY } from "./testing/story.ts";

const ME = { tenant: "local", user: "local", scopes: ["read"], keys_required: false, version: "1", model: "script" };
const CREW = { id: "hello", name: "Hello", drawing: { width: 1, height: 1, boxes: [], arrows: [], left_out: "" } };
const TOOL = { name: "look", crew: "hello", description: "", effect: "read" };
const PROMPT = { system: "You look.", messages: [], tools: [], blocks: [], left_out: [] };
const REPLAYED = { identical: true, events: 7 };
const OVERVIEW = { of: "user", minutes: [], total: {}, tools: [], agents: [], server: {} };
const STARTED = { id: "r2", short_id: "req-000000000002" };

suite("requests that look back", () => {
  const cases: readonly {
    readonly says: string;
    readonly call: (client: Client) => Promise<unknown>;
    readonly url: string;
    readonly answer: unknown;
    readonly gives: unknown;
  }[] = [
    { says: "me", call: (client) => client.me(), url: "/api/me", answer: ME, gives: ME },
    { says: "a crew", call: (client) => client.crew("a b"), url: "/api/crews/a%20b", answer: CREW, gives: CREW },
    { says: "tools", call: (client) => client.tools(), url: "/api/tools", answer: { tools: [TOOL] }, gives: [TOOL] },
    {
      says: "an overview",
      call: (client) => client.overview(5),
      url: "/api/overview?minutes=5",
      answer: OVERVIEW,
      gives: OVERVIEW,
    },
    {
      says: "a run's crew",
      call: (client) => client.runCrew("r1"),
      url: "/api/runs/r1/crew",
      answer: CREW,
      gives: CREW,
    },
    {
      says: "a prompt of a member's step",
      call: (client) => client.prompt("r1", "4/quiz/student/1.1"),
      url: "/api/runs/r1/steps/4%2Fquiz%2Fstudent%2F1.1/prompt",
      answer: PROMPT,
      gives: PROMPT,
    },
    {
      says: "a replay",
      call: (client) => client.replay("r1", "other"),
      url: "/api/runs/r1/replay",
      answer: REPLAYED,
      gives: REPLAYED,
    },
    {
      says: "a fork",
      call: (client) => client.fork("r1", 5, { crew: "other", input: "Hello" }),
      url: "/api/runs/r1/fork",
      answer: STARTED,
      gives: STARTED,
    },
    {
      says: "a list of events",
      call: (client) => client.events("r1", { after: 2, to: 9, deltas: "none", history: "none" }),
      url: "/api/runs/r1/events?after=2&to=9&deltas=none&history=none",
      answer: { events: STORY },
      gives: STORY,
    },
  ];
  for (const { says, call, url, answer, gives } of cases) {
    test(`${says}: the right path, and the answer as it is`, async () => {
      const asked: string[] = [];
      const client = createClient({
        url: "http://server.test",
        fetch: async (input) => {
          asked.push(typeof input === "string" ? input : "");
          return Response.json(answer);
        },
      });
      assert.deepEqual(await call(client), gives);
      assert.deepEqual(asked, [`http://server.test${url}`]);
    });
    test(`${says}: an answer of something else is refused`, async () => {
      const client = createClient({ url: "http://server.test", fetch: async () => Response.json({ hello: 1 }) });
      await assert.rejects(call(client), ClientError);
    });
  }
});

test("batches are the same events as one by one, and each connection is told", async () => {
  await using server = await new LogServer(STORY).listen();
  const client = createClient({ url: server.url });
  const events: RunEvent[] = [];
  let connections = 0;
  for await (const batch of client.followBatches("r1", { onConnected: () => connections++ })) {
    assert.ok(batch.length > 0);
    events.push(...batch);
  }
  assert.deepEqual(events, STORY);
  assert.ok(connections >= 1);
});
