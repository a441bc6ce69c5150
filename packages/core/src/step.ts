/**
 * Step: one model call, streamed into the log.
 *
 * A failure that may pass is tried again, and readers are told to drop the partial text. Whatever happens,
 * there is one `step.ended`; text that comes after the step's scope has ended goes nowhere.
 * Reads: error, event, host, message, model, plan, retry, scope. Read by: turn.
 */
import { BatonError, toBatonError, toFailure } from "./error.ts";
import type { FactOf } from "./event.ts";
import { parseJson } from "./json.ts";
import { NO_USAGE, type CallRequest, type Message } from "./message.ts";
import type { Chunk, Model, Prompt } from "./model.ts";
import type { Lane, Role } from "./plan.ts";
import { backoffMs } from "./retry.ts";
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

/** How often a model call is tried. */
const MAX_ATTEMPTS = 3;

/** Calls the agent's model once, as far as readers can tell. */
export async function takeStep(lane: Lane, options: StepOptions): Promise<FactOf<"step.ended">> {
  const { role, step, model } = options;
  const agent = role.agent.id;
  lane.host.emit({ type: "step.started", step, agent, model: model.name });
  const ended = await lane.host.once({
    type: "step.ended",
    key: step,
    effect: "read",
    work: () => tryStep(lane, options),
    failed: (error) => toFailed(options, error),
  });
  if (ended.state !== undefined) lane.shared.modelStates.set(agent, ended.state);
  return ended;
}

function toFailed({ role, step }: StepOptions, error: BatonError): FactOf<"step.ended"> {
  const empty = { text: "", calls: [], finish: "other", usage: NO_USAGE } as const;
  return { type: "step.ended", step, agent: role.agent.id, ...empty, error: toFailure(error) };
}

async function tryStep(lane: Lane, options: StepOptions): Promise<FactOf<"step.ended">> {
  const { scope, step, role, model } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      return await scope.race(() => readReply(lane, options, model.stream(toPrompt(lane, options, attempt), scope)));
    } catch (thrown) {
      const error = toBatonError(thrown, "model");
      if (!error.retryable || attempt === MAX_ATTEMPTS || !scope.live) throw error;
      const delayMs = toDelayMs(lane, attempt, error);
      if (delayMs >= scope.remainingMs) throw error;
      lane.host.emit({
        type: "step.retried",
        step,
        agent: role.agent.id,
        attempt: attempt + 1,
        delayMs,
        error: toFailure(error),
      });
      await scope.sleep(delayMs);
    }
  }
}

function toDelayMs(lane: Lane, attempt: number, error: BatonError): number {
  const { retryMinMs, retryMaxMs } = lane.plan.crew.settings;
  const { clock } = lane.host.scope;
  const delayMs = backoffMs(attempt, { minMs: retryMinMs, maxMs: retryMaxMs }, () => clock.random());
  return Math.max(delayMs, error.retryAfterMs ?? 0);
}

function toPrompt(lane: Lane, { role, messages, withTools }: StepOptions, attempt: number): Prompt {
  const { agent } = role;
  const state = lane.shared.modelStates.get(agent.id);
  return {
    agent: agent.id,
    system: role.system,
    messages,
    tools: withTools ? role.toolSpecs : [],
    attempt,
    temperature: agent.temperature,
    ...(agent.topP === undefined ? {} : { topP: agent.topP }),
    ...(agent.maxTokens === undefined ? {} : { maxTokens: agent.maxTokens }),
    ...(state === undefined ? {} : { state }),
  };
}

interface Reply {
  text: string;
  reasoning: string;
  readonly calls: CallRequest[];
  end: Extract<Chunk, { type: "end" }> | undefined;
}

async function readReply(
  lane: Lane,
  options: StepOptions,
  stream: AsyncIterable<readonly Chunk[]>,
): Promise<FactOf<"step.ended">> {
  const reply: Reply = { text: "", reasoning: "", calls: [], end: undefined };
  for await (const chunks of stream) {
    for (const chunk of chunks) {
      if (!options.scope.live) throw options.scope.reason ?? new BatonError("closed", "the step has ended");
      take(lane, options, { reply, chunk });
    }
  }
  const { end } = reply;
  if (end === undefined) throw new BatonError("model", "the reply was cut off", { retryable: true });
  return {
    type: "step.ended",
    step: options.step,
    agent: options.role.agent.id,
    text: reply.text,
    calls: reply.calls,
    finish: end.finish,
    usage: end.usage,
    ...(reply.reasoning === "" ? {} : { reasoning: reply.reasoning }),
    ...(end.provider === undefined ? {} : { provider: end.provider }),
    ...(end.state === undefined ? {} : { state: end.state }),
  };
}

function take(
  lane: Lane,
  { step, role, withTools }: StepOptions,
  { reply, chunk }: { reply: Reply; chunk: Chunk },
): void {
  const agent = role.agent.id;
  switch (chunk.type) {
    case "text":
      if (chunk.text === "") return;
      reply.text += chunk.text;
      lane.host.emit({ type: "text.delta", step, agent, text: chunk.text });
      return;
    case "reasoning":
      reply.reasoning += chunk.text;
      lane.host.emit({ type: "reasoning.delta", step, agent, text: chunk.text });
      return;
    case "call":
      if (!withTools) return;
      reply.calls.push({
        id: `${step}.${reply.calls.length + 1}`,
        tool: chunk.tool,
        args: parseJson(chunk.args) ?? chunk.args,
      });
      return;
    case "note":
      lane.host.emit({ type: "warning.raised", agent, text: chunk.text, of: step });
      return;
    case "restart":
      restart(lane, { step, agent, reply, reason: chunk.reason });
      return;
    case "end":
      reply.end = chunk;
  }
}

function restart(
  lane: Lane,
  { step, agent, reply, reason }: { step: string; agent: string; reply: Reply; reason: string },
): void {
  reply.text = "";
  reply.reasoning = "";
  reply.calls.length = 0;
  const error = { code: "model", message: reason } as const;
  lane.host.emit({ type: "step.retried", step, agent, attempt: 1, delayMs: 0, error });
}
