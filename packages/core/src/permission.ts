/**
 * Permission: whether a call may be made, by the crew's rule, the tool's own hook, or a person.
 *
 * A rule `deny` is final; else the hook decides where the tool has one, and its decision is recorded; else the
 * rule. A question shows the exact arguments, and its answer counts for these alone.
 * Reads: crew, event, host, plan, tool. Read by: call.
 */
import type { PermissionRule } from "./definition.ts";
import { toMessage } from "./error.ts";
import type { FactOf } from "./event.ts";
import type { Json } from "./json.ts";
import type { CallRequest } from "./message.ts";
import { boundOutput } from "./output.ts";
import type { Lane, Role } from "./plan.ts";
import type { Permission, Tool } from "./tool.ts";

/** What was decided; `args` where the hook changed them. */
export type Decision =
  | { readonly verdict: "allow"; readonly args?: Json }
  | { readonly verdict: "deny"; readonly reason: string };

interface Asked {
  readonly role: Role;
  readonly request: CallRequest;
}

const ALLOWED: Decision = { verdict: "allow" };

/** Decides about one call; `waiting` where a person has to say. */
export async function decide(lane: Lane, asked: Asked, tool: Tool): Promise<Decision | "waiting"> {
  const rule = toRule(lane, tool);
  if (rule === "deny") return { verdict: "deny", reason: `the crew does not allow ${tool.name}` };
  if (tool.permission === undefined) return rule === "allow" ? ALLOWED : ask(lane, asked, tool);
  const decided = await askHook(lane, asked, tool);
  switch (decided.decision) {
    case "allow":
      return ALLOWED;
    case "deny":
      return { verdict: "deny", reason: decided.reason ?? `${tool.name} was refused` };
    case "ask":
      return ask(lane, asked, tool);
    case "transform":
      return { verdict: "allow", args: decided.args ?? null };
  }
}

function toRule(lane: Lane, tool: Tool): PermissionRule {
  const { permissions } = lane.plan.crew;
  const byEffect = tool.effect === "irreversible" ? "ask" : "allow";
  return permissions.get(tool.name) ?? permissions.get("*") ?? byEffect;
}

async function askHook(lane: Lane, { role, request }: Asked, tool: Tool): Promise<FactOf<"permission.decided">> {
  const { host } = lane;
  const context = { agent: role.agent.id, run: host.run, call: request.id };
  const base = { type: "permission.decided", call: request.id } as const;
  const askTool = async () => toPermission(await tool.permission?.(structuredClone(request.args), context));
  return host.once({
    type: "permission.decided",
    key: request.id,
    effect: "read",
    work: async () => ({ ...base, ...(await host.scope.race(askTool)) }),
    failed: (error) => ({ ...base, decision: "deny", reason: `permission could not be decided: ${toMessage(error)}` }),
  });
}

/** Tools are loaded from files whose types nobody has checked: only what is clearly said is taken. */
function toPermission(said: Permission | undefined): Permission {
  switch (said?.decision) {
    case "allow":
      return { decision: "allow" };
    case "deny":
      return { decision: "deny", reason: String(said.reason) };
    case "ask":
      return { decision: "ask", ...(said.reason === undefined ? {} : { reason: String(said.reason) }) };
    case "transform": {
      const bounded = boundOutput(said.args);
      if (bounded.ok) return { decision: "transform", args: bounded.output };
      throw new TypeError(bounded.why);
    }
    default:
      throw new TypeError("the hook gave no decision");
  }
}

async function ask(lane: Lane, { role, request }: Asked, tool: Tool): Promise<Decision | "waiting"> {
  const settled = await lane.host.ask({
    type: "question.opened",
    question: request.id,
    kind: "approval",
    agent: role.agent.id,
    text: `${role.agent.name} wants to use ${tool.name}`,
    call: request.id,
    tool: tool.name,
    args: request.args,
    schema: { enum: ["allow", "deny"] },
  });
  if (settled === "waiting") return "waiting";
  // A closed question is a cancelled call: the door of `once` says so.
  if (settled === "closed" || settled.value === "allow") return ALLOWED;
  return { verdict: "deny", reason: `a person refused ${tool.name}` };
}
