/**
 * Group result: the ends of a group's members, or of a map's items, as facts and as reasons.
 */
import type { GroupMode } from "../definitions/definition.ts";
import { toGroupContent, toGroupText } from "../words/dialogue.ts";
import { BatonError, type Failure } from "../words/error.ts";
import type { MemberResult } from "../words/event.ts";
import type { GroupPart } from "./group-part.ts";
import { omitUndefined } from "../words/json.ts";
import type { TurnEnd } from "./progress.ts";
import { cutAt, takeChars, toSeconds } from "../words/text.ts";

/** A member or item that has ended. */
export type EndedMember = GroupPart & Readonly<{ end: TurnEnd }>;

/** The error of a member or item that takes too long. */
export function toLate(key: string, timeoutMs: number, setting: string): BatonError {
  const name = key.slice(key.lastIndexOf("/") + 1);
  return new BatonError("timeout", `${name} took longer than ${toSeconds(timeoutMs)} (${setting})`);
}

/** With `first` an answer decides for the group, with `all` a failure; a cancelled lane is neither. */
export function isDecisive(end: TurnEnd, mode: GroupMode = "settled"): boolean {
  if (mode === "first") return end.kind === "answered";
  return mode === "all" && end.kind === "stopped" && !isCancelled(end.error);
}

/** Whether a lane was cancelled alone. */
export const isCancelled = ({ lane }: Failure): boolean => lane !== undefined;

/** Failures that a message names. */
const MAX_REASONS = 8;

/** Joins the texts of the members when the run is interrupted. */
export function toSaid(group: string, members: readonly EndedMember[]): Readonly<{ text: string; content: string }> {
  const results = members.flatMap((member) => {
    const { agent, end } = member;
    if (end.kind === "waiting" || end.text === "") return [];
    return [{ agent, text: end.text, content: toContent(member, end), ...omitUndefined({ index: member.index }) }];
  });
  return { text: toGroupText({ group, results }), content: toGroupContent({ group, results }) };
}

function toContent({ child }: GroupPart, { text, content }: Exclude<TurnEnd, { kind: "waiting" }>): string {
  return child.kind === "agent" ? child.role.matcher.strip(text) : (content ?? text);
}

/** The result of a member or item. */
export function toResult(member: EndedMember): MemberResult {
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

/** Characters of all results of a map together, and of each one that is beyond them. */
const MAX_CHARS = 4 * 1_024 * 1_024;
const MAX_CHARS_BEYOND = 200;

/** Results of a map within a bound, and how many of them were cut; they are whole in the turns of their lanes. */
export function boundResults(results: readonly MemberResult[]): { results: readonly MemberResult[]; cut: number } {
  let [left, cut] = [MAX_CHARS, 0];
  const bounded = results.map((result): MemberResult => {
    const { text = "", content = "", output, ...others } = result;
    const chars = text.length + content.length + (output === undefined ? 0 : JSON.stringify(output).length);
    if (result.index === undefined || chars <= Math.max(left, MAX_CHARS_BEYOND)) {
      left -= chars;
      return result;
    }
    left = 0;
    cut += 1;
    return { ...others, text: cutAt(text, takeChars(text, MAX_CHARS_BEYOND).end) };
  });
  return { results: bounded, cut };
}

/** A cancel or timeout of the whole run, which reaches its members too; a member's own time is a `timeout`. */
export function findCut(results: readonly MemberResult[]): Failure | undefined {
  const errors = results.flatMap(({ error }) => error ?? []);
  return errors.find(({ code, limit, lane }) => {
    return (code === "cancelled" && lane === undefined) || limit?.name === "timeout_seconds";
  });
}

/** The failure of a group of which too few answered. */
export function toGroupFailure(id: string, results: readonly MemberResult[]): Failure {
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
