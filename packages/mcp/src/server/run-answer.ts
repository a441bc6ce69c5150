/**
 * Run answer: a run at its pause or end as the result of a tool call or as a task.
 */
import type { RunResult } from "@baton/core";
import type { MountedRunView } from "@baton/server/mount";
import { type CallToolResult, ProtocolError, ProtocolErrorCode, type Result } from "@modelcontextprotocol/server";
import { toOutputSchema, type ExposedCrew } from "./exposed-crew.ts";
import { type AskedQuestions, toInputRequests } from "./elicitation.ts";

/** The extension by which clients declare that they poll tasks. */
export const TASKS = "io.modelcontextprotocol/tasks";

const POLL_MS = 1_000;
/** Failures of the server and not of the crew. */
const FAULTS: ReadonlySet<string> = new Set(["internal", "damaged", "diverged", "crashed"]);

/** A run and its result. */
export type AnsweredRun = Readonly<{ id: string; session: string | undefined; result: RunResult }>;

/** The result of a call whose run has ended or waits for a message. Throws −32603 if the server has failed. */
export function toToolResult(tool: ExposedCrew, { id, session, result }: AnsweredRun): CallToolResult {
  const { outcome, content, output, error } = result;
  const fault = findFault(result);
  if (fault !== undefined) throw new ProtocolError(fault.code, fault.message, { run: id });
  const _meta = { "baton/run": id, ...(session === undefined ? {} : { "baton/session": session }) };
  if (outcome === "failed" || outcome === "limit" || outcome === "cancelled")
    return { content: [{ type: "text", text: error?.message ?? `the run was ${outcome}` }], isError: true, _meta };
  const takesSession = tool.served.expose?.input === undefined;
  const isWaiting = outcome === "paused" && takesSession;
  const next = isWaiting ? [toTextBlock(`To answer, call again with session_id ${session ?? ""}.`)] : [];
  const blocks = [toTextBlock(content), ...next];
  if (toOutputSchema(tool.served.crew) === undefined) return { content: blocks, _meta };
  // Clients refuse a result without the output that its tool has promised, unless it is an error.
  return output === undefined
    ? { content: blocks, isError: true, _meta }
    : { content: blocks, structuredContent: output, _meta };
}

function toTextBlock(text: string) {
  return { type: "text", text } as const;
}

function findFault({ outcome, error }: RunResult): Readonly<{ code: number; message: string }> | undefined {
  if (outcome !== "failed" || error === undefined || !FAULTS.has(error.code)) return undefined;
  return { code: ProtocolErrorCode.InternalError, message: error.message };
}

/** The result of a call that waits for a person whom the client cannot ask. */
export function toUnanswerable(id: string, page: string | undefined): CallToolResult {
  const where = page === undefined ? `with \`baton run --resume ${id}\`` : `at ${page}/${id}`;
  const text = `The run waits for an answer that this client cannot give. Answer it ${where}; the run then goes on.`;
  return { content: [toTextBlock(text)], isError: true, _meta: { "baton/run": id } };
}

/** A run as a task of the extension. */
export function toTask({ id, status, createdAt, updatedAt }: TaskSource, ttlMs: number) {
  return {
    taskId: id,
    status: TASK_STATUS[status],
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttlMs,
    pollIntervalMs: POLL_MS,
  };
}

type TaskSource = Pick<MountedRunView, "id" | "status" | "createdAt" | "updatedAt">;

const TASK_STATUS = { queued: "working", running: "working", paused: "working", ended: "completed" } as const;

/** The parts that a task is shown by. */
export interface TaskView {
  readonly view: MountedRunView;
  readonly tool: ExposedCrew;
  readonly asked: AskedQuestions;
  readonly ttlMs: number;
}

/** The state of a task, with its questions, its result or its error. */
export function toDetailedTask({ view, tool, asked, ttlMs }: TaskView): Result {
  const task = { resultType: "complete", ...toTask(view, ttlMs) };
  const { id, session, result, questions } = view;
  // A run that has some of its answers may be running; the other questions are still open.
  if (asked.size > 0) return { ...task, status: "input_required", inputRequests: toInputRequests(asked) };
  if (questions.length > 0) return { ...task, status: "working", statusMessage: "waits for an answer from elsewhere" };
  if (result === undefined) return { ...task, status: "working" };
  if (result.outcome === "cancelled") return { ...task, status: "cancelled" };
  const error = findFault(result);
  if (error !== undefined) return { ...task, status: "failed", error };
  return { ...task, status: "completed", result: toToolResult(tool, { id, session, result }) };
}
