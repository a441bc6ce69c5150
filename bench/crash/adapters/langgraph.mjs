// LangGraph.js with SqliteSaver and durability "sync", its strictest. Approval by interrupt() in the tool, resumed by Command.
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Command, interrupt } from "@langchain/langgraph";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { z } from "zod";
import { answerCommands, askModel, folder, instructions, question, useTool } from "./adapter.mjs";

class WorldModel extends BaseChatModel {
  _llmType() {
    return "world";
  }
  bindTools() {
    return this;
  }
  async _generate(messages) {
    const reply = await askModel(
      messages.filter((message) => message.getType() === "tool").map((message) => message.name),
    );
    const tool_calls =
      reply.call === undefined ? [] : [{ id: `call-${reply.call}`, name: reply.call, args: reply.args }];
    return {
      generations: [{ text: reply.text ?? "", message: new AIMessage({ content: reply.text ?? "", tool_calls }) }],
    };
  }
}
const schema = z.object({ order: z.string() });
const define = (name, before) =>
  tool(
    async (args) => {
      before?.();
      return JSON.stringify(await useTool(name, args));
    },
    { name, description: name, schema },
  );
const approval = () => {
  if (interrupt({ approve: "refund" }) !== "allow") throw new Error("denied");
};
const graph = createReactAgent({
  llm: new WorldModel({}),
  tools: [define("lookupOrder"), define("refund", approval), define("sendMail")],
  prompt: instructions,
  checkpointer: SqliteSaver.fromConnString(`${folder}/langgraph.db`),
});
const config = { configurable: { thread_id: "customer-1" }, durability: "sync" };

const stateOf = async () => {
  const { next, tasks, values } = await graph.getState(config);
  if (tasks.some((task) => task.interrupts.length > 0)) return { state: "paused" };
  return next.length > 0 ? { state: "interrupted" } : { state: "ended", text: String(values.messages.at(-1).content) };
};
const run = async (input) => {
  await graph.invoke(input, config);
  return stateOf();
};
answerCommands({
  start: () => run({ messages: [new HumanMessage(question)] }),
  recover: async () => {
    const { values } = await graph.getState(config);
    if (values.messages === undefined) return { state: "nothing" };
    const state = await stateOf();
    return state.state === "interrupted" ? run(null) : state;
  },
  say: (text) =>
    graph.invoke({ messages: [new HumanMessage(text)] }, { ...config, configurable: { thread_id: "talk" } }),
  approve: () => run(new Command({ resume: "allow" })),
});
