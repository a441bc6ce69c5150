/**
 * Pieces: long work as a generator that yields where other work may run. A caller finishes it at once, or lets the event
 * loop serve others between the pieces.
 */
import type { Clock } from "@baton/core/ports";

/** Work that yields between its pieces and returns its result. */
export type Pieces<T> = Generator<undefined, T, undefined>;

/** Does all pieces now. */
export function finish<T>(work: Pieces<T>): T {
  let step = work.next();
  while (step.done !== true) step = work.next();
  return step.value;
}

/** Does the pieces and lets the event loop serve others between them. */
export async function finishInPieces<T>(work: Pieces<T>, clock: Pick<Clock, "breathe">): Promise<T> {
  let step = work.next();
  while (step.done !== true) {
    const pause = clock.breathe();
    if (pause !== undefined) await pause;
    step = work.next();
  }
  return step.value;
}
