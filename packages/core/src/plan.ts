/**
 * Plan: a crew made ready to run: prompts, tool lists and signal matchers, compiled once.
 */
import type { Agent } from "./agent.ts";
import type { Crew } from "./crew.ts";
import { freezeDeep } from "./json.ts";
import type { ToolSpec } from "./model.ts";
import { estimateTokens } from "./history.ts";
import { toSystemPrompt } from "./prompt.ts";
import { compileSignals, type SignalMatcher } from "./signal.ts";
import type { Tool } from "./tool.ts";

/** An agent made ready. */
export interface Role {
  readonly agent: Agent;
  readonly system: string;
  /** About how many tokens system text and tool specifications take. */
  readonly systemTokens: number;
  readonly toolTokens: number;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly toolSpecs: readonly ToolSpec[];
  readonly matcher: SignalMatcher;
}

/** A crew made ready. */
export type Plan = Readonly<{ crew: Crew; roles: ReadonlyMap<string, Role> }>;

/** Compiles a crew. */
export function toPlan(crew: Crew): Plan {
  const roles = new Map<string, Role>();
  for (const agent of crew.agents.values()) roles.set(agent.id, toRole(agent, crew));
  return { crew, roles };
}

function toRole(agent: Agent, crew: Crew): Role {
  const tools = new Map<string, Tool>();
  for (const name of agent.tools) {
    const tool = crew.tools.get(name);
    if (tool !== undefined) tools.set(name, tool);
  }
  const system = toSystemPrompt(agent, crew);
  const toolSpecs = [...tools.values()].map(({ name, description, inputSchema }) =>
    freezeDeep({ name, description, inputSchema }),
  );
  return {
    agent,
    system,
    systemTokens: estimateTokens({ role: "system", content: system }),
    toolTokens: estimateTokens({ role: "system", content: JSON.stringify(toolSpecs) }),
    tools,
    toolSpecs,
    matcher: compileSignals((crew.signals.get(agent.id) ?? []).map(({ signal }) => signal)),
  };
}
