/**
 * Watchdog thread: looks at the counter of the main thread, and ends the process if it stands still.
 *
 * The stack is read through the inspector, which interrupts JavaScript, regular expressions and waits; a main thread
 * that is stuck in native code does not answer and is killed.
 */
import { writeSync } from "node:fs";
import { type Debugger, Session } from "node:inspector";
import { workerData } from "node:worker_threads";
import { z } from "zod";
import { WATCHDOG_TICKS } from "./watchdog.ts";

const DATA = z.object({ counter: z.instanceof(Int32Array), timeoutMs: z.number(), exitCode: z.int() });
const STDERR = 2;
/** Time for the main thread to stop at the debugger's request. */
const ANSWER_MS = 2_000;

const { counter, timeoutMs, exitCode } = DATA.parse(workerData);
watch();

function watch(): void {
  let last = -1;
  let missed = 0;
  const timer = setInterval(() => {
    const now = Atomics.load(counter, 0);
    missed = now === last ? missed + 1 : 0;
    last = now;
    if (missed < WATCHDOG_TICKS) return;
    clearInterval(timer);
    endProcess();
  }, timeoutMs / WATCHDOG_TICKS);
}

function endProcess(): void {
  setTimeout(() => {
    log("unknown: the main thread is in native code");
    process.kill(process.pid, "SIGKILL");
  }, ANSWER_MS);
  const urls = new Map<string, string>();
  const session = new Session();
  session.connectToMainThread();
  session.on("Debugger.scriptParsed", ({ params: { scriptId, url } }) => urls.set(scriptId, url));
  session.on("Debugger.paused", ({ params: { callFrames } }) => {
    log(callFrames.map((frame) => toText(frame, urls)).join("\n"));
    const callFrameId = callFrames[0]?.callFrameId ?? "";
    session.post("Debugger.evaluateOnCallFrame", { callFrameId, expression: `process.reallyExit(${exitCode})` });
  });
  session.post("Debugger.enable");
  session.post("Debugger.pause");
}

function toText({ functionName, location }: Debugger.CallFrame, urls: ReadonlyMap<string, string>): string {
  const { scriptId, lineNumber, columnNumber = 0 } = location;
  return `at ${functionName || "<anonymous>"} (${urls.get(scriptId) ?? ""}:${lineNumber + 1}:${columnNumber + 1})`;
}

/** Writes a line of the server's log; the main thread cannot. */
function log(stack: string): void {
  const msg = `the event loop has not turned for ${timeoutMs / 1_000} s: the process ends with exit code ${exitCode}`;
  writeSync(STDERR, `${JSON.stringify({ level: "fatal", time: new Date().toISOString(), stack, msg })}\n`);
}
