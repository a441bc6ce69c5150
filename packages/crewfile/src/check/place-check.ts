/**
 * Place check: signals that count anywhere in a reply, and that lead to a tool with an effect that nobody is asked about.
 */
import type { Agent, Crew } from "@baton/core";
import { toPlace } from "@baton/core/engine";
import { reachTo } from "./graph-search.ts";
import type { GraphFinding, RoutingAnalysis } from "./routing-analysis.ts";

/** Notes of signals for which `signal_position: end` would be safer. */
export function* checkSignalPlaces({ crew, graph }: RoutingAnalysis): Iterable<GraphFinding> {
  const acting = reachTo(graph, ({ place }) => agentsAt(crew, place.id).some(isActing));
  const names = new Set(acting.values().map(({ place }) => place.id));
  for (const [id, routes] of crew.signals) {
    if ((crew.behaviors.get(id)?.signalPosition ?? crew.settings.signalPosition) === "end") continue;
    for (const [index, { signal, target }] of routes.entries()) {
      if (signal === undefined || toPlace(crew, target) === undefined || !names.has(target)) continue;
      yield {
        code: "signal_anywhere",
        severity: "note",
        path: ["signals", id, index, "signal"],
        message: `${signal} counts anywhere in a reply, and \`${target}\` leads to an irreversible tool that is allowed without a question`,
        fix: "set `signal_position: end` for the agent, or let the tool ask",
      };
    }
  }
}

type Acting = Readonly<{ agent: Agent; crew: Crew }>;

/** The agents that work at a place: one, the members of a group, or all of a sub-crew. */
function agentsAt(crew: Crew, id: string, seen = new Set<Crew>()): readonly Acting[] {
  const inside = crew.subCrews.get(id);
  if (inside !== undefined) {
    if (seen.has(inside)) return [];
    seen.add(inside);
    return [...inside.agents.keys(), ...inside.subCrews.keys()].flatMap((name) => agentsAt(inside, name, seen));
  }
  const ids = crew.groups.get(id)?.agents ?? [id];
  return ids.flatMap((name) => {
    const agent = crew.agents.get(name);
    return agent === undefined ? [] : [{ agent, crew }];
  });
}

/** Whether an agent has an irreversible tool that no one is asked about. */
function isActing({ agent, crew }: Acting): boolean {
  return agent.tools.some((name) => {
    const tool = crew.tools.get(name);
    if (tool === undefined || tool.effect !== "irreversible" || tool.permission !== undefined) return false;
    return (crew.permissions.get(name) ?? crew.permissions.get("*")) === "allow";
  });
}
