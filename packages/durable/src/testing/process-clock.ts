/**
 * Process clock: the time of one process among several that share a clock: its timers wait while it is frozen, and none is
 * left when it has crashed.
 */
import type { Clock } from "@baton/core/ports";

type Timer = ReturnType<Clock["after"]>;

/** The clock of a process that can be frozen and killed. */
export class ProcessClock implements Clock {
  readonly #clock: Clock;
  readonly #timers = new Set<Timer>();
  /** Timers that were due while it was frozen. */
  readonly #late: (() => void)[] = [];
  #isDead = false;
  #frozen: PromiseWithResolvers<void> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves at once while the process lives, on waking if it is frozen, and never if it is dead. */
  async alive(): Promise<void> {
    await this.#frozen?.promise;
    if (this.#isDead) await new Promise(() => {});
  }

  freeze(): void {
    this.#frozen ??= Promise.withResolvers();
  }

  wake(): void {
    this.#frozen?.resolve();
    this.#frozen = undefined;
    const late = this.#late.splice(0);
    if (!this.#isDead) for (const run of late) run();
  }

  kill(): void {
    this.#isDead = true;
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
    this.wake();
  }

  now(): number {
    return this.#clock.now();
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  after(delayMs: number, run: () => void): Timer {
    if (this.#isDead) return { cancel: () => {} };
    let isCancelled = false;
    const fire = (): void => {
      this.#timers.delete(timer);
      if (this.#frozen === undefined) run();
      else this.#late.push(() => (isCancelled ? undefined : run()));
    };
    const timer = this.#clock.after(delayMs, fire);
    this.#timers.add(timer);
    const cancel = (): void => {
      isCancelled = true;
      this.#timers.delete(timer);
      timer.cancel();
    };
    return { cancel };
  }

  soon(run: () => void): void {
    this.#clock.soon(run);
  }

  breathe(): Promise<void> | undefined {
    return this.#clock.breathe();
  }

  random(): number {
    return this.#clock.random();
  }
}
