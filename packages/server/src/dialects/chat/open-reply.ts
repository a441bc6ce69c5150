/**
 * Reply: what one model call says, as chat events while it arrives.
 *
 * Signals are held back; text follows reasoning, never runs beside it; whatever was opened is closed with the reply.
 * Each function takes a reply and gives it as it is afterwards, with the chat events.
 */
import type { ChatEvent, ChatToolCall, ReplyPart } from "./chat-event.ts";
import {
  beginCall,
  feedReply,
  finishReply,
  type ReplyHold,
  type ShownReply,
  startReplyHold,
  type Watch,
} from "@baton/core/engine";

/** The role of a reply's text in the chat: the answer, or reasoning; JSON for the crew is not shown. */
export type ShownAs = "text" | "reasoning" | "nothing";

/** A reply that has not ended. */
export interface OpenReply {
  readonly part: ReplyPart;
  readonly model: string;
  readonly hold: ReplyHold;
  /** Its agent is offered tools, so that its text may be commentary. */
  readonly mayCall: boolean;
  readonly shownAs: ShownAs;
  readonly isTextOpen: boolean;
  readonly isReasoningOpen: boolean;
  /** Whether text was shown as reasoning. */
  readonly hasWords: boolean;
  /** Calls whose arguments have begun. */
  readonly calls: readonly ChatToolCall[];
}

/** The end of a reply: whole or interrupted, and the calls that are made. */
export interface ReplyEnd {
  readonly isWhole: boolean;
  readonly made: readonly string[];
}

/** The fields of a reply that are known before its first word. */
export type ReplyStart = Pick<OpenReply, "part" | "model" | "shownAs" | "mayCall">;

type Shown = readonly [OpenReply, readonly ChatEvent[]];

/** Before the first word of a reply. */
export function startReply({ part, model, shownAs, mayCall }: ReplyStart, watch: Watch): OpenReply {
  const closed = { isTextOpen: false, isReasoningOpen: false, hasWords: false };
  return { part, model, shownAs, mayCall, hold: startReplyHold(watch, { mayCall }), ...closed, calls: [] };
}

/** Adds text; returns the same reply if only the shown text changed. */
export function addReplyText(reply: OpenReply, text: string): Shown {
  const [hold, shown] = feedReply(reply.hold, text);
  return tell(hold === reply.hold ? reply : { ...reply, hold }, shown);
}

/** Adds reasoning. */
export function addReasoning(reply: OpenReply, text: string): Shown {
  const { part, isReasoningOpen } = reply;
  const added: ChatEvent = { type: "reasoning.added", part, text };
  if (isReasoningOpen) return [reply, [added]];
  return [{ ...reply, isReasoningOpen: true }, [{ type: "reasoning.opened", part }, added]];
}

/** Adds to the arguments of a call. */
export function addArgs(reply: OpenReply, call: ChatToolCall, text: string): Shown {
  const added: ChatEvent = { type: "args.added", call, text };
  if (reply.calls.some(({ id }) => id === call.id)) return [reply, [added]];
  const [hold, shown] = beginCall(reply.hold);
  const [told, chatEvents] = tell({ ...reply, hold }, shown);
  return [{ ...told, calls: [...told.calls, call] }, [...chatEvents, { type: "args.opened", call }, added]];
}

/** Ends a reply: shows what was held back, and closes what is open. */
export function endReply(reply: OpenReply, cut: ReplyEnd): readonly ChatEvent[] {
  const [told, chatEvents] = tell(reply, finishReply(reply.hold, { calls: cut.made.length }));
  return [...chatEvents, ...closeReply(told, cut)];
}

/** Closes what a reply has open, and leaves what is held back unsaid. */
export function closeReply(
  { part, isTextOpen, isReasoningOpen, calls }: OpenReply,
  { isWhole, made }: ReplyEnd,
): readonly ChatEvent[] {
  const chatEvents: ChatEvent[] = [];
  if (isReasoningOpen) chatEvents.push({ type: "reasoning.closed", part, isWhole });
  if (isTextOpen) chatEvents.push({ type: "text.closed", part, isWhole });
  for (const call of calls) chatEvents.push({ type: "args.closed", call, isDropped: !made.includes(call.id) });
  return chatEvents;
}

/** Shows an answer as it is meant to be shown, and commentary as reasoning. */
function tell(reply: OpenReply, { text, commentary }: ShownReply): Shown {
  if (commentary === "" || reply.shownAs === "nothing") return show(reply, text);
  return showWords(reply, commentary);
}

function show(reply: OpenReply, text: string): Shown {
  const { part, isReasoningOpen, isTextOpen, shownAs } = reply;
  if (text === "" || shownAs === "nothing") return [reply, []];
  if (shownAs === "reasoning") return showWords(reply, text);
  const added: ChatEvent = { type: "text.added", part, text };
  if (isTextOpen && !isReasoningOpen) return [reply, [added]];
  const chatEvents: ChatEvent[] = [];
  if (isReasoningOpen) chatEvents.push({ type: "reasoning.closed", part, isWhole: true });
  if (!isTextOpen) chatEvents.push({ type: "text.opened", part });
  return [{ ...reply, isReasoningOpen: false, isTextOpen: true }, [...chatEvents, added]];
}

/** Separates text for the crew from the model's own reasoning before it. */
function showWords(reply: OpenReply, text: string): Shown {
  if (reply.hasWords) return addReasoning(reply, text);
  return addReasoning({ ...reply, hasWords: true }, reply.isReasoningOpen ? `\n\n${text}` : text);
}
