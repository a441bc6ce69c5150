/**
 * Backoff: how long to wait before another try, and the waiting.
 *
 * Full jitter: the ceiling doubles with every failed try and the wait is random below it, so that clients that were
 * disconnected together do not reconnect together. The wait that the server asked for is added.
 */

/** The ceiling of the first wait, and of all. */
export interface BackoffLimits {
  readonly minMs: number;
  readonly maxMs: number;
}

/** State of the retries that the next wait is computed from. */
interface Attempt {
  /** Tries in a row that failed. */
  readonly failures: number;
  /** The wait that the server asked for. */
  readonly askedMs?: number | undefined;
}

/** The longest wait that a server can ask for. */
const MAX_ASKED_MS = 10 * 60 * 1_000;

/** Whole milliseconds to wait. */
export function reconnectDelayMs({ failures, askedMs = 0 }: Attempt, { minMs, maxMs }: BackoffLimits): number {
  // Past 2^30 the ceiling is the maximum anyway; without the cap, 0 * Infinity would be NaN.
  const ceilingMs = Math.min(maxMs, minMs * 2 ** Math.min(failures, 30));
  return Math.min(askedMs, MAX_ASKED_MS) + Math.round(Math.random() * ceilingMs);
}

/** Waits for so long, or until the abort. */
export async function waitMs(delayMs: number, abort: AbortSignal | undefined): Promise<void> {
  if (abort?.aborted === true) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, delayMs);
  const stop = () => resolve();
  abort?.addEventListener("abort", stop);
  await promise;
  clearTimeout(timer);
  abort?.removeEventListener("abort", stop);
}
