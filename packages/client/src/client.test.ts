import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { suite, test } from "node:test";
import {
  type AgentState,
  type Client,
  ClientError,
  createClient,
  type EventBodyOf,
  fold,
  openFold,
  type RunEvent,
  type SessionMessage,
} from "./index.ts";
import { type Choose, type Conduct, LogServer } from "./testing/log-server.ts";
import { STORY } from "./testing/story.ts";

const STARTED = { id: "r1", short_id: "req-000000000001" };
const RUN = { ...STARTED, crew: "hello", status: "ended", input: "hi" };
const SESSION = { id: "s", created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" };
const CREW = { id: "hello", name: "Hello", description: "", agents: ["a"], examples: ["Hello?"] };
const CALL = { run: "r1", call: "4/quiz/student/1.1.2", tool: "look", status: "ended" };
const COMMENTARY: SessionMessage = { role: "assistant", content: "I look.", commentary: true };
const RECEIPT = { stopped: ["a"], finished: [], abandoned: [] };

suite("requests", () => {
  const cases: readonly {
    readonly says: string;
    readonly call: (client: Client) => Promise<unknown>;
    readonly request: readonly [method: string, url: string, body?: unknown];
    readonly answer: unknown;
    readonly gives: unknown;
  }[] = [
    {
      says: "start",
      call: async (client) => toPlain(await client.start("hello", "hi")),
      request: ["POST", "/api/runs", { crew: "hello", input: "hi" }],
      answer: STARTED,
      gives: STARTED,
    },
    {
      says: "start with everything",
      call: async (client) =>
        toPlain(
          await client.start("hello", "hi", {
            session: "s",
            images: [{ data: "iVBO", altText: "a dot" }],
            limits: { maxUsd: 1, maxTokens: 2, timeoutMs: 3_500 },
            options: { depth: 2 },
            model: "test/large",
            tools: [{ name: "locate", description: "Finds.", inputSchema: { type: "object" } }],
          }),
        ),
      request: [
        "POST",
        "/api/runs",
        {
          crew: "hello",
          input: "hi",
          images: [{ data: "iVBO", alt_text: "a dot" }],
          session_id: "s",
          limits: { max_usd: 1, max_tokens: 2, max_seconds: 3.5 },
          options: { depth: 2 },
          model: "test/large",
          tools: [{ name: "locate", description: "Finds.", input_schema: { type: "object" } }],
        },
      ],
      answer: STARTED,
      gives: STARTED,
    },
    {
      says: "cancel",
      call: (client) => client.command("r1", { type: "cancel", reason: "enough" }),
      request: ["POST", "/api/runs/r1/commands", { type: "cancel", reason: "enough" }],
      answer: RECEIPT,
      gives: RECEIPT,
    },
    {
      says: "answer",
      call: (client) => client.command("r1", { type: "answer", question: "1.1.1", value: "allow" }),
      request: ["POST", "/api/runs/r1/commands", { type: "answer", question: "1.1.1", value: "allow" }],
      answer: { id: "r1", status: "running" },
      gives: undefined,
    },
    {
      says: "cancel of a call",
      call: (client) => client.command("r1", { type: "cancel", call: "4/quiz/student/1.1.2" }),
      request: ["POST", "/api/runs/r1/commands", { type: "cancel", call: "4/quiz/student/1.1.2" }],
      answer: RECEIPT,
      gives: RECEIPT,
    },
    {
      says: "configure",
      call: (client) => client.command("r1", { type: "configure", agent: "a", model: "offline", maxTokens: 5 }),
      request: ["POST", "/api/runs/r1/commands", { type: "configure", agent: "a", model: "offline", max_tokens: 5 }],
      answer: STARTED,
      gives: undefined,
    },
    {
      says: "call",
      call: (client) => client.call("r1", "4/quiz/student/1.1.2"),
      request: ["GET", "/api/runs/r1/calls/4%2Fquiz%2Fstudent%2F1.1.2"],
      answer: CALL,
      gives: CALL,
    },
    {
      says: "run",
      call: (client) => client.run("a/b?c"),
      request: ["GET", "/api/runs/a%2Fb%3Fc"],
      answer: RUN,
      gives: RUN,
    },
    {
      says: "runs",
      call: (client) => client.runs({ status: "ended", q: "a&b", request: "r", limit: 5 }),
      request: ["GET", "/api/runs?status=ended&q=a%26b&request=r&limit=5"],
      answer: { runs: [RUN], next: "r0" },
      gives: { runs: [RUN], next: "r0" },
    },
    {
      says: "sessions",
      call: (client) => client.sessions({ before: "s2", limit: 1 }),
      request: ["GET", "/api/sessions?before=s2&limit=1"],
      answer: { sessions: [SESSION], next: "s" },
      gives: { sessions: [SESSION], next: "s" },
    },
    {
      says: "messages",
      call: (client) => client.messages("s"),
      request: ["GET", "/api/sessions/s/messages"],
      answer: { messages: [{ role: "user", content: "hi" }, COMMENTARY] },
      gives: [{ role: "user", content: "hi" }, COMMENTARY],
    },
    {
      says: "session's cancel",
      call: (client) => client.cancelSession("s"),
      request: ["POST", "/api/sessions/s/cancel"],
      answer: { runs: [{ id: "r1", receipt: RECEIPT }] },
      gives: [{ id: "r1", receipt: RECEIPT }],
    },
    {
      says: "deleteSession",
      call: (client) => client.deleteSession("s"),
      request: ["DELETE", "/api/sessions/s"],
      answer: undefined,
      gives: undefined,
    },
    {
      says: "crews",
      call: (client) => client.crews(),
      request: ["GET", "/api/crews"],
      answer: { crews: [CREW] },
      gives: [CREW],
    },
  ];
  for (const { says, call, request, answer, gives } of cases) {
    test(`${says} sends what the server reads, and gives what it answers`, async () => {
      await using server = await new LogServer([], () => toAnswer(answer)).listen();
      assert.deepEqual(await call(createClient({ url: `${server.url}/`, key: "k" })), gives);
      const [received] = server.received;
      const body: unknown = JSON.parse(received?.body || "null");
      assert.deepEqual([received?.method, received?.url, body], [request[0], request[1], request[2] ?? null]);
      assert.equal(received?.headers.authorization, "Bearer k");
    });

    if (gives !== undefined) {
      test(`${says} refuses an answer of another kind`, async () => {
        for (const other of [[], {}, null, "x", { runs: [1], sessions: [1], messages: [1], crews: [1] }]) {
          await using server = await new LogServer([], () => toAnswer(other)).listen();
          const refused = call(createClient({ url: server.url }));
          if (says.startsWith("cancel")) assert.equal(await refused, undefined);
          else await assert.rejects(refused, { code: "invalid_answer" });
        }
      });
    }
  }

  test("an id that would be another path is refused here", async () => {
    const client = createClient({ url: "http://127.0.0.1:9" });
    for (const id of ["", ".", ".."]) await assert.rejects(client.run(id), { name: "ClientError", code: "invalid" });
  });

  test("an address that is none is refused before anything is asked", () => {
    for (const url of ["", "/", "nonsense"]) assert.throws(() => createClient({ url }), { code: "invalid" });
  });

  test("a server that is not there is a ClientError with its cause", async () => {
    await using server = await new LogServer([]).listen();
    await server.stop();
    await assert.rejects(createClient({ url: server.url }).crews(), (error) => {
      assert.ok(error instanceof ClientError && error.cause instanceof Error);
      assert.deepEqual([error.code, error.status], ["network", 0]);
      return true;
    });
  });
});

suite("start", () => {
  test("a start whose answer is lost is sent again under the same key", async () => {
    const choose: Choose = ({ number }) => (number < 2 ? { type: "stream", cutAt: 0 } : toAnswer(STARTED));
    await using server = await new LogServer([], choose).listen();
    assert.deepEqual(toPlain(await toClient(server).start("hello", "hi")), STARTED);
    const keys = server.received.map(({ headers }) => headers["idempotency-key"]);
    assert.equal(keys.length, 3);
    assert.equal(new Set(keys).size, 1);
  });

  test("a start that is still at work is waited for", async () => {
    const inFlight = { type: "answer", status: 409, body: '{"code":"idempotency_in_flight"}' } as const;
    const choose: Choose = ({ number }) => (number === 0 ? inFlight : toAnswer(STARTED));
    await using server = await new LogServer([], choose).listen();
    assert.deepEqual(toPlain(await toClient(server).start("hello", "hi")), STARTED);
  });

  test("two starts have two keys, unless the caller gives one", async () => {
    await using server = await new LogServer([], () => toAnswer(STARTED)).listen();
    const client = toClient(server);
    await client.start("hello", "hi");
    await client.start("hello", "hi");
    await client.start("hello", "hi", { idempotencyKey: "mine" });
    const keys = server.received.map(({ headers }) => headers["idempotency-key"]);
    assert.equal(new Set(keys).size, 3);
    assert.equal(keys[2], "mine");
  });

  test("a server that stays busy is given up after five tries, one that says no after the first", async () => {
    for (const [status, tries] of [
      [503, 5],
      [422, 1],
    ] as const) {
      await using server = await new LogServer([], () => ({ type: "answer", status })).listen();
      await assert.rejects(toClient(server).start("hello", "hi"), { status });
      assert.equal(server.received.length, tries);
    }
  });

  test("a caller that tells a person at once sends a start a single time", async () => {
    await using server = await new LogServer([], () => ({ type: "answer", status: 503 })).listen();
    await assert.rejects(toClient(server).start("hello", "hi", { tries: 1 }), { status: 503 });
    assert.equal(server.received.length, 1);
  });

  test("an abort is thrown as it is, and nothing is tried again", async () => {
    await using server = await new LogServer([], () => ({ type: "mute" })).listen();
    const controller = new AbortController();
    const starting = toClient(server).start("hello", "hi", { abort: controller.signal });
    while (server.received.length === 0) await new Promise(setImmediate);
    controller.abort(new RangeError("enough"));
    await assert.rejects(starting, { name: "RangeError", message: "enough" });
    assert.equal(server.received.length, 1);
  });
});

test("what is followed is typed as core's events and can be folded", async () => {
  await using server = await new LogServer(STORY).listen();
  const events: RunEvent[] = await Array.fromAsync(toClient(server).follow("r1"));
  const [first] = events;
  const started: EventBodyOf<"run.started"> | undefined = first?.type === "run.started" ? first : undefined;
  assert.equal(started?.crew, "hello");
  assert.equal(fold(events).outcome, "done");
});

test("the view of a run has what its agents are doing", async () => {
  await using server = await new LogServer(STORY).listen();
  const run = openFold();
  const seen: (AgentState | undefined)[] = [];
  for await (const event of toClient(server).follow("r1")) {
    run.add([event]);
    seen.push(run.view.agents.get("a"));
  }
  assert.deepEqual(seen, [undefined, "thinking", ..."streaming ".repeat(3).trim().split(" "), "finished", "finished"]);
});

test("neither the engine nor anything of Node comes along into a browser", () => {
  const files = [...reach(join(import.meta.dirname, "index.ts"), new Set())];
  const names = files.map((file) => file.split("/").slice(-2).join("/"));
  assert.ok(names.includes("words/fold.ts"));
  assert.deepEqual(
    files.filter((file) => file.startsWith("node:")),
    [],
  );
  for (const name of ["index.ts", "engine/", "loop/", "ports/"]) {
    assert.ok(!files.some((file) => file.includes(`core/src/${name}`)), name);
  }
});

/** The files that are loaded with a file; imports of types are not. */
function reach(file: string, seen: Set<string>): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  if (file.startsWith("node:")) return seen;
  const statements = readFileSync(file, "utf8").matchAll(/^(?:import|export) (?!type\b)[^;"]*? from "([^"]+)";$/gm);
  for (const [, name = ""] of statements) {
    reach(name.startsWith(".") ? join(dirname(file), name) : createRequire(file).resolve(name), seen);
  }
  return seen;
}

function toClient({ url }: LogServer): Client {
  return createClient({ url, backoff: { minMs: 0, maxMs: 0 } });
}

function toAnswer(value: unknown): Conduct {
  return { type: "answer", status: 200, ...(value === undefined ? {} : { body: JSON.stringify(value) }) };
}

/** A started run without the handle's methods. */
function toPlain({ id, short_id }: { readonly id: string; readonly short_id: string }) {
  return { id, short_id };
}
