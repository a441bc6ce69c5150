/**
 * Call check: whether a call names a tool that its agent has, with arguments that fit.
 */
import { type Prepared, RUN_CODE, type Tool } from "../definitions/tool.ts";
import { type BatonError, type Failure, failure, toMessage, ToolError } from "../words/error.ts";
import type { EventBodyOf } from "../words/event.ts";
import type { Json } from "../words/json.ts";
import type { CallRequest } from "../words/message.ts";
import { nearest } from "../words/nearest.ts";
import type { Role } from "./plan.ts";

/** A call, and the agent that makes it. */
type Calling = Readonly<{ role: Role; request: CallRequest }>;

/** If the validator throws, the arguments do not fit. */
export function prepare(tool: Tool, args: Json): Prepared | Promise<Prepared> {
  const refuse = (thrown: unknown): Prepared => ({ ok: false, issues: [{ path: "", message: toMessage(thrown) }] });
  try {
    const prepared = tool.prepare(args);
    return prepared instanceof Promise ? prepared.catch(refuse) : prepared;
  } catch (thrown) {
    return refuse(thrown);
  }
}

/** The failure of a call of a tool that the agent does not have, or not now. */
export function toUnknown(role: Role, name: string, offered: ReadonlySet<string> | undefined): Failure {
  const isKnown = role.tools.has(name);
  if (isKnown && role.tools.has(RUN_CODE) && offered?.has(RUN_CODE) === true)
    return failure("validation", `${name} is called in code only: use ${RUN_CODE}, and in it tools.${name}`);
  if (isKnown) return failure("permission", `${name} is not offered now`);
  const known = [...(offered ?? role.tools.keys())];
  const near = nearest(name, known);
  const hint = near === undefined ? `this agent has ${known.join(", ") || "no tools"}` : `did you mean ${near}?`;
  return failure("validation", `there is no tool "${name.slice(0, 64)}"; ${hint}`);
}

/** The failure of a call whose arguments do not fit. */
export function toInvalid({ issues }: Extract<Prepared, { ok: false }>): Failure {
  const lines = issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  return failure("validation", `the arguments do not fit: ${lines.join("; ")}`);
}

/** The end of a call that was not made. */
export function toRefused({ request: { id: call, tool }, role }: Calling, error: Failure): EventBodyOf<"call.ended"> {
  return { type: "call.ended", call, agent: role.agent.id, tool, attempts: 0, error };
}

/** Whether something else ended the tool in the middle of its work. */
export function isInterrupted({ cause }: BatonError): boolean {
  return cause instanceof ToolError && cause.isInterrupted;
}
