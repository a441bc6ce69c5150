/**
 * Stray error: one that nobody caught: a promise that a tool forgot, a timer of its own that throws.
 *
 * It is told, and the server lives on: whoever else is served has nothing to do with it. Reads nothing. Read by: serve.
 */

/** Has errors that nobody caught told from now on, instead of ending the process. */
export function catchStrayErrors(tell: (error: unknown) => void): void {
  process.on("uncaughtException", tell);
  process.on("unhandledRejection", tell);
}
