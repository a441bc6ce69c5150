/**
 * Baton dialect: the log itself, one event a frame.
 *
 * For the console, the client and the command line: nothing is left out, and text is as the model wrote it.
 */
import type { Dialect } from "./dialect.ts";

/** Every event as it is. */
export const baton: Dialect<undefined> = {
  name: "baton",
  start: () => undefined,
  next: (state, event) => [state, [{ id: `${event.seq}`, data: JSON.stringify(event) }]],
};
