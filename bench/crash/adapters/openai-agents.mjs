// OpenAI Agents SDK: an approval interrupts the run, whose RunState is kept as a string, as its guide on human in the loop says.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, RunState, Usage, run, setTracingDisabled, tool } from "@openai/agents";
import { z } from "zod";
import { answerCommands, askModel, folder, instructions, question, useTool } from "./adapter.mjs";

setTracingDisabled(true);
const model = {
  async getResponse({ input }) {
    const items = typeof input === "string" ? [] : input;
    const reply = await askModel(items.filter((item) => item.type === "function_call_result").map((item) => item.name));
    const output =
      reply.call === undefined
        ? {
            type: "message",
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text: reply.text }],
          }
        : {
            type: "function_call",
            callId: `call-${reply.call}`,
            name: reply.call,
            status: "completed",
            arguments: JSON.stringify(reply.args),
          };
    return { usage: new Usage({ inputTokens: 1, outputTokens: 1, totalTokens: 2 }), output: [output] };
  },
};
const parameters = z.object({ order: z.string() });
const define = (name, needsApproval) =>
  tool({ name, description: name, parameters, needsApproval, execute: (args) => useTool(name, args) });
const agent = new Agent({
  name: "clerk",
  instructions,
  model,
  tools: [define("lookupOrder", false), define("refund", true), define("sendMail", false)],
});
const file = `${folder}/state.json`;

const proceed = async (input) => {
  const result = await run(agent, input);
  if (result.interruptions.length === 0) {
    rmSync(file, { force: true });
    return { state: "ended", text: result.finalOutput };
  }
  writeFileSync(file, result.state.toString());
  return { state: "paused" };
};
const talk = `${folder}/talk.json`;

answerCommands({
  start: () => proceed(question),
  recover: async () => ({ state: existsSync(file) ? "paused" : "nothing" }),
  say: async (text) => {
    const history = existsSync(talk) ? JSON.parse(readFileSync(talk, "utf8")) : [];
    const result = await run(agent, [...history, { role: "user", content: text }]);
    writeFileSync(talk, JSON.stringify(result.history));
  },
  approve: async () => {
    const state = await RunState.fromString(agent, readFileSync(file, "utf8"));
    for (const item of state.getInterruptions()) state.approve(item);
    return proceed(state);
  },
});
