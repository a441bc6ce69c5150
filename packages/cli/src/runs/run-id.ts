/**
 * Run id: the name of a run as people type it.
 */
const SHORT_CHARS = 8;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-/;

/** The end of a long id, where runs differ; it is found by that. */
export function toShortId(id: string): string {
  return UUID.test(id) ? id.slice(-SHORT_CHARS) : id;
}
