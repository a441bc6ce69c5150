/**
 * Group: several agents on the same input at the same time, each in its own lane.
 *
 * A member's crash or timeout never disturbs another. Their answers join the history as one message, in the group's
 * order. Signals of members are recorded, not followed.
 */
import { toUnstarted } from "./child-call.ts";
import type { Group, GroupMode } from "../../definitions/definition.ts";
import { toGroupContent, toGroupMessage, toGroupText } from "../../words/dialogue.ts";
import { BatonError, type Failure } from "../../words/error.ts";
import type { MemberResult } from "../../words/event.ts";
import type { Host } from "../../ports/host.ts";
import { type Json, omitUndefined } from "../../words/json.ts";
import { type Child, findChild, type Lane, toChildLane } from "../../views/lane.ts";
import { toToldCalls } from "../../views/history.ts";
import { findItems, toItemText } from "../../views/map-items.ts";
import type { TurnEnd } from "../../views/progress.ts";
import { Semaphore } from "../../lifetimes/semaphore.ts";
import { toSeconds } from "../../words/text.ts";

export interface GroupOptions {
  readonly id: string;
  readonly group: Group;
  /** Position of the group, as a turn. */
  readonly turn: string;
  /** The agent that signalled; empty if the run starts here. */
  readonly from: string;
  /** Output of that agent. */
  readonly output: Json | undefined;
}

/** One member or item: the name it goes by, its place in the list of a map, and who works in its lane. */
type Part = Readonly<{ agent: string; key: string; index?: number; child: Child; open: (host: Host) => Lane }>;

/** The parts of a group; of a map also its list, and how many work at once. */
type Parts = Readonly<{ parts: readonly Part[]; items?: readonly Json[]; maxParallel?: number }>;

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
      late: (key) => toLate(key.slice(key.lastIndexOf("/") + 1), timeoutMs, setting),
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

type Time = Pick<Lane, "timeSetting">;

/** The members of a group: each has its own copy of the history. */
function toMembers(lane: Lane, { id, group, turn }: GroupOptions, time: Time): Parts {
  const parts = group.agents.flatMap((agent): readonly Part[] => {
    const role = lane.plan.roles.get(agent);
    if (role === undefined) return [];
    const open = (host: Host): Lane => ({ ...lane, host, history: [...lane.history], ...time });
    return [{ agent, key: `${turn}/${id}/${agent}`, child: { kind: "agent", role }, open }];
  });
  return { parts };
}

/** The items of a map: each knows its input alone. */
function toItems(lane: Lane, { id, group, turn, output }: GroupOptions, time: Time): Parts | { error: Failure } {
  const { maxParallelAgents, maxDepth } = lane.plan.crew.settings;
  const agent = group.map ?? "";
  const child = findChild(lane, agent);
  if (child === undefined) return { error: { code: "internal", message: `there is no agent or crew "${agent}"` } };
  if (lane.depth >= maxDepth) {
    const limit = { name: "max_depth", value: maxDepth };
    return { error: { code: "limit", message: `group ${id} was not started: max_depth is ${maxDepth}`, limit } };
  }
  const items = findItems({ id, group, output, values: lane.host.values(turn) });
  if ("code" in items) return { error: items };
  const parts = items.map((item, at): Part => {
    const index = at + 1;
    const open = (host: Host): Lane => {
      const content = toItemText(group, { item, index, count: items.length });
      return toChildLane(lane, child, { host, history: [{ role: "user", content }], ...time });
    };
    return { agent, key: `${turn}/${id}/${index}`, index, child, open };
  });
  return { parts, items, maxParallel: group.maxParallel ?? maxParallelAgents };
}

function toLate(name: string, timeoutMs: number, setting: string): BatonError {
  return new BatonError("timeout", `${name} took longer than ${toSeconds(timeoutMs)} (${setting})`);
}

/** With `first` an answer decides for the group, with `all` a failure; a cancelled lane is neither. */
function isDecisive(end: TurnEnd, mode: GroupMode = "settled"): boolean {
  if (mode === "first") return end.kind === "answered";
  return mode === "all" && end.kind === "stopped" && !isCancelled(end.error);
}

const isCancelled = ({ lane }: Failure): boolean => lane !== undefined;

/** Failures that a message names. */
const MAX_REASONS = 8;

const LOST: TurnEnd = { kind: "stopped", text: "", error: { code: "internal", message: "the member was lost" } };

type Member = Part & Readonly<{ end: TurnEnd }>;

/** The members as they ended, the one whose answer is taken if only one is, and the list of a map. */
type Ended = Readonly<{ members: readonly Member[]; winner: Member | undefined; items?: readonly Json[] }>;

function join(lane: Lane, { id, group, turn, from }: GroupOptions, { members, winner, items }: Ended): TurnEnd {
  const { host } = lane;
  const isWaiting = winner === undefined && members.some(({ end }) => end.kind === "waiting");
  if (isWaiting) return { kind: "waiting" };
  const results = members.map(toResult);
  const counted =
    winner === undefined
      ? results.filter(({ error }) => error === undefined || !isCancelled(error))
      : [toResult(winner)];
  const answers = counted.filter(({ text }) => text !== undefined);
  const isFailed =
    (group.mode === "all" && answers.length < counted.length) || (answers.length === 0 && items?.length !== 0);
  const cut = winner === undefined ? findCut(results) : undefined;
  const error = cut ?? (isFailed ? toGroupFailure(id, results) : undefined);
  const over = error === undefined ? items : undefined;
  const ended = { group: id, results, ...omitUndefined({ over, winner: winner?.index ?? winner?.agent, error }) };
  host.emit({ type: "group.ended", turn, ...ended });
  if (error !== undefined)
    return { kind: "stopped", ...(cut === undefined ? { text: "" } : toSaid(id, members)), error };
  if (answers.length < counted.length || items?.length === 0) {
    const text = items?.length === 0 ? "has no items" : `${answers.length} of ${counted.length} answered`;
    host.emit({ type: "warning.raised", agent: from, text: `group ${id}: ${text}` });
  }
  const message = toGroupMessage(ended, lane.plan.crew.settings.maxTotalOutputChars);
  if (message !== undefined) lane.history.push(message);
  const content = toGroupContent(ended, lane.plan.crew.settings.maxTotalOutputChars);
  const text = toGroupText(ended, lane.plan.crew.settings.maxTotalOutputChars);
  return { kind: "answered", text, content, endsRun: false };
}

/** Joins the texts of the members when the run is interrupted. */
function toSaid(group: string, members: readonly Member[]): Readonly<{ text: string; content: string }> {
  const results = members.flatMap((member) => {
    const { agent, end } = member;
    if (end.kind === "waiting" || end.text === "") return [];
    return [{ agent, text: end.text, content: toContent(member, end), ...omitUndefined({ index: member.index }) }];
  });
  return { text: toGroupText({ group, results }), content: toGroupContent({ group, results }) };
}

function toContent({ child }: Part, { text, content }: Exclude<TurnEnd, { kind: "waiting" }>): string {
  return child.kind === "agent" ? child.role.matcher.strip(text) : (content ?? text);
}

function toResult(member: Member): MemberResult {
  const { agent, end, index, child } = member;
  const base = index === undefined ? { agent } : { index, agent };
  if (end.kind === "stopped") return { ...base, error: end.error };
  if (end.kind === "waiting") {
    const lane = index === undefined ? agent : member.key;
    return { ...base, error: { code: "cancelled", message: "another member was first", lane } };
  }
  const { text, output } = end;
  const content = toContent(member, end);
  const shown = content === text ? {} : { content };
  if (index !== undefined) return { ...base, text, ...shown, ...omitUndefined({ output }) };
  const isForCrew = child.kind === "agent" && child.role.agent.audience === "crew";
  return { ...base, text, ...shown, ...(isForCrew ? { audience: "crew" } : {}), ...omitUndefined({ told: end.told }) };
}

/** A cancel or timeout of the whole run, which reaches its members too; a member's own time is a `timeout`. */
function findCut(results: readonly MemberResult[]): Failure | undefined {
  const errors = results.flatMap(({ error }) => error ?? []);
  return errors.find(({ code, limit, lane }) => {
    return (code === "cancelled" && lane === undefined) || limit?.name === "timeout_seconds";
  });
}

function toGroupFailure(id: string, results: readonly MemberResult[]): Failure {
  const [first, ...others] = results.flatMap(({ error }) => error ?? []);
  if (first?.code === "limit" && others.every(({ code }) => code === "limit")) return first;
  const failed = results.filter(({ text }) => text === undefined);
  const reasons = failed
    .slice(0, MAX_REASONS)
    .map(({ agent, index, error }) => `${[agent, index ?? []].flat().join(" ")}: ${error?.message ?? "no answer"}`);
  if (failed.length > MAX_REASONS) reasons.push(`and ${failed.length - MAX_REASONS} more`);
  const answered = results.filter(({ text }) => text !== undefined).length;
  const what =
    answered === 0
      ? `nobody in group ${id} answered`
      : `${answered} of ${results.length} in group ${id} answered, and all must`;
  return { code: "group", message: `${what} (${reasons.join("; ")})` };
}
