/**
 * Fact id: the name by which a fact is cited.
 *
 * It is `f`, the position of the call, a dot and the fact's number in that call: `f3.2.1.4`, in a lane
 * `f4/quiz/student/1.1.2.1`. The last part is the only one with dots, so an id ends by itself: in `f3.2.1.4/2` the slash
 * divides, in `f2/alpha/1.1.1.1` it does not.
 */

/** The id of the `n`th fact of a call. */
export function toFactId(call: string, n: number): string {
  return `f${call}.${n}`;
}

/** A lane is the number of a turn and names; the position is at least two whole numbers, the last from 1. */
const ID = /f(?:\d+\/(?:[\w-]+\/)+)?\d+(?:\.\d+)*\.[1-9]\d{0,8}(?!\.?\d|[A-Za-z_])/y;

/** The end of the id that begins at `from`; undefined if none begins there. */
export function scanFactId(text: string, from: number): number | undefined {
  ID.lastIndex = from;
  return ID.test(text) ? ID.lastIndex : undefined;
}
