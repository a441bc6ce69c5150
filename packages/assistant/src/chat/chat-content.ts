/**
 * Chat content: the one block of text that the user reads, while it streams.
 *
 * Signals are held back. A step that starts again takes its own text away and leaves what earlier steps said.
 */
import { feedReply, finishReply, type ReplyHold, startReplyHold, type Watch } from "@baton/core/engine";
import type { ChatFrame } from "./chat-frame.ts";

/** The state of the content block. */
export interface Content {
  readonly status: "none" | "open";
  /** The text of finished steps. */
  readonly kept: string;
  /** The step that speaks, what it has shown, and what is held back of it. */
  readonly step?: string;
  readonly shown: string;
  readonly hold?: ReplyHold;
}

/** The block after something was said, and the frames that tell it. */
export type ContentUpdate = readonly [Content, readonly ChatFrame[]];

export const NO_CONTENT: Content = { status: "none", kept: "", shown: "" };

/** A piece of a step's text. */
export function addText(
  content: Content,
  step: string,
  piece: Readonly<{ text: string; watch: Watch; mayCall: boolean }>,
): ContentUpdate {
  const isSame = content.step === step;
  const own = isSame ? content : { ...content, step, kept: content.kept + content.shown, shown: "" };
  const open = (isSame ? content.hold : undefined) ?? startReplyHold(piece.watch, piece);
  const [hold, shown] = feedReply(open, piece.text);
  return show({ ...own, hold }, shown.text);
}

/** The step has ended: what was held back is text after all, or a signal. */
export function endText(content: Content, step: string): ContentUpdate {
  if (content.step !== step || content.hold === undefined) return [content, []];
  const { hold: _, ...rest } = content;
  return show(rest, finishReply(content.hold, { calls: 0 }).text);
}

/** The step starts again, or calls tools: its text is void. */
export function restartText(content: Content, step: string): ContentUpdate {
  if (content.step !== step) return [content, []];
  const { step: _, hold: __, ...rest } = content;
  if (content.shown === "") return [rest, []];
  const again: readonly ChatFrame[] = content.kept === "" ? [] : [{ type: "content_delta", content: content.kept }];
  return [{ ...rest, shown: "" }, [{ type: "content_restart" }, ...again]];
}

function show(content: Content, text: string): ContentUpdate {
  if (text === "") return [content, []];
  const opened: readonly ChatFrame[] = content.status === "none" ? [{ type: "content_start" }] : [];
  // A second reply begins a paragraph of its own.
  const gap = content.kept !== "" && content.shown === "" ? "\n\n" : "";
  const added = gap + text;
  const next: Content = { ...content, status: "open", shown: content.shown + added };
  return [next, [...opened, { type: "content_delta", content: added }]];
}
