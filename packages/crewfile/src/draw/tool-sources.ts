/**
 * Tool sources: where tools and prompt blocks of agents come from beside the crew's own files: MCP servers and skills.
 */
import type { Agent, Crew, Tool } from "@baton/core";

const TAG = "mcp:";

/** The MCP server of a tool; undefined if it has none. */
export function serverOf({ tags = [] }: Pick<Tool, "tags">): string | undefined {
  return tags.find((tag) => tag.startsWith(TAG))?.slice(TAG.length);
}

/** A line for each MCP server, with its tools counted by effect: `MCP weather: 2 read, 1 irreversible`. */
export function toServerLines(tools: Iterable<Tool>): readonly string[] {
  const servers = Map.groupBy(tools, serverOf);
  return [...servers].flatMap(([server, own]) => {
    if (server === undefined) return [];
    const effects = Array.from(
      Map.groupBy(own, ({ effect }) => effect),
      ([effect, some]) => `${some.length} ${effect}`,
    );
    return [`MCP ${server}: ${effects.join(", ")}`];
  });
}

/** The servers and skills of an agent. */
export function toSourceLines(agent: Agent, { tools }: Crew): readonly string[] {
  const own = agent.tools.flatMap((name) => tools.get(name) ?? []);
  const skills = agent.skills?.map(({ name }) => name) ?? [];
  return [...toServerLines(own), ...(skills.length === 0 ? [] : [`skills: ${skills.join(", ")}`])];
}
