/**
 * Graph: every way the baton can go in a crew, as nodes and edges.
 *
 * A node is an agent that holds the baton, or a running group. What a model will write is not known, so an agent has
 * an edge for each of its signals, one for "no signal", which leads where the engine itself says, and one for a turn
 * that fails, if it has `on_failure`. A member of a group does not hold the baton: its signals are no edges.
 */
import {
  decideRoute,
  fallBack,
  toPlace,
  type Agent,
  type Crew,
  type Group,
  type Place,
  type Route,
  type Via,
  type Json,
  type When,
} from "@baton/core";

/** A way from a node to another. */
export interface Edge {
  readonly to: GraphNode;
  /** The signal, or in brackets the rule that applies without one. */
  readonly label: string;
  readonly via: Via;
}

/** A way to stop: the end of the run, or a pause for the user. */
export interface Exit {
  readonly kind: "end" | "pause";
  readonly label: string;
}

/** An agent that holds the baton, or a running group. */
export interface GraphNode {
  /** Position in the list of nodes. */
  readonly index: number;
  readonly place: Place;
  readonly edges: readonly Edge[];
  readonly exits: readonly Exit[];
}

/** Every node of a crew; the first are the agents, in their order. */
export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly entry: GraphNode;
  /** Where a run may start: the entry, then the agents of tasks. */
  readonly starts: readonly GraphNode[];
}

const NO_SIGNAL = "(no signal)";
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

/** Makes each node once; a group without a next agent is one node for each agent that signals it. */
class Builder {
  readonly #crew: Crew;
  readonly #nodes: OpenNode[] = [];
  readonly #agents = new Map<string, OpenNode>();
  readonly #groups = new Map<string, OpenNode>();

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
    for (const { signal, when, target } of this.#crew.signals.get(agent.id) ?? []) {
      const place = toPlace(this.#crew, target);
      const label = signal ?? toCondition(when ?? {});
      const via = signal === undefined ? "output" : "signal";
      if (target === "") node.exits.push({ kind: "end", label });
      else if (place !== undefined) node.edges.push({ to: this.#nodeOf(place, agent), label, via });
    }
    this.#follow(node, decideRoute(this.#crew, agent, undefined), agent);
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
    const node: OpenNode = { index: this.#nodes.length, place, edges: [], exits: [] };
    this.#nodes.push(node);
    return node;
  }
}

/** `complexity: direct | plan, plan.needed: true` */
function toCondition(when: When): string {
  const parts = Object.entries(when).map(([path, wanted]) => {
    const values: readonly Json[] = Array.isArray(wanted) ? wanted : [wanted];
    return `${path}: ${values.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join(" | ")}`;
  });
  return parts.join(", ");
}
