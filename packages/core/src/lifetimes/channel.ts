/**
 * Channel: from many senders to one receiver, bounded.
 *
 * What is sent is received once, in order among what fits. A full channel makes senders wait, first come first served.
 */
import { BatonError } from "../words/error.ts";
import type { Scope } from "./scope.ts";

/** A value that was sent and, if its sender waits, the function that lets it continue. */
interface Sent<T> {
  readonly value: T;
  go?: () => void;
}

/** A queue with a capacity. */
export class Channel<T> {
  readonly #capacity: number;
  /** Values in the order they were sent; those beyond the capacity have a sender that waits. */
  readonly #sent: Sent<T>[] = [];

  constructor(capacity: number) {
    if (!(capacity >= 1)) throw new BatonError("invalid", `a channel holds at least 1 value, not ${capacity}`);
    this.#capacity = capacity;
  }

  /** Sends, with a promise to wait for if the channel is full. */
  send(value: T, scope: Scope): Promise<void> | undefined {
    if (!scope.live) return Promise.reject(scope.reason);
    const sent: Sent<T> = { value };
    if (this.#sent.push(sent) <= this.#capacity) return undefined;
    return scope.wait<void>((go) => {
      sent.go = go;
      return () => this.#sent.splice(this.#sent.indexOf(sent), 1);
    });
  }

  /** Sends what was accepted before: no more than there is room for. */
  push(value: T): void {
    this.#sent.push({ value });
  }

  /** The next value if there is one now: the first that fits. */
  take(fits: (value: T) => boolean = () => true): T | undefined {
    const at = this.#sent.findIndex(({ value }) => fits(value));
    if (at === -1) return undefined;
    const [taken] = this.#sent.splice(at, 1);
    taken?.go?.();
    this.#sent[this.#capacity - 1]?.go?.();
    return taken?.value;
  }
}
