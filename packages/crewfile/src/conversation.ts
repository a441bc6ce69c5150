/**
 * Conversation: the shortest way to a place in a graph, as people read it: agent, signal, agent …
 *
 * A long one is cut at its beginning, so that ten thousand of them cost little.
 * Reads: graph, walk. Read by: explore.
 */
import type { GraphNode } from "./graph.ts";
import { reachFrom, type Arrival } from "./walk.ts";

const MAX_STEPS = 12;
const CUT = "…";

/** How the baton gets from a start to `node`. */
export function toConversation(node: GraphNode, arrivals: ReadonlyMap<GraphNode, Arrival | undefined>): string[] {
  const words = [node.place.id];
  let arrival = arrivals.get(node);
  for (let steps = 0; arrival !== undefined; steps += 1) {
    if (steps === MAX_STEPS) return [CUT, ...words];
    words.unshift(arrival.from.place.id, arrival.edge.label);
    arrival = arrivals.get(arrival.from);
  }
  return words;
}

/** The shortest way from `node` around its cycle and back, without `node` itself at the beginning. */
export function toLoop(node: GraphNode, cycle: ReadonlySet<GraphNode>): string[] {
  const inside = node.edges.filter(({ to }) => cycle.has(to));
  const self = inside.find(({ to }) => to === node);
  if (self !== undefined) return [self.label, node.place.id];
  const arrivals = reachFrom(inside.map(({ to }) => to));
  const last = arrivals.get(node);
  const words = last === undefined ? [] : toConversation(node, arrivals);
  const first = inside.find(({ to }) => to.place.id === words[0]);
  return first === undefined ? words : [first.label, ...words];
}
