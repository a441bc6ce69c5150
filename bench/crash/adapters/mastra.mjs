// Mastra: a durable agent on LibSQLStore with recovery "auto", which keeps every step of a running agent; approval by the tool.
import { Mastra } from "@mastra/core";
import { Agent } from "@mastra/core/agent";
import { createDurableAgent } from "@mastra/core/agent/durable";
import { createTool } from "@mastra/core/tools";
import { LibSQLStore } from "@mastra/libsql";
import { z } from "zod";
import { answerCommands, askModel, folder, instructions, question, useTool } from "./adapter.mjs";

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const model = {
  specificationVersion: "v4",
  provider: "world",
  modelId: "world",
  supportedUrls: {},
  doGenerate: () => Promise.reject(new Error("not used")),
  async doStream({ prompt }) {
    const results = prompt.filter((message) => message.role === "tool").flatMap((message) => message.content);
    const reply = await askModel(results.filter((part) => part.type === "tool-result").map((part) => part.toolName));
    const parts =
      reply.call === undefined
        ? [
            { type: "text-start", id: "1" },
            { type: "text-delta", id: "1", delta: reply.text },
            { type: "text-end", id: "1" },
          ]
        : [
            {
              type: "tool-call",
              toolCallId: `call-${reply.call}`,
              toolName: reply.call,
              input: JSON.stringify(reply.args),
            },
          ];
    const why = reply.call === undefined ? "stop" : "tool-calls";
    const finish = { type: "finish", finishReason: { unified: why, raw: why }, usage };
    return { stream: ReadableStream.from([{ type: "stream-start", warnings: [] }, ...parts, finish]) };
  },
};
const inputSchema = z.object({ order: z.string() });
const define = (id, requireApproval) =>
  createTool({ id, description: id, inputSchema, requireApproval, execute: (args) => useTool(id, args) });
const tools = {
  lookupOrder: define("lookupOrder", false),
  refund: define("refund", true),
  sendMail: define("sendMail", false),
};
const agent = new Agent({ id: "clerk", name: "clerk", instructions, model, tools });
const clerk = createDurableAgent({ agent });
const storage = new LibSQLStore({ id: "store", url: `file:${folder}/mastra.db` });
const mastra = new Mastra({ logger: false, storage, recovery: { durableAgents: "auto" }, agents: { clerk } });
await storage.init();

const follow = async (result) => {
  const output = result.output ?? result;
  for await (const chunk of output.fullStream) {
    if (chunk.type === "tool-call-approval") return { state: "paused" };
    if (chunk.type === "error") throw chunk.payload.error;
  }
  return { state: "ended", text: await output.text };
};
const suspended = async () => (await clerk.listSuspendedRuns()).runs[0];
answerCommands({
  start: async () => follow(await clerk.stream(question, { closeOnSuspend: true })),
  recover: async () => {
    if ((await suspended()) !== undefined) return { state: "paused" };
    const { recovered, failed } = await mastra.recoverAllDurableAgents();
    if ((await suspended()) !== undefined) return { state: "paused" };
    if (recovered === 0) return { state: "nothing" };
    return failed === 0 ? { state: "ended" } : { state: "failed", message: "the recovery failed" };
  },
  say: async (text) => follow(await clerk.stream(text, { memory: { thread: "talk", resource: "customer-1" } })),
  approve: async () => follow(await clerk.approveToolCall({ runId: (await suspended()).runId })),
});
