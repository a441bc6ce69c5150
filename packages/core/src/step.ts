/**
 * Step: one model call, streamed into the log.
 *
 * A failure that may pass is tried again, and readers are told to drop the partial text. Whatever happens, there is
 * one `step.ended`; text that comes after the step's scope has ended goes nowhere.
 */
import type { Agent } from "./agent.ts";
import { BatonError, toBatonError, toFailure } from "./error.ts";
import type { FactOf } from "./event.ts";
import { freezeDeep, given, type Json, parseJson } from "./json.ts";
import { type Lane, toDelayMs } from "./lane.ts";
import type { TextSource } from "./log.ts";
import { NO_USAGE, type CallRequest } from "./message.ts";
import type { Chunk, Model, Prompt, ToolSpec } from "./model.ts";
import type { Scope } from "./scope.ts";
import { type Stay, toConfigured, toModel } from "./stay.ts";
import { fitView, repeatTrim } from "./window.ts";

/** A model call of a stay. */
interface Coming {
  readonly stay: Stay;
  /** Its position, `3.1`. */
  readonly step: string;
  /** As it is configured now. */
  readonly agent: Agent;
  readonly model: Model;
  /** None if they are switched off. */
  readonly tools: readonly ToolSpec[];
  /** What has been said; kept if the step is interrupted. */
  text: string;
}

/** Calls the agent's model once, as far as readers can tell. */
export function takeStep(lane: Lane, stay: Stay, step: string): FactOf<"step.ended"> | Promise<FactOf<"step.ended">> {
  const { role, isLast } = stay;
  const { id } = role.agent;
  const agent = toConfigured(lane, role.agent);
  const model = toModel(lane, agent);
  const tools = isLast || agent.toolChoice === "none" ? [] : role.toolSpecs;
  const coming: Coming = { stay, step, agent, model, tools, text: "" };
  lane.host.emit({ type: "step.started", step, agent: id, model: model.name });
  if (lane.host.begun(step) > 0) {
    const error = { code: "closed", message: "the process ended during the step" } as const;
    lane.host.emit({ type: "step.retried", step, agent: id, attempt: 1, delayMs: 0, error });
  }
  repeatTrim(lane, stay, step);
  return lane.host.once({
    type: "step.ended",
    key: step,
    effect: "read",
    work: () => tryStep(lane, coming, 1),
    failed: (error) => toFailed(coming, error),
  });
}

function toFailed({ stay, step, text }: Coming, error: BatonError): FactOf<"step.ended"> {
  const said = stay.scope.live ? "" : text;
  const empty = { text: said, calls: [], finish: "other", usage: NO_USAGE } as const;
  return { type: "step.ended", step, agent: stay.role.agent.id, ...empty, error: toFailure(error) };
}

function tryStep(lane: Lane, coming: Coming, attempt: number): Promise<FactOf<"step.ended">> {
  const { step, agent, stay } = coming;
  const { scope } = stay;
  const reply = scope.race(() => readReply(lane, coming, attempt));
  return reply.catch(async (thrown: unknown) => {
    const error = toModelError(thrown, scope);
    if (!error.retryable || attempt >= lane.plan.crew.settings.modelAttempts || !scope.live) throw error;
    // The wait is cut to the time that is left; what the provider asks for is not.
    const backoffMs = Math.min(toDelayMs(lane, "model", attempt), scope.remainingMs / 2);
    const delayMs = Math.max(backoffMs, error.retryAfterMs ?? 0);
    if (delayMs >= scope.remainingMs) throw error;
    const told = { attempt: attempt + 1, delayMs, error: toFailure(error) };
    lane.host.emit({ type: "step.retried", step, agent: agent.id, ...told });
    coming.text = "";
    await scope.sleep(delayMs);
    return tryStep(lane, coming, attempt + 1);
  });
}

function toPrompt(lane: Lane, { stay, agent, tools }: Coming, attempt: number): Prompt {
  const { limits, modelStates } = lane.shared;
  const { id, temperature, topP } = agent;
  const state = modelStates.get(id);
  const prompt: Prompt = {
    run: lane.host.run,
    agent: id,
    system: stay.role.system,
    messages: stay.view,
    tools,
    attempt,
    attempts: lane.plan.crew.settings.modelAttempts,
    temperature,
    maxTokens: toMaxTokens(lane, agent).value,
  };
  const choice = tools.length === 0 ? undefined : toChoice(agent, stay);
  if (topP === undefined && state === undefined && limits === undefined && choice === undefined) return prompt;
  return { ...prompt, ...given({ topP, state, limits }), ...choice };
}

/** The most tokens a reply may have, and which setting says so. */
function toMaxTokens(
  { plan }: Lane,
  { maxTokens, costLimits }: Agent,
): { readonly value: number; readonly setting: string } {
  const cap = Math.floor(costLimits?.maxTokensPerCall ?? plan.crew.settings.maxTokensPerCall);
  if (maxTokens !== undefined && maxTokens <= cap) return { value: maxTokens, setting: "max_tokens" };
  return { value: cap, setting: "max_tokens_per_call" };
}

/** What is asked of the model about its tools; a choice holds until a tool has run. */
function toChoice(agent: Agent, { hasCalled, hasRun }: Stay): Partial<Prompt> {
  const { toolChoice, parallelToolCalls } = agent;
  const choice = toolChoice === "auto" || toolChoice === "required" ? toolChoice : { tool: toolChoice };
  return {
    ...(parallelToolCalls ? {} : { parallelCalls: false as const }),
    ...(hasCalled ? {} : { isUncalled: true as const }),
    ...(hasRun || choice === "auto" ? {} : { toolChoice: choice }),
  };
}

/** A reply as it comes in. */
interface Reply {
  readonly lane: Lane;
  readonly coming: Coming;
  readonly source: TextSource;
  reasoning: string;
  readonly calls: CallRequest[];
  end: Extract<Chunk, { type: "end" }> | undefined;
}

async function readReply(lane: Lane, coming: Coming, attempt: number): Promise<FactOf<"step.ended">> {
  const { model, step, agent, stay } = coming;
  const { scope } = stay;
  if (attempt === 1) fitView(lane, stay, coming);
  const source = { lane: lane.host.lane, step, agent: agent.id };
  const reply: Reply = { lane, coming, source, reasoning: "", calls: [], end: undefined };
  let isFirst = true;
  for await (const chunks of model.stream(toPrompt(lane, coming, attempt), scope)) {
    // Many replies may begin in one turn of the event loop.
    const pause = isFirst || chunks.length === 0 ? scope.clock.breathe() : undefined;
    isFirst = false;
    if (pause !== undefined) await pause;
    for (const chunk of chunks) {
      if (!scope.live) throw scope.reason ?? new BatonError("closed", "the step has ended");
      if (reply.end === undefined) take(reply, chunk);
    }
  }
  const { calls, end, reasoning } = reply;
  const { text } = coming;
  if (end === undefined) throw new BatonError("model", "the reply was cut off", { retryable: true });
  if (end.finish === "length") warnLength(lane, coming);
  const { finish, usage, model: used, costUsd, provider, state, end: endsRun } = end;
  const ended = { type: "step.ended", step, agent: agent.id, text, calls, finish, usage } as const;
  const extra = used ?? costUsd ?? provider ?? state ?? endsRun;
  if (extra === undefined && reasoning === "") return ended;
  const more = given({ model: used, costUsd, reasoning: reasoning || undefined, provider, state, end: endsRun });
  return { ...ended, ...more };
}

function warnLength(lane: Lane, { agent, step }: Coming): void {
  const { value, setting } = toMaxTokens(lane, agent);
  const text = `the reply of ${agent.id} was cut after ${value} tokens (${setting})`;
  lane.host.emit({ type: "warning.raised", agent: agent.id, text, of: step });
}

function take(reply: Reply, chunk: Chunk): void {
  const { agent, step } = reply.source;
  const { coming } = reply;
  const { host } = reply.lane;
  switch (chunk.type) {
    case "text":
      if (chunk.text === "") return;
      coming.text += chunk.text;
      host.say(reply.source, chunk.text);
      return;
    case "reasoning":
      reply.reasoning += chunk.text;
      host.emit({ type: "reasoning.delta", step, agent, text: chunk.text });
      return;
    case "args": {
      if (coming.tools.length === 0) return;
      const call = `${step}.${chunk.index}`;
      host.emit({ type: "args.delta", step, agent, call, tool: chunk.tool, text: chunk.text });
      return;
    }
    case "call": {
      if (coming.tools.length === 0) {
        const text = `the model of ${agent} asked for ${chunk.tool}, and tools are off`;
        host.emit({ type: "warning.raised", agent, text, of: step });
        return;
      }
      const id = `${step}.${reply.calls.length + 1}`;
      reply.calls.push({ id, tool: chunk.tool, args: toArgs(chunk.args) });
      return;
    }
    case "note":
      host.emit({ type: "warning.raised", agent, text: chunk.text, of: step });
      return;
    case "restart":
      coming.text = "";
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
