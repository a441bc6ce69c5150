/**
 * Reply: what one model call says, as beats while it arrives.
 *
 * Signals are held back; text follows reasoning, never runs beside it; whatever was opened is closed with the reply.
 * Each function takes a reply and gives it as it is afterwards, with the beats.
 */
import type { Beat, Call, Part } from "./chat-event.ts";
import { feed, finish, type Hold, startHold, type Watch } from "@baton/core/engine";

/** What the text of a reply is to people: the answer, or how the crew comes to it; JSON for the crew is nothing. */
export type ShownAs = "text" | "reasoning" | "nothing";

/** A reply that has not ended. */
export interface Reply {
  readonly part: Part;
  readonly model: string;
  readonly hold: Hold;
  readonly shownAs: ShownAs;
  readonly isTextOpen: boolean;
  readonly isReasoningOpen: boolean;
  /** Whether text was shown as reasoning. */
  readonly hasWords: boolean;
  /** Calls whose arguments have begun. */
  readonly calls: readonly Call[];
}

/** How a reply ended: whole or interrupted, and which of its calls are made. */
export interface Cut {
  readonly isWhole: boolean;
  readonly made: readonly string[];
}

/** What is known of a reply before its first word. */
export type Begun = Pick<Reply, "part" | "model" | "shownAs">;

type Told = readonly [Reply, readonly Beat[]];

/** Before the first word of a reply. */
export function startReply({ part, model, shownAs }: Begun, watch: Watch): Reply {
  const closed = { isTextOpen: false, isReasoningOpen: false, hasWords: false };
  return { part, model, shownAs, hold: startHold(watch), ...closed, calls: [] };
}

/** Adds text; returns the same reply if only the shown text changed. */
export function addText(reply: Reply, text: string): Told {
  const [hold, shown] = feed(reply.hold, text);
  return show(hold === reply.hold ? reply : { ...reply, hold }, shown);
}

/** Adds reasoning. */
export function addReasoning(reply: Reply, text: string): Told {
  const { part, isReasoningOpen } = reply;
  const added: Beat = { type: "reasoning.added", part, text };
  if (isReasoningOpen) return [reply, [added]];
  return [{ ...reply, isReasoningOpen: true }, [{ type: "reasoning.opened", part }, added]];
}

/** Adds to the arguments of a call. */
export function addArgs(reply: Reply, call: Call, text: string): Told {
  const added: Beat = { type: "args.added", call, text };
  if (reply.calls.some(({ id }) => id === call.id)) return [reply, [added]];
  return [{ ...reply, calls: [...reply.calls, call] }, [{ type: "args.opened", call }, added]];
}

/** Ends a reply: shows what was held back, and closes what is open. */
export function endReply(reply: Reply, cut: Cut): readonly Beat[] {
  const [told, beats] = show(reply, finish(reply.hold));
  return [...beats, ...closeReply(told, cut)];
}

/** Closes what a reply has open, and leaves what is held back unsaid. */
export function closeReply(
  { part, isTextOpen, isReasoningOpen, calls }: Reply,
  { isWhole, made }: Cut,
): readonly Beat[] {
  const beats: Beat[] = [];
  if (isReasoningOpen) beats.push({ type: "reasoning.closed", part, isWhole });
  if (isTextOpen) beats.push({ type: "text.closed", part, isWhole });
  for (const call of calls) beats.push({ type: "args.closed", call, isDropped: !made.includes(call.id) });
  return beats;
}

function show(reply: Reply, text: string): Told {
  const { part, isReasoningOpen, isTextOpen, shownAs } = reply;
  if (text === "" || shownAs === "nothing") return [reply, []];
  if (shownAs === "reasoning") return showWords(reply, text);
  const added: Beat = { type: "text.added", part, text };
  if (isTextOpen && !isReasoningOpen) return [reply, [added]];
  const beats: Beat[] = [];
  if (isReasoningOpen) beats.push({ type: "reasoning.closed", part, isWhole: true });
  if (!isTextOpen) beats.push({ type: "text.opened", part });
  return [{ ...reply, isReasoningOpen: false, isTextOpen: true }, [...beats, added]];
}

/** What an agent writes for the crew stands apart from what its model thought before. */
function showWords(reply: Reply, text: string): Told {
  if (reply.hasWords) return addReasoning(reply, text);
  return addReasoning({ ...reply, hasWords: true }, reply.isReasoningOpen ? `\n\n${text}` : text);
}
