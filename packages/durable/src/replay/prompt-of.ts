/**
 * Prompt of a step: what its model was given, rebuilt from the log and the crew's definition, byte for byte.
 *
 * The run is replayed up to the step; where each piece comes from is read from the log.
 */
import { type Agent, BatonError, type Crew, type Json, type Message, type Prompt, type RunEvent } from "@baton/core";
import { type Plan, renderPieces, type Template, toCrewPath, toPlan } from "@baton/core/engine";
import type { EventBodyOf, ToolSpec } from "@baton/core/ports";
import { estimateTokens, omitUndefined, lookUp } from "@baton/core/util";
import { type LaneView, type MessageSource, toLaneView } from "./lane-view.ts";
import { findDifference, replayRun } from "./replay.ts";

/** A piece of what a model is given, and about how much of its window it takes. */
export interface PromptBlock extends MessageSource {
  readonly kind: "system" | "message" | "context" | "tool" | "output";
  /** Of a context: the sources of its parts. */
  readonly sources?: readonly string[];
  readonly tokens: number;
}

/** Something a model is not given: what it is, and why. */
export interface OmittedBlock extends MessageSource {
  readonly kind: "message" | "tool";
  /**
   * `window`: there was no room. `history`: the agent is shown only so much of the conversation before the run. `if`: a
   * condition does not hold. `tool_search`: no search has named it. `off`: tools are off for the call.
   */
  readonly reason: "window" | "history" | "if" | "tool_search" | "off";
}

/** The prompt of a step. */
export interface StepPrompt {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  readonly blocks: readonly PromptBlock[];
  readonly leftOut: readonly OmittedBlock[];
  /** About how many tokens that was when the step began, and of how many; older logs do not have it. */
  readonly tokens?: number;
  readonly window?: number;
}

type Started = RunEvent & EventBodyOf<"step.started">;

/** Rebuilds the prompt of a step; throws `not_found` if there is no such step, `diverged` if the crew differs. */
export async function promptOf(crew: Crew, events: readonly RunEvent[], step: string): Promise<StepPrompt> {
  const started = events.find((event): event is Started => event.type === "step.started" && event.step === step);
  if (started === undefined) throw new BatonError("not_found", `the run has no step ${step}`);
  const replayed = await replayRun(crew, events, { step });
  const { prompt } = replayed;
  if (prompt === undefined) {
    const difference = findDifference(replayed, events)?.text ?? "the run does not come to this step";
    throw new BatonError("diverged", `with this crew the prompt of step ${step} cannot be rebuilt: ${difference}`);
  }
  const [first] = events;
  const brought = omitUndefined({ tools: first?.type === "run.started" ? first.tools : undefined });
  const plan = findPlan(toPlan(crew, brought), started.lane);
  const view = toLaneView({ plan, events }, started);
  const { system, messages, tools } = prompt;
  const { tokens, window } = started;
  const role = plan.roles.get(started.agent);
  const hidden = (role?.toolSpecs ?? []).filter(({ name }) => tools.every((tool) => tool.name !== name));
  const leftOut: readonly OmittedBlock[] = [
    ...view.leftOut.map((one) => ({ kind: "message" as const, ...one })),
    ...hidden.map(({ name }) => toHidden(name, plan.crew.agents.get(started.agent), prompt.values)),
  ];
  return {
    system,
    messages,
    tools,
    blocks: toBlocks(plan, prompt, view),
    leftOut,
    ...omitUndefined({ tokens, window }),
  };
}

/** The plan of the sub-crew that a lane is in. */
function findPlan(plan: Plan, lane: string): Plan {
  const names = toCrewPath(lane, plan.crew).split("/").slice(0, -1);
  return names.reduce((found, name) => found.subs.get(name) ?? found, plan);
}

function toBlocks(plan: Plan, prompt: Prompt, { sources }: LaneView): readonly PromptBlock[] {
  const { agent, system, messages, contextAt, tools, values, outputSchema } = prompt;
  const { template, context } = plan.roles.get(agent) ?? {};
  const shown = contextAt === undefined ? sources : sources.toSpliced(contextAt, 0, { source: "context" });
  const pieces = template === undefined ? [{ text: system, source: "system_prompt" }] : renderPieces(template, values);
  const count = (content: string) => estimateTokens({ role: "system", content });
  return [
    ...pieces.map(({ text, source }) => ({ kind: "system" as const, source, tokens: count(text) })),
    ...messages.map((message, at) => ({
      ...(at === contextAt ? { kind: "context" as const, sources: sourcesOf(context) } : { kind: "message" as const }),
      source: "unknown",
      ...shown[at],
      tokens: estimateTokens(message),
    })),
    ...tools.map((tool) => ({
      kind: "tool" as const,
      source: `tool:${tool.name}`,
      tokens: count(JSON.stringify(tool)),
    })),
    ...(outputSchema === undefined
      ? []
      : [{ kind: "output" as const, source: "output", tokens: count(JSON.stringify(outputSchema)) }]),
  ];
}

/** The sources of a context's parts, each once. */
function sourcesOf(context: Template | undefined): readonly string[] {
  const parts = context === undefined ? [] : renderPieces(context, new Map());
  return [...new Set(parts.map(({ source }) => source))];
}

/** Why an agent is not offered one of its tools. */
function toHidden(name: string, agent: Agent | undefined, values: ReadonlyMap<string, Json>): OmittedBlock {
  const isOn = (key: string) => lookUp(values, key) === true;
  const block = { kind: "tool", source: `tool:${name}` } as const;
  const isClosed = agent?.offers.some((offer) => offer.name === name && !isOn(offer.if)) === true;
  if (isClosed) return { ...block, reason: "if" };
  const search = agent?.toolSearch ?? false;
  const isSearched = typeof search === "object" ? isOn(search.if) : search;
  const isFound = name === "tool_search" || agent?.pinnedTools.includes(name) === true;
  return { ...block, reason: isSearched && !isFound ? "tool_search" : "off" };
}
