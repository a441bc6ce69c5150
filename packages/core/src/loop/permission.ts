/**
 * Permission: whether a call may be made, by the crew's rule, its policies, the tool's own hook, or a person.
 *
 * Any `deny` is final and any `ask` is asked; else the tool's hook decides if it has one. What hook and policies decide
 * is recorded. A question shows the exact arguments, and its answer counts for these alone, or for those that a
 * person gives instead: the tool's hook is asked about them too.
 */
import { toPermission } from "../views/call-context.ts";
import { toApproval } from "../words/approval.ts";
import { type ApprovalSubject, toApprovalQuestion } from "../views/call-question.ts";
import { toMessage } from "../words/error.ts";
import type { EventBodyOf } from "../words/event.ts";
import type { Json } from "../words/json.ts";
import type { CallRequest } from "../words/message.ts";
import type { Lane } from "../views/lane.ts";
import { toPermissionKey } from "../ports/recording.ts";
import { toFrozenHistory } from "../views/history.ts";
import type { Role } from "../views/plan.ts";
import {
  ALLOWED,
  type Decision,
  findRuling,
  isAsk,
  isFree,
  ruleOf,
  toAnswerer,
  toDenied,
  toRepeated,
} from "../views/ruling.ts";
import type { Scope } from "../lifetimes/scope.ts";
import type { Tool } from "../definitions/tool.ts";

/**
 * `args` are those the tool would get; people are shown them as the model wrote them. The hook has `time` to decide.
 * `given` are those that a person gave instead: they are not asked about again.
 */
type Asked = Readonly<{
  role: Role;
  request: CallRequest;
  args: Json;
  time: Scope;
  given?: Json | undefined;
  repeats?: string | undefined;
}>;

/** Decides about one call; `waiting` if a person has to decide. */
export async function decide(lane: Lane, asked: Asked, tool: Tool): Promise<Decision | "waiting"> {
  const { permissions } = lane.plan.crew;
  const { repeats } = asked;
  const rule = ruleOf(permissions, tool.name);
  if (rule === "deny") return { verdict: "deny", reason: `the crew does not allow ${tool.name}` };
  // Not awaited if it is there: between what the rules saw and the question that follows nothing may happen.
  const ruling = findRuling(lane, asked, tool);
  const first = ruling instanceof Promise ? await ruling : ruling;
  if (first?.decision === "deny") return toDenied(first);
  const hook = tool.permission === undefined ? undefined : await askHook(lane, asked, tool);
  const { decision, reason, args } = hook ?? {};
  if (decision === "deny") return { verdict: "deny", reason: reason ?? `${tool.name} was refused` };
  // The run went on while the hook decided.
  const again = first ?? (hook && findRuling(lane, asked, tool));
  const ruled = again instanceof Promise ? await again : again;
  if (ruled?.decision === "deny") return toDenied(ruled);
  const asks =
    hook === undefined ? !isFree(lane.plan.crew, tool, ruled) : [decision, rule, ruled?.decision].some(isAsk);
  if (asked.given !== undefined || (!asks && repeats === undefined))
    return args === undefined ? ALLOWED : { verdict: "allow", args };
  const who = toAnswerer(rule, decision, ruled?.decision);
  const why = toRepeated(tool, repeats) ?? reason;
  return ask(lane, asked, { tool, args: args ?? asked.request.args, who, reason: why, ruled });
}

async function askHook(
  lane: Lane,
  { role, request, args, time, given }: Asked,
  tool: Tool,
): Promise<EventBodyOf<"permission.decided">> {
  const { host } = lane;
  const values = host.values();
  const state = { get: (key: string) => values.get(key), entries: () => values.entries() };
  const messages = toFrozenHistory(lane);
  const context = { agent: role.agent.id, run: host.run, call: request.id, ...lane.shared.identity, state, messages };
  const about = { type: "permission.decided", call: request.id } as const;
  const base = given === undefined ? about : ({ ...about, edited: true } as const);
  const askTool = async () => toPermission(await tool.permission?.(args, context));
  return host.once({
    type: "permission.decided",
    key: toPermissionKey(base),
    effect: "read",
    work: async () => ({ ...base, ...(await time.race(askTool)) }),
    failed: (error) => ({ ...base, decision: "deny", reason: `permission could not be decided: ${toMessage(error)}` }),
  });
}

async function ask(lane: Lane, asked: Asked, subject: ApprovalSubject): Promise<Decision | "waiting"> {
  const { tool, args } = subject;
  const settled = await lane.host.ask(toApprovalQuestion(asked, subject));
  if (settled === "waiting") return "waiting";
  // `once` reports a cancelled call; a call that comes here again later was never allowed.
  if (settled === "closed") return { verdict: "deny", reason: `nobody allowed ${tool.name}` };
  const approval = toApproval(settled.value);
  if (approval.decision === "edit") return { verdict: "edit", args: approval.args };
  if (approval.decision === "deny") {
    const why = approval.reason === undefined ? "" : `: ${approval.reason}`;
    return { verdict: "deny", reason: `a person refused ${tool.name}${why}`, isAsked: true };
  }
  return { verdict: "allow", isAsked: true, ...(args === asked.request.args ? {} : { args }) };
}
