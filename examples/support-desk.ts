/**
 * Support desk: three agents with tools, a group, a pause and a resume, in one file.
 *
 * Run it with `npx node examples/support-desk.ts`: no key, the replies come from a script.
 */
import { defineCrew, defineTool, Engine, type Run, scriptModel } from "@baton/core";
import { z } from "zod";

const lookUp = defineTool({
  name: "LookUp",
  description: "What the shop knows of an order.",
  effect: "read",
  input: z.object({ order: z.string() }),
  run: ({ order }) => ({ order, item: "teapot", state: "shipped" }),
});

const crew = defineCrew({
  name: "support-desk",
  agents: [
    {
      id: "desk",
      systemPrompt:
        "Ask which order it is. Then end with [CHECK]. When the checks are back, answer and end with [DONE].",
    },
    { id: "orders", systemPrompt: "Look the order up, and say what you found in one line.", tools: ["LookUp"] },
    { id: "mood", systemPrompt: "Say in three words how the customer feels." },
  ],
  tools: [lookUp],
  signals: {
    desk: [
      { signal: "[CHECK]", target: "checks" },
      { signal: "[DONE]", target: "" },
    ],
  },
  behaviors: { desk: { waitForSignal: true } },
  groups: { checks: { agents: ["orders", "mood"], nextAgent: "desk" } },
});

const model = scriptModel({
  desk: [{ say: "Which order is it?" }, { say: "One moment. [CHECK]" }, { say: "It is on its way. [DONE]" }],
  orders: [{ call: [{ tool: "LookUp", args: { order: "O-17" } }] }, { say: "O-17: a teapot, shipped." }],
  mood: [{ say: "Impatient, but kind." }],
});

const show = async (run: Run, after = 0) => {
  for await (const event of run.events({ after })) {
    if (event.type === "turn.ended") console.log(`${event.agent}: ${event.text}`);
    if (event.type === "call.ended") console.log(`  ${event.tool} → ${JSON.stringify(event.output)}`);
    if (event.type === "run.paused" || event.type === "run.ended") return event.seq;
  }
};

await using engine = new Engine({ model: () => model });
const run = engine.start(crew, { input: "Where is my order?" });
const seen = await show(run);
await run.resume("It is O-17.");
await show(run, seen);
