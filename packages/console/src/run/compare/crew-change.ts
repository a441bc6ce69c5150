/**
 * Crew change: which agents of a crew are not what they were when a run began.
 *
 * A replay answers with the replies that were recorded, so a changed prompt leads to the same events; only this tells that
 * a model would be asked something else.
 */
import type { AgentInfo } from "@baton/client";
import type { Story } from "../../store/story.ts";

interface Agents {
  readonly agents: readonly AgentInfo[];
}

/** Agents whose prompt, model or tools changed, and those that are gone. Where a prompt is written does not matter. */
export function changedAgents(before: Agents, now: Agents): readonly string[] {
  const known = new Map(now.agents.map((agent) => [agent.id, sayAgent(agent)]));
  return before.agents.filter((agent) => known.get(agent.id) !== sayAgent(agent)).map(({ id }) => id);
}

function sayAgent({ id, name, role, description, model, system_prompt: prompt, tools }: AgentInfo): string {
  return JSON.stringify([id, name, role, description, model, prompt, tools]);
}

/** The first event at which one of some agents asked its model. */
export function firstAsked(story: Story, agents: readonly string[]): number | undefined {
  const steps = story.turns.filter(({ agent }) => agents.includes(agent)).flatMap((turn) => turn.steps);
  return steps.length === 0 ? undefined : Math.min(...steps.map(({ from }) => from.seq));
}
