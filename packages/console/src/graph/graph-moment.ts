/**
 * Graph moment: what of a crew's graph is alive at an event: who has the baton, which ways it has gone and how often.
 */
import { hasBegun, isSpanOpen, type Story } from "../store/story.ts";

/** The graph of a run at an event. */
export interface GraphMoment {
  /** Agents and groups that have the baton. */
  readonly active: ReadonlySet<string>;
  /** Agents and groups that had it before. */
  readonly visited: ReadonlySet<string>;
  /** The number of handoffs from one to another, by `from to`. */
  readonly counts: ReadonlyMap<string, number>;
  /** Members of groups that are working, by `group member`. */
  readonly members: ReadonlySet<string>;
  /** The newest handoff, and how many there were: what the baton travels along. */
  readonly latest: Readonly<{ from: string; to: string; count: number }> | undefined;
  /** Agents that wait for a person. */
  readonly waiting: ReadonlySet<string>;
}

/** The name of a way in `counts`. */
export function wayOf(from: string, to: string): string {
  return `${from} ${to}`;
}

/** Returns the state of the graph at an event, in the crew's own line or in that of a sub-crew. */
export function momentAt(story: Story, seq: number): GraphMoment {
  const active = new Set<string>();
  const visited = new Set<string>();
  const counts = new Map<string, number>();
  const waiting = new Set<string>();
  const members = new Set<string>();
  const lanes = toMemberLanes(story);
  for (const turn of story.turns) {
    if (!hasBegun(turn, seq)) continue;
    const group = lanes.get(turn.lane);
    const name = turn.crew ?? turn.agent;
    if (group !== undefined) {
      if (isSpanOpen(turn, seq)) members.add(wayOf(group, name));
      continue;
    }
    visited.add(name);
    if (isSpanOpen(turn, seq)) active.add(name);
  }
  for (const group of story.groups) {
    if (!hasBegun(group, seq)) continue;
    visited.add(group.group);
    if (isSpanOpen(group, seq)) active.add(group.group);
  }
  let latest: GraphMoment["latest"];
  for (const { from, to, seq: at } of story.handoffs) {
    if (at > seq) continue;
    counts.set(wayOf(from, to), (counts.get(wayOf(from, to)) ?? 0) + 1);
    latest = { from, to, count: (latest?.count ?? 0) + 1 };
  }
  for (const wait of story.waits) if (isSpanOpen(wait, seq)) waiting.add(wait.agent);
  for (const question of story.questions) if (isSpanOpen(question, seq)) waiting.add(question.asked.agent);
  return { active, visited, counts, members, latest, waiting };
}

/** The group whose member's lane it is, by the lane. */
function toMemberLanes({ groups }: Story): ReadonlyMap<string, string> {
  return new Map(
    groups.flatMap(({ turn, group, agents }) =>
      agents.map((agent): readonly [string, string] => [`${turn}/${group}/${agent}`, group]),
    ),
  );
}
