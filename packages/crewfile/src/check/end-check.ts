/**
 * End check: whether a run can end: ends that cannot be reached, cycles, pauses that lead nowhere, failures
 * that are only repeated.
 */
import { toShortestPath, toLoop } from "./shortest-path.ts";
import type { GraphNode } from "./graph.ts";
import { pathOf, type Cycle, type GraphFinding, type RoutingAnalysis } from "./routing-analysis.ts";
import type { Arrivals } from "./graph-search.ts";

const MAX_NAMES = 5;

/** A crew that can reach neither an end nor a pause. */
export function* checkEntry({ graph, toStop, cycles, arrivals }: RoutingAnalysis): Iterable<GraphFinding> {
  const { entry } = graph;
  if (toStop.has(entry)) return;
  const cycle = cycles.find(({ first }) => !toStop.has(first));
  yield {
    code: "no_end",
    severity: "error",
    path: ["entry"],
    message: `from the entry \`${entry.place.id}\` no end and no pause can be reached; only a limit would stop a run`,
    fix: 'give an agent on the way a signal with target "", or make it terminal, or let it wait for the user',
    ...(cycle === undefined ? {} : { conversation: toRound(cycle, arrivals) }),
  };
}

/** Agents from which no end can be reached. */
export function* checkEnds(view: RoutingAnalysis): Iterable<GraphFinding> {
  const { graph, arrivals, cycles, toEnd, toStop } = view;
  if (!toStop.has(graph.entry)) return;
  const endless = new Set(cycles.filter(({ first }) => !toStop.has(first)).flatMap(({ nodes }) => [...nodes]));
  for (const node of arrivals.keys()) {
    const isToldElsewhere = isEndlessPause(node) || endless.has(node);
    if (toEnd.has(node) || node.place.kind !== "agent" || isToldElsewhere) continue;
    yield {
      code: "no_end",
      severity: "warning",
      path: pathOf(node, view),
      message: `no end can be reached from \`${node.place.id}\`${toStop.has(node) ? ", only pauses" : ""}`,
      fix: 'give it, or an agent after it, a signal with target "", or make one terminal',
      conversation: toShortestPath(node, arrivals),
    };
  }
}

/** Agents that can pass the baton around, and those that can do nothing else. */
export function* checkCycles(view: RoutingAnalysis): Iterable<GraphFinding> {
  const { crew, graph, cycles, arrivals, toStop } = view;
  for (const cycle of cycles) {
    const { first, nodes } = cycle;
    const isEndless = !toStop.has(first);
    if ((isEndless && !toStop.has(graph.entry)) || isRepeatedFailure(cycle)) continue;
    const common = { path: pathOf(first, view), conversation: toRound(cycle, arrivals) };
    const way = nodes.size === 1 ? "to itself" : "around in a circle";
    if (isEndless) {
      const message = `${toNames(nodes)} can only pass the baton ${way}, until a limit stops the run`;
      const fix = 'give one of the agents a signal with target ""';
      yield { ...common, severity: "warning", code: "endless_cycle", message, fix };
    } else {
      const message = `${toNames(nodes)} can pass the baton ${way}`;
      const fix = `nothing to do if this is intended; max_handoffs (${crew.settings.maxHandoffs}) ends it`;
      yield { ...common, severity: "note", code: "cycle", message, fix };
    }
  }
}

/** Agents that get the baton back when their own turn has failed. */
export function* checkFailures({ crew }: RoutingAnalysis): Iterable<GraphFinding> {
  for (const [id, { onFailure }] of crew.behaviors) {
    if (onFailure !== id) continue;
    const most = crew.settings.maxHandoffs;
    yield {
      code: "failure_to_itself",
      severity: "warning",
      path: ["behaviors", id, "onFailure"],
      message: `\`${id}\` gets the baton back if its turn fails: it only repeats what failed, until max_handoffs (${most}) ends the run`,
      fix: "name another agent, or remove it: `model_attempts` already repeats a failed model call",
    };
  }
}

/** An agent that can hand over to itself only by a failure, which has a finding of its own. */
function isRepeatedFailure({ first, nodes }: Cycle): boolean {
  return nodes.size === 1 && first.edges.every(({ to, via }) => to !== first || via === "failure");
}

/** An agent that waits, and has no signal that would lead out of it. */
function isEndlessPause({ edges, exits, isProgram }: GraphNode): boolean {
  if (isProgram) return false;
  const isStuck = edges.every(({ via }) => via === "failure");
  return isStuck && exits.length > 0 && exits.every(({ kind }) => kind === "pause");
}

/** Pauses that nothing can resume. */
export function* checkPauses({ arrivals }: RoutingAnalysis): Iterable<GraphFinding> {
  for (const node of arrivals.keys()) {
    if (!isEndlessPause(node)) continue;
    const { id } = node.place;
    yield {
      code: "endless_pause",
      severity: "warning",
      path: ["behaviors", id, "waitForSignal"],
      message: `\`${id}\` waits for a signal but has none: after every answer of the user it pauses again`,
      fix: "give it a signal that leads somewhere, or remove `wait_for_signal`",
      conversation: [...toShortestPath(node, arrivals), "(pause)", id, "(pause)"],
    };
  }
}

/** The path of the baton to a cycle and once around it. */
function toRound({ first, nodes }: Cycle, arrivals: Arrivals): string[] {
  return [...toShortestPath(first, arrivals), ...toLoop(first, nodes)];
}

function toNames(nodes: ReadonlySet<GraphNode>): string {
  const ids = [...nodes].filter(({ place }) => place.kind !== "group").map(({ place }) => `\`${place.id}\``);
  const names = [...new Set(ids)].toSorted();
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "";
  return names.slice(0, MAX_NAMES).join(", ") + more;
}
