/**
 * Reach check: which agents get the baton by accident, and which never get it.
 */
import type { Finding } from "@baton/core/ports";
import { toShortestPath } from "./shortest-path.ts";
import { pathOf, type GraphFinding, type RoutingAnalysis } from "./routing-analysis.ts";
import { countHandoffs } from "./graph-search.ts";

/** Agents that hand over to any other agent because no rule says where. */
export function* checkFallbacks(view: RoutingAnalysis): Iterable<GraphFinding> {
  const { arrivals } = view;
  for (const node of arrivals.keys()) {
    const any = node.edges.find(({ via }) => via === "any");
    if (any === undefined) continue;
    yield {
      code: "any_other_agent",
      severity: "warning",
      path: pathOf(node, view),
      message: `without a signal \`${node.place.id}\` hands over to \`${any.to.place.id}\`, only because that is the first other agent`,
      fix: "name the next agent in `routing.defaults` or `handoff_targets`, or write `auto_route: false`",
      conversation: [...toShortestPath(node, arrivals), any.label, any.to.place.id],
    };
  }
}

/** Agents, groups and sub-crews that nothing leads to. */
export function* checkReach(view: RoutingAnalysis): Iterable<GraphFinding> {
  const { crew, graph, used } = view;
  const groups = [...crew.groups.keys()].map((id): Finding["path"] => ["groups", id]);
  const agents = [...crew.agents.keys()].map((_, index): Finding["path"] => ["agents", index]);
  const crews = [...crew.subCrews.keys()].map((id): Finding["path"] => ["subCrews", id]);
  const names = [...crew.agents.keys(), ...crew.groups.keys(), ...crew.subCrews.keys()];
  for (const [index, path] of [...agents, ...groups, ...crews].entries()) {
    const id = names[index] ?? "";
    if (used.has(id)) continue;
    const kind = KINDS.get(path[0] ?? "") ?? "agent";
    yield {
      code: `unreachable_${kind}`,
      severity: "warning",
      path,
      part: "name",
      message: `nothing leads from \`${graph.entry.place.id}\` to the ${kind === "crew" ? "sub-crew" : kind} \`${id}\``,
      fix: "let a signal, a default or a handoff target lead there, or remove it",
    };
  }
}

const KINDS: ReadonlyMap<string | number, string> = new Map([
  ["groups", "group"],
  ["subCrews", "crew"],
]);

/** Agents, groups and sub-crews that only a higher limit would let have the baton, and ways that it cuts off. */
export function* checkHandoffLimit(view: RoutingAnalysis): Iterable<GraphFinding> {
  const { crew, graph, arrivals } = view;
  const { maxHandoffs } = crew.settings;
  const limit = Math.max(0, Math.ceil(maxHandoffs) - 1);
  const counts = countHandoffs(graph.starts, limit);
  const found = { code: "beyond_limit", severity: "warning" } as const;
  const allowed = `max_handoffs ${maxHandoffs} allows ${limit === 0 ? "none" : `only ${limit}`}`;
  const fix = "raise max_handoffs, or shorten the way to it";
  for (const node of arrivals.keys()) {
    const { id, kind } = node.place;
    if (!counts.has(node)) {
      const message = `\`${id}\` never gets the baton: ${allowed} before it`;
      yield { ...found, path: pathOf(node, view), message, fix, conversation: toShortestPath(node, arrivals) };
    }
    if (kind !== "agent" || counts.get(node) !== limit) continue;
    for (const { to, label } of node.edges.filter((edge) => counts.has(edge.to) && edge.via !== "failure")) {
      const message = `\`${id}\` can never hand over to \`${to.place.id}\` by ${label}: ${allowed}, and the way takes ${limit + 1}`;
      const conversation = [...toShortestPath(node, arrivals), label, to.place.id];
      yield { ...found, path: pathOf(node, view), message, fix, conversation };
    }
  }
}
