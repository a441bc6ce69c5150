/**
 * Group: several agents on the same input at the same time, each in its own lane.
 *
 * A member's crash or timeout never disturbs another. Their answers join the history as one message, in the group's
 * order. Signals of members are recorded, not followed.
 */
import type { Group, GroupMode } from "../definitions/definition.ts";
import { toGroupContent, toGroupMessage } from "../words/dialogue.ts";
import { BatonError, type Failure } from "../words/error.ts";
import type { MemberResult } from "../words/event.ts";
import { omitUndefined } from "../words/json.ts";
import type { Lane } from "../views/lane.ts";
import type { Role } from "../views/plan.ts";
import type { TurnEnd } from "../views/progress.ts";
import { matchRoutes, toMatched } from "./route.ts";
import { toSeconds } from "../words/text.ts";
import { takeTurn } from "./turn.ts";

export interface GroupOptions {
  readonly id: string;
  readonly group: Group;
  /** Position of the group, as a turn. */
  readonly turn: string;
  /** The agent that signalled; empty if the run starts here. */
  readonly from: string;
}

/** Fans out, waits, and joins. */
export async function runGroup(lane: Lane, options: GroupOptions): Promise<TurnEnd> {
  const { id, group, turn, from } = options;
  const { host, plan } = lane;
  const roles = group.agents.flatMap((agent) => plan.roles.get(agent) ?? []);
  const timeoutMs = group.timeoutMs ?? plan.crew.settings.groupTimeoutMs;
  const keys = roles.map(({ agent }) => `${turn}/${id}/${agent.id}`);
  const setting = group.timeoutMs === undefined ? "parallel_timeout_seconds" : "the group's timeout_seconds";
  const own = timeoutMs < host.scope.remainingMs ? { timeSetting: setting } : {};
  host.emit({ type: "group.started", turn, group: id, agents: roles.map(({ agent }) => agent.id), from });
  const { results, first } = await host.lanes<TurnEnd>(
    {
      keys,
      timeoutMs,
      late: (key) => toLate(key, timeoutMs, setting),
      isDecisive: (end) => isDecisive(end, group.mode),
    },
    (member, place) => takeMemberTurn({ ...lane, host: member, history: [...lane.history], ...own }, roles[place]),
  );
  const members = roles.map((role, index) => ({ role, end: results[index] ?? LOST }));
  return join(lane, options, { members, winner: group.mode === "first" ? members[first ?? -1] : undefined });
}

function toLate(lane: string, timeoutMs: number, setting: string): BatonError {
  const agent = lane.slice(lane.lastIndexOf("/") + 1);
  return new BatonError("timeout", `${agent} took longer than ${toSeconds(timeoutMs)} (${setting})`);
}

/** With `first` an answer decides for the group, with `all` a failure; a cancelled lane is neither. */
function isDecisive(end: TurnEnd, mode: GroupMode = "settled"): boolean {
  if (mode === "first") return end.kind === "answered";
  return mode === "all" && end.kind === "stopped" && !isCancelled(end.error);
}

const isCancelled = ({ lane }: Failure): boolean => lane !== undefined;

const LOST: TurnEnd = { kind: "stopped", text: "", error: { code: "internal", message: "the member was lost" } };

async function takeMemberTurn(lane: Lane, role: Role | undefined): Promise<TurnEnd> {
  if (role === undefined) return LOST;
  const end = await takeTurn(lane, role, `${lane.host.lane}/1`);
  if (end.kind === "answered") {
    for (const match of matchRoutes(lane.plan, role, end)) {
      lane.host.emit({ ...toMatched(match, role.agent.id), followed: false });
    }
  }
  return end;
}

type Member = Readonly<{ role: Role; end: TurnEnd }>;

/** The members as they ended, and the one whose answer is taken if only one is. */
type Ended = Readonly<{ members: readonly Member[]; winner: Member | undefined }>;

function join(lane: Lane, { id, group, turn, from }: GroupOptions, { members, winner }: Ended): TurnEnd {
  const { host } = lane;
  const results = members.map(toResult);
  const counted =
    winner === undefined
      ? results.filter(({ error }) => error === undefined || !isCancelled(error))
      : [toResult(winner)];
  const answers = counted.filter(({ text }) => text !== undefined);
  const failed = group.mode === "all" && answers.length < counted.length;
  const isWaiting = winner === undefined && members.some(({ end }) => end.kind === "waiting");
  if (isWaiting) return { kind: "waiting" };
  const cut = winner === undefined ? findCut(results) : undefined;
  const error = cut ?? (answers.length === 0 || failed ? toGroupFailure(id, results) : undefined);
  const more = omitUndefined({ winner: winner?.role.agent.id, error });
  host.emit({ type: "group.ended", turn, group: id, results, ...more });
  if (error !== undefined) return { kind: "stopped", ...(cut === undefined ? { text: "" } : toSaid(members)), error };
  if (answers.length < counted.length) {
    host.emit({
      type: "warning.raised",
      agent: from,
      text: `group ${id}: ${answers.length} of ${counted.length} answered`,
    });
  }
  const message = toGroupMessage(results, winner?.role.agent.id);
  lane.history.push(message);
  const content = toGroupContent(results, winner?.role.agent.id);
  return { kind: "answered", text: message.content, content, endsRun: false };
}

/** Joins the texts of the members when the run is interrupted. */
function toSaid(members: readonly Member[]): Readonly<{ text: string; content: string }> {
  const said = members.flatMap(({ role: { agent, matcher }, end }) => {
    if (end.kind === "waiting" || end.text === "") return [];
    return [{ agent: agent.id, text: end.text, content: matcher.strip(end.text) }];
  });
  return { text: toGroupMessage(said, undefined).content, content: toGroupContent(said, undefined) };
}

function toResult({ role, end }: Member): MemberResult {
  const agent = role.agent.id;
  if (end.kind === "answered") {
    const content = role.matcher.strip(end.text);
    const audience = role.agent.audience === "crew" ? { audience: "crew" as const } : {};
    return { agent, text: end.text, ...(content === end.text ? {} : { content }), ...audience };
  }
  if (end.kind === "stopped") return { agent, error: end.error };
  return { agent, error: { code: "cancelled", message: "another member was first", lane: agent } };
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
  const reasons = failed.map(({ agent, error }) => `${agent}: ${error?.message ?? "no answer"}`);
  const answered = results.filter(({ text }) => text !== undefined).length;
  const what =
    answered === 0
      ? `nobody in group ${id} answered`
      : `${answered} of ${results.length} in group ${id} answered, and all must`;
  return { code: "group", message: `${what} (${reasons.join("; ")})` };
}
