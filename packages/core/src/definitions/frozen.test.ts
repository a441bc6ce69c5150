/**
 * Values handed to a tool, a hook or a model cannot be changed by them: the log and the next prompt stay as they are.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew } from "./crew.ts";
import { Engine } from "../engine/engine.ts";
import type { Json } from "../words/json.ts";
import type { Message } from "../words/message.ts";
import type { Model } from "../ports/model.ts";
import type { PlainInput } from "../words/schema/schema.ts";
import { scriptModel } from "../ports/script.ts";
import { collect } from "../testing/crew-runs.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";
import { type CallContext, defineTool, type Tool } from "./tool.ts";

type Crew = ReturnType<typeof defineCrew>;

/** Does something to whatever it can reach. */
type Touch = (value: unknown) => void;

const leave: Touch = () => undefined;

/** Writes into a value and all in it. */
const spoil: Touch = (value) => {
  if (typeof value !== "object" || value === null) return;
  for (const part of value instanceof Map ? value.values() : Object.values(value)) spoil(part);
  for (const key of ["content", "role", "calls", "0", "spoilt"]) Reflect.set(value, key, "spoilt");
  if (Array.isArray(value)) Reflect.set(value, "length", 0);
};

const RUN = "r";
const vector = Array.from({ length: 40 }, (_, at) => at / 40);
/** Takes everything as it is, so that a tool gets the very arguments that the run has. */
const anything: PlainInput<Json> = { jsonSchema: { type: "object" }, validate: (value) => ({ ok: true, value }) };

/** A tool that touches what it gets, and what it gave before. */
function touching(touch: Touch, name: string, work: (input: Json, context: CallContext) => Json): Tool {
  const gave: Json[] = [];
  return defineTool({
    name,
    description: name,
    effect: "read",
    input: anything,
    permission: (args) => {
      if (name === "Keep") touch(args);
      return { decision: "allow" };
    },
    run: (input, context) => {
      const messages = context.messages;
      for (const reach of [input, messages, new Map(context.state.entries()), gave]) touch(reach);
      const output = work(input, context);
      context.progress(output);
      gave.push(output);
      return output;
    },
  });
}

const toCrew = (touch: Touch): Crew => {
  const keep = touching(touch, "Keep", (input, { state }) => {
    const kept = { list: [1, 2, 3], input };
    state.set("kept", kept);
    touch(kept);
    touch(state.get("kept"));
    return { vector: [...vector], kept: state.get("kept") ?? null };
  });
  const find = touching(touch, "Find", (_, { state }) => ({ kept: state.get("kept") ?? null }));
  return defineCrew({
    name: "c",
    agents: [{ id: "a", tools: ["Keep", "Find"], isTerminal: true }],
    tools: [keep, find],
  });
};

/** Runs a crew and keeps what was said, word for word, when it was said. */
async function play(tools: Touch, model: Touch) {
  const prompts: string[] = [];
  const vectors = { whole: `${RUN}/1.1.1/vector`, again: [`${RUN}/1.1.1/vector`] };
  const script = scriptModel({
    a: [
      { call: [{ tool: "Keep", args: { deep: [{ n: 1 }] } }] },
      { call: [{ tool: "Find", args: vectors }] },
      { call: [{ tool: "Find", args: vectors }] },
      { say: "ok" },
    ],
  });
  const spy: Model = {
    name: "spy",
    stream(prompt, scope) {
      prompts.push(JSON.stringify([prompt.messages, prompt.tools]));
      model([...prompt.tools]);
      return script.stream(prompt, scope);
    },
  };
  const history: Message[] = [
    { role: "user", content: "Before.", images: [{ mediaType: "image/png", data: "AAAA" }] },
    { role: "assistant", content: "Yes?" },
  ];
  const clock = new SimulatedClock(1);
  await using engine = new Engine({ clock, model: () => spy });
  const { events, outcome } = await clock.run(collect(engine.start(toCrew(tools), { input: "go", history, id: RUN })));
  assert.equal(outcome, "done");
  return { prompts, events: JSON.stringify(events), history: JSON.stringify(history) };
}

test("a tool and its hook change neither the log nor the next prompt by writing into what they are given", async () => {
  assert.deepEqual(await play(spoil, leave), await play(leave, leave));
});

test("a model does not change the tools of its next prompt by writing into those it is given", async () => {
  assert.deepEqual(await play(leave, spoil), await play(leave, leave));
});
