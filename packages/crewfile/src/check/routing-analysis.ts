/**
 * Routing analysis: a crew, its graph, and what follows from it, computed once, for all checks to use.
 */
import type { Crew } from "@baton/core";
import type { Finding } from "@baton/core/ports";
import { childrenOf, membersOf, toGraph, type Graph, type GraphNode } from "./graph.ts";
import { findCycles, reachFrom, reachTo, type Arrivals } from "./graph-search.ts";

/** A finding about the routing, with the shortest conversation that shows it. */
export interface GraphFinding extends Finding {
  /** Agents, signals and groups in turn. */
  readonly conversation?: readonly string[];
  /** The very words meant, within what the path names. */
  readonly text?: string;
}

/** A crew and what its graph allows. */
export interface RoutingAnalysis {
  readonly crew: Crew;
  readonly graph: Graph;
  /** The nodes that can get the baton, in the order of the fewest steps. */
  readonly arrivals: Arrivals;
  readonly cycles: readonly Cycle[];
  /** From where an end can be reached, and from where an end or a pause. */
  readonly toEnd: ReadonlySet<GraphNode>;
  readonly toStop: ReadonlySet<GraphNode>;
  /** Agents, groups and sub-crews that take part: those that can get the baton, members of such groups, and tools. */
  readonly used: ReadonlySet<string>;
  /** The positions of agents in the definition. */
  readonly positions: ReadonlyMap<string, number>;
}

/** Nodes that can pass the baton around, and which of them gets it first. */
export interface Cycle {
  readonly nodes: ReadonlySet<GraphNode>;
  readonly first: GraphNode;
}

/** Finds out what all checks need to know. */
export function analyzeRouting(crew: Crew): RoutingAnalysis {
  const graph = toGraph(crew);
  const arrivals = reachFrom(graph.starts);
  return {
    crew,
    graph,
    arrivals,
    cycles: toCycles(graph, arrivals),
    toEnd: reachTo(graph, ({ exits, isProgram }) => isProgram || exits.some(({ kind }) => kind === "end")),
    toStop: reachTo(graph, ({ exits, isProgram }) => isProgram || exits.length > 0),
    used: findUsed(crew, arrivals),
    positions: new Map([...crew.agents.keys()].map((id, index) => [id, index])),
  };
}

/** The path of a node in the definition. */
export function pathOf({ place }: GraphNode, { positions }: RoutingAnalysis): Finding["path"] {
  if (place.kind === "crew") return ["subCrews", place.id];
  return place.kind === "group" ? ["groups", place.id] : ["agents", positions.get(place.id) ?? 0];
}

function findUsed(crew: Crew, arrivals: Arrivals): ReadonlySet<string> {
  const used = new Set<string>();
  const open = Array.from(arrivals.keys(), ({ place }) => place.id);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (used.has(id)) continue;
    used.add(id);
    const group = crew.groups.get(id);
    open.push(...childrenOf(crew.agents.get(id)), ...(group === undefined ? [] : membersOf(group)));
  }
  return used;
}

/** The cycles that can be reached, the nearest first. */
function toCycles(graph: Graph, arrivals: Arrivals): readonly Cycle[] {
  const cycleOf = new Map(findCycles(graph).flatMap((nodes) => nodes.map((node) => [node, nodes])));
  const cycles = new Map<readonly GraphNode[], Cycle>();
  for (const first of arrivals.keys()) {
    const nodes = cycleOf.get(first);
    if (nodes !== undefined && !cycles.has(nodes)) cycles.set(nodes, { nodes: new Set(nodes), first });
  }
  return [...cycles.values()];
}
