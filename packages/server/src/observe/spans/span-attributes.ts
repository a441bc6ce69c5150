/**
 * Span attributes: what a span says, in the names of OpenTelemetry's GenAI conventions.
 *
 * A crew is a workflow, a turn the invocation of an agent, a step a chat, a call the execution of a tool. Names that
 * have no convention begin with `baton.`. Texts of people and models are in none.
 */
import type { Failure } from "@baton/core";
import type { EventBodyOf, Finish } from "@baton/core/ports";
import { type Attributes, SpanKind } from "@opentelemetry/api";
import type { ObservedRun } from "../open-runs.ts";
import { toModelName, toProvider } from "../provider.ts";

/** Name and attributes of a new span. */
export interface SpanStart {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
}

/** Providers that the conventions know under another name. */
const PROVIDER_NAMES: ReadonlyMap<string, string> = new Map([["google", "gcp.gemini"]]);

const FINISH_REASONS: Readonly<Record<Finish, string>> = {
  stop: "stop",
  calls: "tool_call",
  length: "length",
  filter: "content_filter",
  other: "other",
};

export function toRunStart({ id, origin: { crew, session } }: ObservedRun): SpanStart {
  const attributes = { "baton.run.id": id, "gen_ai.conversation.id": session };
  return toStart("invoke_workflow", crew, { "gen_ai.workflow.name": crew, ...attributes });
}

export function toGroupStart({ group }: EventBodyOf<"group.started">): SpanStart {
  return toStart("invoke_workflow", group, { "gen_ai.workflow.name": group });
}

export function toTurnStart(agent: string): SpanStart {
  return toStart("invoke_agent", agent, { "gen_ai.agent.id": agent, "gen_ai.agent.name": agent });
}

/** The span of a step; the model is unknown if the step began before the run was recovered. */
export function toStepStart(model: string | undefined): SpanStart {
  const request = model === undefined ? undefined : toModelName(model);
  const start = toStart("chat", request, {
    "gen_ai.provider.name": model === undefined ? undefined : toProviderName(model),
    "gen_ai.request.model": request,
    "gen_ai.request.stream": true,
  });
  return { ...start, kind: SpanKind.CLIENT };
}

export function toCallStart({ call, tool }: Readonly<{ call: string; tool: string }>): SpanStart {
  const attributes = { "gen_ai.tool.name": tool, "gen_ai.tool.call.id": call, "gen_ai.tool.type": "function" };
  return toStart("execute_tool", tool, attributes);
}

/** Attributes of a model call that has ended; the model that was asked has answered, unless the event names another. */
export function toStepEnd({ usage, finish, model, costUsd }: EventBodyOf<"step.ended">, asked: SpanStart): Attributes {
  return {
    "gen_ai.response.finish_reasons": [FINISH_REASONS[finish]],
    "gen_ai.response.model": model === undefined ? asked.attributes["gen_ai.request.model"] : toModelName(model),
    "gen_ai.usage.input_tokens": usage.inputTokens,
    "gen_ai.usage.output_tokens": usage.outputTokens,
    "gen_ai.usage.cache_read.input_tokens": usage.cachedTokens,
    "gen_ai.usage.cache_creation.input_tokens": usage.cacheWriteTokens,
    "gen_ai.usage.reasoning.output_tokens": usage.reasoningTokens,
    "baton.cost_usd": costUsd,
  };
}

/** The class of an error: a tool's kind, else the code. */
export function toErrorType({ kind, code }: Failure): string {
  return kind ?? code;
}

function toProviderName(model: string): string {
  const provider = toProvider(model);
  return PROVIDER_NAMES.get(provider) ?? provider;
}

function toStart(operation: string, subject: string | undefined, attributes: Attributes): SpanStart {
  return {
    name: subject === undefined ? operation : `${operation} ${subject}`,
    kind: SpanKind.INTERNAL,
    attributes: { "gen_ai.operation.name": operation, ...attributes },
  };
}
