// AI SDK alone: generateText with toolApproval; messages are kept when a call ends, as its guide on persistence shows.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { generateText, isStepCount, tool } from "ai";
import { z } from "zod";
import { answerCommands, askModel, folder, instructions, question, useTool } from "./adapter.mjs";

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const model = {
  specificationVersion: "v4",
  provider: "world",
  modelId: "world",
  supportedUrls: {},
  async doGenerate({ prompt }) {
    const results = prompt.filter((message) => message.role === "tool").flatMap((message) => message.content);
    const reply = await askModel(results.filter((part) => part.type === "tool-result").map((part) => part.toolName));
    const content =
      reply.call === undefined
        ? { type: "text", text: reply.text }
        : {
            type: "tool-call",
            toolCallId: `call-${reply.call}`,
            toolName: reply.call,
            input: JSON.stringify(reply.args),
          };
    const why = reply.call === undefined ? "stop" : "tool-calls";
    return { content: [content], finishReason: { unified: why, raw: why }, usage, warnings: [] };
  },
};
const inputSchema = z.object({ order: z.string() });
const define = (name) => tool({ description: name, inputSchema, execute: (args) => useTool(name, args) });
const tools = { lookupOrder: define("lookupOrder"), refund: define("refund"), sendMail: define("sendMail") };
const file = `${folder}/messages.json`;
const load = () => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : []);
const save = (messages) => writeFileSync(file, JSON.stringify(messages));
const requestIn = (messages) => messages.at(-1)?.content.find?.((part) => part.type === "tool-approval-request");

const proceed = async (messages) => {
  const options = { model, tools, instructions, messages, stopWhen: isStepCount(10) };
  const result = await generateText({ ...options, toolApproval: { refund: "user-approval" } });
  const all = [...messages, ...result.responseMessages];
  save(all);
  return requestIn(all) === undefined ? { state: "ended", text: result.text } : { state: "paused" };
};
answerCommands({
  start: () => proceed([{ role: "user", content: question }]),
  recover: async () => ({ state: requestIn(load()) === undefined ? "nothing" : "paused" }),
  say: (text) => proceed([...load(), { role: "user", content: text }]),
  approve: () => {
    const messages = load();
    const { approvalId } = requestIn(messages);
    return proceed([
      ...messages,
      { role: "tool", content: [{ type: "tool-approval-response", approvalId, approved: true }] },
    ]);
  },
});
