/**
 * Run text fields: the names of the texts that a run is searched by.
 */

/** The fields of a run that a search looks at. */
export const RUN_TEXT_FIELDS = [
  "input",
  "answer",
  "agent",
  "tool",
  "request_id",
  "session_id",
  "title",
  "error",
] as const;

/** One of them. */
export type RunTextField = (typeof RUN_TEXT_FIELDS)[number];
