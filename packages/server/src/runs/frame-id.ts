/**
 * Frame id: the position in a stream that a client reports.
 */
import { invalid } from "../gateway/problem.ts";
import { type EventId, parseEventId } from "../streams/event-id.ts";

/** The place of the last frame a client has; throws a `Problem` of the field that has the id. */
export function readFrameId(field: string, id: string): EventId {
  const place = parseEventId(id);
  if (place === undefined) throw invalid([{ field, message: "must be the id of a frame: SEQ or SEQ.N" }]);
  return place;
}
