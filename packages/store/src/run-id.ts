/**
 * Run id: what a new run is called, and what people call it.
 *
 * A UUID of version 7: a later run has a greater id, so a database adds it at the end of its indexes and not all over
 * them. Its last digits are random; people tell runs apart by those.
 */
import { createHash } from "node:crypto";

const SHORT_DIGITS = /[0-9a-f]{12}$/;

/** A new id of a run, or of the session or request that it belongs to; `now` is milliseconds since 1970. */
export function newRunId(now: number): string {
  const time = Math.floor(now).toString(16).padStart(12, "0");
  const chance = crypto.randomUUID();
  return `${time.slice(0, 8)}-${time.slice(8)}-7${chance.slice(15)}`;
}

/** The 12 hex digits by which people name a run: the last ones of its id, or of a hash of an id that has none. */
export function toShortId(id: string): string {
  const digits = SHORT_DIGITS.exec(id.replaceAll("-", ""))?.[0];
  return digits ?? createHash("sha256").update(id).digest("hex").slice(0, 12);
}
