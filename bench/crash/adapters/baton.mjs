// Baton: openBaton on SQLite. A tool says whether it can be repeated; the rest follows from that.
import { defineCrew, defineTool, openBaton } from "@baton/baton";
import { z } from "zod";
import { answerCommands, askModel, folder, instructions, question, useTool } from "./adapter.mjs";

const input = z.object({ order: z.string() });
const tool = (name, effect) =>
  defineTool({ name, description: name, effect, input, run: (args) => useTool(name, args) });
const crew = defineCrew({
  name: "refunds",
  agents: [{ id: "clerk", systemPrompt: instructions, tools: ["lookupOrder", "refund", "sendMail"], isTerminal: true }],
  tools: [tool("lookupOrder", "read"), tool("refund", "irreversible"), tool("sendMail", "idempotent")],
});
const model = {
  name: "world",
  async *stream(prompt) {
    const reply = await askModel(
      prompt.messages.filter((message) => message.role === "tool").map((message) => message.tool),
    );
    for (const word of reply.text?.split(" ") ?? []) yield [{ type: "text", text: `${word} ` }];
    if (reply.text === undefined) yield [{ type: "call", tool: reply.call, args: JSON.stringify(reply.args) }];
    yield [
      { type: "end", finish: reply.text === undefined ? "calls" : "stop", usage: { inputTokens: 1, outputTokens: 1 } },
    ];
  },
};
const baton = await openBaton({ data: folder, model, crews: [crew], envFile: false });

const stateOf = async (run) => {
  const { outcome, content, questions, error } = await run.result;
  if (outcome === "done") return { state: "ended", text: content };
  if (outcome !== "paused") return { state: "failed", message: error?.message ?? outcome };
  return { state: questions[0].kind === "doubt" ? "doubt" : "paused" };
};
const answer = async (value) => {
  const [{ id }] = await baton.runs();
  const run = await baton.open(id);
  const { questions } = await run.result;
  if (questions.length > 0) await run.answer(questions[0].question, value);
  return stateOf(run);
};
answerCommands({
  start: () => stateOf(baton.start(crew, question)),
  recover: async () => {
    const [record] = await baton.runs();
    return record === undefined ? { state: "nothing" } : stateOf(await baton.open(record.id));
  },
  say: async (text) => (await baton.start(crew, text, { session: "talk" }).result).content,
  approve: () => answer("allow"),
  doubt: (value) => answer(value),
});
