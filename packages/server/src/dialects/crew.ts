/**
 * Crew dialect: the wire format of the crew documents, `{type, agent, content, timestamp, metadata}`.
 *
 * Text is raw. Every segment begins with `start` and ends with `done`, or `error` if the run failed; a pause comes before
 * its `done`. Text of a step that starts again is dropped (`drop`); a step that asks for a forgotten signal is not shown.
 */
import type { Failure, Json, Receipt, RunEvent } from "@baton/core";
import { isMember, type OpenQuestion, toStateKey } from "@baton/core/engine";
import type { EventBodyOf } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { type CrewStates, NO_STATES, toNextStates } from "./crew-states.ts";
import { toReceiptLines } from "./receipt-text.ts";
import { jsonAsText } from "./chat/chat-event.ts";
import { listCrewAgents } from "./chat/crew-agents.ts";
import type { Dialect, DialectContext } from "./dialect.ts";
import { toFrame, toNumbered } from "./to-frames.ts";

/** The types of frames. */
export type CrewFrameType =
  | "start"
  | "agent_start"
  | "agent_delta"
  | "agent_response"
  | "tool_start"
  | "tool_result"
  | "signal"
  | "handoff"
  | "pause"
  | "terminate"
  | "warning"
  | "error"
  | "ping"
  | "done";

/** The content of a frame's `data`. */
export interface CrewFrame {
  readonly type: CrewFrameType;
  /** An agent's id, or `system`. */
  readonly agent: string;
  readonly content: string;
  /** RFC 3339, UTC. */
  readonly timestamp: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** State of the crew dialect: whether a segment is open, the open questions, the tools of the latest calls, the agents. */
export interface CrewState {
  readonly context: DialectContext;
  readonly isOpen: boolean;
  readonly questions: ReadonlyMap<string, OpenQuestion>;
  /** By lane and call: a receipt names no calls but those of a lane's last step. */
  readonly tools: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly states: CrewStates;
  /** Steps under way that ask for a signal. */
  readonly unshown: ReadonlySet<string>;
}

type Said = Omit<CrewFrame, "timestamp">;

const SYSTEM = "system";
const WAITS = "waits for your message";

/** The crew documents' wire format. */
export const crew: Dialect<CrewState> = {
  name: "crew",
  start: (context) => ({
    context,
    isOpen: false,
    questions: new Map(),
    tools: new Map(),
    states: NO_STATES,
    unshown: new Set(),
  }),
  next(state, event) {
    // A paused run takes some commands without waking.
    if (!state.isOpen && event.type === "command.received") return [state, []];
    const opened = state.isOpen ? [] : [toStart(state.context, event)];
    const unshown = toUnshown(state.unshown, event);
    const isShown = !("step" in event && (unshown.has(event.step) || state.unshown.has(event.step)));
    const states = isShown ? toNextStates(state.states, event) : state.states;
    const told = isShown ? say(state, event).map((frame) => withPlace(states, event, frame)) : [];
    const said = [...opened, ...told].map((frame) => toCrewFrame(event.at, frame));
    return [{ ...toNext(state, event), states, unshown }, toNumbered(event.seq, said)];
  },
  toPing: (at) => toFrame(toCrewFrame(at, { type: "ping", agent: SYSTEM, content: "", metadata: {} })),
};

function toCrewFrame(at: number, { type, agent, content, metadata }: Said): CrewFrame {
  return { type, agent, content, timestamp: new Date(at).toISOString(), metadata };
}

function toUnshown(unshown: CrewState["unshown"], event: RunEvent): CrewState["unshown"] {
  if (event.type === "step.started" && event.correction !== undefined) return new Set(unshown).add(event.step);
  if (event.type !== "step.ended" || !unshown.has(event.step)) return unshown;
  return unshown.difference(new Set([event.step]));
}

/** Adds the lane of a frame, and the state that its agent is in from then on. */
function withPlace({ agents }: CrewStates, event: RunEvent, said: Said): Said {
  const lane = event.lane === "" ? undefined : event.lane;
  const agent_state = said.agent === SYSTEM ? undefined : agents.get(toStateKey({ ...said, lane: event.lane }));
  return { ...said, metadata: { ...said.metadata, ...omitUndefined({ agent_state, lane }) } };
}

function toNext(state: CrewState, event: RunEvent): CrewState {
  const isOpen = event.type !== "run.paused" && event.type !== "run.ended";
  switch (event.type) {
    case "question.opened":
      return { ...state, isOpen, questions: new Map(state.questions).set(event.question, event) };
    case "question.answered":
    case "question.closed": {
      const questions = new Map(state.questions);
      questions.delete(event.question);
      return { ...state, isOpen, questions };
    }
    case "turn.started":
      return { ...state, isOpen, tools: event.lane === "" ? new Map() : state.tools };
    case "step.started":
      return { ...state, isOpen, tools: new Map(state.tools).set(event.lane, new Map()) };
    case "call.started": {
      const calls = new Map(state.tools.get(event.lane)).set(event.call, event.tool);
      return { ...state, isOpen, tools: new Map(state.tools).set(event.lane, calls) };
    }
    default:
      return isOpen === state.isOpen ? state : { ...state, isOpen };
  }
}

function toStart({ run, session, crew: { name } }: DialectContext, { type }: RunEvent): Said {
  const isNew = type === "run.started";
  const content = isNew ? `${name} starts` : `${name} goes on`;
  const metadata = { run, crew: name, ...(session === undefined ? {} : { session }), resumed: !isNew };
  return { type: "start", agent: SYSTEM, content, metadata };
}

function say(state: CrewState, event: RunEvent): readonly Said[] {
  switch (event.type) {
    case "turn.started":
      return [sayTurn(event)];
    case "turn.ended":
      return !isMember(event.lane) ? [] : warnOf(event, event.error, { turn: event.turn });
    case "text.delta":
      return [{ type: "agent_delta", agent: event.agent, content: event.text, metadata: { step: event.step } }];
    case "step.retried": {
      const metadata = { drop: event.step, attempt: event.attempt, error: event.error.code };
      const content = `the reply starts again: ${event.error.message}`;
      return [{ type: "warning", agent: event.agent, content, metadata }];
    }
    case "step.ended":
      return sayReply(event);
    case "call.started": {
      const { call, tool, args, agent, edited, within, line } = event;
      const more = omitUndefined({ edited, within, line });
      return [{ type: "tool_start", agent, content: tool, metadata: { call, tool, args, ...more } }];
    }
    case "call.retried":
      return warnOf(event, event.error, { call: event.call, tool: event.tool, attempt: event.attempt });
    case "call.ended":
      return [sayResult(event)];
    case "signal.matched":
      return saySignal(event);
    case "handoff.made": {
      const { from, to, via, count } = event;
      return [{ type: "handoff", agent: from, content: to, metadata: { from, to, via, count } }];
    }
    case "warning.raised":
      return [{ type: "warning", agent: event.agent || SYSTEM, content: event.text, metadata: {} }];
    case "run.paused":
      return sayPause(toAsking(state), event);
    case "run.ended":
      return [sayEnd(state, event)];
    default:
      return [];
  }
}

/** A turn may be a sub-crew's, or that of an agent that writes for the crew alone. */
function sayTurn({ turn, agent, crew: name, audience }: EventBodyOf<"turn.started">): Said {
  const metadata = { turn, ...omitUndefined({ crew: name, audience }) };
  return { type: "agent_start", agent, content: "", metadata };
}

type Metadata = Readonly<Record<string, Json>>;

/** A member that was not needed any more is not shown. */
function warnOf(
  { agent }: { readonly agent: string },
  error: Failure | undefined,
  metadata: Metadata,
): readonly Said[] {
  if (error === undefined || error.code === "cancelled") return [];
  return [{ type: "warning", agent, content: error.message, metadata: { error: error.code, ...metadata } }];
}

function sayReply(ended: EventBodyOf<"step.ended">): readonly Said[] {
  const { step, agent, text, finish, usage, calls, error, commentary } = ended;
  const more = commentary === undefined ? {} : { commentary };
  if (error !== undefined) return [];
  return [
    {
      type: "agent_response",
      agent,
      content: text,
      metadata: { step, finish, usage, calls: calls.length, ...more },
    },
  ];
}

function sayResult(ended: EventBodyOf<"call.ended">): Said {
  const { call, agent, tool, attempts, error, output = null } = ended;
  const content = error === undefined ? jsonAsText(output) : error.message;
  const failed = error === undefined ? {} : { error: error.kind ?? error.code };
  const metadata = { call, tool, success: error === undefined, attempts, ...failed };
  return { type: "tool_result", agent, content, metadata };
}

function saySignal(matched: EventBodyOf<"signal.matched">): readonly Said[] {
  const { agent, signal, match, target, followed, place } = matched;
  const at = place === undefined ? {} : { place };
  const said: Said = { type: "signal", agent, content: signal, metadata: { match, target, followed, ...at } };
  if (!followed || target !== "") return [said];
  return [said, { type: "terminate", agent, content: signal, metadata: {} }];
}

/** An agent of a sub-crew that waits for a message asks nothing: the next message is for it. */
function toAsking({ questions }: CrewState): readonly OpenQuestion[] {
  return [...questions.values()].filter(({ kind }) => kind !== "message");
}

function sayQuestion({ text, who }: OpenQuestion): string {
  return who === "operator" ? `${text} (an operator was asked)` : text;
}

function sayPause(questions: readonly OpenQuestion[], { agent, by }: EventBodyOf<"run.paused">): readonly Said[] {
  const text = questions.map(sayQuestion).join("; ") || WAITS;
  const open = questions.map(({ question, kind, text: asked, call, tool, args, schema, who, url, within, line }) => ({
    question,
    kind,
    text: asked,
    ...(call === undefined ? {} : { call, tool, args }),
    schema,
    ...omitUndefined({ who, url, within, line }),
  }));
  return [
    {
      type: "pause",
      agent,
      content: `[PAUSE:${agent}] ${text}`,
      metadata: { resume_agent_id: agent, by, questions: open },
    },
    { type: "done", agent: SYSTEM, content: "", metadata: { outcome: "paused" } },
  ];
}

function sayEnd(state: CrewState, { outcome, by, agent, text, error, receipt }: EventBodyOf<"run.ended">): Said {
  const stopped = receipt === undefined ? {} : { receipt, receipt_lines: sayReceipt(state, receipt) };
  const metadata = { outcome, by, agent, ...stopped };
  if (outcome !== "failed") return { type: "done", agent: SYSTEM, content: text, metadata };
  const code = error?.code ?? "internal";
  return {
    type: "error",
    agent: agent || SYSTEM,
    content: error?.message ?? "the run failed",
    metadata: { ...metadata, code },
  };
}

function sayReceipt({ context, tools }: CrewState, receipt: Receipt): readonly string[] {
  const { roles } = listCrewAgents(context.crew);
  // If two crews have an agent of the same id, the name is that of the outer one.
  const agents = new Map(
    Array.from(roles, ([key, { name }]) => [key.slice(key.lastIndexOf("/") + 1), name] as const).toReversed(),
  );
  const names = { tools: new Map([...tools.values()].flatMap((calls) => [...calls])), agents };
  return toReceiptLines(receipt, names).map(({ text }) => text);
}
