/**
 * Agent names: what people call the agents of a crew. Where a reader reads, an agent has its name; its id is a hint.
 */
import type { CrewDetail } from "@baton/client";
import { createContext, useCallback, useContext } from "react";

/** Names by id; an agent without one is called by its id. */
export type AgentNames = ReadonlyMap<string, string>;

/** The names of a crew; agents that share a name are told apart by their ids. */
export function toAgentNames({
  agents,
}: {
  readonly agents: readonly Pick<CrewDetail["agents"][number], "id" | "name">[];
}): AgentNames {
  const counts = new Map<string, number>();
  for (const { name } of agents) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map(
    agents.map(({ id, name }) => {
      if (name === "") return [id, id];
      return [id, counts.get(name) === 1 ? name : `${name} (${id})`];
    }),
  );
}

/** Where a page gives the names of the crew that it shows. */
export const AgentNamesContext = createContext<AgentNames>(new Map());

/** The name of an agent, group or crew by its id. */
export function useAgentName(): (id: string) => string {
  const names = useContext(AgentNamesContext);
  return useCallback((id) => names.get(id) ?? id, [names]);
}
