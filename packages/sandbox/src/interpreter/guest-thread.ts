/**
 * Guest thread: a worker and the one request that it is working on.
 *
 * Some built-ins of an instance never interrupt, so a worker that is silent for too long is terminated. A worker that
 * is idle does not keep the process running.
 */
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { GuestFailure, GuestLimits, GuestSettle, GuestStart, GuestStep } from "./guest-message.ts";

const WORKER = new URL(`./guest-worker${extname(import.meta.url)}`, import.meta.url);
/** With less, deeply nested JSON is an error of the host. */
const STACK_MB = 8;
const HEAP_MB = 256;
const SPARE_SECONDS = 5;

/** Settles the request that is open. */
type Answer = (step: GuestStep) => void;

/** One worker. */
export class GuestThread {
  readonly #worker: Worker;
  #answer: Answer | undefined;
  #isOver = false;

  constructor(wasm: WebAssembly.Module) {
    this.#worker = new Worker(WORKER, {
      workerData: wasm,
      env: {},
      execArgv: ["--disable-warning=ExperimentalWarning"],
      // Its output is never read: that would keep the process running.
      stdin: true,
      stdout: true,
      stderr: true,
      name: "baton code",
      resourceLimits: { stackSizeMb: STACK_MB, maxOldGenerationSizeMb: HEAP_MB },
    });
    this.#worker.unref();
    this.#worker.on("message", (step: GuestStep) => this.#settle(step));
    this.#worker.on("error", (error: unknown) => this.#crash(error instanceof Error ? error.message : String(error)));
    this.#worker.on("exit", () => this.#crash("it has exited"));
  }

  /** Whether it can take no more requests. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Sends a request and waits for its step; never rejects. */
  request(message: GuestStart | GuestSettle, { cpuSeconds, settings }: GuestLimits): Promise<GuestStep> {
    if (this.#isOver) return Promise.resolve(toFailed("crash", "the worker of the code has ended"));
    const silentMs = (3 * cpuSeconds + SPARE_SECONDS) * 1_000;
    return new Promise((resolve) => {
      this.#worker.ref();
      const timer = setTimeout(() => {
        const spent = `the code did not stop after ${silentMs / 1_000} s (${settings.cpu} is ${cpuSeconds})`;
        this.terminate(toFailed("timeout", spent));
      }, silentMs);
      this.#answer = (step) => {
        clearTimeout(timer);
        this.#worker.unref();
        resolve(step);
      };
      this.#worker.postMessage(message);
    });
  }

  /** Ends the worker at once; the open request, if any, settles with this. */
  terminate(step: GuestStep = STOPPED): void {
    this.#isOver = true;
    this.#worker.terminate().catch(() => undefined);
    this.#settle(step);
  }

  #crash(why: string): void {
    this.#isOver = true;
    this.#settle(toFailed("crash", `the worker of the code has crashed: ${why.slice(0, 200)}`));
  }

  #settle(step: GuestStep): void {
    const answer = this.#answer;
    this.#answer = undefined;
    // An instance that broke may have broken its thread.
    const isBroken = step.end !== undefined && "kind" in step.end && step.end.isBroken === true;
    if (isBroken && !this.#isOver) this.terminate();
    answer?.(step);
  }
}

function toFailed(kind: GuestFailure, message: string): GuestStep {
  return { calls: [], end: { kind, message, console: "" } };
}

const STOPPED = toFailed("crash", "the worker of the code was stopped");
