/**
 * Stream start: the part of a run that a reader wants, and how it is written.
 */
import type { Frame } from "../dialects/dialect.ts";
import type { EventId } from "./event-id.ts";
import type { StreamFormat } from "./stream-format.ts";

/** A stream that has not begun. */
export interface StreamStart {
  readonly run: string;
  readonly format: StreamFormat;
  /** The last frame that the reader has. */
  readonly seen: EventId | undefined;
  /** A pause beyond this event ends it; `Infinity` if only the run's end does. */
  readonly pauseAfter: number;
  /** Called if the reader disconnects before the end. */
  readonly left: (() => void) | undefined;
  /** Sent before the first event. */
  readonly greeting: Frame | undefined;
}
