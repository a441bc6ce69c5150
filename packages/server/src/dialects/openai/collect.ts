/**
 * Collect: the whole answers of OpenAI's routes, for clients that do not stream.
 *
 * Made from the same chat events as the streams, they say the same: the latest segment of the run, in one body; but a reply
 * that started again is there once.
 */
import type { RunEvent } from "@baton/core";
import type { SegmentEnd } from "../chat/chat-event.ts";
import type { DialectContext } from "../dialect.ts";
import { isFinalOnly, toChatCall, toChatError, toChatFinish, toChatId, toChatUsage, toFinal } from "./openai.ts";
import { responses } from "./responses.ts";
import { SpokenText } from "./spoken-text.ts";

/** A whole answer; `isError` if its HTTP status must say so. */
export interface Collected {
  readonly isError: boolean;
  readonly body: object;
}

/** The body of `POST /v1/chat/completions`, once a segment of the run has ended; undefined before. */
export function collectChat(context: DialectContext, events: Iterable<RunEvent>): Collected | undefined {
  const spoken = new SpokenText(context);
  for (const event of events) spoken.add(event);
  const { end, segment } = spoken;
  if (end === undefined) return undefined;
  const content = isFinalOnly(context) ? toFinal(end, spoken.last) : spoken.text;
  return toChatBody(context, end, { content, segment });
}

/** The body of `POST /v1/responses`, once a segment of the run has ended; undefined before. */
export function collectResponse(context: DialectContext, events: Iterable<RunEvent>): Collected | undefined {
  let state = responses.start(context);
  for (const event of events) [state] = responses.next(state, event);
  return state.response === undefined ? undefined : { isError: false, body: state.response };
}

interface Said {
  readonly content: string;
  readonly segment: number;
}

function toChatBody(context: DialectContext, end: SegmentEnd, { content, segment }: Said): Collected {
  const error = toChatError(end.end);
  if (error !== undefined) return { isError: true, body: { error } };
  const calls = end.questions.map(toChatCall);
  const message = {
    role: "assistant",
    content,
    refusal: null,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  const body = {
    id: toChatId(context.run, segment),
    object: "chat.completion",
    created: Math.floor(context.createdAt / 1_000),
    model: context.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: toChatFinish(end) }],
    usage: toChatUsage(end),
  };
  return { isError: false, body };
}
