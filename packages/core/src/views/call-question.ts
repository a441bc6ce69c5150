/**
 * Call question: what a person or a client is asked about one call, and how its start is told.
 */
import { toApprovalSchema } from "../words/approval.ts";
import { toVia } from "./child-tool.ts";
import type { Answerer, EventBodyOf } from "../words/event.ts";
import type { Ruled } from "../ports/guard.ts";
import { type Json, omitUndefined } from "../words/json.ts";
import type { CallRequest } from "../words/message.ts";
import type { Role } from "./plan.ts";
import type { Tool } from "../definitions/tool.ts";

type Opened = EventBodyOf<"question.opened">;

/** A call, and the agent that makes it. */
type Calling = Readonly<{ role: Role; request: CallRequest }>;

/** The tool that is asked about, the exact arguments, who may answer, and the words of the tool's hook and of rules. */
export type ApprovalSubject = Readonly<{
  tool: Tool;
  args: Json;
  who: Answerer;
  reason?: string | undefined;
  ruled?: Ruled | undefined;
}>;

/** Asks whether a call may be made. */
export function toApprovalQuestion(
  { role, request }: Calling,
  { tool, args, who, reason, ruled }: ApprovalSubject,
): Opened {
  const text = reason ?? `${role.agent.name} wants to use ${tool.name}`;
  return {
    type: "question.opened",
    question: request.id,
    kind: "approval",
    agent: role.agent.id,
    text: ruled?.reason === undefined ? text : `${text}: ${ruled.reason}`,
    call: request.id,
    tool: tool.name,
    args,
    effect: tool.effect,
    schema: toApprovalSchema(tool.inputSchema),
    who,
    ...toPlaceInCode(request),
  };
}

/** Asks whether to run a call again that was started so many times and may or may not be done. */
export function toDoubtQuestion({ role, request }: Calling, args: Json, doubts: number): Opened {
  const { id: call, tool } = request;
  return {
    type: "question.opened",
    question: doubts === 1 ? `${call}/doubt` : `${call}/doubt-${doubts}`,
    kind: "doubt",
    agent: role.agent.id,
    text: `${tool} was started and then interrupted, so it may or may not be done; answer "again" to run it again, or "skip"`,
    call,
    tool,
    args,
    schema: { enum: ["again", "skip"] },
    who: "operator",
    ...toPlaceInCode(request),
  };
}

/** Asks the client to carry a call out. */
export function toClientQuestion({ role, request }: Calling, tool: Tool, args: Json): Opened {
  const call = request.id;
  return {
    type: "question.opened",
    question: `${call}/tool`,
    kind: "tool",
    agent: role.agent.id,
    text: `${tool.name} is carried out by the client; answer with its result`,
    call,
    tool: tool.name,
    args,
    schema: tool.outputSchema ?? {},
    ...toPlaceInCode(request),
  };
}

/** Says which line of which code makes a call; nothing of other calls. */
function toPlaceInCode({ within, line }: CallRequest): Pick<Opened, "within" | "line"> {
  return within === undefined ? {} : { within, ...omitUndefined({ line }) };
}

/** The start of a call; `edited` are the arguments that a person gave, `engine` is the interpreter of code. */
export function toCallStarted(
  { role, request }: Calling,
  edited: Json | undefined,
  engine?: string,
): EventBodyOf<"call.started"> {
  const { id: call, tool } = request;
  const effect = role.tools.get(tool)?.effect ?? "read";
  const via = toVia(call, role.children.get(tool));
  const args = edited ?? request.args;
  // Written out: what is spread is twice as large, and kept for long.
  const started = { type: "call.started", call, agent: role.agent.id, tool, args, effect } as const;
  if ((via ?? edited ?? engine ?? request.within) === undefined) return started;
  const more = { ...omitUndefined({ via, engine }), ...toPlaceInCode(request) };
  return { ...started, ...(edited === undefined ? {} : { edited: true }), ...more };
}
