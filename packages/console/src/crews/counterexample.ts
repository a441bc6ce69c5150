/**
 * Counterexample: the shortest conversation that shows a finding, as moments of the graph.
 */
import { type GraphMoment, wayOf } from "../graph/graph-moment.ts";

/** Returns the agents that have the baton in turn, without the signals between them. */
export function counterexampleStops(conversation: readonly string[], boxes: ReadonlySet<string>): readonly string[] {
  return conversation.filter((word) => boxes.has(word));
}

/** The graph after so many stops. */
export function momentOf(stops: readonly string[], count: number): GraphMoment {
  const reached = stops.slice(0, count);
  const counts = new Map<string, number>();
  for (const [index, to] of reached.entries()) {
    const from = reached[index - 1];
    if (from !== undefined) counts.set(wayOf(from, to), (counts.get(wayOf(from, to)) ?? 0) + 1);
  }
  const to = reached.at(-1);
  const from = reached.at(-2);
  return {
    active: new Set(to === undefined ? [] : [to]),
    visited: new Set(reached),
    counts,
    members: new Set(),
    latest: from === undefined || to === undefined ? undefined : { from, to, count: reached.length - 1 },
    waiting: new Set(),
  };
}
