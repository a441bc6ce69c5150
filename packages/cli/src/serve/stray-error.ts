/**
 * Stray error: one that nobody caught: a promise that a tool forgot, a timer of its own that throws, a log on a full disk.
 *
 * A server lives on: whoever else is served has nothing to do with it. Reads nothing. Read by: serve.
 */

/** Has what cannot be written to the terminal or the log left out, instead of ending the process. */
export function passOverUnwritable(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.removeAllListeners("error").on("error", () => undefined);
}

/** Has errors that nobody caught told from now on, instead of ending the process. */
export function catchStrayErrors(tell: (error: unknown) => void): void {
  process.on("uncaughtException", tell);
  process.on("unhandledRejection", tell);
}
