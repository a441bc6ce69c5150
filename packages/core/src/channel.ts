/**
 * Channel: from many senders to one receiver, bounded.
 *
 * What is sent is received once, in order. A full channel makes senders wait, first come first served. A closed
 * one takes nothing more, still gives what is in it, and then ends.
 * Reads: error, scope. Read by: bus, live-run (its mailbox).
 */
import { BatonError } from "./error.ts";
import type { Scope } from "./scope.ts";

/** What was sent and, where its sender waits, how to let that go on. */
interface Sent<T> {
  readonly value: T;
  go?: (result?: Promise<void>) => void;
}

/** A queue with a capacity. */
export class Channel<T> implements AsyncIterable<T, undefined> {
  /** How many values were pushed out unread. */
  lagged = 0;
  readonly #capacity: number;
  /** What is beyond the capacity is still its sender's. */
  readonly #sent: Sent<T>[] = [];
  #closed = false;
  #changed: PromiseWithResolvers<void> | undefined;

  constructor(capacity: number) {
    if (!(capacity >= 1)) throw new BatonError("invalid", `a channel holds at least 1 value, not ${capacity}`);
    this.#capacity = capacity;
  }

  /** Sends, with a promise to wait for where the channel is full. */
  send(value: T, scope: Scope): Promise<void> | undefined {
    if (this.#closed || !scope.live) return Promise.reject(scope.reason ?? closed());
    const sent: Sent<T> = { value };
    if (this.#sent.push(sent) <= this.#capacity) return this.#wake();
    return scope.wait((go) => {
      sent.go = go;
      return () => this.#sent.splice(this.#sent.indexOf(sent), 1);
    });
  }

  /** Sends at once, and a full channel loses its oldest value for it; false where it is closed. */
  push(value: T): boolean {
    if (this.#closed) return false;
    for (; this.#sent.length >= this.#capacity; this.lagged++) this.take();
    this.#sent.push({ value });
    this.#wake();
    return true;
  }

  /** The next value if there is one now. */
  take(): T | undefined {
    const first = this.#sent.shift();
    this.#sent[this.#capacity - 1]?.go?.();
    return first?.value;
  }

  /** Senders that wait fail, and the receiver ends once it has what is there. */
  close(): void {
    this.#closed = true;
    for (const { go } of this.#sent.splice(this.#capacity)) go?.(Promise.reject(closed()));
    this.#wake();
  }

  /** All values until it is closed; leaving the loop closes it, for nobody would come for what is sent then. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, undefined> {
    try {
      while (!this.#closed || this.#sent.length > 0) {
        const first = this.#sent[0];
        this.take();
        if (first !== undefined) yield first.value;
        else await (this.#changed ??= Promise.withResolvers()).promise;
      }
      return undefined;
    } finally {
      this.close();
    }
  }

  #wake(): undefined {
    this.#changed?.resolve();
    this.#changed = undefined;
  }
}

const closed = (): BatonError => new BatonError("closed", "the channel is closed");
