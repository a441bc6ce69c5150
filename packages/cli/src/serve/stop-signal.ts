/**
 * Stop signal: the first SIGINT or SIGTERM stops a server gracefully, the second ends the process immediately.
 */
import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Set for a process that stops when its standard input is closed. */
export const STOPS_ON_EOF = "BATON_STOPS_ON_EOF";

/** A terminal signals all its processes and `npm start` forwards the signal, so one Ctrl-C arrives twice. */
const ECHO_MS = 100;

/** Resolves with the first signal. Listens until the process ends, so that the default handler never runs. */
export function waitForStopSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let askedAt: number | undefined;
  const take = (signal: (typeof SIGNALS)[number]): void => {
    const now = performance.now();
    askedAt ??= now;
    if (now - askedAt > ECHO_MS) process.exit(128 + constants.signals[signal]);
    resolve();
  };
  for (const signal of SIGNALS) process.on(signal, take);
  // A process of `baton up` stops with it, however that ends.
  if (process.env[STOPS_ON_EOF] !== undefined) process.stdin.once("end", resolve).resume();
  return promise;
}
