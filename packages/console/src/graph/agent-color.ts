/**
 * Agent colour: which of the eight colours an agent has, by its order in the crew.
 */
import type { CrewDetail } from "@baton/client";

const COLORS = 8;

/** The number of each agent's colour, 1 to 8. */
export type AgentColors = ReadonlyMap<string, number>;

/** Gives each agent of a crew its colour. */
export function toAgentColors({ agents }: Pick<CrewDetail, "agents">): AgentColors {
  return new Map(agents.map(({ id }, index) => [id, (index % COLORS) + 1]));
}

/** The class that gives a part its agent's colour. */
export function colorClass(colors: AgentColors, agent: string): string {
  return `agent-${colors.get(agent) ?? (hashOf(agent) % COLORS) + 1}`;
}

/** The first letter of a name, for badges. */
export function initialOf(name: string): string {
  return Array.from(name.trim())[0]?.toLocaleUpperCase() ?? "?";
}

/** Agents of sub-crews have a colour by their name. */
function hashOf(text: string): number {
  let hash = 0;
  for (const character of text) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return hash;
}
