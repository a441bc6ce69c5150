/**
 * Stray error: one that nobody caught: a promise that a tool forgot, a timer of its own that throws, a log on a full disk.
 *
 * It ends no run and no server: other runs and requests are not affected.
 */
import { toMessage } from "@baton/core/ports";
import { toOneLine } from "./terminal/printable.ts";

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

/** The same for a command that shows a run; what is on the screen is settled first. */
export function showStrayErrors(settle: () => void): void {
  catchStrayErrors((error) => {
    settle();
    process.stderr.write(`baton: nobody caught an error, most likely of a tool: ${toOneLine(toMessage(error))}\n`);
  });
}
