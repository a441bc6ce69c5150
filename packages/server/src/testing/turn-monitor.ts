/**
 * Turn monitor: how much CPU time one turn of the event loop takes at most. Time in which other programs have the
 * processor does not count.
 */

/** Watches turns until it is disposed of. */
export class TurnMonitor implements Disposable {
  /** The most CPU time of one turn so far, in milliseconds. */
  maxMs = 0;
  #before = process.threadCpuUsage();
  #isOn = true;

  constructor() {
    this.#tick();
  }

  /** Forgets the turns so far. */
  reset(): void {
    this.maxMs = 0;
    this.#before = process.threadCpuUsage();
  }

  [Symbol.dispose](): void {
    this.#isOn = false;
  }

  #tick(): void {
    setImmediate(() => {
      if (!this.#isOn) return;
      const now = process.threadCpuUsage();
      const usedMs = (now.user + now.system - this.#before.user - this.#before.system) / 1_000;
      this.maxMs = Math.max(this.maxMs, usedMs);
      this.#before = now;
      this.#tick();
    });
  }
}
