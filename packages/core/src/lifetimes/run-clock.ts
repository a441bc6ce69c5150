/**
 * Run clock: the time of one run, which can stand still.
 *
 * While it does, deadlines move away and no timer fires; the time of day goes on. A timer that comes up too early,
 * because its clock stood still meanwhile, is set again.
 */
import type { Clock, Timer } from "./clock.ts";

/** A clock that is stopped while its run only waits. */
export class RunClock implements Clock {
  /** The clock that never stands still. */
  readonly real: Clock;
  #lostMs = 0;
  #stoppedAt: number | undefined;
  /** Timers that came up while it stood still. */
  readonly #held: (() => void)[] = [];

  constructor(real: Clock) {
    this.real = real;
  }

  now(): number {
    return this.real.now();
  }

  monotonic(): number {
    return (this.#stoppedAt ?? this.real.monotonic()) - this.#lostMs;
  }

  soon(run: () => void): void {
    this.real.soon(run);
  }

  breathe(): Promise<void> | undefined {
    return this.real.breathe();
  }

  random(): number {
    return this.real.random();
  }

  after(delayMs: number, run: () => void): Timer {
    const dueAt = this.monotonic() + delayMs;
    let timer: Timer | undefined;
    let isCancelled = false;
    const set = (): void => {
      if (isCancelled) return;
      if (this.#stoppedAt !== undefined) this.#held.push(set);
      else timer = this.real.after(dueAt - this.monotonic(), fire);
    };
    const fire = (): void => {
      if (this.#stoppedAt !== undefined || dueAt > this.monotonic()) set();
      else run();
    };
    set();
    return {
      cancel() {
        isCancelled = true;
        timer?.cancel();
      },
    };
  }

  /** Lets time stand still. */
  stop(): void {
    this.#stoppedAt ??= this.real.monotonic();
  }

  /** Lets time go on. */
  go(): void {
    if (this.#stoppedAt === undefined) return;
    this.#lostMs += this.real.monotonic() - this.#stoppedAt;
    this.#stoppedAt = undefined;
    for (const set of this.#held.splice(0)) set();
  }
}

/** The clock of a run's scope. */
export function toRunClock(clock: Clock): RunClock {
  return clock instanceof RunClock ? clock : new RunClock(clock);
}
