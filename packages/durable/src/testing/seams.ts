/**
 * Seams: a crew with a program that looks and decides, a sub-crew that asks the user, an output that is corrected, notes
 * of all of them, and a crew that runs after it.
 */
import { defineCrew, defineProgram, defineTool, type Model, type RunEvent, scriptModel } from "@baton/core";
import { of } from "@baton/core/testing";
import { z } from "zod";

const SCRIPT = {
  asker: [{ say: "Which colour?" }, { say: "Noted. [GO]" }],
  closer: [{ say: "The colour is known." }],
  writer: [{ say: "no json" }, { say: '{"answer": "green tea"}' }],
  scribe: [{ say: "Filed." }],
};

/** Says what its script says, with a note for each reply. */
export const seamsModel: Model = {
  name: "script",
  async *stream(prompt, scope) {
    const reply = scriptModel(SCRIPT).stream(prompt, scope);
    yield [{ type: "note", kind: "spoke", data: { agent: prompt.agent, messages: prompt.messages.length } }];
    // Long enough for what was said before to be written.
    await scope.sleep(1);
    yield* reply;
  },
};

/** Looks something up in its first step, and decides in its second, by what it found and what it kept. */
const classify = defineProgram(({ results, state }) => {
  if (results.length === 0) {
    const notes = [{ kind: "intent", data: "looks" }];
    return { call: [{ tool: "Look", args: {} }], set: { topic: "tea", round: 1 }, state: "looked", notes };
  }
  const output = { kind: state === "looked" ? "ask" : "lost" };
  return {
    say: "I ask.",
    output,
    set: { round: 2, found: results[0]?.output ?? null },
    notes: [{ kind: "intent", data: "asks" }],
  };
});

const look = defineTool({
  name: "Look",
  description: "Looks.",
  effect: "read",
  input: z.object({}),
  run: async (_, { note, state, scope }) => {
    await scope.sleep(1);
    note("looked", "once");
    state.set("shelf", "full");
    return "a definitions of tea";
  },
});

const inner = defineCrew({
  name: "inner",
  agents: [{ id: "asker" }, { id: "closer", isTerminal: true }],
  signals: { asker: [{ signal: "[GO]", target: "closer" }] },
  behaviors: { asker: { waitForSignal: true } },
});

/** The crew; its run pauses once, for a message. */
export const seams = defineCrew({
  name: "seams",
  agents: [
    { id: "sorter", model: { name: "code/classify" }, tools: ["Look"], audience: "crew", output: toSchema("kind") },
    {
      id: "writer",
      systemPrompt: "About {{state.topic}} ({{state.round}}, {{state.definitions}}).",
      output: toSchema("answer"),
      isTerminal: true,
    },
  ],
  tools: [look],
  programs: { classify },
  signals: { sorter: [{ when: { kind: "ask" }, target: "inner", returnTo: "writer" }] },
  subCrews: { inner },
  after: defineCrew({ name: "notes", agents: [{ id: "scribe", isTerminal: true }] }),
});

function toSchema(name: string) {
  return { type: "object", properties: { [name]: { type: "string" } }, required: [name] } as const;
}

/** Events that must be the same, however often the process died. */
export function toFacts(events: readonly RunEvent[]) {
  return {
    steps: of(events, "step.ended").map(({ step, text, set, output, state }) => [step, text, set, output, state]),
    notes: of(events, "note.made").map(({ kind, of: position, data }) => [kind, position, data]),
    calls: of(events, "call.ended").map(({ call, output, state }) => [call, output, state]),
    turns: of(events, "turn.ended").map(({ turn, text, output }) => [turn, text, output]),
    asked: of(events, "question.opened").map(({ question, kind }) => [question, kind]),
    answers: of(events, "question.answered").map(({ question, value }) => [question, value]),
    handoffs: of(events, "handoff.made").map(({ from, to, via, count }) => [from, to, via, count]),
    warnings: of(events, "warning.raised").map(({ text }) => text),
    end: of(events, "run.ended").map(({ outcome, text, output }) => [outcome, text, output]),
  };
}
