/**
 * Walk: what can be reached in a graph, from where, and how shortly. Every function is linear in nodes and edges.
 */
import type { Edge, Graph, GraphNode } from "./graph.ts";

/** The step by which a node was first reached. */
export interface Arrival {
  readonly from: GraphNode;
  readonly edge: Edge;
}

/** Every node that was reached, with its last step on a shortest way; starts have none. */
export type Arrivals = ReadonlyMap<GraphNode, Arrival | undefined>;

/** Every node that can be reached from the starts, if given only by way of nodes in `within`. */
export function reachFrom(starts: readonly GraphNode[], within?: ReadonlySet<GraphNode>): Arrivals {
  const arrivals = new Map<GraphNode, Arrival | undefined>(starts.map((node) => [node, undefined]));
  // A Map is walked in the order of insertion, including entries that are added during the walk: it is its own queue.
  for (const from of arrivals.keys()) {
    for (const edge of from.edges) {
      const isOutside = within !== undefined && !within.has(edge.to);
      if (!isOutside && !arrivals.has(edge.to)) arrivals.set(edge.to, { from, edge });
    }
  }
  return arrivals;
}

/** Every node from which one that `isGoal` can be reached while no turn fails: a failure is not a way to the end. */
export function reachTo(graph: Graph, isGoal: (node: GraphNode) => boolean): ReadonlySet<GraphNode> {
  const before = new Map<GraphNode, GraphNode[]>();
  for (const node of graph.nodes) {
    for (const { to, via } of node.edges) {
      if (via === "failure") continue;
      const list = before.get(to);
      if (list === undefined) before.set(to, [node]);
      else list.push(node);
    }
  }
  const reached = new Set(graph.nodes.filter(isGoal));
  for (const node of reached) for (const one of before.get(node) ?? []) reached.add(one);
  return reached;
}

/** The fewest handoffs since the user's last message after which each node has the baton; those beyond `limit` are left out. */
export function countHandoffs(starts: readonly GraphNode[], limit: number): ReadonlyMap<GraphNode, number> {
  const counts = new Map<GraphNode, number>();
  const queue = starts.map((node) => ({ node, reached: 0 }));
  // An array is walked including items that are added during the walk.
  for (const { node, reached } of queue) {
    // The answer to a pause counts anew.
    const count = node.exits.some(({ kind }) => kind === "pause") ? 0 : reached;
    if (count >= (counts.get(node) ?? Infinity)) continue;
    counts.set(node, count);
    const after = node.place.kind === "agent" ? count + 1 : count;
    if (after <= limit) queue.push(...node.edges.map(({ to }) => ({ node: to, reached: after })));
  }
  return counts;
}

/** Sets of nodes that can all reach each other, more than one or with an edge to itself: the cycles of the graph. */
export function findCycles(graph: Graph): readonly (readonly GraphNode[])[] {
  const order = new Map<GraphNode, number>();
  const low = new Map<GraphNode, number>();
  const open: GraphNode[] = [];
  const isOpen = new Set<GraphNode>();
  const cycles: (readonly GraphNode[])[] = [];
  for (const root of graph.nodes) if (!order.has(root)) visit(root);
  return cycles;

  /** Tarjan's algorithm with a stack of its own: a chain of 10,000 agents is deeper than the language's. */
  function visit(root: GraphNode): void {
    const path: { node: GraphNode; next: number }[] = [enter(root)];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const to = top.node.edges[top.next]?.to;
      top.next += 1;
      if (to === undefined) {
        path.pop();
        const above = path.at(-1);
        if (above !== undefined) lower(above.node, low.get(top.node));
        if (low.get(top.node) === order.get(top.node)) close(top.node);
      } else if (!order.has(to)) path.push(enter(to));
      else if (isOpen.has(to)) lower(top.node, order.get(to));
    }
  }

  function enter(node: GraphNode): { node: GraphNode; next: number } {
    order.set(node, order.size);
    low.set(node, order.size - 1);
    open.push(node);
    isOpen.add(node);
    return { node, next: 0 };
  }

  function lower(node: GraphNode, value = Infinity): void {
    low.set(node, Math.min(low.get(node) ?? Infinity, value));
  }

  function close(root: GraphNode): void {
    const part = open.splice(open.lastIndexOf(root));
    for (const node of part) isOpen.delete(node);
    if (part.length > 1 || root.edges.some(({ to }) => to === root)) cycles.push(part);
  }
}
