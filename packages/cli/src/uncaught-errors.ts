/**
 * Uncaught errors: reports errors that were not caught, such as a tool's unhandled rejection, without ending the process.
 *
 * Other runs and requests are not affected.
 */
import { toMessage } from "@baton/core/util";
import { toOneLine } from "./terminal/printable.ts";

/** Ignores write errors on standard output and error, such as a log on a full disk. */
export function ignoreWriteErrors(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.removeAllListeners("error").on("error", () => undefined);
}

/** Passes uncaught errors to a listener from now on. */
export function catchUncaughtErrors(report: (error: unknown) => void): void {
  process.on("uncaughtException", report);
  process.on("unhandledRejection", report);
}

/** Prints uncaught errors from now on; `flush` completes what is on the screen first. */
export function showUncaughtErrors(flush: () => void): void {
  catchUncaughtErrors((error) => {
    flush();
    process.stderr.write(`baton: uncaught error, probably from a tool: ${toOneLine(toMessage(error))}\n`);
  });
}
