/**
 * Channel: from many senders to one receiver after another, bounded.
 *
 * What is sent is received once, in order. A full channel makes senders wait, first come first served. A closed
 * one takes nothing more, still gives what is in it, and then ends.
 * Reads: error, line, scope. Read by: engine (a run's mailbox).
 */
import { BatonError } from "./error.ts";
import { Line } from "./line.ts";
import type { Scope } from "./scope.ts";

/** A queue with a capacity. */
export class Channel<T> implements AsyncIterable<T, undefined> {
  readonly capacity: number;
  #results: IteratorYieldResult<T>[] = [];
  #closed = false;
  readonly #senders = new Line<void, T>();
  readonly #receivers = new Line<IteratorResult<T, undefined>>();

  constructor(capacity: number) {
    if (!(capacity >= 1)) throw new BatonError("invalid", `a channel holds at least 1 value, not ${capacity}`);
    this.capacity = capacity;
  }

  /** Values sent and not yet received, those of waiting senders not counted. */
  get length(): number {
    return this.#results.length;
  }

  /** Senders and receivers that wait; never both. */
  get waiting(): number {
    return this.#senders.length + this.#receivers.length;
  }

  /** Sends if there is room; false where it is full or closed. */
  trySend(value: T): boolean {
    if (this.#closed) return false;
    const receiver = this.#receivers.next();
    if (receiver !== undefined) receiver.go({ done: false, value });
    else if (this.#results.length < this.capacity) this.#results.push({ done: false, value });
    else return false;
    return true;
  }

  /** Sends, with a promise to wait for where the channel is full. */
  send(value: T, scope: Scope): Promise<void> | undefined {
    if (!scope.live) return Promise.reject(scope.reason);
    if (this.#closed) return Promise.reject(closed());
    return this.trySend(value) ? undefined : this.#senders.join(scope, value);
  }

  /** The next value, waited for until the channel is closed or the scope is cancelled. */
  receive(scope?: Scope): Promise<IteratorResult<T, undefined>> {
    if (scope !== undefined && !scope.live) return Promise.reject(scope.reason);
    const result = this.#results.shift();
    if (result !== undefined) {
      this.#admit();
      return Promise.resolve(result);
    }
    if (this.#closed) return Promise.resolve({ done: true, value: undefined });
    return this.#receivers.join(scope, undefined);
  }

  /** The next value if there is one now. */
  take(): T | undefined {
    const result = this.#results.shift();
    this.#admit();
    return result?.value;
  }

  /** Takes all that is there. */
  drain(): T[] {
    const taken = this.#results.map(({ value }) => value);
    this.#results = [];
    this.#admit();
    return taken;
  }

  /** Waiting senders fail, waiting receivers end. */
  close(): void {
    this.#closed = true;
    for (let sender = this.#senders.next(); sender !== undefined; sender = this.#senders.next()) sender.fail(closed());
    for (let receiver = this.#receivers.next(); receiver !== undefined; receiver = this.#receivers.next()) {
      receiver.go({ done: true, value: undefined });
    }
  }

  [Symbol.asyncIterator](): AsyncIterator<T, undefined> {
    return { next: () => this.receive() };
  }

  #admit(): void {
    while (this.#results.length < this.capacity) {
      const sender = this.#senders.next();
      if (sender === undefined) return;
      this.#results.push({ done: false, value: sender.item });
      sender.go();
    }
  }
}

const closed = (): BatonError => new BatonError("closed", "the channel is closed");
