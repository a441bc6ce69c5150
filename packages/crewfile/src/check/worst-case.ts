/**
 * Worst case: the most that one input can cause, with any replies of the models.
 *
 * The longest walk of at most the allowed handoffs, by dynamic programming. An input may also be the answer to a
 * pause, so a walk may begin at any agent that waits. A sub-crew costs its own worst case, under its own limits. Not
 * counted: retries, backup models, empty replies asked again, and the crew that runs after this one.
 */
import type { Agent, Crew } from "@baton/core";
import type { Place } from "@baton/core/ports";
import { programOf, type GraphNode } from "./graph.ts";
import { analyzeRouting, type RoutingAnalysis } from "./routing-analysis.ts";

/** The most that one input can cause. */
export interface WorstCase {
  /** Steps of programs do not count. */
  readonly modelCalls: number;
  /** Steps that asked for tools. */
  readonly toolRounds: number;
  readonly handoffs: number;
  /** False if max_handoffs is so high that the numbers are only bounds. */
  readonly isExact: boolean;
}

/** Steps over an edge, in all, before a bound is taken instead. */
const MAX_WORK = 4_000_000;

/** The costs of a turn and of a handoff. */
interface Cost {
  readonly turn: (node: GraphNode) => number;
  readonly handoff: number;
}

/** The most model calls, tool rounds and handoffs, each by itself; `known` are crews that were looked at before. */
export function findWorstCase(view: RoutingAnalysis, known = new Map<Crew, WorstCase>()): WorstCase {
  const { crew, graph } = view;
  const inside = new Map<string, WorstCase>();
  for (const { place } of graph.nodes) {
    const sub = place.kind === "crew" ? crew.subCrews.get(place.id) : undefined;
    if (sub !== undefined) inside.set(place.id, worstOf(sub, known));
  }
  const costOf = (what: keyof typeof COSTS): Cost["turn"] => {
    return ({ place }) => inside.get(place.id)?.[what] ?? sumTurns(crew, place, COSTS[what]);
  };
  const calls = longest(view, { turn: costOf("modelCalls"), handoff: 0 });
  const rounds = longest(view, { turn: costOf("toolRounds"), handoff: 0 });
  const handoffs = longest(view, { turn: costOf("handoffs"), handoff: 1 });
  return {
    modelCalls: calls.value,
    toolRounds: rounds.value,
    handoffs: handoffs.value,
    isExact: [calls, rounds, handoffs, ...inside.values()].every(({ isExact }) => isExact),
  };
}

/** The worst case of a sub-crew; it starts only at its entry. */
function worstOf(crew: Crew, known: Map<Crew, WorstCase>): WorstCase {
  const worst = known.get(crew) ?? findWorstCase(analyzeRouting({ ...crew, tasks: [] }), known);
  known.set(crew, worst);
  return worst;
}

/** Functions that count the costs of one agent's turn. */
const COSTS = { modelCalls: callsOf, toolRounds: roundsOf, handoffs: () => 0 } as const;

function sumTurns(crew: Crew, place: Place, count: (crew: Crew, agent: Agent) => number): number {
  const ids = place.kind === "group" ? (crew.groups.get(place.id)?.agents ?? []) : [place.id];
  const agents = ids.flatMap((id) => crew.agents.get(id) ?? []);
  return agents.reduce((sum, agent) => sum + count(crew, agent), 0);
}

/** The most times that the model is asked to correct an output that does not match its schema. */
const MAX_CORRECTIONS = 2;

/**
 * An agent without tools answers at once, or with an output after its corrections; one with tools may ask for them
 * until the last call, made without.
 */
function callsOf(crew: Crew, agent: Agent): number {
  if (programOf(agent, crew) !== undefined) return 0;
  const asked = roundsOf(crew, agent) + 1 + (agent.output === undefined ? 0 : MAX_CORRECTIONS);
  return Math.min(asked, stepsOf(crew, agent));
}

function roundsOf(crew: Crew, agent: Agent): number {
  return agent.tools.length === 0 || agent.toolChoice === "none" ? 0 : stepsOf(crew, agent) - 1;
}

function stepsOf({ settings }: Crew, { maxSteps = settings.maxSteps }: Agent): number {
  return Math.max(1, Math.ceil(maxSteps));
}

/** The best of a node with n handoffs left is what a turn there costs plus the best of a node after it with n - 1 left. */
function longest(
  { crew, graph, arrivals }: RoutingAnalysis,
  { turn, handoff }: Cost,
): { value: number; isExact: boolean } {
  const { nodes } = graph;
  const allowed = Math.max(0, Math.ceil(crew.settings.maxHandoffs) - 1);
  const turns = nodes.map(turn);
  const edges = nodes.reduce((sum, node) => sum + node.edges.length, nodes.length);
  const rounds = Math.min(allowed, Math.ceil(MAX_WORK / edges));
  const starts = [...arrivals.keys()].filter((node) => graph.starts.includes(node) || isWaiting(node));
  let best = step(nodes, turns, undefined);
  let left = allowed;
  for (let round = 0; round < rounds; round += 1) {
    const next = step(
      nodes,
      turns,
      best.map((value) => value + handoff),
    );
    left -= 1;
    if (next.every((value, index) => value === best[index])) left = 0;
    best = next;
    if (left === 0) break;
  }
  const value = starts.reduce((most, { index }) => Math.max(most, best[index] ?? 0), 0);
  const most = { agent: 0, group: 0, crew: 0 };
  for (const { index, place } of nodes) most[place.kind] = Math.max(most[place.kind], turns[index] ?? 0);
  const each = most.agent + Math.max(most.group, most.crew) + handoff;
  return { value: value + left * each, isExact: left === 0 };
}

/** The best of each node; `after` is the best once the baton was passed on, and is missing at the end. */
function step(nodes: readonly GraphNode[], turns: readonly number[], after: readonly number[] | undefined): number[] {
  const best = [...turns];
  for (const { index, place, edges } of nodes) {
    if (place.kind !== "agent" || after === undefined) continue;
    for (const { to } of edges) best[index] = Math.max(best[index] ?? 0, (turns[index] ?? 0) + (after[to.index] ?? 0));
  }
  // A group, or a sub-crew, and what follows it count as one handoff.
  for (const { index, place, edges } of nodes) {
    if (place.kind === "agent") continue;
    for (const { to } of edges) best[index] = (turns[index] ?? 0) + (best[to.index] ?? 0);
  }
  return best;
}

function isWaiting({ exits }: GraphNode): boolean {
  return exits.some(({ kind }) => kind === "pause");
}
