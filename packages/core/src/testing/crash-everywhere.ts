/**
 * Crash everywhere: a run that is interrupted after every single event of its log must come to the same end.
 */
import assert from "node:assert/strict";
import { z } from "zod";
import type { Crew } from "../definitions/definition.ts";
import { defineTool } from "../definitions/tool.ts";
import { Engine } from "../engine/engine.ts";
import { type RunResult, toResult } from "../handle/run-result.ts";
import { MemoryLog } from "../ports/memory-log.ts";
import type { Prompt } from "../ports/model.ts";
import { type ScriptEntry, scriptModel } from "../ports/script.ts";
import type { EventBody, RequestTool, RunEvent } from "../words/event.ts";
import { fold } from "../words/fold.ts";
import type { Json } from "../words/json.ts";

export type See = (prompt: Prompt) => void;

/** A crew with its replies, and what its user says when it waits. */
export interface Case {
  readonly crew: (see: See) => Crew;
  readonly replies?: { readonly [agent: string]: readonly ScriptEntry[] };
  readonly inputs?: readonly string[];
  /** What the request brings, and the result that the client gives for each call of its tools. */
  readonly tools?: readonly RequestTool[];
  readonly toResult?: (args: Json) => Json;
}

export interface Lived {
  readonly events: readonly RunEvent[];
  readonly result: RunResult;
  /** Prompts that models and programs were given, as text. */
  readonly prompts: readonly string[];
}

/** Lives a run to its end, from its start or from what a process that crashed has left. */
async function live(one: Case, left: readonly RunEvent[] = []): Promise<Lived> {
  const { crew: make, replies = {}, inputs = [], tools: brought = [] } = one;
  const prompts: string[] = [];
  const see: See = ({ agent, system, messages, tools, values, results, state }) => {
    const names = tools.map(({ name }) => name);
    prompts.push(JSON.stringify([agent, system, messages, names, [...values], results, state ?? null]));
  };
  const script = scriptModel(replies);
  const engine = new Engine({
    model: () => ({
      name: "script",
      stream(prompt, scope) {
        see(prompt);
        return script.stream(prompt, scope);
      },
    }),
    log: (clock, observer) => {
      const log = new MemoryLog(clock, observer);
      for (const event of left) log.open("r").append(event, event.lane);
      return log;
    },
  });
  const crew = make(see);
  let run =
    left.length === 0
      ? engine.start(crew, { input: "go", id: "r", tools: brought })
      : engine.adopt(crew, { id: "r", events: left });
  let result = await run.result;
  for (let said = countSaid(left); result.outcome === "paused" && said < inputs.length; said++) {
    run = engine.resume("r", inputs[said] ?? "");
    result = await run.result;
  }
  for (; brought.length > 0 && result.outcome === "paused"; result = await run.result) {
    const [open] = result.questions;
    const { question = "", args = null } = open ?? {};
    ({ run } = await run.command({ type: "answer", question, value: one.toResult?.(args) ?? null }));
  }
  return { events: await Array.fromAsync(run.events()), result, prompts };
}

/** Counts the messages that the user's process had brought before the crash. */
function countSaid(events: readonly RunEvent[]): number {
  return events.filter((event) =>
    event.type === "run.resumed" ? event.input !== undefined : event.type === "question.answered",
  ).length;
}

/** Facts that a log must have exactly once, whatever crashed. */
const LASTING: readonly EventBody["type"][] = [
  "turn.ended",
  "step.ended",
  "call.ended",
  "signal.matched",
  "handoff.made",
  "group.ended",
  "note.made",
  "question.answered",
  "run.ended",
];

const lasting = (events: readonly RunEvent[]) =>
  events
    .filter(({ type }) => LASTING.includes(type))
    .map(({ seq: _1, at: _2, run: _3, ...fact }) => JSON.stringify(fact))
    .toSorted();

/** Crashes after each event; what it comes to must be what it would have come to. */
export async function crashEverywhere(one: Case): Promise<Lived> {
  const whole = await live(one);
  assert.deepEqual(toResult(fold(whole.events)), whole.result);
  const given = new Set(whole.prompts);
  for (let seq = 1; seq < whole.events.length; seq++) {
    const last = whole.events[seq - 1];
    // A note is written together with the end of its step or call; a store never keeps one without the other.
    if (last?.type === "note.made") continue;
    const { events, result, prompts } = await live(one, whole.events.slice(0, seq));
    const at = `after event ${seq}, ${last?.type}`;
    assert.deepEqual(result, whole.result, at);
    assert.deepEqual(lasting(events), lasting(whole.events), at);
    for (const prompt of prompts) assert.ok(given.has(prompt), `${at}: nobody was given this before: ${prompt}`);
    assert.deepEqual(toResult(fold(events)), result, at);
  }
  return whole;
}

export const mark = defineTool({
  name: "Mark",
  description: "Marks a place.",
  effect: "read",
  input: z.object({ place: z.string() }),
  digest: (output) => `marked ${JSON.stringify(output)}`,
  run: ({ place }, { state, note }) => {
    if (place === "nowhere") throw new TypeError("there is no such place");
    state.set(`mark/${place}`, { place });
    note("marked", place);
    return { place };
  },
});
