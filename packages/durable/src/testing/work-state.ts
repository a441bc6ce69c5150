/**
 * Moments: what is needed to let two things happen at the same time, and to see what became of them.
 */
import { BatonError } from "@baton/core";

/** State of some work: `open`, `done`, or the code of its error. */
export interface WorkState {
  now: string;
}

/** Sees what becomes of some work, however that ends. */
export function watch(work: Promise<unknown>): WorkState {
  const fate: WorkState = { now: "open" };
  work.then(
    () => {
      fate.now = "done";
    },
    (error: unknown) => {
      fate.now = error instanceof BatonError ? error.code : String(error);
    },
  );
  return fate;
}

/** Lets what waits for promises continue by so many of them. */
export async function letPass(promises: number): Promise<void> {
  for (let count = 0; count < promises; count++) await Promise.resolve();
}
