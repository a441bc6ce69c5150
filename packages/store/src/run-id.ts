/**
 * Run id: what a new run is called.
 *
 * A UUID of version 7: a later run has a greater id, so a database adds it at the end of its indexes and not all over
 * them. Its last digits are chance; people tell runs apart by those.
 */

/** A new id; `now` is milliseconds since 1970. */
export function newRunId(now: number): string {
  const time = Math.floor(now).toString(16).padStart(12, "0");
  const chance = crypto.randomUUID();
  return `${time.slice(0, 8)}-${time.slice(8)}-7${chance.slice(15)}`;
}
