/**
 * Call times: the time a tool took itself, and the time it waited for a person to allow it.
 */
import type { CallSpan, QuestionSpan } from "./story.ts";

/** All in milliseconds. */
export interface CallTimes {
  /** Undefined until the call has ended. */
  readonly ownMs?: number;
  /** Undefined if the call asked no question; an open question counts once the call has ended. */
  readonly waitedMs?: number;
  /** The part of it after which an answer came; undefined if none came. */
  readonly decidedMs?: number;
}

/** The times of a call, by the questions of its run. */
export function callTimes(call: CallSpan, questions: readonly QuestionSpan[]): CallTimes {
  const own = questions.filter(({ asked }) => asked.call === call.call);
  const answered = own.filter(({ to }) => to !== undefined);
  const waits = own.flatMap(({ from, to = call.to }) => (to === undefined ? [] : [{ from: from.at, to: to.at }]));
  const waited = {
    ...(waits.length === 0 ? {} : { waitedMs: waits.reduce((sum, { from, to }) => sum + to - from, 0) }),
    ...(answered.length === 0
      ? {}
      : { decidedMs: answered.reduce((sum, { from, to }) => sum + (to?.at ?? from.at) - from.at, 0) }),
  };
  if (call.to === undefined) return waited;
  const [begin, end] = [call.from.at, call.to.at];
  const within = waits.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, end) - Math.max(from, begin)), 0);
  return { ownMs: end - begin - within, ...waited };
}
