/**
 * Shortest path: the shortest way to a place in a graph, as people read it: agent, signal, agent …
 *
 * A long one is cut at its beginning, so that ten thousand of them cost little.
 */
import type { GraphNode } from "./graph.ts";
import { reachFrom, type Arrivals } from "./graph-search.ts";

const MAX_STEPS = 12;
const CUT = "…";

/** The shortest path of the baton from a start to `node`. */
export function toShortestPath(node: GraphNode, arrivals: Arrivals): string[] {
  const words = [node.place.id];
  let arrival = arrivals.get(node);
  for (let steps = 0; arrival !== undefined; steps += 1) {
    if (steps === MAX_STEPS) return [CUT, ...words];
    words.unshift(arrival.from.place.id, arrival.edge.label);
    arrival = arrivals.get(arrival.from);
  }
  return words;
}

/** The shortest way from `node` around its cycle and back to it, beginning with the first signal. */
export function toLoop(node: GraphNode, cycle: ReadonlySet<GraphNode>): string[] {
  const firsts = node.edges.filter(({ to }) => cycle.has(to));
  const self = firsts.find(({ to }) => to === node);
  if (self !== undefined) return [self.label, node.place.id];
  const words = toShortestPath(
    node,
    reachFrom(
      firsts.map(({ to }) => to),
      cycle,
    ),
  );
  const first = firsts.find(({ to }) => to.place.id === words[0]);
  return first === undefined ? words : [first.label, ...words];
}
