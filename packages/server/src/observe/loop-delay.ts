/**
 * Loop delay: how late the event loop was, over the last one to two minutes.
 *
 * Time alone decides what a reading covers: reading changes nothing, so any number of readers see the same.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";

const WINDOW_MS = 60_000;
const RESOLUTION_MS = 20;
const NS_PER_SECOND = 1e9;

/** Measures the delay. The platform's histogram also counts the interval between two reads. */
export type DelayMonitor = Pick<
  ReturnType<typeof monitorEventLoopDelay>,
  "enable" | "disable" | "reset" | "max" | "percentile"
>;

/** Measures until it is closed. */
export class LoopDelay {
  /** Begins a window before the other one, and is the one that is read. */
  #older: DelayMonitor;
  #newer: DelayMonitor;
  readonly #timer: NodeJS.Timeout;

  constructor(create: () => DelayMonitor = () => monitorEventLoopDelay({ resolution: RESOLUTION_MS })) {
    this.#older = create();
    this.#newer = create();
    this.#older.enable();
    this.#newer.enable();
    this.#timer = setInterval(() => this.rotate(), WINDOW_MS).unref();
  }

  /** Begins the next window. */
  rotate(): void {
    const oldest = this.#older;
    this.#older = this.#newer;
    this.#newer = oldest;
    oldest.reset();
  }

  /** Seconds by quantile; `1` is the longest delay. */
  read(): readonly (readonly [quantile: string, seconds: number])[] {
    const toSeconds = (ns: number) => Math.max(0, ns / NS_PER_SECOND - RESOLUTION_MS / 1_000);
    const { max } = this.#older;
    return [
      ["0.5", toSeconds(this.#older.percentile(50))],
      ["0.99", toSeconds(this.#older.percentile(99))],
      ["1", toSeconds(max)],
    ];
  }

  close(): void {
    clearInterval(this.#timer);
    this.#older.disable();
    this.#newer.disable();
  }
}
