/**
 * A crew of two: the receptionist decides who answers, the timekeeper looks things up. Errors are found before it runs:
 * npx baton check crew.ts
 */
import { defineCrew } from "@baton/core";
import tools from "../yaml/tools.ts";

export default defineCrew({
  name: "my-crew",
  description: "Says hello, and what time it is anywhere.",
  // What somebody could ask; `npx baton run crew.ts` without an input shows this list.
  examples: ["What time is it in Hanoi?", "Good morning!"],
  agents: [
    {
      id: "receptionist",
      name: "Ada",
      role: "Greets people and finds out what they need",
      systemPrompt: `You are {{name}}. {{role}}.
If somebody asks for the time anywhere, say in one sentence what they want to know and end with [TIME].
Otherwise answer in one or two friendly sentences and end with [DONE].`,
    },
    {
      id: "timekeeper",
      name: "Emil",
      role: "Knows what time it is everywhere",
      isTerminal: true, // the run ends with its answer
      tools: ["GetTime"],
      systemPrompt: `You are {{name}}. {{role}}.
Find out the time zone of the place in question, call GetTime with it, and answer in one sentence.`,
    },
  ],
  tools,
  signals: {
    receptionist: [
      { signal: "[TIME]", target: "timekeeper", description: "Somebody wants to know the time." },
      { signal: "[DONE]", target: "", description: "Everything is said." },
    ],
  },
  // With no provider's key set, answers come from script.yaml. To let a model answer, set OPENAI_API_KEY, ANTHROPIC_API_KEY
  // or GEMINI_API_KEY in .env. To choose the model yourself (or ollama/qwen3, which needs no key):
  // model: { name: "openai/gpt-5-mini" },
});
