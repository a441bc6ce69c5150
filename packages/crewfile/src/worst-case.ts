/**
 * Worst case: the most that one input can cause, whatever the models write.
 *
 * The longest walk of at most the allowed handoffs, by dynamic programming. An input may also be the answer to a
 * pause, so a walk may begin at any agent that waits. Not counted: retries, backup models, empty replies asked again.
 */
import type { Crew } from "@baton/core";
import type { GraphNode } from "./graph.ts";
import type { View } from "./view.ts";

/** The most that one input can cause. */
export interface WorstCase {
  readonly modelCalls: number;
  /** Model calls that asked for tools. */
  readonly toolRounds: number;
  readonly handoffs: number;
  /** False where max_handoffs is so high that the numbers are only bounds. */
  readonly isExact: boolean;
}

/** Steps over an edge, in all, before a bound is taken instead. */
const MAX_WORK = 4_000_000;

/** What a stay costs, and what passing the baton on does. */
interface Cost {
  readonly stay: (node: GraphNode) => number;
  readonly handoff: number;
}

/** The most model calls, tool rounds and handoffs, each by itself. */
export function findWorstCase(view: View): WorstCase {
  const { crew } = view;
  const calls = longest(view, { stay: (node) => sumStays(crew, node, callsOf), handoff: 0 });
  const rounds = longest(view, { stay: (node) => sumStays(crew, node, roundsOf), handoff: 0 });
  const handoffs = longest(view, { stay: () => 0, handoff: 1 });
  return {
    modelCalls: calls.value,
    toolRounds: rounds.value,
    handoffs: handoffs.value,
    isExact: calls.isExact && rounds.isExact && handoffs.isExact,
  };
}

function sumStays(crew: Crew, { place }: GraphNode, count: (crew: Crew, agent: string) => number): number {
  const agents = place.kind === "group" ? (crew.groups.get(place.id)?.agents ?? []) : [place.id];
  return agents.reduce((sum, agent) => sum + count(crew, agent), 0);
}

/** An agent without tools answers at once; one with tools may ask for them until the last call, made without. */
function callsOf(crew: Crew, agent: string): number {
  return roundsOf(crew, agent) + 1;
}

function roundsOf({ agents, settings }: Crew, agent: string): number {
  const { tools = [], toolChoice, maxSteps = settings.maxSteps } = agents.get(agent) ?? {};
  return tools.length === 0 || toolChoice === "none" ? 0 : Math.max(1, Math.ceil(maxSteps)) - 1;
}

/** The best of a node with n handoffs left is what a stay there costs plus the best of a node after it with n - 1 left. */
function longest({ crew, graph, arrivals }: View, { stay, handoff }: Cost): { value: number; isExact: boolean } {
  const { nodes } = graph;
  const allowed = Math.max(0, Math.ceil(crew.settings.maxHandoffs) - 1);
  const stays = nodes.map(stay);
  const edges = nodes.reduce((sum, node) => sum + node.edges.length, nodes.length);
  const rounds = Math.min(allowed, Math.ceil(MAX_WORK / edges));
  const starts = [...arrivals.keys()].filter((node) => graph.starts.includes(node) || isWaiting(node));
  let best = step(nodes, stays, undefined);
  let left = allowed;
  for (let round = 0; round < rounds; round += 1) {
    const next = step(
      nodes,
      stays,
      best.map((value) => value + handoff),
    );
    left -= 1;
    if (next.every((value, index) => value === best[index])) left = 0;
    best = next;
    if (left === 0) break;
  }
  const value = starts.reduce((most, { index }) => Math.max(most, best[index] ?? 0), 0);
  const most = { agent: 0, group: 0, crew: 0 };
  for (const { index, place } of nodes) most[place.kind] = Math.max(most[place.kind], stays[index] ?? 0);
  return { value: value + left * (most.agent + most.group + handoff), isExact: left === 0 };
}

/** The best of each node; `after` is the best once the baton was passed on, and is missing at the end. */
function step(nodes: readonly GraphNode[], stays: readonly number[], after: readonly number[] | undefined): number[] {
  const best = [...stays];
  for (const { index, place, edges } of nodes) {
    if (place.kind === "group" || after === undefined) continue;
    for (const { to } of edges) best[index] = Math.max(best[index] ?? 0, (stays[index] ?? 0) + (after[to.index] ?? 0));
  }
  // A group and what follows it count as one handoff.
  for (const { index, place, edges } of nodes) {
    if (place.kind === "agent") continue;
    for (const { to } of edges) best[index] = (stays[index] ?? 0) + (best[to.index] ?? 0);
  }
  return best;
}

function isWaiting({ exits }: GraphNode): boolean {
  return exits.some(({ kind }) => kind === "pause");
}
