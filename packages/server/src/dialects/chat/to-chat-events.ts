/**
 * To chat events: converts a run's events to chat events, the part that all chat dialects share.
 *
 * A pure reducer: it counts segments and messages, gives parts and calls their ids, and knows the open replies, the open
 * questions and the usage of the current segment. What is open is small, so its maps are copied on change.
 */
import type { Json, RunEvent } from "@baton/core";
import { isMember } from "@baton/core/engine";
import type { EventBodyOf, Finish, Usage } from "@baton/core/ports";
import { toApproval } from "@baton/core/util";
import type { ChatQuestion, ChatEvent, ChatToolCall, SegmentEnd, ReplyPart } from "./chat-event.ts";
import { type CrewAgents, isClientTool, findAgent, listCrewAgents } from "./crew-agents.ts";
import type { DialectContext } from "../dialect.ts";
import { toOutsideId } from "./outside-id.ts";
import {
  addArgs,
  addReasoning,
  addReplyText,
  closeReply,
  type ReplyEnd,
  endReply,
  type OpenReply,
  type ShownAs,
  startReply,
} from "./open-reply.ts";
import { addModelUsage } from "./usage.ts";

/** The state after the events so far. */
export interface ChatProgress {
  readonly run: string;
  readonly agents: CrewAgents;
  readonly isOpen: boolean;
  readonly segment: number;
  readonly message: number;
  /** Replies that have not ended, by step. */
  readonly replies: ReadonlyMap<string, OpenReply>;
  /** Lanes whose turn is an agent's that writes for the crew alone, and the turns of sub-crews. */
  readonly hidden: ReadonlySet<string>;
  readonly subTurns: ReadonlySet<string>;
  /** Number of restarts by step. */
  readonly drops: ReadonlyMap<string, number>;
  /** Calls whose arguments were shown before they started, and calls a person was asked about and did not allow. */
  readonly streamed: ReadonlySet<string>;
  readonly approvals: ReadonlySet<string>;
  /** Arguments of the calls that are shown and have not ended. */
  readonly calls: ReadonlyMap<string, Json>;
  readonly questions: ReadonlyMap<string, ChatQuestion>;
  /** The last one that was reached. */
  readonly limit?: EventBodyOf<"limit.reached">;
  readonly finish: Finish;
  readonly usage: ReadonlyMap<string, Usage>;
}

type Shown = readonly [ChatProgress, readonly ChatEvent[]];

const CUT_OFF: ReplyEnd = { isWhole: false, made: [] };

/** Before the first event. */
export function startChatProgress({ run, crew }: DialectContext): ChatProgress {
  return {
    run,
    agents: listCrewAgents(crew),
    isOpen: false,
    segment: 0,
    message: 1,
    replies: new Map(),
    hidden: new Set(),
    subTurns: new Set(),
    drops: new Map(),
    streamed: new Set(),
    approvals: new Set(),
    calls: new Map(),
    questions: new Map(),
    finish: "stop",
    usage: new Map(),
  };
}

/** Converts one event. */
export function toChatEvents(before: ChatProgress, event: RunEvent): Shown {
  const state = isSaid(before, event) ? { ...before, message: before.message + 1 } : before;
  if (state.isOpen) return convert(state, event);
  // A paused run takes some commands without waking.
  if (event.type === "command.received") return [state, []];
  const segment = state.segment + 1;
  const opened: ChatProgress = { ...state, isOpen: true, segment, usage: new Map(), finish: "stop" };
  const [after, chatEvents] = convert(opened, event);
  return [after, [{ type: "segment.opened", segment, message: state.message }, ...chatEvents]];
}

/** Whether a paused run continues with a message from its user. */
function isSaid({ questions }: ChatProgress, event: RunEvent): boolean {
  if (event.type === "run.resumed") return event.input !== undefined;
  if (event.type !== "question.answered" || typeof event.value !== "string") return false;
  const kind = questions.get(event.question)?.opened.kind;
  return kind === "pause" || kind === "message";
}

function convert(state: ChatProgress, event: RunEvent): Shown {
  switch (event.type) {
    case "run.started":
      return [bringTools(state, event), []];
    case "turn.started":
      return showTurn(state, event);
    case "turn.ended":
      return showTurnEnd(state, event);
    case "group.started":
      return [state, [{ type: "group.opened" }]];
    case "group.ended":
      return [state, [{ type: "group.closed" }]];
    case "handoff.made":
      return [state, [{ type: "handoff.made", fact: event }]];
    case "warning.raised":
      return [state, [{ type: "warning.raised", fact: event }]];
    case "question.opened":
      return showQuestion(state, event);
    case "question.answered":
    case "question.closed":
      return showAnswer(state, event);
    case "limit.reached":
      return [{ ...state, limit: event }, []];
    case "run.paused":
    case "run.ended":
      return showEnd(state, event);
    default:
      return showStep(state, event);
  }
}

function bringTools(state: ChatProgress, { tools = [] }: EventBodyOf<"run.started">): ChatProgress {
  if (tools.length === 0) return state;
  return { ...state, agents: { ...state.agents, requestTools: new Set(tools.map(({ name }) => name)) } };
}

function showStep(state: ChatProgress, event: RunEvent): Shown {
  switch (event.type) {
    case "step.started":
      return openStep(state, event);
    case "step.retried":
      return dropStep(state, event);
    case "step.ended":
      return closeStep(state, event);
    case "text.delta":
    case "reasoning.delta":
    case "args.delta":
      return showDelta(state, event);
    case "call.started":
    case "call.progressed":
    case "call.ended":
      return showCall(state, event);
    default:
      return [state, []];
  }
}

/** The turn of a sub-crew says nothing: its agents have turns of their own. */
function showTurn(state: ChatProgress, event: RunEvent & EventBodyOf<"turn.started">): Shown {
  const { turn, agent, lane, audience, crew } = event;
  if (crew !== undefined) return [{ ...state, subTurns: new Set(state.subTurns).add(turn) }, []];
  const isHidden = audience === "crew";
  const hidden = new Set(state.hidden);
  if (isHidden) hidden.add(lane);
  else hidden.delete(lane);
  const { name } = findAgent(state.agents, lane, agent);
  const after = isHidden === state.hidden.has(lane) ? state : { ...state, hidden };
  return [after, [{ type: "turn.opened", turn, agent, name, lane: toShownLane(lane) }]];
}

function showTurnEnd(state: ChatProgress, event: RunEvent & EventBodyOf<"turn.ended">): Shown {
  const { turn, agent, lane, error } = event;
  if (state.subTurns.has(turn)) return [{ ...state, subTurns: state.subTurns.difference(new Set([turn])) }, []];
  const { name, watch } = findAgent(state.agents, lane, agent);
  const text = state.hidden.has(lane) ? "" : watch.matcher.strip(event.text);
  return [state, [{ type: "turn.closed", turn, agent, name, lane: toShownLane(lane), text, error }]];
}

/** A sub-crew speaks in the line of the crew that has it. */
function toShownLane(lane: string): string {
  return isMember(lane) ? lane : "";
}

function openStep(state: ChatProgress, event: RunEvent & EventBodyOf<"step.started">): Shown {
  const { step, agent, lane, model, output: isOutput = false, correction, tools } = event;
  const { name, watch } = findAgent(state.agents, lane, agent);
  const part: ReplyPart = { id: toOutsideId(state.run, step), step, agent, name, lane: toShownLane(lane) };
  const forCrew: ShownAs = isOutput ? "nothing" : "reasoning";
  const shownAs = correction !== undefined ? "nothing" : state.hidden.has(lane) ? forCrew : "text";
  const mayCall = tools === true;
  return [setReply(state, startReply({ part, model, shownAs, mayCall }, watch)), [{ type: "step.opened", part }]];
}

/** The same step with a new part, whose text is read from its beginning. */
function dropStep(before: ChatProgress, { step, error }: EventBodyOf<"step.retried">): Shown {
  const reply = before.replies.get(step);
  if (reply === undefined) return [before, []];
  const { part, hold } = reply;
  const drops = new Map(before.drops).set(step, (before.drops.get(step) ?? 0) + 1);
  const state: ChatProgress = { ...before, drops };
  const again = startReply({ ...reply, part: { ...part, id: toAttemptId(state, step, step) } }, hold.hold.watch);
  return [setReply(state, again), [...closeReply(reply, CUT_OFF), { type: "step.dropped", part, error }]];
}

function closeStep(state: ChatProgress, ended: RunEvent & EventBodyOf<"step.ended">): Shown {
  const reply = state.replies.get(ended.step);
  if (reply === undefined) return [state, []];
  const replies = new Map(state.replies);
  replies.delete(ended.step);
  const model = ended.model ?? reply.model;
  const usage = new Map(state.usage).set(model, addModelUsage(state.usage.get(model), ended.usage));
  const streamed = state.streamed.union(new Set(reply.calls.map(({ id }) => id)));
  const isWhole = ended.error === undefined;
  const ownFinish = reply.part.lane === "" && isWhole ? ended.finish : state.finish;
  const made = ended.calls.map(({ id }) => toAttemptId(state, id, ended.step));
  return [{ ...state, replies, usage, streamed, finish: ownFinish }, endReply(reply, { isWhole, made })];
}

type Delta = EventBodyOf<"text.delta"> | EventBodyOf<"reasoning.delta"> | EventBodyOf<"args.delta">;

function showDelta(state: ChatProgress, event: RunEvent & Delta): Shown {
  const reply = state.replies.get(event.step);
  if (reply === undefined || event.text === "") return [state, []];
  const [after, chatEvents] = addDelta(state, reply, event);
  return [after === reply ? state : setReply(state, after), chatEvents];
}

function addDelta(
  state: ChatProgress,
  reply: OpenReply,
  event: RunEvent & Delta,
): readonly [OpenReply, readonly ChatEvent[]] {
  if (event.type === "text.delta") return addReplyText(reply, event.text);
  if (event.type === "reasoning.delta") return addReasoning(reply, event.text);
  const { id: part, agent, lane } = reply.part;
  const id = toAttemptId(state, event.call, event.step);
  const { tool } = event;
  const isClient = isClientTool(state.agents, event.lane, tool);
  return addArgs(reply, { id, part, tool, agent, lane, isClient, isInCode: false }, event.text);
}

type CallFact = EventBodyOf<"call.started"> | EventBodyOf<"call.progressed"> | EventBodyOf<"call.ended">;

/** A call as events of the log name it. */
type CallName = Readonly<{ call: string; tool: string; agent: string; lane: string }>;

function toToolCall(state: ChatProgress, { call: position, tool, agent, lane }: CallName): ChatToolCall {
  const { step, isInCode } = toPlace(position);
  const [id, part] = [toAttemptId(state, position, step), toAttemptId(state, step, step)];
  const isClient = isClientTool(state.agents, lane, tool);
  return { id, part, tool, agent, lane: toShownLane(lane), isClient, isInCode };
}

/** The step that a call belongs to: `3.1` of `3.1.2`, and of `3.1.2.7`, which is a call in the code of `3.1.2`. */
function toPlace(position: string): { readonly step: string; readonly isInCode: boolean } {
  const start = position.lastIndexOf("/") + 1;
  const [turn = "", step = "", ...calls] = position.slice(start).split(".");
  return { step: `${position.slice(0, start)}${turn}.${step}`, isInCode: calls.length > 1 };
}

/** Shows a call when it starts or, if a person is asked first, with the question. */
function openCall(state: ChatProgress, name: CallName, args: Json): Shown {
  const call = toToolCall(state, name);
  const calls = new Map(state.calls).set(name.call, args);
  const isStreamed = state.streamed.has(call.id);
  const streamed = isStreamed ? state.streamed.difference(new Set([call.id])) : state.streamed;
  return [{ ...state, calls, streamed }, [{ type: "call.opened", call, args, isStreamed }]];
}

function showCall(state: ChatProgress, event: RunEvent & CallFact): Shown {
  const { call: position } = event;
  if (event.type === "call.started" && !state.calls.has(position)) return openCall(state, event, event.args);
  const call = toToolCall(state, event);
  if (event.type === "call.started") {
    if (event.edited !== true) return [state, []];
    const changed = new Map(state.calls).set(position, event.args);
    return [{ ...state, calls: changed }, [{ type: "call.changed", call, args: event.args }]];
  }
  if (event.type === "call.progressed") return [state, [{ type: event.type, call, progress: event.progress }]];
  const calls = new Map(state.calls);
  const { output = null, error } = event;
  const args = calls.get(position) ?? null;
  calls.delete(position);
  const isRefused = error?.kind === "permission" && state.approvals.has(position);
  return [{ ...state, calls }, [{ type: "call.closed", call, args, output, error, isRefused }]];
}

/** An agent that waits for a message asks nothing: the user's next message is the answer. */
function showQuestion(before: ChatProgress, event: RunEvent & EventBodyOf<"question.opened">): Shown {
  const { question, call: position, kind, tool, args = null } = event;
  const isNew = position !== undefined && tool !== undefined && !before.calls.has(position);
  const [state, opening] = isNew ? openCall(before, { ...event, call: position, tool }, args) : [before, []];
  const opened = { ...event, lane: toShownLane(event.lane) };
  const call = position === undefined ? undefined : toAttemptId(state, position, toPlace(position).step);
  const asked: ChatQuestion = { id: toOutsideId(state.run, question), opened, call };
  const questions = new Map(state.questions).set(question, asked);
  const isApproval = kind === "approval" && position !== undefined;
  const approvals = isApproval ? new Set(state.approvals).add(position) : state.approvals;
  const after = { ...state, questions, approvals };
  if (event.who === "operator") return [after, [...opening, ...toNotice(state, asked)]];
  return [after, isForClient(asked) ? [...opening, { type: "question.opened", asked }] : opening];
}

/** Tells the user, as text, that an operator was asked: the user's client cannot answer that question. */
function toNotice({ run, agents }: ChatProgress, { opened }: ChatQuestion): readonly ChatEvent[] {
  const { question, agent, lane, text } = opened;
  const { name } = findAgent(agents, lane, agent);
  const part: ReplyPart = { id: toOutsideId(run, `${question}/operator`), step: question, agent, name, lane };
  return [
    { type: "text.opened", part },
    { type: "text.added", part, text: `${text}. An operator was asked; the answer follows once it is given.` },
    { type: "text.closed", part, isWhole: true },
  ];
}

function showAnswer(
  state: ChatProgress,
  event: EventBodyOf<"question.answered"> | EventBodyOf<"question.closed">,
): Shown {
  const asked = state.questions.get(event.question);
  const questions = new Map(state.questions);
  questions.delete(event.question);
  if (asked === undefined || event.type === "question.closed") return [{ ...state, questions }, []];
  const { value } = event;
  const approvals = new Set(state.approvals);
  if (toApproval(value).decision !== "deny") approvals.delete(asked.opened.call ?? "");
  return [{ ...state, questions, approvals }, isForClient(asked) ? [{ type: event.type, asked, value }] : []];
}

/** Whether the user's client answers it: not a wait for the next message, and not a question for an operator. */
function isForClient({ opened: { kind, who } }: ChatQuestion): boolean {
  return kind !== "message" && who !== "operator";
}

/** Work that was abandoned may have left a reply open. */
function showEnd(state: ChatProgress, fact: SegmentEnd["end"]): Shown {
  const end = toTold(state, fact);
  const chatEvents = [...state.replies.values()].flatMap((reply) => closeReply(reply, CUT_OFF));
  const { finish: why, usage } = state;
  const open = [...state.questions.values()].filter(isForClient);
  const questions = end.type === "run.paused" ? open : [];
  return [
    { ...state, isOpen: false, replies: new Map() },
    [...chatEvents, { type: "segment.closed", end, finish: why, usage, questions }],
  ];
}

/** An end by a limit says which that was. */
function toTold({ limit }: ChatProgress, end: SegmentEnd["end"]): SegmentEnd["end"] {
  if (end.type === "run.paused" || end.outcome !== "limit" || end.error !== undefined || limit === undefined)
    return end;
  const { limit: name, value } = limit;
  return { ...end, error: { code: "limit", message: `the run was ended by the limit ${name}, which is ${value}` } };
}

/** The outside id of a step or call, another one each time the step started again. */
function toAttemptId({ run, drops }: ChatProgress, position: string, step: string): string {
  const dropped = drops.get(step);
  return toOutsideId(run, dropped === undefined ? position : `${position}-${dropped + 1}`);
}

function setReply(state: ChatProgress, reply: OpenReply): ChatProgress {
  return { ...state, replies: new Map(state.replies).set(reply.part.step, reply) };
}
