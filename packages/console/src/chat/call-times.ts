/**
 * Call times: how long a tool took itself, and how long a person took to allow it.
 */
import type { CallSpan, QuestionSpan } from "../store/story.ts";

/** Both in milliseconds. */
export interface CallTimes {
  /** Undefined until the call has ended. */
  readonly ownMs?: number;
  /** Undefined if nobody was asked, or nobody has answered yet. */
  readonly decidedMs?: number;
}

/** The times of a call, by the questions of its run. */
export function timesOf(call: CallSpan, questions: readonly QuestionSpan[]): CallTimes {
  const waits = questions.flatMap(({ asked, from, to }) =>
    asked.call === call.call && to !== undefined ? [{ from: from.at, to: to.at }] : [],
  );
  const decidedMs = waits.reduce((sum, { from, to }) => sum + to - from, 0);
  const decided = waits.length === 0 ? {} : { decidedMs };
  if (call.to === undefined) return decided;
  const [begin, end] = [call.from.at, call.to.at];
  const waited = waits.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, end) - Math.max(from, begin)), 0);
  return { ownMs: end - begin - waited, ...decided };
}
