/**
 * Run id: the name of a run as people type it.
 *
 * Reads nothing. Read by: all that names runs.
 */
const SHORT_CHARS = 8;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-/;

/** The beginning of a long id; it is found by that. */
export function toShortId(id: string): string {
  return UUID.test(id) ? id.slice(0, SHORT_CHARS) : id;
}
