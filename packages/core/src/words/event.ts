/**
 * Events: everything that happens in a run. A `Fact` is what the engine says, a `RunEvent` that fact in its place.
 *
 * Past tense, JSON only, never edited; a new field is optional for ever. Every `started` has exactly one `ended`.
 * Positions: a turn is `3`, its first step `3.1`, that step's second call `3.1.2`; a group's member has a lane of its
 * own, `4/quiz/student`, which its positions begin with.
 */
import type { Failure } from "./error.ts";
import type { Json } from "./json.ts";
import type { CallRequest, Finish, Image, Message, ProviderData, Usage } from "./message.ts";

/** Outcome of a run; `paused` is not an end, but `run.result` settles with it at a pause. */
export type Outcome = "done" | "paused" | "limit" | "cancelled" | "failed";

/** Effect of a tool on the world; retries, parallelism, approval and recovery follow from it. */
export type Effect = "read" | "idempotent" | "irreversible";

/** Names of the work that was running when it was cancelled, by its end. */
export type Receipt = Readonly<Record<"stopped" | "finished" | "abandoned", readonly string[]>>;

/** Role that may answer a question: the user who talks with the crew, or the operator who runs it. */
export type Answerer = "user" | "operator";

/** Identity of the person or program that answered, as the server's key names it. */
export type AnsweredBy = Readonly<{ tenant: string; user: string; key: string }>;

/** An answer, and who gave it. */
export type GivenAnswer = Readonly<{ value: Json; by?: AnsweredBy }>;

/** The JSON Schema of an answer. */
export type AnswerSchema = { readonly [keyword: string]: Json };

/** Owner of a run; it comes from the server's key or the caller, never from a model. */
export type Identity = Readonly<{ tenant?: string; user?: string; session?: string }>;

/** Changes by `configure`, from the next step on. */
export type Configuration = Readonly<{ model?: string; temperature?: number; maxTokens?: number }>;

/** A message into a live run. */
export type Command =
  | { readonly type: "pause" }
  | {
      readonly type: "resume";
      readonly input?: string;
      readonly images?: readonly Image[];
      readonly by?: AnsweredBy;
    }
  /** With a `lane` or a `call`, as events name them, only that is stopped and the run continues. */
  | { readonly type: "cancel"; readonly reason?: string; readonly lane?: string; readonly call?: string }
  /** With a `lane`, as events name it, only the agent there hears it. */
  | { readonly type: "say"; readonly text: string; readonly lane?: string; readonly by?: AnsweredBy }
  | {
      readonly type: "answer";
      readonly question: string;
      readonly value: Json;
      readonly as?: Answerer;
      readonly by?: AnsweredBy;
    }
  /** For one agent, or for all if it names none. */
  | ({ readonly type: "configure"; readonly agent?: string } & Configuration);

/** A command that changes how agents' models are called. */
export type Configure = Extract<Command, { type: "configure" }>;

/** Way in which a signal was recognised. */
export type MatchKind = "exact" | "case" | "normalised" | "output";

/** Why the baton went where it went. */
export type Via = "signal" | "output" | "default" | "handoff_target" | "any" | "group" | "failure" | "return";

/** Result of one member of a group or item of a map; `content` is `text` without signals, if it had any. */
export type MemberResult = Readonly<{
  /** Place of the item in the list, from 1. */
  index?: number;
  agent: string;
  text?: string;
  content?: string;
  /** Output of an item whose agent has an output schema. */
  output?: Json;
  /** It writes for the crew alone. */
  audience?: "crew";
  /** Its calls and results as the next agent reads them, if the crew shares them. */
  told?: string;
  error?: Failure;
}>;

/** The agent or crew that carries out a call, and the lane it does so in. */
export type CallVia = Readonly<{ agent?: string; crew?: string; lane: string }>;

/** Where a run begins or continues: an agent, a group of agents, or a sub-crew. */
export type Place = Readonly<{ kind: "agent" | "group" | "crew"; id: string }>;

/** Caps that the caller of a run may set below the crew's own. */
export type RunLimits = Readonly<{ maxTokens?: number; maxUsd?: number; timeoutMs?: number }>;

/** A tool that the request of a run brings: the client that follows the run carries it out. */
export type RequestTool = Readonly<{ name: string; description: string; inputSchema: AnswerSchema }>;

/** A question of a tool whose call is suspended; its id is the call's, `/`, and its name. */
export type SuspendedQuestion = Readonly<{
  name: string;
  kind: "approval" | "input" | "link";
  text: string;
  schema: AnswerSchema;
  /** Of a link: the page to open. */
  url?: string;
  args?: Json;
  who?: Answerer;
}>;

/** Caps on what a model reads of tool output, in characters. */
export type OutputChars = Readonly<{ each: number; total: number }>;

/** Facts by type. */
interface Facts {
  "run.started": {
    crew: string;
    input: string;
    images?: readonly Image[];
    history: readonly Message[];
    entry: Place;
    outputChars: OutputChars;
    tenant?: string;
    user?: string;
    session?: string;
    limits?: RunLimits;
    request?: string;
    /** The caller's options for this run: its first state, under this name. */
    options?: Json;
    /** The model of every agent that writes for the user, instead of its own. */
    model?: string;
    /** The run that this one follows, as its crew's `after`. */
    afterOf?: string;
    /** Tools that the client carries out, for agents that take them. */
    tools?: readonly RequestTool[];
  };
  /** By `signal`: an agent waits for the user; `question`: for answers; `command`: a `pause` command. */
  "run.paused": { by: "signal" | "question" | "command"; agent: string; questions: readonly string[] };
  /** The user answered; or, with no `input`, the run was recovered after an interruption. */
  "run.resumed": { agent: string; input?: string; images?: readonly Image[] };
  /** By `answer`: the last agent was done; `signal`: a signal with no target. `content` is `text` without signals. */
  "run.ended": {
    outcome: Outcome;
    by: "answer" | "signal" | "limit" | "command" | "error";
    agent: string;
    text: string;
    content?: string;
    output?: Json;
    error?: Failure;
    receipt?: Receipt;
  };
  /** `audience` is there if what it writes is for the crew alone; `crew` if the turn is a sub-crew's, in its own lane. */
  "turn.started": { turn: string; agent: string; audience?: "crew"; crew?: string };
  /**
   * `content` is `text` without signals, if it had any. Of a turn that was interrupted `text` is what was said so far.
   * `output` is what an agent with an output schema gave.
   */
  "turn.ended": {
    turn: string;
    agent: string;
    text: string;
    content?: string;
    output?: Json;
    /** The output is as the model wrote it: what its schema makes of it is not JSON. */
    unparsed?: true;
    /** Of a sub-crew whose last agent writes for the crew alone. */
    audience?: "crew";
    error?: Failure;
  };
  /** `output`: the reply is JSON, not prose. `tokens` are about what the model is given, of `window`. */
  "step.started": {
    step: string;
    agent: string;
    model: string;
    output?: true;
    /** The model is asked for the signal that its reply lacks; the answer is neither shown nor kept. */
    correction?: "signal";
    /** It is offered tools, so that its text may be commentary. */
    tools?: true;
    tokens?: number;
    window?: number;
  };
  /** Readers drop the step's partial text. */
  "step.retried": { step: string; agent: string; attempt: number; delayMs: number; error: Failure };
  /**
   * `state` is what the model wants back at this agent's next call, `provider` what its provider does; `model` is who
   * answered, if that is not who was asked.
   */
  "step.ended": {
    step: string;
    agent: string;
    text: string;
    calls: readonly CallRequest[];
    finish: Finish;
    usage: Usage;
    /** The text comes with calls: it says what the agent is about to do, and is not the answer. */
    commentary?: true;
    model?: string;
    costUsd?: number;
    reasoning?: string;
    provider?: ProviderData;
    state?: Json;
    /** Changes that a program made in the run's state, and the output it gave for its agent. */
    set?: { readonly [key: string]: Json };
    output?: Json;
    /** The run ends with this turn, whatever the routing says. */
    end?: true;
    error?: Failure;
  };
  "text.delta": { step: string; agent: string; text: string };
  "reasoning.delta": { step: string; agent: string; text: string };
  /** A piece of a call's arguments, as the model writes them. */
  "args.delta": { step: string; agent: string; call: string; tool: string; text: string };
  "call.started": {
    call: string;
    agent: string;
    tool: string;
    args: Json;
    effect: Effect;
    /** A person changed the arguments: the model's own are in `step.ended`. */
    edited?: true;
    /** An agent or a crew that is called as a tool. */
    via?: CallVia;
    /** Of a call that code makes: the call of `run_code`, and the line of the code. */
    within?: string;
    line?: number;
    /** Of `run_code`: name and version of the interpreter. */
    engine?: string;
  };
  "call.progressed": { call: string; agent: string; tool: string; progress: Json };
  "call.retried": { call: string; agent: string; tool: string; attempt: number; delayMs: number; error: Failure };
  /**
   * The tool waits for answers, for a time, or for both, and then runs again with what it keeps. `round` counts from 1.
   * One that only waits on, with the same `keep` and no question, is not told again.
   */
  "call.suspended": {
    call: string;
    agent: string;
    tool: string;
    round: number;
    keep: Json;
    questions: readonly SuspendedQuestion[];
    afterMs?: number;
  };
  /**
   * `output` is whole up to 1 MiB, absent on failure; `wholeChars` is its length if it was longer. `state` is what the
   * call set in the run's store.
   */
  "call.ended": {
    call: string;
    agent: string;
    tool: string;
    output?: Json;
    wholeChars?: number;
    /** Text that the model reads instead of the output. */
    digest?: string;
    attempts: number;
    state?: { readonly [key: string]: Json };
    error?: Failure;
  };
  /**
   * Decision of a tool's own hook or, with `rules`, of the crew's policies: the names of those that matched. `edited` if
   * it is about arguments that a person changed.
   */
  "permission.decided": {
    call: string;
    edited?: true;
    decision: "allow" | "deny" | "ask" | "ask_operator" | "transform";
    reason?: string;
    args?: Json;
    rules?: readonly string[];
  };
  /** Something with an effect is about to be done; on disk before it is. */
  "effect.intended": { key: string; effect: Effect };
  /**
   * `target` is an agent or group, empty for the end; in a group signals are not `followed`. `place` is where in the reply
   * it stands: alone on a line, at the end, inside other text, or in a quotation, where it never counts.
   */
  "signal.matched": {
    agent: string;
    signal: string;
    match: MatchKind;
    target: string;
    followed: boolean;
    place?: "line" | "end" | "inside" | "quoted";
  };
  /** `count` is how many there have been since the user's last message; `returnTo` who follows a sub-crew. */
  "handoff.made": { from: string; to: string; via: Via; count: number; returnTo?: string };
  /** `from` is empty if the run starts with the group; `items` is their number in a map. */
  "group.started": { turn: string; group: string; agents: readonly string[]; items?: number; from: string };
  /**
   * `winner` is whose answer was taken with `mode: first`: the agent, or the index of the item. `over` is the list of a
   * map, which goes with its results into the run's state.
   */
  "group.ended": {
    turn: string;
    group: string;
    results: readonly MemberResult[];
    over?: readonly Json[];
    winner?: string | number;
    error?: Failure;
  };
  /**
   * An approval is bound to exactly these `args`, or to those that its answer brings; a doubt is whether to do again what may have been done; a change is
   * whether to continue with changed tools; the answer to a tool is the result of a call that the client carries out; a
   * message is what an agent of a sub-crew waits for; an input is a form that a tool asks for; a link is a page to open,
   * and its answer is `done` or `cancel`.
   * `schema` is the JSON Schema of the answer; `who`: only that role may answer.
   */
  "question.opened": {
    question: string;
    kind: "approval" | "pause" | "doubt" | "tool" | "message" | "input" | "link";
    agent: string;
    text: string;
    call?: string;
    tool?: string;
    args?: Json;
    /** Of a call that code makes: the call of `run_code`, and the line of the code. */
    within?: string;
    line?: number;
    /** Of a link: the page to open. */
    url?: string;
    /** Of the tool that an approval is about. */
    effect?: Effect;
    schema: AnswerSchema;
    /** Of an approval and of a doubt; absent: the user who owns the run. */
    who?: Answerer;
  };
  "question.answered": { question: string; value: Json; by?: AnsweredBy };
  /** The answer is no longer needed: the work that asked was cancelled. */
  "question.closed": { question: string };
  "history.trimmed": { agent: string; step: string; dropped: number; tokensBefore: number; tokensAfter: number };
  "limit.reached": { limit: string; value: number; agent: string };
  /** A model call waits until a cap on calls has room, about so long; told once a wait. */
  "limit.waiting": { limit: string; delayMs: number; agent: string; of: string };
  /** `of` is the step or call during which it was raised; `code` names its kind, if programs may want to tell it. */
  "warning.raised": { agent: string; text: string; of?: string; code?: string };
  "command.received": { command: Command };
  /** A fact of a tool, program or product; `of` is the step or call that wrote it. */
  "note.made": { kind: string; of: string; agent: string; data: Json };
}

/** Fact without its place in the log. */
export type EventBody = { [Type in keyof Facts]: Readonly<{ type: Type } & Facts[Type]> }[keyof Facts];

/** The fact of one type. */
export type EventBodyOf<Type extends EventBody["type"]> = Extract<EventBody, { readonly type: Type }>;

/** The place of a fact in the log: `seq` is 1, 2, 3 …, `at` milliseconds since 1970, `lane` empty for the run's own line. */
export type Stamp = Readonly<{ run: string; seq: number; at: number; lane: string }>;

/** A fact with its place in the log. */
export type RunEvent = EventBody & Stamp;
