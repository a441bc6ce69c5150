import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { ASKS, RELAY } from "../testing/crews.ts";
import { sentOf } from "../testing/sent.ts";
import { startTestServer } from "../testing/test-server.ts";

test("crews are listed and shown with their routing, graph and findings, and tools with their schemas", async () => {
  await using server = await startTestServer([RELAY, ASKS]);
  assert.partialDeepStrictEqual(await sentOf(await server.get("/api/crews")), {
    crews: [
      { id: "relay", agents: ["first", "second"], examples: ["Hello?", "Who is next?"] },
      { id: "asks", examples: [] },
    ],
  });
  assert.partialDeepStrictEqual(await sentOf(await server.get("/api/crews/relay")), {
    entry: { kind: "agent", id: "first" },
    examples: ["Hello?", "Who is next?"],
    signals: [{ agent: "first", signal: "[NEXT]", target: "second" }],
    kind: "crew",
    agents: [{ id: "first", terminal: false, pause: false }, { id: "second" }],
    drawing: { boxes: [{ id: "first", marks: ["entry"] }, { id: "second" }, { id: "end" }] },
    worst_case: { handoffs: 1, is_exact: true },
    settings: { max_handoffs: 5, timeout_seconds: 300 },
    findings: [],
  });
  assert.equal((await server.get("/api/crews/nobody")).status, 404);
  assert.partialDeepStrictEqual(await sentOf(await server.get("/api/tools")), {
    tools: [
      {
        name: "erase",
        effect: "irreversible",
        crew: "asks",
        tags: ["files"],
        is_client: false,
        input_schema: { required: ["path"] },
      },
    ],
  });
});

const DOCUMENT = z.object({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ responses: z.record(z.string(), z.unknown()) }))),
});

test("every route is described from the schemas it validates with", async () => {
  await using server = await startTestServer([RELAY]);
  const { openapi, paths } = DOCUMENT.parse(await (await server.get("/openapi.json")).json());
  assert.equal(openapi, "3.1.0");
  assert.deepEqual(Object.keys(paths).toSorted(), [
    "/api/agui",
    "/api/chat",
    "/api/crew/stream",
    "/api/crews",
    "/api/crews/{id}",
    "/api/feed",
    "/api/keys",
    "/api/keys/{id}",
    "/api/log-level",
    "/api/me",
    "/api/models",
    "/api/overview",
    "/api/questions",
    "/api/runs",
    "/api/runs/import",
    "/api/runs/{id}",
    "/api/runs/{id}/calls/{call}",
    "/api/runs/{id}/commands",
    "/api/runs/{id}/crew",
    "/api/runs/{id}/events",
    "/api/runs/{id}/export",
    "/api/runs/{id}/feedback",
    "/api/runs/{id}/fork",
    "/api/runs/{id}/replay",
    "/api/runs/{id}/steps/{step}/prompt",
    "/api/session",
    "/api/sessions",
    "/api/sessions/{id}",
    "/api/sessions/{id}/cancel",
    "/api/sessions/{id}/export",
    "/api/sessions/{id}/messages",
    "/api/tools",
    "/api/ws",
    "/api/ws/tickets",
    "/health",
    "/metrics",
    "/openapi.json",
    "/ready",
    "/v1/chat/completions",
    "/v1/models",
    "/v1/models/{id}",
    "/v1/responses",
  ]);
  assert.partialDeepStrictEqual(paths["/api/crew/stream"]?.["post"]?.["requestBody"], {
    content: {
      "application/json": {
        schema: { required: ["query"], properties: { query: { type: "string", maxLength: 10_000 } } },
      },
    },
  });
  assert.partialDeepStrictEqual(paths["/api/runs/{id}/events"]?.["get"]?.["parameters"], [
    { name: "id", in: "path" },
    { name: "dialect", in: "query", schema: { enum: ["baton", "crew", "openai", "responses", "ui", "agui"] } },
  ]);
});

test("a server is alive and ready, and has numbers for machines and people", async () => {
  await using server = await startTestServer([RELAY]);
  assert.deepEqual(await sentOf(await server.get("/health")), { status: "ok" });
  assert.deepEqual(await sentOf(await server.get("/ready")), { status: "ready" });
  await server.post("/api/runs", { input: "hello" }, { Prefer: "wait" });
  const metrics = await server.get("/metrics");
  assert.match(metrics.headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/);
  assert.match(await metrics.text(), /http_requests_total\{.*route="\/api\/runs".*\} 1/);
  assert.equal((await server.get("/metrics?format=json")).status, 200);
  assert.equal((await server.get("/metrics?format=xml")).status, 400);
});

test("what is nowhere is a problem, everywhere", async () => {
  await using server = await startTestServer([RELAY]);
  for (const path of ["/nothing", "/api/nothing", "/api/runs/x/y"]) {
    const answer = await server.get(path);
    assert.equal(answer.status, 404);
    assert.equal(answer.headers.get("content-type"), "application/problem+json");
  }
});
