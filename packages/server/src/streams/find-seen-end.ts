/**
 * Find seen end: decides whether a client that reconnects has all frames of a segment of the run.
 */
import type { Store } from "@baton/store";
import type { EventId } from "./event-id.ts";
import type { StreamFormat } from "./stream-format.ts";
import { type SegmentEndType, LogPage } from "./log-page.ts";
import { Projection } from "./projection.ts";

/** A reader that comes back. */
export interface ReturningReader {
  readonly run: string;
  readonly format: StreamFormat;
  /** The last frame it has. */
  readonly place: EventId;
}

/** Returns the end of the segment whose last frame the reader has, or `run.ended` if the run is gone; undefined if more follows. */
export async function findSeenEnd(
  store: Store,
  { run, format, place }: ReturningReader,
): Promise<SegmentEndType | undefined> {
  const { seq, part } = place;
  if (seq === 0) return undefined;
  const tail = new LogPage(seq - 1, await store.lines(run, seq - 1));
  if (tail.last < seq) return "run.ended";
  const end = tail.endAt(seq);
  if (end === undefined || part === Infinity) return end;
  // How many frames the event makes is known only from the beginning on.
  const projection = new Projection(format, place);
  while (projection.after < seq) {
    const page = new LogPage(projection.after, await store.lines(run, projection.after));
    // It was deleted meanwhile.
    if (page.last === projection.after) return end;
    if (projection.pieces(page, seq).some(({ bytes }) => bytes.length > 0)) return undefined;
    await store.clock.breathe();
  }
  return end;
}
