/**
 * Crew agents: the agents that speak in a run, those of its crew and of its sub-crews, by position.
 *
 * A sub-crew has agents, signals and tools of its own; two crews may call them by the same ids.
 */
import type { Crew } from "@baton/core";
import { toCrewPath, toProgramName, toWatch, toWatches, type Watch } from "@baton/core/engine";

/** One agent. */
export interface CrewAgent {
  readonly name: string;
  /** The signals to hold back in what it writes. */
  readonly watch: Watch;
  /** It is code, by its definition; what stands in for a language model is not one. */
  readonly isProgram: boolean;
}

/** All agents of a run. */
export interface CrewAgents {
  readonly crew: Crew;
  /** By the path of the crew and the agent's id: `alpha/researcher`. */
  readonly roles: ReadonlyMap<string, CrewAgent>;
  /** Tools that the client carries out, by the path of the crew and the tool's name. */
  readonly clientTools: ReadonlySet<string>;
  /** Those that the request of the run brought, by name: no tool of a crew has the same. */
  readonly requestTools: ReadonlySet<string>;
  /** Number of agents that write for the user. */
  readonly speakers: number;
}

const NO_WATCH = toWatch([]);

/** Lists the agents of a crew and its sub-crews. */
export function listCrewAgents(crew: Crew): CrewAgents {
  const crews = toCrews(crew, "");
  const agents = crews.flatMap(({ path, crew: inside }) => {
    const { agents: own, model } = inside;
    const watches = toWatches(inside);
    return Array.from(own, ([id, agent]) => ({
      key: path + id,
      agent,
      watch: watches.get(id) ?? NO_WATCH,
      isProgram: toProgramName((agent.model ?? model)?.name ?? "") !== undefined,
    }));
  });
  const tools = crews.flatMap(({ path, crew: { tools: own } }) =>
    Array.from(own.values(), ({ name, isClient }) => ({ key: path + name, isClient })),
  );
  return {
    crew,
    roles: new Map(agents.map(({ key, agent: { name }, watch, isProgram }) => [key, { name, watch, isProgram }])),
    clientTools: new Set(tools.flatMap(({ key, isClient }) => (isClient ? [key] : []))),
    requestTools: new Set(),
    speakers: agents.filter(({ agent }) => agent.audience === "user").length,
  };
}

/** The agent that speaks in a lane; one that is not in the agents goes by its id and has no signals. */
export function findAgent({ roles, crew }: CrewAgents, lane: string, agent: string): CrewAgent {
  return roles.get(toCrewPath(lane, crew) + agent) ?? { name: agent, watch: NO_WATCH, isProgram: false };
}

/** Whether the client carries out a tool that is called in a lane. */
export function isClientTool(agents: CrewAgents, lane: string, tool: string): boolean {
  const { clientTools, requestTools, crew } = agents;
  return requestTools.has(tool) || clientTools.has(toCrewPath(lane, crew) + tool);
}

interface PlacedCrew {
  /** As `toCrewPath` gives it. */
  readonly path: string;
  readonly crew: Crew;
}

function toCrews(crew: Crew, path: string): readonly PlacedCrew[] {
  const inner = Array.from(crew.subCrews, ([name, sub]) => toCrews(sub, `${path}${name}/`));
  return [{ path, crew }, ...inner.flat()];
}
