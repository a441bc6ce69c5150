/**
 * Step: one model call, streamed into the log.
 *
 * A failure that may pass is tried again, and readers are told to drop the partial text. Whatever happens, there is
 * one `step.ended`; text that comes after the step's scope has ended goes nowhere.
 */
import { BatonError, toBatonError, toFailure } from "./error.ts";
import type { FactOf } from "./event.ts";
import { freezeDeep, given, type Json, parseJson } from "./json.ts";
import type { TextSource } from "./log.ts";
import { NO_USAGE, type CallRequest, type Message } from "./message.ts";
import type { Chunk, Model, Prompt } from "./model.ts";
import { type Lane, type Role, toDelayMs } from "./plan.ts";
import type { Scope } from "./scope.ts";

export interface StepOptions {
  readonly role: Role;
  readonly model: Model;
  /** Its position, `3.1`. */
  readonly step: string;
  readonly scope: Scope;
  readonly messages: readonly Message[];
  readonly withTools: boolean;
}

/** Calls the agent's model once, as far as readers can tell. */
export function takeStep(lane: Lane, options: StepOptions): FactOf<"step.ended"> | Promise<FactOf<"step.ended">> {
  const { role, step, model } = options;
  const agent = role.agent.id;
  lane.host.emit({ type: "step.started", step, agent, model: model.name });
  if (lane.host.begun(step) > 0) {
    const error = { code: "closed", message: "the process ended during the step" } as const;
    lane.host.emit({ type: "step.retried", step, agent, attempt: 1, delayMs: 0, error });
  }
  return lane.host.once({
    type: "step.ended",
    key: step,
    effect: "read",
    work: () => tryStep(lane, options, 1),
    failed: (error) => toFailed(options, error),
  });
}

function toFailed({ role, step }: StepOptions, error: BatonError): FactOf<"step.ended"> {
  const empty = { text: "", calls: [], finish: "other", usage: NO_USAGE } as const;
  return { type: "step.ended", step, agent: role.agent.id, ...empty, error: toFailure(error) };
}

function tryStep(lane: Lane, options: StepOptions, attempt: number): Promise<FactOf<"step.ended">> {
  const { scope, step, role } = options;
  const { modelAttempts } = lane.plan.crew.settings;
  const reply = scope.race(() => readReply(lane, options, attempt));
  return reply.catch(async (thrown: unknown) => {
    const error = toModelError(thrown, scope);
    if (!error.retryable || attempt >= modelAttempts || !scope.live) throw error;
    const delayMs = Math.max(toDelayMs(lane, attempt), error.retryAfterMs ?? 0);
    if (delayMs >= scope.remainingMs) throw error;
    const told = { attempt: attempt + 1, delayMs, error: toFailure(error) };
    lane.host.emit({ type: "step.retried", step, agent: role.agent.id, ...told });
    await scope.sleep(delayMs);
    return tryStep(lane, options, attempt + 1);
  });
}

function toPrompt(lane: Lane, { role, messages, withTools }: StepOptions, attempt: number): Prompt {
  const { id, temperature, topP, maxTokens } = role.agent;
  const { limits, modelStates } = lane.shared;
  const state = modelStates.get(id);
  const tools = withTools ? role.toolSpecs : [];
  const attempts = lane.plan.crew.settings.modelAttempts;
  const prompt: Prompt = {
    run: lane.host.run,
    agent: id,
    system: role.system,
    messages,
    tools,
    attempt,
    attempts,
    temperature,
  };
  if (topP === undefined && maxTokens === undefined && state === undefined && limits === undefined) return prompt;
  return { ...prompt, ...given({ topP, maxTokens, state, limits }) };
}

/** A reply as it comes in. */
interface Reply {
  readonly lane: Lane;
  readonly options: StepOptions;
  readonly source: TextSource;
  text: string;
  reasoning: string;
  readonly calls: CallRequest[];
  end: Extract<Chunk, { type: "end" }> | undefined;
}

async function readReply(lane: Lane, options: StepOptions, attempt: number): Promise<FactOf<"step.ended">> {
  const { scope, model, step, role } = options;
  const agent = role.agent.id;
  const source = { lane: lane.host.lane, step, agent };
  const reply: Reply = { lane, options, source, text: "", reasoning: "", calls: [], end: undefined };
  let isFirst = true;
  for await (const chunks of model.stream(toPrompt(lane, options, attempt), scope)) {
    // Many replies may begin in one turn of the event loop.
    const pause = isFirst || chunks.length === 0 ? scope.clock.breathe() : undefined;
    isFirst = false;
    if (pause !== undefined) await pause;
    for (const chunk of chunks) {
      if (!scope.live) throw scope.reason ?? new BatonError("closed", "the step has ended");
      if (reply.end === undefined) take(reply, chunk);
    }
  }
  const { text, calls, end, reasoning } = reply;
  if (end === undefined) throw new BatonError("model", "the reply was cut off", { retryable: true });
  const { finish, usage, model: used, costUsd, provider, state } = end;
  const ended = { type: "step.ended", step, agent, text, calls, finish, usage } as const;
  const isPlain = used === undefined && costUsd === undefined && provider === undefined && state === undefined;
  if (isPlain && reasoning === "") return ended;
  return { ...ended, ...given({ model: used, costUsd, reasoning: reasoning || undefined, provider, state }) };
}

function take(reply: Reply, chunk: Chunk): void {
  const { agent, step } = reply.source;
  const { host } = reply.lane;
  switch (chunk.type) {
    case "text":
      if (chunk.text === "") return;
      reply.text += chunk.text;
      host.say(reply.source, chunk.text);
      return;
    case "reasoning":
      reply.reasoning += chunk.text;
      host.emit({ type: "reasoning.delta", step, agent, text: chunk.text });
      return;
    case "args": {
      if (!reply.options.withTools) return;
      const call = `${step}.${chunk.index}`;
      host.emit({ type: "args.delta", step, agent, call, tool: chunk.tool, text: chunk.text });
      return;
    }
    case "call": {
      if (!reply.options.withTools) return;
      const id = `${step}.${reply.calls.length + 1}`;
      reply.calls.push({ id, tool: chunk.tool, args: toArgs(chunk.args) });
      return;
    }
    case "note":
      host.emit({ type: "warning.raised", agent, text: chunk.text, of: step });
      return;
    case "restart":
      reply.text = "";
      reply.reasoning = "";
      reply.calls.length = 0;
      host.emit({ type: "step.retried", step, agent, ...toRestart(chunk.reason) });
      return;
    case "end":
      reply.end = chunk;
  }
}

const toRestart = (message: string) => ({ attempt: 1, delayMs: 0, error: { code: "model", message } }) as const;

/** What a model asked with, frozen: log, hooks and tools share it. Nothing at all means no arguments. */
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
