/**
 * Plan: a crew made ready to run: prompts, tool lists and signal matchers, compiled once.
 *
 * Also what every lane of a run works with.
 */
import type { Agent } from "./agent.ts";
import type { Crew } from "./crew.ts";
import type { RunLimits } from "./event.ts";
import type { Host } from "./host.ts";
import type { Json } from "./json.ts";
import type { Message } from "./message.ts";
import type { Model, ToolSpec } from "./model.ts";
import { toSystemPrompt } from "./prompt.ts";
import { backoffMs } from "./retry.ts";
import type { Semaphore } from "./semaphore.ts";
import { compileSignals, type SignalMatcher } from "./signal.ts";
import type { Tool } from "./tool.ts";

/** An agent made ready. */
export interface Role {
  readonly agent: Agent;
  readonly system: string;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly toolSpecs: readonly ToolSpec[];
  readonly matcher: SignalMatcher;
}

/** A crew made ready. */
export type Plan = Readonly<{ crew: Crew; roles: ReadonlyMap<string, Role> }>;

/** What a call of a tool needs a permit of: the tool where it is `limited`, the run, the engine. */
export type Permits = (tool: Tool) => readonly Semaphore[];

/** What all lanes of one run share. */
export interface Shared {
  readonly model: (agent: Agent) => Model;
  readonly permits: Permits;
  /** What the caller of the run set. */
  readonly limits: RunLimits | undefined;
  /** The run's key/value store. */
  readonly values: Map<string, Json>;
  /** What each agent's model wants back. */
  readonly modelStates: Map<string, Json>;
}

/** One line of work: the run's own, or a member's. */
export type Lane = Readonly<{ plan: Plan; host: Host; shared: Shared; history: Message[] }>;

/** Compiles a crew. */
export function toPlan(crew: Crew): Plan {
  const roles = new Map<string, Role>();
  for (const agent of crew.agents.values()) roles.set(agent.id, toRole(agent, crew));
  return { crew, roles };
}

/** How long a lane waits before it tries something again; 1 is the first time. */
export function toDelayMs({ plan, host }: Lane, attempt: number): number {
  const { retryMinMs: minMs, retryMaxMs: maxMs } = plan.crew.settings;
  return backoffMs(attempt, { minMs, maxMs }, () => host.scope.clock.random());
}

function toRole(agent: Agent, crew: Crew): Role {
  const tools = new Map<string, Tool>();
  for (const name of agent.tools) {
    const tool = crew.tools.get(name);
    if (tool !== undefined) tools.set(name, tool);
  }
  return {
    agent,
    system: toSystemPrompt(agent, crew),
    tools,
    toolSpecs: [...tools.values()].map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    matcher: compileSignals((crew.signals.get(agent.id) ?? []).map(({ signal }) => signal)),
  };
}
