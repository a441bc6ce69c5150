/**
 * Step: one model call, streamed into the log.
 *
 * A temporary failure is retried, and readers get an event that lets them drop the partial text. Every step has
 * exactly one `step.ended`; text that comes after the step's scope has ended is dropped.
 */
import {
  type ModelCall,
  toAttempts,
  toFailed,
  toKind,
  toMaxChars,
  toModelCall,
  toOutputLimit,
  toPrompt,
} from "../views/model-call.ts";
import { BatonError, toBatonError, toFailure } from "../words/error.ts";
import type { EventBodyOf } from "../words/event.ts";
import { IdleTimer } from "../lifetimes/idle-timer.ts";
import { freezeDeep, omitUndefined, type Json, parseJson } from "../words/json.ts";
import { type Lane, toDelayMs } from "../views/lane.ts";
import type { TextSource } from "../ports/log.ts";
import type { CallRequest } from "../words/message.ts";
import type { Chunk } from "../ports/model.ts";
import { toNote } from "../words/note.ts";
import { toStateValue } from "../words/output.ts";
import type { Scope } from "../lifetimes/scope.ts";
import type { OpenTurn } from "../views/open-turn.ts";
import { toFigure, toSeconds } from "../words/text.ts";
import { fitView } from "../views/window.ts";

type Ended = EventBodyOf<"step.ended">;

/** Calls the agent's model; to readers of the log, retries are part of one call. */
export function takeStep(lane: Lane, turn: OpenTurn, step: string): Ended | Promise<Ended> {
  const { id } = turn.role.agent;
  const modelCall = toModelCall(lane, turn, step);
  const { tokens, window } = modelCall.fit;
  const { name: model } = modelCall.model;
  lane.host.emit({ type: "step.started", step, agent: id, model, ...toKind(modelCall), tokens, window });
  if (lane.host.begun(step) > 0) {
    const error = { code: "closed", message: "the process ended during the step" } as const;
    lane.host.emit({ type: "step.retried", step, agent: id, attempt: 1, delayMs: 0, error });
  }
  return lane.host.once({
    type: "step.ended",
    key: step,
    effect: "read",
    work: () => tryStep(lane, modelCall, 1),
    failed: (error) => toFailed(modelCall, error),
    isPure: turn.isProgram,
    notes: () => modelCall.notes,
    prompt: () => toPrompt(lane, modelCall, 1),
  });
}

function tryStep(lane: Lane, modelCall: ModelCall, attempt: number): Promise<Ended> {
  const { step, agent, turn } = modelCall;
  const { scope } = turn;
  const reply = modelCall.turn.isProgram
    ? scope.race(() => readReply(lane, modelCall, { attempt, scope }))
    : readInTime(lane, modelCall, attempt);
  return reply.catch(async (thrown: unknown) => {
    const error = toModelError(thrown, scope);
    const { triesBefore } = modelCall;
    // A backup that took over in this attempt has been tried once.
    const made = Math.max(attempt, triesBefore + 1);
    if (!error.retryable || made - triesBefore >= toAttempts(lane, modelCall) || !scope.live) throw error;
    // The wait is cut to the time that is left; what the provider asks for is not.
    const backoffMs = Math.floor(Math.min(toDelayMs(lane, "model", made - triesBefore), scope.remainingMs / 2));
    const delayMs = Math.max(backoffMs, error.retryAfterMs ?? 0);
    if (delayMs >= scope.remainingMs) throw error;
    const told = { attempt: made + 1, delayMs, error: toFailure(error) };
    lane.host.emit({ type: "step.retried", step, agent: agent.id, ...told });
    modelCall.text = "";
    modelCall.notes.length = 0;
    await scope.sleep(delayMs);
    return tryStep(lane, modelCall, made + 1);
  });
}

/** One attempt; a model that is silent for too long is stopped. */
function readInTime(lane: Lane, modelCall: ModelCall, attempt: number): Promise<Ended> {
  const { modelIdleMs: idleMs } = lane.plan.crew.settings;
  const what = `the model of ${modelCall.agent.id} sent nothing for ${toSeconds(idleMs)} (model_idle_seconds)`;
  const late = () => new BatonError("model", what, { retryable: true });
  // Without a name: a receipt lists the turn, not its attempts.
  const scope = modelCall.turn.scope.child({ name: "" });
  const startMs = Math.max(idleMs, modelCall.model.maxStartMs ?? 0);
  const idle = new IdleTimer(scope, { idleMs, startMs, late });
  return scope.only(() => readReply(lane, modelCall, { attempt, scope, idle })).finally(() => idle.stop());
}

/** A reply as it comes in. */
interface Reply {
  readonly attempt: number;
  readonly lane: Lane;
  readonly modelCall: ModelCall;
  readonly source: TextSource;
  readonly maxChars: number;
  /** Number of characters read, with arguments while they were written. */
  chars: number;
  argsChars: number;
  reasoning: string;
  /** At most one more than are made. */
  readonly calls: CallRequest[];
  /** Number of calls that are left out. */
  leftOut: number;
  end: Extract<Chunk, { type: "end" }> | undefined;
}

type Attempt = Readonly<{ attempt: number; scope: Scope; idle?: IdleTimer }>;

async function readReply(lane: Lane, modelCall: ModelCall, { attempt, scope, idle }: Attempt): Promise<Ended> {
  const { model, step, agent, turn } = modelCall;
  if (attempt === 1) fitView(lane, turn, modelCall);
  const isProgram = model.isProgram === true;
  const source = { lane: lane.host.lane, step, agent: agent.id };
  const counts = { maxChars: toMaxChars(lane, modelCall), chars: 0, argsChars: 0, leftOut: 0 };
  const reply: Reply = { attempt, lane, modelCall, source, ...counts, reasoning: "", calls: [], end: undefined };
  let isFirst = true;
  for await (const chunks of model.stream(toPrompt(lane, modelCall, attempt), scope)) {
    idle?.touch();
    // Many replies may begin in one turn of the event loop.
    const pause = isFirst || chunks.length === 0 ? scope.clock.breathe() : undefined;
    isFirst = false;
    if (pause !== undefined) await pause;
    for (const chunk of chunks) {
      if (!scope.live) throw scope.reason ?? new BatonError("closed", "the step has ended");
      if (reply.end === undefined) take(reply, chunk);
      if (chunk.type === "waiting" || (chunk.type === "restart" && chunk.delayMs !== undefined)) idle?.pause();
    }
  }
  const { calls, end, reasoning } = reply;
  const { text } = modelCall;
  if (end === undefined) throw new BatonError("model", "the reply was interrupted", { retryable: !isProgram });
  if (end.finish === "length") warnLength(lane, modelCall);
  if (calls.length > lane.plan.crew.settings.maxCallsPerReply) warnCalls(reply);
  const { finish, usage } = end;
  const said = { type: "step.ended", step, agent: agent.id, text, calls, finish, usage } as const;
  const ended = calls.length > 0 && text.trim() !== "" ? ({ ...said, commentary: true } as const) : said;
  const extra = end.model ?? end.costUsd ?? end.provider ?? end.state ?? end.set ?? end.end;
  if (extra === undefined && end.output === undefined && reasoning === "") return ended;
  const { type: _, set: changes, ...more } = end;
  const set = changes === undefined ? undefined : toChanges(changes);
  return { ...ended, ...more, ...omitUndefined({ reasoning: reasoning || undefined, set }) };
}

/** Converts the changes that a program makes into values of the run's state. */
function toChanges(changes: object): { readonly [key: string]: Json } {
  return Object.fromEntries(Object.entries(changes).map(([key, value]) => [key, toStateValue(key, value)]));
}

function warnLength(lane: Lane, modelCall: ModelCall): void {
  const { agent, step } = modelCall;
  const { value, setting } = toOutputLimit(lane, modelCall);
  const end = modelCall.text === "" ? "ended without text" : "was cut";
  const text = `the reply of ${agent.id} ${end} after ${value} tokens (${setting})`;
  lane.host.emit({ type: "warning.raised", agent: agent.id, text, of: step });
}

function warnCalls({ lane: { host, plan }, modelCall: { step, agent }, calls, leftOut }: Reply): void {
  const { maxCallsPerReply: most } = plan.crew.settings;
  const all = toFigure(calls.length + leftOut);
  const text = `${agent.id} asked for ${all} calls in one reply; ${toFigure(most)} are made (max_calls_per_reply)`;
  host.emit({ type: "warning.raised", agent: agent.id, text, of: step });
}

/** Counts what a chunk adds to the reply; throws `output_too_long` if that is too much. */
function count(reply: Reply, chunk: Chunk): void {
  if (chunk.type === "text" || chunk.type === "reasoning") reply.chars += chunk.text.length;
  else if (chunk.type === "call") reply.chars += chunk.args.length;
  else if (chunk.type === "args") reply.argsChars += chunk.text.length;
  if (reply.chars <= reply.maxChars && reply.argsChars <= reply.maxChars) return;
  reply.modelCall.readChars = Math.max(reply.chars, reply.argsChars);
  const { value, setting } = toOutputLimit(reply.lane, reply.modelCall);
  const most = `${toFigure(reply.maxChars)} characters, more than its ${toFigure(value)} tokens can be (${setting})`;
  throw new BatonError("output_too_long", `the reply of ${reply.modelCall.agent.id} was stopped after ${most}`);
}

function take(reply: Reply, chunk: Chunk): void {
  count(reply, chunk);
  const { agent, step } = reply.source;
  const { modelCall } = reply;
  const { host } = reply.lane;
  switch (chunk.type) {
    case "text":
      if (chunk.text === "") return;
      modelCall.text += chunk.text;
      host.say(reply.source, chunk.text);
      return;
    case "reasoning":
      reply.reasoning += chunk.text;
      host.emit({ type: "reasoning.delta", step, agent, text: chunk.text });
      return;
    case "args": {
      if (modelCall.tools.length === 0) return;
      const call = `${step}.${chunk.index}`;
      host.emit({ type: "args.delta", step, agent, call, tool: chunk.tool, text: chunk.text });
      return;
    }
    case "call": {
      if (modelCall.tools.length === 0) {
        const text = `the model of ${agent} called ${chunk.tool}, but tools are switched off for this reply`;
        host.emit({ type: "warning.raised", agent, text, of: step });
        return;
      }
      // One more than are made: it tells the model that the others are not.
      if (reply.calls.length > reply.lane.plan.crew.settings.maxCallsPerReply) {
        reply.leftOut++;
        return;
      }
      const id = `${step}.${reply.calls.length + 1}`;
      const request = { id, tool: chunk.tool, args: toArgs(chunk.args) };
      reply.calls.push(chunk.isText === true ? { ...request, isText: true } : request);
      return;
    }
    case "waiting":
      host.emit({ type: "limit.waiting", limit: chunk.limit, delayMs: chunk.delayMs, agent, of: step });
      return;
    case "backup":
      modelCall.triesBefore = reply.attempt;
      return;
    case "warning":
      host.emit({ type: "warning.raised", agent, text: chunk.text, of: step });
      return;
    case "note":
      modelCall.notes.push(toNote(chunk, step, agent));
      return;
    case "restart":
      startAgain(reply, chunk);
      return;
    case "end":
      reply.end = chunk;
  }
}

function startAgain(reply: Reply, { reason: message, delayMs = 0 }: Extract<Chunk, { type: "restart" }>): void {
  const { modelCall, source } = reply;
  modelCall.text = "";
  modelCall.notes.length = 0;
  reply.calls.length = 0;
  Object.assign(reply, { reasoning: "", chars: 0, argsChars: 0, leftOut: 0 });
  const told = { attempt: reply.attempt, delayMs, error: { code: "model", message } } as const;
  reply.lane.host.emit({ type: "step.retried", step: source.step, agent: source.agent, ...told });
}

/**
 * Parses the arguments of a model's call, frozen: log, hooks and tools share them. An empty text means no arguments.
 */
function toArgs(text: string): Json {
  const args = parseJson(text === "" ? "{}" : text);
  return args === undefined ? text : freezeDeep(args ?? {});
}

/** A model cannot say that the run was cancelled or is out of time: only the scope can. */
function toModelError(thrown: unknown, scope: Scope): BatonError {
  const error = toBatonError(thrown, "model");
  const isForeign = scope.live && (error.code === "cancelled" || error.code === "timeout");
  return isForeign ? new BatonError("model", error.message, { cause: error }) : error;
}
