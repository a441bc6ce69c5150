/**
 * Plan: a program that calls every tool that is ready, looks at the results, and goes on with what they allow.
 *
 * Run it with `npx node examples/plan.ts`: no model is used at all.
 */
import { defineCrew, defineProgram, defineTool, Engine, scriptModel, ToolError } from "@baton/core";
import { z } from "zod";

/** A task, and the tasks that must be done before it. */
const TASKS = [
  { tool: "BoilWater", needs: [] },
  { tool: "GrindBeans", needs: [] },
  { tool: "BrewCoffee", needs: ["BoilWater", "GrindBeans"] },
  { tool: "ToastBread", needs: [] },
  { tool: "ServeToast", needs: ["ToastBread"] },
];

/** The same for all: one of them fails. */
const tools = TASKS.map(({ tool }) =>
  defineTool({
    name: tool,
    description: `Does ${tool}.`,
    effect: "read",
    input: z.object({}),
    run: () => {
      if (tool === "ToastBread") throw new ToolError("permanent", "the toaster is broken");
      return `${tool} is done`;
    },
  }),
);

const Progress = z.object({ done: z.array(z.string()), failed: z.array(z.string()) });

const plan = defineProgram(({ state = { done: [], failed: [] }, results }) => {
  const before = Progress.parse(state);
  const done = [...before.done, ...results.filter(({ error }) => error === undefined).map(({ tool }) => tool)];
  const failed = [...before.failed, ...results.filter(({ error }) => error !== undefined).map(({ tool }) => tool)];
  const open = TASKS.filter(({ tool }) => !done.includes(tool) && !failed.includes(tool));
  const ready = open.filter(({ needs }) => needs.every((need) => done.includes(need)));
  // What is kept in `state` comes back in the next step, also after a crash.
  if (ready.length > 0) return { call: ready.map(({ tool }) => ({ tool })), state: { done, failed } };
  const leftOut = open.map(({ tool }) => tool);
  return { say: `Done: ${done.join(", ")}. Failed: ${failed.join(", ")}. Left out: ${leftOut.join(", ")}.` };
});

const crew = defineCrew({
  name: "breakfast",
  tools,
  programs: { plan },
  agents: [{ id: "cook", model: { name: "code/plan" }, tools: TASKS.map(({ tool }) => tool), isTerminal: true }],
});

await using engine = new Engine({ model: () => scriptModel({}) });
const run = engine.start(crew, { input: "Breakfast, please." });
for await (const event of run.events()) {
  if (event.type === "step.ended")
    console.log(`${event.step}: ${event.calls.map(({ tool }) => tool).join(" + ") || event.text}`);
}
