/**
 * Chat end: what closes an answer: thinking, content, sources, open questions or an error, and the sum.
 */
import type { Failure, RunEvent } from "@baton/core";
import type { EventBodyOf } from "@baton/core/ports";
import type { ChatErrorCode, ChatFrame } from "./chat-frame.ts";
import type { ChatOptions, ChatState, ChatUpdate } from "./chat-state.ts";
import { toDoneData } from "./chat-totals.ts";
import { endThinking } from "./chat-thinking.ts";

/** The end of a run, or a pause of it. */
export type ChatEnd = (EventBodyOf<"run.ended"> | EventBodyOf<"run.paused">) & RunEvent;

/** Closes the answer. */
export function closeChat(state: ChatState, event: ChatEnd, options: ChatOptions): ChatUpdate {
  const [quiet, thinking] = endThinking(state, event.at);
  const { content, totals, context, isFirst, language } = quiet;
  const ending: readonly ChatFrame[] = [
    ...thinking,
    ...(content.status === "open" ? [{ type: "content_end" } as const] : []),
    ...(totals.sources.length > 0 ? [{ type: "sources", items: totals.sources } as const] : []),
    ...toCauses(state, event),
  ];
  const disclaimer = isFirst ? (options.disclaimer?.[language] ?? options.disclaimer?.["en"]) : undefined;
  const status = event.type === "run.paused" ? "paused" : event.outcome;
  const data = toDoneData(totals, context, { at: event.at, status, disclaimer });
  const segment = event.type === "run.paused" ? "waiting" : "ended";
  return [{ ...quiet, segment, isFirst: false, wasFirst: isFirst }, [...ending, { type: "done", data }]];
}

/** Frames for open questions, or for the error. */
function toCauses(state: ChatState, event: ChatEnd): readonly ChatFrame[] {
  if (event.type === "run.paused") {
    const open = event.questions.flatMap((id) => state.questions.get(id) ?? []);
    return open.map((question) => ({ type: "question", question }));
  }
  const { outcome, error } = event;
  if (outcome === "done") return [];
  return [{ type: "error", message: toMessage(state, outcome, error), code: toCode(state, outcome, error) }];
}

function toMessage({ limit }: ChatState, outcome: string, error: Failure | undefined): string {
  if (error !== undefined) return error.message;
  if (outcome === "cancelled") return "the answer was cancelled";
  if (outcome !== "limit" || limit === undefined) return "the answer failed";
  return `the answer was ended by the limit ${limit.limit}, which is ${limit.value}`;
}

/** Core's name for a model that is not available. */
const NO_MODEL = "none";
const MODEL_FAILURES: readonly string[] = ["model", "bad_output", "empty_reply"];
const TIMEOUT = "timeout_seconds";

function toCode({ limit, model }: ChatState, outcome: string, error: Failure | undefined): ChatErrorCode {
  if (outcome === "cancelled") return "cancelled";
  const isLimit = outcome === "limit" || error?.code === "limit";
  const name = error?.limit?.name ?? (isLimit ? limit?.limit : undefined);
  if (name === TIMEOUT || error?.code === "timeout") return "timeout";
  if (isLimit) return "limit";
  if (!MODEL_FAILURES.includes(error?.code ?? "")) return "internal";
  return model === NO_MODEL ? "no_model" : "model_failed";
}
