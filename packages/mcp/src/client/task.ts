/**
 * Task: work that a server does without holding a connection, by the Tasks extension.
 */
import { type Json, ToolError } from "@baton/core";
import { type CallToolResult, isCallToolResult, ProtocolError } from "@modelcontextprotocol/client";
import { z } from "zod";
import type { TaskState } from "./call-state.ts";
import type { McpConnection } from "./connection.ts";

const MIN_POLL_MS = 100;
const MAX_POLL_MS = 30_000;
const DEFAULT_POLL_MS = 1_000;
const REQUEST_MS = 30_000;
const CANCEL_MS = 1_500;
const INVALID_PARAMS = -32_602;

const CREATED = z.looseObject({ taskId: z.string().max(512), pollIntervalMs: z.number().optional() });
const POLLED = z.looseObject({
  status: z.enum(["working", "input_required", "completed", "failed", "cancelled"]),
  statusMessage: z.string().optional(),
  pollIntervalMs: z.number().optional(),
  result: z.unknown().optional(),
  error: z.looseObject({ message: z.string() }).optional(),
  inputRequests: z.unknown().optional(),
});
const ANYTHING = z.looseObject({});

/** The state of a task when it was asked for. */
export type PolledTask = Readonly<{ pollMs: number }> &
  (
    | Readonly<{ status: "working" }>
    | Readonly<{ status: "completed"; result: CallToolResult }>
    | Readonly<{ status: "input_required"; inputRequests: unknown }>
  );

/** The task that a result stands for; undefined if it is not one. */
export function toTask(created: unknown, now: number): TaskState | undefined {
  const nested = z.object({ task: CREATED }).safeParse(created).data?.task;
  const task = nested ?? CREATED.safeParse(created).data;
  if (task === undefined) return undefined;
  return { id: task.taskId, startedAt: now, pollMs: toPollMs(task.pollIntervalMs) };
}

/** Asks a server for a task. Throws `permanent` if it has failed, or is not known any more. */
export async function pollTask(
  connection: McpConnection,
  server: string,
  { id, pollMs }: TaskState,
): Promise<PolledTask> {
  const polled = await request(connection, { method: "tasks/get", params: { taskId: id } }).catch((error: unknown) => {
    if (!(error instanceof ProtocolError) || error.code !== INVALID_PARAMS) throw error;
    throw new ToolError("permanent", `${server} has forgotten the task of this call; it may or may not be done`);
  });
  const task = POLLED.safeParse(polled).data;
  if (task === undefined) throw new ToolError("permanent", `${server} told a state of its task that cannot be read`);
  const next = { pollMs: task.pollIntervalMs === undefined ? pollMs : toPollMs(task.pollIntervalMs) };
  const { status, inputRequests, error, statusMessage, result } = task;
  if (status === "working") return { ...next, status };
  if (status === "input_required") return { ...next, status, inputRequests };
  if (status === "completed" && isCallToolResult(result)) return { ...next, status, result };
  const why = error?.message ?? statusMessage ?? (status === "completed" ? "its result cannot be read" : status);
  throw new ToolError(
    "permanent",
    `the task of ${server} ${status === "cancelled" ? "was cancelled" : "failed"}: ${why}`,
  );
}

/** Gives a server the answers that its task waits for. */
export async function updateTask(connection: McpConnection, { id }: TaskState, inputResponses: Json): Promise<void> {
  await request(connection, { method: "tasks/update", params: { taskId: id, inputResponses } });
}

/** Asks a server to stop a task; whether it does is its own affair. */
export async function cancelTask(connection: McpConnection, { id }: TaskState): Promise<void> {
  await request(connection, { method: "tasks/cancel", params: { taskId: id } }, CANCEL_MS).catch(() => {});
}

type TaskRequest = Readonly<{ method: `tasks/${string}`; params: Readonly<Record<string, Json>> }>;

function request({ client }: McpConnection, { method, params }: TaskRequest, timeout = REQUEST_MS) {
  return client.request({ method, params }, ANYTHING, { timeout });
}

function toPollMs(asked = DEFAULT_POLL_MS): number {
  return Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, asked));
}
