/**
 * Shutdown: the signals that end a server; the first asks it to stop, the next ends the process at once.
 */
import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** A terminal signals everybody in it, and `npm start` passes on what it got: one Ctrl-C comes twice at once. */
const ECHO_MS = 100;

/** Resolves with the first signal. Listens for as long as the process lives, so that no later one cuts its end short. */
export function untilAsked(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let askedAt: number | undefined;
  const take = (signal: (typeof SIGNALS)[number]): void => {
    const now = performance.now();
    askedAt ??= now;
    if (now - askedAt > ECHO_MS) process.exit(128 + constants.signals[signal]);
    resolve();
  };
  for (const signal of SIGNALS) process.on(signal, take);
  return promise;
}
