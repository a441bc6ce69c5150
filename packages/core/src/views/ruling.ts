/**
 * Ruling: what the crew's permissions and policies say about a call, before a hook or a person is asked.
 */
import type { Crew, PermissionRule } from "../definitions/definition.ts";
import { RUN_CODE, type Tool } from "../definitions/tool.ts";
import type { Ruled } from "../ports/guard.ts";
import type { Answerer } from "../words/event.ts";
import type { Json } from "../words/json.ts";
import type { CallRequest } from "../words/message.ts";
import type { Lane } from "./lane.ts";
import type { Role } from "./plan.ts";

/** The decision about a call; `args` if the hook changed them, or a person did. `isAsked` if a person decided. */
export type Decision =
  | { readonly verdict: "allow"; readonly args?: Json; readonly isAsked?: boolean }
  | { readonly verdict: "deny"; readonly reason: string; readonly isAsked?: boolean }
  | { readonly verdict: "edit"; readonly args: Json };

/** A call that is decided about; `given` are the arguments that a person gave instead of the model's. */
type RuledCall = Readonly<{ role: Role; request: CallRequest; given?: Json | undefined; repeats?: string | undefined }>;

export const ALLOWED: Decision = { verdict: "allow" };

/** Whether a tool may be used without asking a person; `ruled` is what the crew's policies say. */
export function isFree({ permissions }: Crew, { name, effect }: Tool, ruled: Ruled | undefined): boolean {
  if (isAsk(ruled?.decision)) return false;
  const rule = ruleOf(permissions, name);
  return rule === "allow" || (rule === undefined && (effect !== "irreversible" || ruled?.decision === "allow"));
}

/** The rule for a tool; the one for all tools is not about `run_code`, whose calls are each decided about. */
export function ruleOf(permissions: Crew["permissions"], name: string): PermissionRule | undefined {
  return permissions.get(name) ?? (name === RUN_CODE ? undefined : permissions.get("*"));
}

/** The question about a call that repeats another one. */
export const toRepeated = ({ name }: Tool, repeats: string | undefined): string | undefined =>
  repeats && `${name} was done with the same arguments (call ${repeats}); is it to be done again?`;

export const isAsk = (decision: string | undefined): boolean => decision === "ask" || decision === "ask_operator";

/** Decides at once about a call; undefined if a hook or a person has to be asked. */
export function decideNow(lane: Lane, asked: RuledCall, tool: Tool): Decision | undefined {
  const { crew } = lane.plan;
  const isLate = tool.permission !== undefined || asked.repeats !== undefined;
  if (isLate || ruleOf(crew.permissions, tool.name) === "deny") return undefined;
  const ruled = findRuling(lane, asked, tool);
  if (ruled instanceof Promise) return undefined;
  return ruled?.decision === "deny" ? toDenied(ruled) : isFree(crew, tool, ruled) ? ALLOWED : undefined;
}

/** The operator answers if any of those that ask wants it. */
export const toAnswerer = (...asking: readonly (string | undefined)[]): Answerer =>
  asking.includes("ask_operator") ? "operator" : "user";

export const toDenied = ({ reason = "a policy of the crew does not allow it" }: Ruled): Decision => ({
  verdict: "deny",
  reason,
});

/** The ruling of the crew's policies, and of those of the crews around it; undefined if no rule matches. */
export function findRuling(
  { host, plan: { policies } }: Lane,
  { role, request, given }: RuledCall,
  { name, effect }: Tool,
): Ruled | undefined | Promise<Ruled | undefined> {
  if (policies.length === 0) return undefined;
  const about = { call: request.id, tool: name, effect, agent: role.agent.id, args: given ?? request.args };
  return host.rule(policies, given === undefined ? about : { ...about, edited: true });
}
