/**
 * Fold: the state of a run, computed from its events.
 *
 * The same state from live and from stored events: a resume, a replay, a console and a list of runs all read this. It
 * needs only the events.
 */
import type { Failure } from "./error.ts";
import {
  type CallResult,
  isEmptyReply,
  toCrewMessage,
  toGroupContent,
  toGroupMessage,
  toGroupText,
  toReply,
  toToolMessages,
} from "./dialogue.ts";
import type { Configure, EventBodyOf, Outcome, OutputChars, Receipt, RunEvent, Stamp } from "./event.ts";
import { omitUndefined, type Json } from "./json.ts";
import { isMember, isOfCall, toCrewPath } from "./position.ts";
import { withChanges } from "./state.ts";
import { applyLive, type LiveDraft, type LiveView, toLiveDraft } from "./live-view.ts";
import type { Message } from "./message.ts";
import { count, openTotals, type OpenTotals, type RunTotals } from "./totals.ts";

/** An open question, with its place in the log. */
export type OpenQuestion = EventBodyOf<"question.opened"> & Stamp;

/** The state of a run. */
export interface RunView extends LiveView, RunTotals {
  readonly run: string;
  readonly crew: string;
  readonly tenant: string | undefined;
  readonly user: string | undefined;
  readonly session: string | undefined;
  readonly input: string;
  readonly status: "running" | "paused" | "ended";
  /** Once it is paused or has ended. */
  readonly outcome: Outcome | undefined;
  /** The agent whose turn it is, or was last; empty before the first. */
  readonly agent: string;
  /** The agent that has the run: the current one or, after a pause or end, the one that waits or ended it. */
  readonly holder: string;
  /** Where the next turn would begin: an agent or a group. */
  readonly next: string;
  /** The latest finished turn's reply, signals included; of an interrupted one what was said so far. */
  readonly text: string;
  /** The last reply that was written for the user, without signals. */
  readonly content: string;
  readonly shown: string;
  readonly history: readonly Message[];
  readonly turns: number;
  readonly steps: number;
  readonly calls: number;
  /** Since the user's last message. */
  readonly handoffs: number;
  /** Open questions by id. */
  readonly questions: ReadonlyMap<string, OpenQuestion>;
  /** The run's key/value store. */
  readonly values: ReadonlyMap<string, Json>;
  /** Output of the last agent with an output schema. */
  readonly output: Json | undefined;
  readonly modelStates: ReadonlyMap<string, Json>;
  /** Configurations since the start, in order. */
  readonly configured: readonly Configure[];
  readonly startedAt: number;
  readonly updatedAt: number;
  readonly seq: number;
  readonly error: Failure | undefined;
  readonly receipt: Receipt | undefined;
}

type Pending = Readonly<{
  ended: EventBodyOf<"step.ended">;
  results: Map<string, CallResult>;
  edited: Map<string, Json>;
}>;

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

type Grown = keyof RunTotals | "history" | "questions" | "modelStates" | "configured" | keyof LiveView;

interface Draft extends Mutable<Omit<RunView, Grown>> {
  live: LiveDraft;
  totals: OpenTotals;
  history: Message[];
  questions: Map<string, OpenQuestion>;
  modelStates: Map<string, Json>;
  configured: Configure[];
  outputChars: OutputChars;
  /** A reply of the run's own line whose calls have not all ended. */
  pending: Pending | undefined;
  /** A reply that must be JSON: it joins the history if the turn ends with it. */
  output: Json | undefined;
  candidate: Pending | undefined;
  /** The step under way, if its reply must be JSON. */
  jsonStep: string;
  /** The step under way, if it asks for a signal: its reply joins nothing. */
  correction: string;
  /** Of the turn of the run's own line: for whom it is, whether it is a sub-crew's. */
  turn: EventBodyOf<"turn.started"> | undefined;
  /** The last reply that was written for the user, and the turns whose text is not. */
  shown: string;
  forCrew: Set<string>;
  /** Where the lanes of maps begin. */
  maps: string[];
}

/** A sum that grows with each event. */
export interface OpenFold {
  /** Takes the next events, which begin with `run.started`. */
  add(events: Iterable<RunEvent>): void;
  /** The state of the run now; its lists and maps grow with the next events. */
  readonly view: RunView;
}

/** Begins to sum up a run. */
export function openFold(): OpenFold {
  const draft = toDraft();
  return {
    add(events) {
      for (const event of events) apply(draft, event);
    },
    get view() {
      const { outputChars: _1, pending: _2, candidate: _3, turn: _4, jsonStep: _5, correction: _9, ...rest } = draft;
      const { live, totals, maps: _8, forCrew: _7, ...view } = rest;
      const { hidden: _6, ...shown } = live;
      return { ...view, ...totals, ...shown };
    },
  };
}

/** Sums up events, which begin with `run.started`. */
export function fold(events: Iterable<RunEvent>): RunView {
  const open = openFold();
  open.add(events);
  return open.view;
}

function apply(draft: Draft, event: RunEvent): void {
  draft.seq = event.seq;
  draft.updatedAt = event.at;
  applyAnyLane(draft, event);
  if (event.lane === "") applyOwnLine(draft, event);
  applyLive(draft.live, event);
}

function toDraft(): Draft {
  return {
    run: "",
    crew: "",
    tenant: undefined,
    user: undefined,
    session: undefined,
    input: "",
    status: "running",
    outcome: undefined,
    agent: "",
    holder: "",
    next: "",
    text: "",
    content: "",
    history: [],
    turns: 0,
    steps: 0,
    calls: 0,
    handoffs: 0,
    totals: openTotals(),
    questions: new Map(),
    values: new Map(),
    output: undefined,
    candidate: undefined,
    jsonStep: "",
    correction: "",
    turn: undefined,
    live: toLiveDraft(),
    shown: "",
    forCrew: new Set(),
    maps: [],
    modelStates: new Map(),
    configured: [],
    startedAt: 0,
    updatedAt: 0,
    seq: 0,
    error: undefined,
    receipt: undefined,
    outputChars: { each: 0, total: 0 },
    pending: undefined,
  };
}

/** Applies an event that counts in every lane. */
function applyAnyLane(draft: Draft, event: RunEvent): void {
  draft.values = withChanges(draft.values, [event]);
  count(draft.totals, event);
  switch (event.type) {
    case "turn.started":
      if (event.audience === "crew") draft.forCrew.add(event.turn);
      return;
    case "turn.ended":
      if (!isMember(event.lane)) endTurn(draft, event);
      return;
    case "step.ended":
      draft.steps++;
      if (event.state !== undefined && !isOfChild(draft, event.lane))
        draft.modelStates.set(toCrewPath(event.lane) + event.agent, event.state);
      return;
    case "call.ended":
      draft.calls++;
      return;
    case "command.received":
      if (event.command.type === "configure") draft.configured.push(event.command);
      return;
    case "group.started":
      if (event.items !== undefined) draft.maps.push(`${event.turn}/${event.group}/`);
      return;
    case "question.opened":
      draft.questions.set(event.question, event);
      return;
    case "question.answered":
      answer(draft, event);
      return;
    case "question.closed":
      draft.questions.delete(event.question);
      return;
    default:
  }
}

/** Whether a lane is in a call or in an item of a map: what a model keeps there ends with it. */
function isOfChild({ maps }: Draft, lane: string): boolean {
  return isOfCall(lane) || maps.some((place) => lane.startsWith(place));
}

/** Applies an event of the run's own line. */
function applyOwnLine(draft: Draft, event: RunEvent): void {
  switch (event.type) {
    case "run.started":
      start(draft, event);
      return;
    case "run.paused":
      draft.status = "paused";
      draft.outcome = "paused";
      draft.holder = event.agent;
      // In the middle of a turn nothing is said yet.
      if (event.by !== "signal") draft.text = draft.content = "";
      return;
    case "run.resumed":
      resume(draft, event);
      return;
    case "run.ended":
      end(draft, event);
      return;
    case "turn.started":
      draft.turns = Number(event.turn);
      draft.agent = event.agent;
      draft.holder = event.agent;
      draft.turn = event;
      return;
    case "group.started":
      draft.turns = Number(event.turn);
      return;
    case "turn.ended":
      endOwnTurn(draft, event);
      return;
    case "step.started":
      draft.candidate = undefined;
      draft.jsonStep = event.output === true ? event.step : "";
      draft.correction = event.correction === undefined ? "" : event.step;
      return;
    case "group.ended":
      endGroup(draft, event);
      return;
    case "handoff.made":
      draft.next = event.to;
      draft.handoffs = event.count;
      return;
    case "command.received":
      if (event.command.type === "say") draft.history.push({ role: "user", content: event.command.text });
      return;
    case "step.ended":
      if (event.error === undefined && draft.correction !== event.step)
        draft.pending = { ended: event, results: new Map(), edited: new Map() };
      settle(draft, event.step);
      return;
    case "call.started":
      if (event.edited === true) draft.pending?.edited.set(event.call, event.args);
      return;
    case "call.ended":
      draft.pending?.results.set(event.call, toResult(draft.pending, event));
      settle(draft, "");
      return;
    default:
  }
}

/** Adds to the history what a turn leaves beside its replies: JSON that was not corrected, a sub-crew's answer. */
function endOwnTurn(draft: Draft, { agent, text, content = text, audience, error }: EventBodyOf<"turn.ended">): void {
  const { candidate, turn } = draft;
  draft.candidate = undefined;
  if (error !== undefined) return;
  if (candidate !== undefined) join(draft, candidate, []);
  if (turn?.crew !== undefined) draft.history.push(toCrewMessage(agent, content, audience));
}

/** Keeps the text that was said last in the run's own line, or in a sub-crew's. */
function endTurn(draft: Draft, event: EventBodyOf<"turn.ended">): void {
  const { turn, text, content = text, output, error } = event;
  draft.text = text;
  draft.output = output;
  const isForCrew = event.audience === "crew" || draft.forCrew.has(turn);
  if (error === undefined && !isForCrew) draft.shown = content;
  draft.content = isForCrew ? draft.shown : content;
}

function start(draft: Draft, event: RunEvent & EventBodyOf<"run.started">): void {
  const { input, images } = event;
  draft.run = event.run;
  draft.crew = event.crew;
  draft.tenant = event.tenant;
  draft.user = event.user;
  draft.session = event.session;
  draft.input = input;
  draft.next = event.entry.id;
  draft.startedAt = event.at;
  draft.outputChars = event.outputChars;
  draft.history = [...event.history, { role: "user", content: input, ...omitUndefined({ images }) }];
}

function end(draft: Draft, event: EventBodyOf<"run.ended">): void {
  const { outcome, error, receipt, agent, text, content = text, output } = event;
  Object.assign(draft, { status: "ended", outcome, error, receipt, holder: agent, text, content, output });
}

function resume(draft: Draft, event: EventBodyOf<"run.resumed">): void {
  draft.status = "running";
  draft.outcome = undefined;
  if (event.input === undefined) return;
  draft.next = event.agent;
  draft.handoffs = 0;
  draft.history.push({ role: "user", content: event.input, ...omitUndefined({ images: event.images }) });
}

function answer(draft: Draft, { question, value }: EventBodyOf<"question.answered">): void {
  const { kind, lane } = draft.questions.get(question) ?? {};
  draft.questions.delete(question);
  if ((kind !== "pause" && kind !== "message") || typeof value !== "string") return;
  if (lane === "") draft.history.push({ role: "user", content: value });
  draft.live.conversation.push({ seq: draft.seq, at: draft.updatedAt, agent: "", lane: lane ?? "", text: value });
  draft.handoffs = 0;
}

function endGroup(draft: Draft, event: EventBodyOf<"group.ended">): void {
  if (event.error !== undefined) return;
  const message = toGroupMessage(event, draft.outputChars.total);
  if (message !== undefined) draft.history.push(message);
  draft.text = toGroupText(event, draft.outputChars.total);
  draft.content = draft.shown = toGroupContent(event, draft.outputChars.total);
}

function toResult({ ended, edited }: Pending, event: EventBodyOf<"call.ended">): CallResult {
  const { call, tool, error, wholeChars, digest } = event;
  const request = ended.calls.find(({ id }) => id === call) ?? { id: call, tool, args: null };
  const made = { request, ...omitUndefined({ edited: edited.get(call) }) };
  if (error !== undefined) return { ...made, error };
  return { ...made, output: event.output ?? null, ...omitUndefined({ wholeChars, digest }) };
}

/** A reply joins the history together with the results of its calls, once all are there. */
function settle(draft: Draft, step: string): void {
  const { pending } = draft;
  if (pending === undefined) return;
  const results = pending.ended.calls.flatMap(({ id }) => pending.results.get(id) ?? []);
  if (results.length < pending.ended.calls.length) return;
  draft.pending = undefined;
  if (isEmptyReply(pending.ended)) return;
  // Whether it is corrected is known by what follows.
  if (step !== "" && draft.jsonStep === step && results.length === 0) draft.candidate = pending;
  else join(draft, pending, results);
}

function join(draft: Draft, { ended }: Pending, results: readonly CallResult[]): void {
  const audience = draft.turn?.audience ?? "user";
  const told = toToolMessages(results, { ...draft.outputChars, run: draft.run });
  draft.history.push(toReply(ended, audience), ...told.messages);
}
