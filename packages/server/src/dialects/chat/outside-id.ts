/**
 * Outside id: a position in a run as clients of several runs see it, `<run>/<position>`.
 *
 * Clients get calls, messages and questions by these names and answer with them.
 */

/** A place in a run. */
export interface OutsideId {
  readonly run: string;
  readonly position: string;
}

/** Names a position of a run. */
export function toOutsideId(run: string, position: string): string {
  return `${run}/${position}`;
}

/** Parses an id that a client sent back; undefined if it is not an outside id. */
export function parseOutsideId(text: string): OutsideId | undefined {
  const at = text.indexOf("/");
  if (at < 1 || at === text.length - 1) return undefined;
  return { run: text.slice(0, at), position: text.slice(at + 1) };
}

/** The name of the question that a call of a client's tool asks, by the call's own name. */
export function toToolQuestion(call: string): string {
  // A step that started again has given its calls new names, `<call>-2`; the question is named after the first.
  const again = call.indexOf("-", call.lastIndexOf("/"));
  return `${again < 0 ? call : call.slice(0, again)}/tool`;
}
