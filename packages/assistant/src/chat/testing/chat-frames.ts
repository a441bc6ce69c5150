/**
 * Told: the frames that a client of the chat gets of a run's events.
 */
import type { Crew, RunEvent } from "@baton/core";
import type { Frame } from "@baton/server/mount";
import { z } from "zod";
import { chatDialect } from "../chat-dialect.ts";
import type { ChatOptions } from "../chat-state.ts";

const FRAME = z.looseObject({ type: z.string() });

/** A frame as a client reads it. */
export type ReadFrame = z.output<typeof FRAME>;

/** Reads a frame. */
export function parseFrame(data: string): ReadFrame {
  const value: unknown = JSON.parse(data);
  return FRAME.parse(value);
}

export const toContext = (crew: Crew) => ({ run: "run", session: "session", crew, createdAt: 1_000, model: crew.name });

/** Frames by segment: from a message of the user to the next pause or the end. */
export function framesBySegment(
  crew: Crew,
  events: readonly RunEvent[],
  options: ChatOptions = {},
): readonly Frame[][] {
  const dialect = chatDialect(options);
  const lives: Frame[][] = [[]];
  let state = dialect.start(toContext(crew));
  for (const event of events) {
    const [next, frames] = dialect.next(state, event);
    state = next;
    lives.at(-1)?.push(...frames);
    if (event.type === "run.paused") lives.push([]);
  }
  return lives;
}

const RESULTS = z.object({
  results: z.array(z.looseObject({ id: z.string(), name: z.string(), success: z.boolean() })),
});

/** The results of calls, in the order of their frames. */
export function resultsOf(frames: readonly ReadFrame[]) {
  return frames.flatMap((frame) => (frame.type === "tool_results" ? RESULTS.parse(frame).results : []));
}

/** The text of the content block as a client keeps it. */
export function toContentText(frames: readonly ReadFrame[]): string {
  let text = "";
  for (const { type, content } of frames) {
    if (type === "content_restart") text = "";
    if (type === "content_delta") text += String(content);
  }
  return text;
}
