/**
 * Watchdog: ends a process whose event loop does not turn any more, so that a supervisor starts it again and the crash
 * guard counts it. A thread watches a counter that the event loop advances; it counts its own ticks, not time, so a
 * process that was stopped and continued is not ended. With a debugger attached there is no watchdog.
 */
import { url as debuggerUrl } from "node:inspector";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";

/** Exit code of a process that the watchdog has ended: an internal software error, as sysexits.h has it. */
export const WATCHDOG_EXIT_CODE = 70;

/** Options of a watchdog. */
export interface WatchdogOptions {
  /** Time without a turn of the event loop after which the process ends. Default 30,000. */
  readonly timeoutMs?: number;
}

/** Data of the watching thread. */
export interface WatchdogData {
  /** Advanced by each turn of the event loop. */
  readonly counter: Int32Array;
  readonly timeoutMs: number;
  readonly exitCode: number;
}

const TIMEOUT_MS = 30_000;
/** Ticks of the thread within the timeout. */
export const WATCHDOG_TICKS = 30;

const THREAD = new URL(`./watchdog-worker${extname(import.meta.url)}`, import.meta.url);

/** Starts to watch this thread's event loop until it is disposed of. Keeps no process alive. */
export function startWatchdog({ timeoutMs = TIMEOUT_MS }: WatchdogOptions = {}): AsyncDisposable {
  if (debuggerUrl() !== undefined) return { [Symbol.asyncDispose]: async () => {} };
  const counter = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: WatchdogData = { counter, timeoutMs, exitCode: WATCHDOG_EXIT_CODE };
  const thread = new Worker(THREAD, { workerData, name: "baton watchdog" });
  // A watchdog that cannot work must not take the process down.
  thread.on("error", () => undefined);
  thread.unref();
  const timer = setInterval(() => Atomics.add(counter, 0, 1), timeoutMs / WATCHDOG_TICKS / 2).unref();
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await thread.terminate();
    },
  };
}
