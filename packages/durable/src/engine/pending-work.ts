/**
 * Owned: promises that somebody must wait for before the process may go.
 */

/** Counts promises until they settle. */
export class Owned {
  #size = 0;
  #waiting: (() => void)[] = [];

  /** How many have not settled. */
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
