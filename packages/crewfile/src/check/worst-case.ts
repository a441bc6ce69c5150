/**
 * Worst case: the most that one input can cause, with any replies of the models.
 *
 * The longest walk of at most the allowed handoffs, by dynamic programming. An input may also be the answer to a
 * pause, so a walk may begin at any agent that waits. A sub-crew costs its own worst case, under its own limits, an agent
 * or crew that is a tool as much for each call it may get, and a map as much for each item it may have. Not counted: retries, backup models, empty replies asked again, and the crew that runs after this one.
 */
import type { Agent, Crew } from "@baton/core";
import { schemasAt } from "@baton/core/util";
import { membersOf, programOf, type GraphNode } from "./graph.ts";
import { analyzeRouting, type RoutingAnalysis } from "./routing-analysis.ts";

/** The most that one input can cause. */
export interface WorstCase {
  /** Steps of programs do not count. */
  readonly modelCalls: number;
  /** Steps that asked for tools. */
  readonly toolRounds: number;
  readonly handoffs: number;
  /** Calls that code makes, if an agent writes code. */
  readonly codeCalls?: number;
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
  const { crew, used } = view;
  const inside = new Map<string, WorstCase>();
  for (const [name, sub] of crew.subCrews) if (used.has(name)) inside.set(name, worstOf(sub, known));
  const costOf = (what: keyof typeof COSTS): Cost["turn"] => {
    const costs = new Map<string, number>();
    const costOfOne = (id: string): number => {
      const agent = crew.agents.get(id);
      const before = costs.get(id) ?? inside.get(id)?.[what];
      if (before !== undefined || agent === undefined) return before ?? 0;
      const cost = COSTS[what](crew, agent) + sumChildren(crew, agent, costOfOne);
      costs.set(id, cost);
      return cost;
    };
    return ({ place }) => {
      const group = place.kind === "group" ? crew.groups.get(place.id) : undefined;
      if (group === undefined) return costOfOne(place.id);
      const sum = membersOf(group).reduce((total, id) => total + costOfOne(id), 0);
      return group.map === undefined ? sum : sum * countItems(view, place.id);
    };
  };
  const calls = longest(view, { turn: costOf("modelCalls"), handoff: 0 });
  const rounds = longest(view, { turn: costOf("toolRounds"), handoff: 0 });
  const handoffs = longest(view, { turn: costOf("handoffs"), handoff: 1 });
  const codeCalls = longest(view, { turn: costOf("codeCalls"), handoff: 0 });
  return {
    modelCalls: calls.value,
    toolRounds: rounds.value,
    handoffs: handoffs.value,
    ...(codeCalls.value === 0 ? {} : { codeCalls: codeCalls.value }),
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
const COSTS = { modelCalls: callsOf, toolRounds: roundsOf, handoffs: () => 0, codeCalls: codeCallsOf } as const;

/** Calls that an agent or crew gets in one turn, if its tool says nothing. */
const MAX_CALLS = 8;

/** The agents and crews that an agent may call in one turn; tools are off in the last step. */
function sumChildren(crew: Crew, agent: Agent, costOf: (id: string) => number): number {
  if (roundsOf(crew, agent) === 0) return 0;
  return agent.children.reduce((sum, child) => {
    return sum + (child.maxCalls ?? MAX_CALLS) * costOf("agent" in child ? child.agent : child.crew);
  }, 0);
}

const MAX_ITEMS = 1_000;

/** The most items of a map: its own cap or, if each agent that leads to it has a smaller one in its output, that. */
function countItems({ crew, arrivals }: RoutingAnalysis, id: string): number {
  const { maxItems = MAX_ITEMS, over = "" } = crew.groups.get(id) ?? {};
  if (!over.startsWith(IN_OUTPUT)) return maxItems;
  const senders = [...arrivals.keys()].filter(({ edges }) => edges.some(({ to }) => to.place.id === id));
  const caps = senders.map(({ place }) => {
    const output = crew.agents.get(place.id)?.output;
    const found = output === undefined ? [] : schemasAt(output, over.slice(IN_OUTPUT.length)).schemas;
    const own = found.map((schema) => (typeof schema["maxItems"] === "number" ? schema["maxItems"] : Infinity));
    return own.length === 0 ? Infinity : Math.max(...own);
  });
  return Math.min(maxItems, caps.length === 0 ? Infinity : Math.max(...caps));
}

const IN_OUTPUT = "output.";

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

/** A round may hold several codes; one is what a model writes. */
function codeCallsOf(crew: Crew, agent: Agent): number {
  return agent.toolCalls === "code" ? roundsOf(crew, agent) * crew.settings.maxCodeCalls : 0;
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
