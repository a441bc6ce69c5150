/**
 * Pending work: counts unsettled promises, so that shutdown can wait for them.
 */

/** Counts promises until they settle. */
export class PendingWork {
  #size = 0;
  #waiting: (() => void)[] = [];

  /** The number of promises that have not settled. */
  get size(): number {
    return this.#size;
  }

  /** Keeps a promise until it settles. */
  add(promise: Promise<unknown>): void {
    const settle = (): void => this.#settle();
    this.#size++;
    promise.then(settle, settle);
  }

  /** Resolves once none is left. */
  async idle(): Promise<void> {
    while (this.#size > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #settle(): void {
    this.#size--;
    if (this.#size > 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
