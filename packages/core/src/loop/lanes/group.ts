/**
 * Group: several agents on the same input at the same time, each in its own lane.
 *
 * A member's crash or timeout never disturbs another. Their answers join the history as one message, in the group's
 * order. Signals of members are recorded, not followed.
 */
import { toGroupContent, toGroupMessage, toGroupText } from "../../words/dialogue.ts";
import type { BatonError } from "../../words/error.ts";
import { type GroupOptions, toItems, toMembers } from "../../views/group-part.ts";
import {
  boundResults,
  findCut,
  isCancelled,
  isDecisive,
  type EndedMember,
  toGroupFailure,
  toLate,
  toResult,
  toSaid,
} from "../../views/group-result.ts";
import { toToldCalls } from "../../views/history.ts";
import { type Json, omitUndefined } from "../../words/json.ts";
import type { Lane } from "../../views/lane.ts";
import { LOST, type TurnEnd, toUnstarted } from "../../views/progress.ts";
import { Semaphore } from "../../lifetimes/semaphore.ts";

/** Fans out, waits, and joins. */
export async function runGroup(lane: Lane, options: GroupOptions): Promise<TurnEnd> {
  const { id, group, turn, from } = options;
  const { host, plan } = lane;
  const timeoutMs = group.timeoutMs ?? plan.crew.settings.groupTimeoutMs;
  const setting = group.timeoutMs === undefined ? "parallel_timeout_seconds" : "the group's timeout_seconds";
  const time = timeoutMs < host.scope.remainingMs ? { timeSetting: setting } : {};
  const opened = group.map === undefined ? toMembers(lane, options, time) : toItems(lane, options, time);
  if ("error" in opened) return { kind: "stopped", error: opened.error, text: "" };
  const { parts, items, maxParallel } = opened;
  const agents = [...new Set(group.map === undefined ? parts.map(({ agent }) => agent) : [group.map])];
  const size = items === undefined ? {} : { items: items.length };
  host.emit({ type: "group.started", turn, group: id, agents, ...size, from });
  const unstarted = (_: string, reason: BatonError | undefined) => toUnstarted(reason);
  const bound = maxParallel && { permits: new Semaphore(maxParallel), owner: turn, unstarted };
  const { results, first } = await host.lanes<TurnEnd>(
    {
      keys: parts.map(({ key }) => key),
      timeoutMs,
      late: (key) => toLate(key, timeoutMs, setting),
      isDecisive: (end) => isDecisive(end, group.mode),
      ...omitUndefined({ bound: bound || undefined }),
    },
    async (own, place) => {
      const part = parts[place];
      if (part === undefined) return LOST;
      const inner = part.open(own);
      const end = await lane.shared.runChild(inner, part.child);
      const isTold = plan.crew.settings.sharedToolResults && part.index === undefined && end.kind === "answered";
      return isTold
        ? { ...end, ...omitUndefined({ told: toToldCalls(inner.history.slice(lane.history.length)) }) }
        : end;
    },
  );
  const members = parts.map((part, index) => ({ ...part, end: results[index] ?? LOST }));
  const winner = group.mode === "first" ? members[first ?? -1] : undefined;
  return join(lane, options, { members, winner, ...omitUndefined({ items }) });
}

/** The members as they ended, the one whose answer is taken if only one is, and the list of a map. */
type Ended = Readonly<{ members: readonly EndedMember[]; winner: EndedMember | undefined; items?: readonly Json[] }>;

function join(lane: Lane, { id, group, turn, from }: GroupOptions, { members, winner, items }: Ended): TurnEnd {
  const { host } = lane;
  const isWaiting = winner === undefined && members.some(({ end }) => end.kind === "waiting");
  if (isWaiting) return { kind: "waiting" };
  const { results, cut: cutResults } = boundResults(members.map(toResult));
  const counted =
    winner === undefined
      ? results.filter(({ error }) => error === undefined || !isCancelled(error))
      : [toResult(winner)];
  const answers = counted.filter(({ text }) => text !== undefined);
  const isFailed =
    (group.mode === "all" && answers.length < counted.length) || (answers.length === 0 && members.length > 0);
  const cut = winner === undefined ? findCut(results) : undefined;
  const error = cut ?? (isFailed ? toGroupFailure(id, results) : undefined);
  const over = error === undefined ? items : undefined;
  const ended = { group: id, results, ...omitUndefined({ over, winner: winner?.index ?? winner?.agent, error }) };
  host.emit({ type: "group.ended", turn, ...ended });
  if (error !== undefined)
    return { kind: "stopped", ...(cut === undefined ? { text: "" } : toSaid(id, members)), error };
  if (answers.length < counted.length || members.length === 0) {
    const text =
      members.length === 0
        ? `has no ${items === undefined ? "members" : "items"}`
        : `${answers.length} of ${counted.length} answered`;
    host.emit({ type: "warning.raised", agent: from, text: `group ${id}: ${text}` });
  }
  if (cutResults > 0) {
    const text = `group ${id}: ${cutResults} answers are cut, because all of them are too long; each is whole in its lane`;
    host.emit({ type: "warning.raised", agent: from, text });
  }
  const message = toGroupMessage(ended, lane.plan.crew.settings.maxTotalOutputChars);
  if (message !== undefined) lane.history.push(message);
  const content = toGroupContent(ended, lane.plan.crew.settings.maxTotalOutputChars);
  const text = toGroupText(ended, lane.plan.crew.settings.maxTotalOutputChars);
  return { kind: "answered", text, content, endsRun: false };
}
