/**
 * Run task: a run as a task of the protocol.
 */
import type { MountedRunView } from "@baton/server/mount";
import { toDataPart, toTextPart } from "./wire.ts";

/** A run as a task, with its questions or its answer. */
export function toTask(
  view: MountedRunView,
): Readonly<{ id: string; contextId: string; status: object; artifacts: readonly object[] }> {
  const { id, session = id, updatedAt } = view;
  const message = toStatusMessage(view);
  const timestamp = new Date(updatedAt).toISOString();
  const status = { state: toState(view), timestamp, ...(message === undefined ? {} : { message }) };
  return { id, contextId: session, status, artifacts: toArtifacts(view) };
}

const ENDED = {
  done: "TASK_STATE_COMPLETED",
  paused: "TASK_STATE_INPUT_REQUIRED",
  limit: "TASK_STATE_FAILED",
  failed: "TASK_STATE_FAILED",
  cancelled: "TASK_STATE_CANCELED",
} as const;

function toState({ status, result }: MountedRunView): string {
  if (result !== undefined) return ENDED[result.outcome];
  return status === "queued" ? "TASK_STATE_SUBMITTED" : "TASK_STATE_WORKING";
}

/** Text and questions that a client must see to continue, or the reason of a failure. */
function toStatusMessage({ id, session = id, result, questions }: MountedRunView): object | undefined {
  const { outcome, content = "", error } = result ?? {};
  if (outcome === undefined || outcome === "done") return undefined;
  const asked = questions.map(({ question, kind, text, schema, url }) => ({
    question,
    kind,
    text,
    schema,
    ...(url === undefined ? {} : { url }),
  }));
  const text =
    outcome === "paused" ? [content, ...questions.map((one) => one.text)].filter(Boolean).join("\n") : error?.message;
  return {
    messageId: `${id}-status`,
    contextId: session,
    taskId: id,
    role: "ROLE_AGENT",
    parts: [toTextPart(text ?? outcome ?? ""), ...(asked.length === 0 ? [] : [toDataPart({ questions: asked })])],
  };
}

/** The answer of a run that is done: its text, and its output if it has one. */
function toArtifacts({ result }: MountedRunView): readonly object[] {
  if (result?.outcome !== "done") return [];
  const { content, output } = result;
  return [
    { artifactId: "answer", parts: [toTextPart(content), ...(output === undefined ? [] : [toDataPart(output)])] },
  ];
}
