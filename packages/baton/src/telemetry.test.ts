import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { startCollector } from "@baton/server/telemetry/testing";
import { defineCrew, defineTool, openBaton, scriptModel } from "./index.ts";

const add = defineTool({
  name: "add",
  description: "Adds.",
  effect: "read",
  input: z.object({ a: z.number() }),
  run: () => ({ sum: 3, key: "sk-secret-0123456789" }),
});
const crew = defineCrew({ name: "desk", agents: [{ id: "host", isTerminal: true, tools: ["add"] }], tools: [add] });
const model = scriptModel({
  host: [{ say: "One moment.", call: [{ tool: "add", args: { a: 1 } }] }, { say: "Three." }],
});

test("a program without a server sends the spans of its runs, under each other, without texts", async () => {
  await using collector = await startCollector();
  {
    await using baton = await openBaton({
      store: "memory",
      model,
      telemetry: { otlp: collector.url, serviceName: "tea" },
    });
    const run = baton.start(crew, "How much?", { session: "s" });
    assert.equal((await run.result).outcome, "done");
  }
  const byName = new Map(collector.spans.map((span) => [span.name, span]));
  const [workflow, agent] = [byName.get("invoke_workflow desk"), byName.get("invoke_agent host")];
  const [chat, tool] = [byName.get("chat script"), byName.get("execute_tool add")];
  assert.equal(agent?.parentSpanId, workflow?.spanId);
  assert.equal(chat?.parentSpanId, agent?.spanId);
  assert.equal(tool?.parentSpanId, agent?.spanId);
  assert.equal(workflow?.attributes["gen_ai.conversation.id"], "s");
  assert.equal(collector.resources[0]?.["service.name"], "tea");
  assert.ok(collector.metrics.includes("gen_ai.client.token.usage"));
  const attributes = collector.spans.flatMap((span) => Object.keys(span.attributes));
  assert.ok(!attributes.some((name) => name.includes("messages") || name.includes("arguments")));
});

test("texts are sent if they are asked for, without secrets", async () => {
  await using collector = await startCollector();
  {
    const env = { OPENAI_API_KEY: "sk-secret-0123456789" };
    const telemetry = { otlp: collector.url, content: true };
    await using baton = await openBaton({ store: "memory", model, env, telemetry });
    await baton.start(crew, "How much?").result;
  }
  const all = JSON.stringify(collector.spans);
  assert.ok(!all.includes("sk-secret"));
  const chat = collector.spans.find(({ name }) => name === "chat script");
  assert.match(chat?.attributes["gen_ai.input.messages"] ?? "", /How much\?/);
  assert.match(chat?.attributes["gen_ai.output.messages"] ?? "", /One moment\./);
  const tool = collector.spans.find(({ name }) => name === "execute_tool add");
  assert.equal(tool?.attributes["gen_ai.tool.call.arguments"], '{"a":1}');
  assert.match(tool.attributes["gen_ai.tool.call.result"] ?? "", /"sum":3/);
});

test("runs go out as files, come in again and are rated", async () => {
  await using baton = await openBaton({ store: "memory", model });
  await using other = await openBaton({ store: "memory", model });
  const run = baton.start(crew, "How much?");
  await run.result;
  const lines = await Array.fromAsync(baton.exportRun(run.id));
  assert.equal(await other.importRun(lines), run.id);
  assert.notEqual(await baton.importRun(lines), run.id);
  await other.feedback(run.id, { rating: "up", comment: "Right" });
  assert.deepEqual(
    (await other.runs({ feedback: "up" })).map(({ id }) => id),
    [run.id],
  );
  assert.equal((await other.open(run.id)).id, run.id);
  await other.feedback(run.id, { rating: null });
  assert.equal((await other.runs({ feedback: "any" })).length, 0);
  await assert.rejects(other.feedback("nobody", { rating: "up" }), { code: "not_found" });
  await assert.rejects(other.importRun(lines.slice(0, -1)), { code: "damaged", message: /^line \d+ / });
});
