import assert from "node:assert/strict";
import { test } from "node:test";
import { SystemClock } from "@baton/core/ports";
import type { RunRecord } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { z } from "zod";
import { KeyRing } from "../gateway/keys.ts";
import { toAgentFigures, toFigures, toMinutes, toToolFigures } from "../runs/overview.ts";
import { RELAY, WAITS } from "../testing/crews.ts";
import { startTestServer } from "../testing/test-server.ts";

const SHAPE = z.looseObject({ of: z.string(), minutes: z.array(z.looseObject({ runs: z.int() })), total: z.unknown() });

const recordOf = (id: string, more: Partial<RunRecord> = {}): RunRecord => ({
  id,
  tenant: "t",
  user: "ann",
  crew: "hello",
  definition: "d",
  status: "ended",
  outcome: "done",
  request: null,
  input: "",
  agent: "a",
  turns: 1,
  steps: 1,
  calls: 0,
  inputTokens: 10,
  outputTokens: 5,
  costUsd: 0.5,
  questions: [],
  createdAt: 0,
  updatedAt: 1_000,
  ...more,
});

test("runs count in the minute in which they were created", () => {
  const now = 600_000 + 30_000;
  const records = [recordOf("a", { createdAt: 600_000 }), recordOf("b", { createdAt: 599_999 }), recordOf("c")];
  const minutes = toMinutes(records, now, 3);
  assert.deepEqual(
    minutes.map(({ at, runs }) => [at, runs]),
    [
      ["1970-01-01T00:08:00.000Z", 0],
      ["1970-01-01T00:09:00.000Z", 1],
      ["1970-01-01T00:10:00.000Z", 1],
    ],
  );
});

test("times are those of ended runs without their waits, and absent if there is none", () => {
  const times = [40, 10, 30, 20];
  const records = times.map((activeMs, index) => recordOf(`r${index}`, { activeMs, firstTextMs: activeMs / 10 }));
  const failed = recordOf("f", { outcome: "failed", activeMs: 1_000 });
  const figures = { ended: 5, done: 4, p50_ms: 30, p95_ms: 1_000, first_text_p95_ms: 4 };
  const running = recordOf("w", { status: "running", runningSince: 5, activeMs: 0 });
  assert.deepEqual(toFigures([...records, failed, running]), { runs: 6, ...figures, tokens: 90, cost_usd: 3 });
  assert.deepEqual(toFigures([]), { runs: 0, ended: 0, done: 0, tokens: 0, cost_usd: 0 });
});

test("tools and agents with the most errors come first", () => {
  const tool = (name: string, calls: number, errors: number) => ({ name, calls, errors, ms: calls * 10 });
  const agent = (name: string, errors: number) => ({ name, turns: 1, errors, tokens: 2, costUsd: 0.25 });
  const records = [
    recordOf("a", { tools: [tool("x", 5, 0), tool("y", 1, 1)], agents: [agent("one", 0)] }),
    recordOf("b", { tools: [tool("y", 1, 1)], agents: [agent("one", 1), agent("two", 0)] }),
    recordOf("c", { crew: "other", agents: [agent("one", 0)] }),
    recordOf("old"),
  ];
  assert.deepEqual(toToolFigures(records), [
    { name: "y", calls: 2, errors: 2, average_ms: 10 },
    { name: "x", calls: 5, errors: 0, average_ms: 10 },
  ]);
  assert.deepEqual(
    toAgentFigures(records, ({ crew }) => crew).map(({ crew, name, turns, errors }) => [crew, name, turns, errors]),
    [
      ["hello", "one", 2, 1],
      ["hello", "two", 1, 0],
      ["other", "one", 1, 0],
    ],
  );
});

test("an overview has the caller's runs, an admin's those of the tenant, and the same however often it is read", async () => {
  const database = openMemory();
  const keys = new KeyRing({ database, clock: new SystemClock(), isLoopback: true });
  const [ann, bob, admin] = await Promise.all([
    keys.create("t", ["run", "read"], { user: "ann" }),
    keys.create("t", ["run", "read"], { user: "bob" }),
    keys.create("t", ["read", "admin"], { user: "chief" }),
  ]);
  await using server = await startTestServer([RELAY, WAITS], { database, breakers: () => [["openai/x", true]] });
  const as = ({ key }: { key: string }) => ({ Authorization: `Bearer ${key}` });
  for (const [key, crew] of [
    [ann, "relay"],
    [ann, "waits"],
    [bob, "relay"],
  ] as const)
    await server.post("/api/runs", { crew, input: "hi" }, { ...as(key), Prefer: "wait" });
  const read = async (key: { key: string }, query = "") =>
    SHAPE.parse(await (await server.get(`/api/overview${query}`, as(key))).json());
  for (let times = 0; times < 2; times++) {
    const seen = await read(admin);
    assert.partialDeepStrictEqual(seen, { of: "tenant", total: { runs: 3, ended: 2, done: 2 } });
    assert.equal(seen.minutes.length, 60);
    assert.equal(
      seen.minutes.reduce((sum, { runs }) => sum + runs, 0),
      3,
    );
  }
  assert.partialDeepStrictEqual(await read(bob, "?minutes=5"), {
    of: "user",
    total: { runs: 1 },
    agents: [{ name: "first", crew: "relay" }, { name: "second" }],
    server: { open_streams: 0, breakers: [{ model: "openai/x", is_open: true }], store: { kind: "memory" } },
  });
  assert.equal((await server.get("/api/overview?minutes=0", as(ann))).status, 400);
  assert.equal((await server.get("/api/overview")).status, 401);
});
