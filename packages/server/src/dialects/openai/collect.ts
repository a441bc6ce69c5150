/**
 * Collect: the whole answers of OpenAI's routes, for clients that do not stream.
 *
 * Made from the same chat events as the streams, they say the same: the latest segment of the run, in one body; but a reply
 * that started again is there once.
 */
import type { RunEvent } from "@baton/core";
import type { ChatEvent, SegmentEnd, ReplyPart } from "../chat/chat-event.ts";
import type { DialectContext } from "../dialect.ts";
import { type ChatProgress, toChatEvents, startChatProgress } from "../chat/to-chat-events.ts";
import {
  BLANK_LINE,
  isFinalOnly,
  isMemberReply,
  toChatCall,
  toChatError,
  toChatFinish,
  toChatId,
  toChatUsage,
  toFinal,
  lastTextOf,
  toSpeaker,
} from "./openai.ts";
import { responses } from "./responses.ts";

/** A whole answer; `isError` if its HTTP status must say so. */
export interface Collected {
  readonly isError: boolean;
  readonly body: object;
}

/** The body of `POST /v1/chat/completions`, once a segment of the run has ended; undefined before. */
export function collectChat(context: DialectContext, events: Iterable<RunEvent>): Collected | undefined {
  let progress = startChatProgress(context);
  const texts = new Map<string, Spoken>();
  let end: SegmentEnd | undefined;
  let last = "";
  for (const event of events) {
    const [next, chatEvents] = toChatEvents(progress, event);
    progress = next;
    for (const chatEvent of chatEvents) {
      if (chatEvent.type === "segment.opened") [end, last] = [undefined, ""];
      if (chatEvent.type === "turn.closed") last = lastTextOf(last, chatEvent);
      if (chatEvent.type === "segment.closed") end = chatEvent;
      note(texts, chatEvent);
    }
  }
  if (end === undefined) return undefined;
  const content = isFinalOnly(context) ? toFinal(end, last) : toContent(progress, texts.values());
  return toChatBody(context, end, { content, segment: progress.segment });
}

/** The body of `POST /v1/responses`, once a segment of the run has ended; undefined before. */
export function collectResponse(context: DialectContext, events: Iterable<RunEvent>): Collected | undefined {
  let state = responses.start(context);
  for (const event of events) [state] = responses.next(state, event);
  return state.response === undefined ? undefined : { isError: false, body: state.response };
}

/** Replies in the order in which they began. */
function note(texts: Map<string, Spoken>, chatEvent: ChatEvent): void {
  switch (chatEvent.type) {
    case "segment.opened":
      texts.clear();
      return;
    case "text.added":
      if (chatEvent.part.lane === "") addText(texts, chatEvent);
      return;
    case "turn.closed":
      if (isMemberReply(chatEvent)) texts.set(chatEvent.turn, chatEvent);
      return;
    case "step.dropped":
      texts.delete(chatEvent.part.id);
      return;
    default:
  }
}

type Added = Readonly<{ part: Pick<ReplyPart, "id" | "name">; text: string }>;

function addText(texts: Map<string, Spoken>, { part: { id, name }, text }: Added): void {
  texts.set(id, { name, text: (texts.get(id)?.text ?? "") + text });
}

/** All that was said, as the stream says it. */
function toContent({ agents }: ChatProgress, texts: Iterable<Spoken>): string {
  let before = "";
  const parts = Array.from(texts, ({ name, text }) => {
    const part = before === "" ? text : toSpeaker(agents, name, before) + text;
    before = name;
    return part;
  });
  return parts.join(BLANK_LINE);
}

/** The text of one agent in one reply. */
type Spoken = Readonly<{ name: string; text: string }>;

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
