/**
 * Chat thought: how the crew reaches its answer, as one block of thinking before the content.
 *
 * It opens with the first step that is sent of an agent that writes for the crew, and closes before the content opens.
 */
import type { RunEvent } from "@baton/core";
import type { EventBodyOf } from "@baton/core/ports";
import { findAgent } from "@baton/server/mount";
import type { ChatFrame } from "./chat-frame.ts";
import type { ChatState, ChatUpdate } from "./chat-state.ts";

const MAX_TITLE = 80;

/** A step of the crew begins. */
export function startThinking(state: ChatState, at: number): ChatUpdate {
  const turns = state.totals.turns + 1;
  const counted = { ...state, totals: { ...state.totals, turns } };
  const turn: ChatFrame = { type: "turn_start", turn: turns };
  // There is one block of thinking, and it comes before the content.
  if (state.thinkingSince !== undefined || state.content.status === "open") return [counted, [turn]];
  const opening: readonly ChatFrame[] = state.hasThinking
    ? [{ type: "thinking_start", timestamp: new Date(at).toISOString() }]
    : [];
  return [{ ...counted, thinkingSince: at }, [...opening, turn]];
}

/** Frames for the text of a step, without signals; JSON for the crew is not a thought. */
export function thinkingFrames(state: ChatState, event: EventBodyOf<"step.ended"> & RunEvent): readonly ChatFrame[] {
  if (!state.hasThinking || state.thinkingSince === undefined) return [];
  const { reasoning = "", text, step, lane, agent } = event;
  const prose = state.structured.has(step) ? "" : findAgent(state.cast, lane, agent).watch.matcher.strip(text);
  const content = [reasoning, prose].filter((part) => part.trim() !== "").join("\n\n");
  return content === "" ? [] : [{ type: "thinking_step", step: { title: toTitle(content), content } }];
}

/** The thinking is over. */
export function endThinking(state: ChatState, at: number): ChatUpdate {
  const { thinkingSince, ...rest } = state;
  if (thinkingSince === undefined) return [state, []];
  return [rest, state.hasThinking ? [{ type: "thinking_end", elapsed_ms: Math.max(0, at - thinkingSince) }] : []];
}

const SENTENCE_END = /[.!?。！？](?:\s|$)/u;

/** The first sentence, at most 80 characters. */
function toTitle(text: string): string {
  const [line = ""] = text.trim().split("\n", 1);
  const end = line.search(SENTENCE_END);
  const characters = Array.from(end === -1 ? line : line.slice(0, end + 1));
  return characters.length <= MAX_TITLE ? characters.join("") : `${characters.slice(0, MAX_TITLE - 1).join("")}…`;
}
