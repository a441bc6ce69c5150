import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { defineCrew, defineTool, ToolError } from "@baton/core";
import { z } from "zod";
import { GatedModel, SLOW } from "../testing/crews.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";

/** The values of metrics that have no labels. */
async function read(server: TestServer, ...names: readonly string[]): Promise<readonly number[]> {
  const lines = (await (await server.get("/metrics")).text()).split("\n");
  const find = (name: string) => lines.find((line) => line.startsWith(`baton_${name} `)) ?? assert.fail(name);
  return names.map((name) => Number(find(name).split(" ")[1]));
}

/** Waits until metrics have these values. */
async function until(server: TestServer, values: Readonly<Record<string, number>>): Promise<void> {
  const wanted = Object.values(values);
  const isThere = (seen: readonly number[]) => seen.every((value, index) => value === wanted[index]);
  while (!isThere(await read(server, ...Object.keys(values)))) await setImmediate();
}

test("of two calls with one permit one is active and one queued, and each has waited once, retries or not", async () => {
  const gate = Promise.withResolvers<void>();
  const look = defineTool({
    name: "look",
    description: "Looks, when it is told to, at the second try.",
    effect: "read",
    input: z.object({}),
    async run(_, { attempt }) {
      await gate.promise;
      if (attempt === 1) throw new ToolError("temporary", "not yet");
      return "seen";
    },
  });
  const crew = defineCrew({
    name: "looks",
    agents: [{ id: "a", tools: ["look"], isTerminal: true }],
    tools: [look],
    settings: { maxParallelCalls: 1, retryMinMs: 0, retryMaxMs: 0 },
  });
  const call = [
    { tool: "look", args: {} },
    { tool: "look", args: {} },
  ];
  await using server = await startTestServer([{ crew, script: { a: [{ call }, { say: "Done." }] } }]);
  const started = await server.post("/api/runs", { input: "hello" });
  await until(server, { active_tool_calls: 1, queued_tool_calls: 1, active_agents: 1, active_runs: 1 });
  gate.resolve();
  await (await server.get(`/api/runs/${started.headers.get("x-run-id")}/events`)).text();
  await until(server, { active_tool_calls: 0, queued_tool_calls: 0, active_agents: 0, active_runs: 0 });
  const text = await (await server.get("/metrics")).text();
  assert.match(text, /baton_tool_queue_wait_seconds_count\{tool="look"\} 2\n/);
  assert.match(text, /baton_tool_retries_total\{tool="look"\} 2\n/);
});

test("messages that a run has not heard fill its mailbox", async () => {
  const model = new GatedModel();
  await using server = await startTestServer([SLOW], { model: () => model });
  const started = await server.post("/api/runs", { input: "hello" });
  const path = `/api/runs/${started.headers.get("x-run-id")}/commands`;
  assert.deepEqual(await read(server, "mailbox_depth", "mailbox_fill"), [0, 0]);
  for (let n = 0; n < 8; n++) await server.post(path, { type: "say", text: `more ${n}` });
  assert.deepEqual(await read(server, "mailbox_depth", "mailbox_fill"), [8, 0.25]);
  model.end();
});
