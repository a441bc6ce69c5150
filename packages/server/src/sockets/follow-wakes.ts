/**
 * Follow wakes: lets the follows of a server read their logs a few at a time, so that a thousand that wait for one event do
 * not hold up everything else.
 */
import type { Clock } from "@baton/core/ports";

/** A follow that reads when it is woken. */
interface Sleeper {
  readonly wake: () => void;
}

/** Follows that read in one turn of the event loop; each takes about a tenth of a millisecond. */
const AT_ONCE = 25;

/** The follows whose logs may have more. */
export class FollowWakes {
  readonly #clock: Clock;
  readonly #waiting = new Set<Sleeper>();
  #isScheduled = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Wakes a follow soon. One that waits already is woken once, and then reads all there is. */
  add(follow: Sleeper): void {
    this.#waiting.add(follow);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#clock.soon(() => {
      this.#isScheduled = false;
      for (const follow of this.#waiting.values().take(AT_ONCE)) {
        this.#waiting.delete(follow);
        follow.wake();
      }
      if (this.#waiting.size > 0) this.#schedule();
    });
  }
}
