/**
 * Live view: what is under way in a run and what a user is shown of it, from its events alone.
 *
 * A part of `fold`: what has started and not ended, text as it streams, the conversation, notes.
 */
import type { EventBodyOf, RunEvent, Stamp } from "./event.ts";
import { type AgentState, toAgentState, toStateKey } from "./agent-state.ts";
import type { Json } from "./json.ts";
import { partialJson } from "./schema/partial-json.ts";

/** An agent, or a sub-crew, that has the baton. */
export type OpenTurn = Readonly<{ turn: string; agent: string; lane: string; startedAt: number; crew?: string }>;

/** A model call that has not ended, and what it has said so far, signals included. */
export interface OpenStep {
  readonly step: string;
  readonly agent: string;
  readonly lane: string;
  readonly model: string;
  readonly startedAt: number;
  readonly text: string;
  /** Text before a call: it is not the answer. */
  readonly commentary: string;
  readonly reasoning: string;
  /** The text is JSON, not prose. */
  readonly isOutput: boolean;
}

/** A tool call that has not ended. */
export interface OpenCall {
  readonly call: string;
  readonly agent: string;
  readonly lane: string;
  readonly tool: string;
  readonly args: Json;
  readonly startedAt: number;
  readonly attempt: number;
  /** Number of its suspensions so far. */
  readonly round?: number;
  readonly progress?: Json;
}

/** Something that a user said, or is shown: `agent` is empty for what the user said. */
export type Shown = Readonly<{ seq: number; at: number; agent: string; lane: string; text: string }>;

/** A note, with its place in the log. */
export type Note = EventBodyOf<"note.made"> & Stamp;

/** Work under way, and text that was shown. */
export interface LiveView {
  readonly openTurns: ReadonlyMap<string, OpenTurn>;
  readonly openSteps: ReadonlyMap<string, OpenStep>;
  readonly openCalls: ReadonlyMap<string, OpenCall>;
  readonly conversation: readonly Shown[];
  readonly notes: readonly Note[];
  /** State of each agent, by its id or, in the lane of a child, by the lane. */
  readonly agents: ReadonlyMap<string, AgentState>;
  /** The beginning of the output that is being written, as far as it can be read; it is not validated. */
  readonly partialOutput: Json | undefined;
}

/** A live view as it grows. */
export interface LiveDraft extends LiveView {
  readonly openTurns: Map<string, OpenTurn>;
  readonly openSteps: Map<string, OpenStep>;
  readonly openCalls: Map<string, OpenCall>;
  readonly conversation: Shown[];
  readonly notes: Note[];
  readonly agents: Map<string, AgentState>;
  /** Turns whose text is for the crew alone. */
  readonly hidden: Set<string>;
}

/** Before the first event. */
export function toLiveDraft(): LiveDraft {
  return {
    openTurns: new Map(),
    openSteps: new Map(),
    openCalls: new Map(),
    conversation: [],
    notes: [],
    agents: new Map(),
    get partialOutput() {
      const open = this.openSteps.values().find(({ isOutput, lane }) => isOutput && lane === "");
      return open === undefined ? undefined : partialJson(open.text);
    },
    hidden: new Set(),
  };
}

/** Takes one event. */
export function applyLive(draft: LiveDraft, event: RunEvent): void {
  const { lane, at: startedAt } = event;
  const state = toAgentState(event);
  if (state !== undefined && "agent" in event) draft.agents.set(toStateKey(event), state);
  switch (event.type) {
    case "turn.started": {
      const { turn, agent, crew, audience } = event;
      draft.openTurns.set(turn, { turn, agent, lane, startedAt, ...(crew === undefined ? {} : { crew }) });
      if (audience === "crew" || crew !== undefined) draft.hidden.add(turn);
      return;
    }
    case "turn.ended":
      draft.openTurns.delete(event.turn);
      if (!draft.hidden.has(event.turn)) show(draft, event, { agent: event.agent, text: event.content ?? event.text });
      return;
    case "note.made":
      draft.notes.push(event);
      return;
    case "run.started":
    case "run.resumed":
      show(draft, event, { agent: "", text: event.input ?? "" });
      return;
    case "command.received":
      if (event.command.type === "say") show(draft, event, { agent: "", text: event.command.text });
      return;
    default:
      applyStep(draft, event);
      applyCall(draft, event);
  }
}

function show({ conversation }: LiveDraft, { seq, at, lane }: Stamp, said: Pick<Shown, "agent" | "text">): void {
  if (said.text !== "") conversation.push({ seq, at, lane, ...said });
}

function applyStep({ openSteps }: LiveDraft, event: RunEvent): void {
  if (event.type === "step.started") {
    // What a model answers when it is asked for a signal is not shown.
    if (event.correction !== undefined) return;
    const { step, agent, lane, model, at: startedAt, output: isOutput = false } = event;
    openSteps.set(step, { step, agent, lane, model, startedAt, text: "", commentary: "", reasoning: "", isOutput });
    return;
  }
  if (event.type === "step.ended") openSteps.delete(event.step);
  const open = "step" in event ? openSteps.get(event.step) : undefined;
  if (open === undefined) return;
  if (event.type === "step.retried") openSteps.set(open.step, { ...open, text: "", commentary: "", reasoning: "" });
  if (event.type === "args.delta" && open.text !== "") {
    openSteps.set(open.step, { ...open, text: "", commentary: open.commentary + open.text });
  }
  if (event.type === "text.delta") openSteps.set(open.step, { ...open, text: open.text + event.text });
  if (event.type === "reasoning.delta") openSteps.set(open.step, { ...open, reasoning: open.reasoning + event.text });
}

function applyCall({ openCalls }: LiveDraft, event: RunEvent): void {
  if (event.type === "call.started") {
    const { call, agent, lane, tool, args, at: startedAt } = event;
    openCalls.set(call, { call, agent, lane, tool, args, startedAt, attempt: 1 });
  }
  if (event.type === "call.ended") openCalls.delete(event.call);
  const open = "call" in event && event.call !== undefined ? openCalls.get(event.call) : undefined;
  if (open === undefined) return;
  if (event.type === "call.progressed") openCalls.set(open.call, { ...open, progress: event.progress });
  if (event.type === "call.suspended") openCalls.set(open.call, { ...open, round: event.round });
  if (event.type === "call.retried") openCalls.set(open.call, { ...open, attempt: event.attempt });
}
