/**
 * Graph: every way the baton can go in a crew, as nodes and edges.
 *
 * A node is an agent that holds the baton, a running group, or a sub-crew. An agent has an edge for each signal and
 * `when`, one for a reply without any if there can be one, and one for a turn that fails. Members of groups do not hold the baton.
 */
import type { Agent, Crew, Json } from "@baton/core";
import { decideRoute, fallBack, toPlace, toProgramName, type Route } from "@baton/core/engine";
import type { Group, Place, SignalRoute, Via, When } from "@baton/core/ports";
import { isCovered } from "./output-coverage.ts";

/** A way from a node to another. */
export interface Edge {
  readonly to: GraphNode;
  /** The signal, the condition on the output, or in brackets the rule that applies without one. */
  readonly label: string;
  readonly via: Via;
}

/** A way to stop: the end of the run, or a pause for the user. */
export interface Exit {
  readonly kind: "end" | "pause";
  readonly label: string;
}

/** An agent that holds the baton, a running group, or a sub-crew. */
export interface GraphNode {
  /** Position in the list of nodes. */
  readonly index: number;
  readonly place: Place;
  readonly edges: readonly Edge[];
  readonly exits: readonly Exit[];
  /** It is a program: it may end the run, independent of the routing. */
  readonly isProgram: boolean;
}

/** Every node of a crew; the first are the agents, in their order. */
export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly entry: GraphNode;
  /** Where a run may start: the entry, then the agents of tasks. */
  readonly starts: readonly GraphNode[];
}

const NO_SIGNAL = "(no signal)";
const INSIDE = "(waits inside)";
const LABELS = {
  signal: "",
  default: "(default)",
  handoff_target: "(handoff target)",
  any: "(any other agent)",
  group: "(then)",
  failure: "(on failure)",
  output: "",
  return: "(then)",
} as const satisfies Record<Edge["via"], string>;

interface OpenNode extends GraphNode {
  readonly edges: Edge[];
  readonly exits: Exit[];
}

/** Every way the baton can go. */
export function toGraph(crew: Crew): Graph {
  return new Builder(crew).build();
}

/** The program that an agent is, by its name; undefined if a language model answers for it. */
export function programOf({ model }: Agent, crew: Crew): string | undefined {
  return toProgramName((model ?? crew.model)?.name ?? "");
}

/** The agents of a group, or the agent or crew of a map. */
export function membersOf({ agents, map }: Group): readonly string[] {
  return map === undefined ? agents : [map];
}

/** The agents and crews that an agent has as tools, by their ids. */
export function childrenOf(agent: Agent | undefined): readonly string[] {
  return (agent?.children ?? []).map((child) => ("agent" in child ? child.agent : child.crew));
}

/** Whether an agent of a crew, or of a crew in it, may wait for the user. */
export function mayPause(crew: Crew, seen = new Set<Crew>()): boolean {
  if (seen.has(crew)) return false;
  seen.add(crew);
  const isWaiting = crew.behaviors.values().some(({ waitForSignal }) => waitForSignal === true);
  return isWaiting || crew.subCrews.values().some((inside) => mayPause(inside, seen));
}

/** Renders the condition of a route: its signal, or `complexity: direct | plan, plan.needed: true`. */
export function toLabel({ signal, when = {} }: Pick<SignalRoute, "signal" | "when">): string {
  return signal ?? toCondition(when);
}

/** Makes each node once; a group or sub-crew is one node for each agent that it leads back to. */
class Builder {
  readonly #crew: Crew;
  readonly #nodes: OpenNode[] = [];
  readonly #agents = new Map<string, OpenNode>();
  readonly #groups = new Map<string, OpenNode>();
  readonly #crews = new Map<string, OpenNode>();

  constructor(crew: Crew) {
    this.#crew = crew;
  }

  build(): Graph {
    for (const id of this.#crew.agents.keys()) this.#agents.set(id, this.#add({ kind: "agent", id }));
    for (const agent of this.#crew.agents.values()) this.#connect(agent);
    const entry = this.#nodeOf(this.#crew.entry, undefined);
    const tasks = this.#crew.tasks.flatMap(({ agent }) => this.#agents.get(agent) ?? []);
    return { nodes: this.#nodes, entry, starts: [...new Set([entry, ...tasks])] };
  }

  #connect(agent: Agent): void {
    const node = this.#nodeOf({ kind: "agent", id: agent.id }, undefined);
    for (const route of this.#crew.signals.get(agent.id) ?? []) {
      const { target, returnTo = agent.id } = route;
      const place = toPlace(this.#crew, target);
      const label = toLabel(route);
      const via = route.signal === undefined ? "output" : "signal";
      if (target === "") node.exits.push({ kind: "end", label });
      else if (place?.kind === "crew") node.edges.push({ to: this.#crewOf(place, returnTo), label, via });
      else if (place !== undefined) node.edges.push({ to: this.#nodeOf(place, agent), label, via });
    }
    if (!isCovered(this.#crew, agent)) this.#follow(node, decideRoute(this.#crew, agent, undefined), agent);
    const rescuer = this.#agents.get(this.#crew.behaviors.get(agent.id)?.onFailure ?? "");
    if (rescuer !== undefined) node.edges.push({ to: rescuer, label: LABELS.failure, via: "failure" });
  }

  #follow(node: OpenNode, route: Route, agent: Agent | undefined): void {
    if (route.kind !== "go") node.exits.push({ kind: route.kind, label: NO_SIGNAL });
    else node.edges.push({ to: this.#nodeOf(route.to, agent), label: LABELS[route.via], via: route.via });
  }

  #nodeOf(place: Place, signaller: Agent | undefined): OpenNode {
    const agent = place.kind === "agent" ? this.#agents.get(place.id) : undefined;
    return agent ?? this.#groupOf(place, signaller);
  }

  #crewOf(place: Place, returnTo: string): OpenNode {
    const key = `${place.id} ${returnTo}`;
    const known = this.#crews.get(key);
    if (known !== undefined) return known;
    const node = this.#add(place);
    this.#crews.set(key, node);
    const inside = this.#crew.subCrews.get(place.id);
    if (inside !== undefined && mayPause(inside)) node.exits.push({ kind: "pause", label: INSIDE });
    const back = this.#agents.get(returnTo);
    if (back !== undefined) node.edges.push({ to: back, label: LABELS.return, via: "return" });
    return node;
  }

  #groupOf(place: Place, signaller: Agent | undefined): OpenNode {
    const group = this.#crew.groups.get(place.id);
    const key = group?.nextAgent === undefined ? `${place.id} ${signaller?.id ?? ""}` : place.id;
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    const node = this.#add(place);
    this.#groups.set(key, node);
    this.#follow(node, this.#afterGroup(group, signaller), signaller);
    return node;
  }

  #afterGroup(group: Group | undefined, signaller: Agent | undefined): Route {
    if (group?.nextAgent !== undefined) return { kind: "go", to: { kind: "agent", id: group.nextAgent }, via: "group" };
    return signaller === undefined ? { kind: "end", by: "answer" } : fallBack(this.#crew, signaller);
  }

  #add(place: Place): OpenNode {
    const agent = place.kind === "agent" ? this.#crew.agents.get(place.id) : undefined;
    const isProgram = agent !== undefined && programOf(agent, this.#crew) !== undefined;
    const node: OpenNode = { index: this.#nodes.length, place, edges: [], exits: [], isProgram };
    this.#nodes.push(node);
    return node;
  }
}

function toCondition(when: When): string {
  const parts = Object.entries(when).map(([path, wanted]) => {
    const values: readonly Json[] = Array.isArray(wanted) ? wanted : [wanted];
    return `${path}: ${values.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join(" | ")}`;
  });
  return parts.join(", ");
}
