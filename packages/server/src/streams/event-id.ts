/**
 * Event id: a place in a stream, as clients send it back.
 *
 * `<seq>` is everything up to that event, `<seq>.<n>` up to its nth frame.
 */

/** The last frame a client has seen. */
export interface EventId {
  readonly seq: number;
  /** The number of the event's frame; `Infinity` for all of them. */
  readonly part: number;
}

const EVENT_ID = /^([0-9]+)(?:\.([0-9]+))?$/;

/** Reads an id; undefined if it is not one. A seq beyond any log counts as the largest one: databases cannot hold more. */
export function parseEventId(text: string): EventId | undefined {
  const match = EVENT_ID.exec(text);
  if (match === null) return undefined;
  const [, seq = "", part] = match;
  return { seq: Math.min(Number(seq), Number.MAX_SAFE_INTEGER), part: part === undefined ? Infinity : Number(part) };
}

/** Whether a reader whose last frame is `last` has seen this frame. */
export function isFrameSeen({ seq, part }: EventId, last: EventId): boolean {
  return seq < last.seq || (seq === last.seq && part <= last.part);
}
