/**
 * Group check: what has no effect in a parallel group or in an agent that is a tool, and groups that may outlive their run.
 *
 * Signals of a member are only a note if they are followed elsewhere, and the group says where the baton goes instead.
 */
import type { Crew } from "@baton/core";
import type { Group } from "@baton/core/ports";
import { toShortestPath } from "./shortest-path.ts";
import { membersOf, toLabel } from "./graph.ts";
import type { GraphFinding, RoutingAnalysis } from "./routing-analysis.ts";

/** Everything in groups that has no effect or cannot be reached in time. */
export function* checkGroups({ crew, arrivals }: RoutingAnalysis): Iterable<GraphFinding> {
  const ways = new Map<string, readonly string[]>();
  const alone = namedTargets(crew);
  for (const node of arrivals.keys()) {
    const { kind, id } = node.place;
    if (kind === "group" && !ways.has(id)) ways.set(id, toShortestPath(node, arrivals));
  }
  for (const [id, group] of crew.groups) {
    const conversation = ways.get(id);
    for (const finding of checkGroup({ crew, alone }, id, group)) {
      yield conversation === undefined ? finding : { ...finding, conversation };
    }
  }
  for (const [index, agent] of [...crew.agents.values()].entries()) {
    for (const [at, name] of agent.tools.entries()) {
      const child = agent.children.find(({ as }) => as === name);
      if (child === undefined || !("agent" in child) || alone.has(child.agent)) continue;
      const path = ["agents", index, "tools", at];
      const signals = labelsOf(crew, child.agent);
      if (signals !== "") {
        const message = `the signals of \`${child.agent}\` (${signals}) are recorded, not followed, if it is a tool`;
        yield { code: "ignored_signals", severity: "warning", path, message, fix: "remove its signals" };
      }
      yield* checkMember(crew, child.agent, { path, where: "as a tool" });
    }
  }
}

/** The agents that a crew names as those who get the baton, by whatever way. */
function namedTargets({ entry, agents, signals, defaults, groups }: Crew): ReadonlySet<string> {
  return new Set([
    entry.id,
    ...[...signals.values()].flat().map(({ target }) => target),
    ...defaults.values(),
    ...[...agents.values()].flatMap(({ handoffTargets }) => handoffTargets),
    ...[...groups.values()].flatMap(({ nextAgent }) => nextAgent ?? []),
  ]);
}

function labelsOf({ signals }: Crew, agent: string): string {
  return (signals.get(agent) ?? []).map(toLabel).slice(0, 3).join(", ");
}

/** A crew, and the agents that it names as those who get the baton outside groups. */
interface Around {
  readonly crew: Crew;
  readonly alone: ReadonlySet<string>;
}

function* checkGroup({ crew, alone }: Around, id: string, group: Group): Iterable<GraphFinding> {
  yield* checkTimeout(crew, id, group);
  for (const [index, member] of membersOf(group).entries()) {
    const path = group.map === undefined ? ["groups", id, "agents", index] : ["groups", id, "map"];
    const signals = labelsOf(crew, member);
    if (signals !== "") {
      const { nextAgent } = group;
      const isNote = nextAgent !== undefined && alone.has(member);
      const remove = isNote ? "" : `, or remove the signals of \`${member}\``;
      yield {
        code: "ignored_signals",
        severity: isNote ? "note" : "warning",
        path,
        message: `the signals of \`${member}\` (${signals}) are recorded in a group, not followed`,
        fix:
          nextAgent === undefined
            ? "set the group's `next_agent` to where the baton should go"
            : `nothing to do if \`next_agent: ${nextAgent}\` is right${remove}`,
      };
    }
    yield* checkMember(crew, member, { path, where: "in a group" });
  }
}

function* checkTimeout({ settings }: Crew, id: string, group: Group): Iterable<GraphFinding> {
  const timeoutMs = group.timeoutMs ?? settings.groupTimeoutMs;
  if (timeoutMs <= settings.timeoutMs) return;
  yield {
    code: "group_outlives_run",
    severity: "warning",
    path: ["groups", id, "timeoutMs"],
    message: `the group may take ${timeoutMs / 1_000} s, but the whole run only ${settings.timeoutMs / 1_000} s`,
    fix: "set a shorter timeout for the group, or a longer one for the run",
  };
}

type Spot = Readonly<{ path: GraphFinding["path"]; where: string }>;

function* checkMember(crew: Crew, member: string, { path, where }: Spot): Iterable<GraphFinding> {
  const behavior = crew.behaviors.get(member);
  const isTerminal = crew.agents.get(member)?.isTerminal === true || behavior?.isTerminal === true;
  const flags = [
    isTerminal ? "is_terminal" : "",
    behavior?.waitForSignal === true ? "wait_for_signal" : "",
    behavior?.onFailure === undefined ? "" : "on_failure",
  ];
  for (const flag of flags.filter((one) => one !== "")) {
    yield {
      code: "ineffective_member",
      severity: "warning",
      path,
      message: `\`${flag}\` of \`${member}\` has no effect ${where}`,
      fix: "nothing to do if the agent also gets the baton itself; otherwise remove it",
    };
  }
}
