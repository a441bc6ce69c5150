/**
 * Faulty parts: a model and tools that play a plan, and fail where a fault says so. Each use is told before it has an effect.
 */
import {
  BatonError,
  type CallContext,
  type Chunk,
  type Crew,
  type Json,
  type Model,
  scriptModel,
  type Tool,
  ToolError,
} from "@baton/core";
import type { Scope } from "@baton/core/ports";
import { playTools } from "../doubles.ts";
import { type ChaosPlan, findResult } from "./chaos-plan.ts";

/** Ways in which a provider fails. */
export const PROVIDER_FAULTS = ["429", "500", "timeout", "reset", "garbage", "broken off"] as const;
export type ProviderFault = (typeof PROVIDER_FAULTS)[number];

/** Ways in which a tool fails. */
export const TOOL_FAULTS = ["slow", "crash", "huge"] as const;
export type ToolFault = (typeof TOOL_FAULTS)[number];

/** A use of a model or a tool. */
export type Use = Readonly<{ is: "model" | "tool"; run: string; name: string; key?: string; effect?: Tool["effect"] }>;

/** Options of the parts: where uses are told, and which use fails. Uses of models and of tools are counted apart, from 1. */
export interface FaultyPartsOptions {
  readonly plan: ChaosPlan;
  readonly tell: (use: Use) => void;
  readonly modelFault?: (call: number, prompt: Readonly<{ run: string }>) => ProviderFault | undefined;
  readonly toolFault?: (call: number) => ToolFault | undefined;
  /** Called when a tool has done its work, before its result is told. */
  readonly toolEnds?: (call: number) => void;
}

/** The model of every agent but programs. */
export function openPlannedModel({ plan, tell, modelFault }: FaultyPartsOptions): Model {
  const script = scriptModel(plan.script);
  let calls = 0;
  return {
    ...script,
    async *stream(prompt, scope) {
      calls += 1;
      tell({ is: "model", run: prompt.run, name: prompt.agent });
      const fault = modelFault?.(calls, prompt);
      // A retry gets the same reply: the script's own failures are those of the recorded run.
      const reply = script.stream({ ...prompt, attempt: 1 }, scope);
      if (fault === undefined) yield* reply;
      else yield* fail(fault, reply, scope);
    },
  };
}

const FAILURES = {
  "429": ["too many requests (HTTP 429)", 2_000],
  "500": ["the provider is overloaded or failing (HTTP 500)", undefined],
  garbage: ["the provider's answer is not valid", undefined],
  reset: ["no connection to the provider: ECONNRESET", undefined],
} as const;

async function* fail(
  fault: ProviderFault,
  reply: AsyncIterable<readonly Chunk[]>,
  scope: Scope,
): AsyncGenerator<readonly Chunk[]> {
  if (fault === "timeout") {
    await untilAborted(scope);
    return;
  }
  if (fault === "garbage") yield [{ type: "text", text: '\u0000\uFFFD{"choices":[{' }];
  if (fault === "broken off") {
    for await (const chunks of reply) {
      yield chunks.filter(({ type }) => type !== "end");
      throw new BatonError("model", "the provider's answer was interrupted", { retryable: true });
    }
    return;
  }
  const [message, retryAfterMs] = FAILURES[fault];
  throw new BatonError("model", message, { retryable: true, ...(retryAfterMs !== undefined && { retryAfterMs }) });
}

async function untilAborted({ abort }: Scope): Promise<void> {
  if (!abort.aborted) await new Promise((resolve) => abort.addEventListener("abort", resolve, { once: true }));
  throw new BatonError("cancelled", "aborted");
}

const HUGE_CHARS = 4_000_000;

/** The crew with tools that give what the plan recorded. */
export function playPlan(crew: Crew, { plan, tell, toolFault, toolEnds }: FaultyPartsOptions): Crew {
  let calls = 0;
  const play = async (tool: Tool, args: Json, context: CallContext): Promise<Json> => {
    const call = ++calls;
    const { key, run, scope, state } = context;
    tell({ is: "tool", run, name: tool.name, key, effect: tool.effect });
    const fault = toolFault?.(call);
    if (fault === "slow") await untilAborted(scope);
    if (fault === "crash") throw new Error("the tool crashed");
    if (fault === "huge") return "x".repeat(HUGE_CHARS);
    const result = findResult(plan, key, { tool: tool.name, args });
    toolEnds?.(call);
    if (result === undefined) throw new ToolError("permanent", `${tool.name} was not called so in the first run`);
    for (const [name, value] of Object.entries(result.state ?? {})) state.set(name, value);
    if (result.error !== undefined) throw new ToolError("permanent", result.error);
    return result.output ?? null;
  };
  return playTools(crew, { isPlayed: () => true, play });
}
