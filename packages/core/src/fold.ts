/**
 * Fold: a run's events, summed up to where it stands.
 *
 * The same state from live and from stored events: a resume, a replay, a console and a list of runs all read this. It
 * needs nothing but the events.
 */
import type { Failure } from "./error.ts";
import { type CallResult, isEmptyReply, toGroupContent, toGroupMessage, toReply, toToolMessages } from "./dialogue.ts";
import type { Configure, FactOf, Outcome, OutputChars, Receipt, RunEvent, Stamp } from "./event.ts";
import { given, type Json } from "./json.ts";
import { addUsage, type CallRequest, type Message, NO_USAGE, type Usage } from "./message.ts";
import { findVectors, type Vector } from "./vector.ts";

/** A question nobody has answered yet, with its place in the log. */
export type OpenQuestion = FactOf<"question.opened"> & Stamp;

/** Where a run stands. */
export interface RunView {
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
  /** Who the run is with: that agent or, as its pause or end says, who waits or ended it. */
  readonly holder: string;
  /** Where the next turn would begin: an agent or a group. */
  readonly next: string;
  /** The latest finished turn's reply, signals included; of an interrupted one what was said so far. */
  readonly text: string;
  /** The same for people: without signals. */
  readonly content: string;
  readonly history: readonly Message[];
  readonly turns: number;
  readonly steps: number;
  readonly calls: number;
  /** Since the user's last message. */
  readonly handoffs: number;
  readonly usage: Usage;
  /** Of the steps whose cost is known. */
  readonly costUsd: number;
  /** Open questions by id. */
  readonly questions: ReadonlyMap<string, OpenQuestion>;
  /** The run's key/value store. */
  readonly values: ReadonlyMap<string, Json>;
  readonly modelStates: ReadonlyMap<string, Json>;
  /** What models and tools may be given by a key. */
  readonly vectors: ReadonlyMap<string, Vector>;
  /** What was configured since the start, in order. */
  readonly configured: readonly Configure[];
  readonly startedAt: number;
  readonly updatedAt: number;
  readonly seq: number;
  readonly error: Failure | undefined;
  readonly receipt: Receipt | undefined;
}

type Pending = Readonly<{ ended: FactOf<"step.ended">; results: Map<string, CallResult> }>;

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

interface Draft extends Mutable<
  Omit<RunView, "history" | "questions" | "values" | "modelStates" | "vectors" | "configured">
> {
  history: Message[];
  questions: Map<string, OpenQuestion>;
  values: Map<string, Json>;
  modelStates: Map<string, Json>;
  vectors: Map<string, Vector>;
  configured: Configure[];
  outputChars: OutputChars;
  /** A reply of the run's own line whose calls have not all ended. */
  pending: Pending | undefined;
}

/** Sums up events, which begin with `run.started`. */
export function fold(events: Iterable<RunEvent>): RunView {
  const draft = toDraft();
  for (const event of events) {
    draft.seq = event.seq;
    draft.updatedAt = event.at;
    applyAnyLane(draft, event);
    if (event.lane === "") applyOwnLine(draft, event);
  }
  const { outputChars: _chars, pending: _pending, ...view } = draft;
  return view;
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
    usage: NO_USAGE,
    costUsd: 0,
    questions: new Map(),
    values: new Map(),
    modelStates: new Map(),
    vectors: new Map(),
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

/** What counts in every lane. */
function applyAnyLane(draft: Draft, event: RunEvent): void {
  switch (event.type) {
    case "step.ended":
      draft.steps++;
      draft.usage = addUsage(draft.usage, event.usage);
      draft.costUsd += event.costUsd ?? 0;
      if (event.state !== undefined) draft.modelStates.set(event.agent, event.state);
      return;
    case "call.ended":
      draft.calls++;
      for (const [key, value] of Object.entries(event.state ?? {})) draft.values.set(key, value);
      for (const [key, vector] of findVectors(event, event.output)) draft.vectors.set(key, vector);
      return;
    case "command.received":
      if (event.command.type === "configure") draft.configured.push(event.command);
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

/** What the run's own line says. */
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
      draft.status = "ended";
      draft.outcome = event.outcome;
      draft.error = event.error;
      draft.receipt = event.receipt;
      draft.holder = event.agent;
      draft.text = event.text;
      draft.content = event.content ?? event.text;
      return;
    case "turn.started":
      draft.turns = Number(event.turn);
      draft.agent = event.agent;
      draft.holder = event.agent;
      return;
    case "group.started":
      draft.turns = Number(event.turn);
      return;
    case "turn.ended":
      draft.text = event.text;
      draft.content = event.content ?? event.text;
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
      if (event.error === undefined) draft.pending = { ended: event, results: new Map() };
      settle(draft);
      return;
    case "call.ended":
      draft.pending?.results.set(event.call, toResult(draft.pending.ended.calls, event));
      settle(draft);
      return;
    default:
  }
}

function start(draft: Draft, event: RunEvent & FactOf<"run.started">): void {
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
  draft.history = [...event.history, { role: "user", content: input, ...given({ images }) }];
}

function resume(draft: Draft, event: FactOf<"run.resumed">): void {
  draft.status = "running";
  draft.outcome = undefined;
  if (event.input === undefined) return;
  draft.next = event.agent;
  draft.handoffs = 0;
  draft.history.push({ role: "user", content: event.input, ...given({ images: event.images }) });
}

function answer(draft: Draft, { question, value }: FactOf<"question.answered">): void {
  const isPause = draft.questions.get(question)?.kind === "pause";
  draft.questions.delete(question);
  if (!isPause || typeof value !== "string") return;
  draft.history.push({ role: "user", content: value });
  draft.handoffs = 0;
}

function endGroup(draft: Draft, { error, results, winner }: FactOf<"group.ended">): void {
  if (error !== undefined) return;
  const message = toGroupMessage(results, winner);
  draft.history.push(message);
  draft.text = message.content;
  draft.content = toGroupContent(results, winner);
}

function toResult(requests: readonly CallRequest[], event: FactOf<"call.ended">): CallResult {
  const request = requests.find(({ id }) => id === event.call) ?? { id: event.call, tool: event.tool, args: null };
  if (event.error !== undefined) return { request, error: event.error };
  return { request, output: event.output ?? null, ...given({ wholeChars: event.wholeChars }) };
}

/** A reply joins the history together with the results of its calls, once all are there. */
function settle(draft: Draft): void {
  const { pending } = draft;
  if (pending === undefined) return;
  const results = pending.ended.calls.flatMap(({ id }) => pending.results.get(id) ?? []);
  if (results.length < pending.ended.calls.length) return;
  draft.pending = undefined;
  if (isEmptyReply(pending.ended)) return;
  draft.history.push(
    toReply(pending.ended),
    ...toToolMessages(results, { ...draft.outputChars, run: draft.run }).messages,
  );
}
