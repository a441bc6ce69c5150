/**
 * Watermark: how much of what is to be written is on disk, and who waits for how much of it.
 *
 * What is written is taken in order and one piece at a time.
 */
import type { BatonError } from "@baton/core";

interface Waiter {
  readonly mark: number;
  /** Stays when the others are sent away: it is told the truth, whatever that is. */
  readonly isFirm: boolean;
  readonly resolve: () => void;
  readonly reject: (error: BatonError) => void;
}

/** Counts what is to be written. */
export class Watermark {
  #added = 0;
  #taken = 0;
  #written = 0;
  #waiters: Waiter[] = [];
  #gone: BatonError | undefined;

  /** Why nothing more will be written; undefined as long as it may be. */
  get gone(): BatonError | undefined {
    return this.#gone;
  }

  /** All that was added is on disk. */
  get isReached(): boolean {
    return this.#written === this.#added;
  }

  /** One thing more is to be written. */
  add(): void {
    this.#added++;
  }

  /** All that was added is being written. */
  take(): void {
    this.#taken = this.#added;
  }

  /** What was taken is on disk. */
  reach(): void {
    this.#written = this.#taken;
    if (this.#waiters.length === 0) return;
    const waiters = this.#waiters;
    this.#waiters = waiters.filter(({ mark }) => mark > this.#written);
    for (const { mark, resolve } of waiters) if (mark <= this.#written) resolve();
  }

  /** Resolves once all that was added so far is on disk; rejects where it will never be. */
  wait({ isFirm }: Pick<Waiter, "isFirm">): Promise<void> {
    if (this.#gone !== undefined) return Promise.reject(this.#gone);
    const mark = this.#added;
    return new Promise((resolve, reject) => this.#waiters.push({ mark, isFirm, resolve, reject }));
  }

  /** Sends away all but those who wait for the truth. */
  refuse(error: BatonError): void {
    const waiters = this.#waiters;
    this.#waiters = waiters.filter(({ isFirm }) => isFirm);
    for (const { isFirm, reject } of waiters) if (!isFirm) reject(error);
  }

  /** Nothing more will be written: all that wait are rejected. */
  giveUp(error: BatonError): void {
    this.#gone = error;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const { reject } of waiters) reject(error);
  }
}
