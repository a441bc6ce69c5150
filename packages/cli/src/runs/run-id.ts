/**
 * Run id: the short form of a run's id that users read and type.
 */
const SHORT_CHARS = 8;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-/;

/** The last characters of a UUID, where runs differ; any other id stays whole. */
export function shortIdOf(id: string): string {
  return UUID.test(id) ? id.slice(-SHORT_CHARS) : id;
}
