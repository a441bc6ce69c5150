/**
 * Batches: a stream's parts, all that one network read brought handed on together.
 *
 * What is ready by the end of the turn of the event loop in which the first part came belongs to one batch. At most
 * 1,024 parts wait here; then the stream, and so the socket, waits.
 */
import type { Scope } from "@baton/core/ports";

const MAX_WAITING = 1_024;

/** The parts of a stream in batches; the stream is released when reading ends, in any way. */
export async function* toBatches<T>(stream: ReadableStream<T>, scope: Scope): AsyncGenerator<readonly T[]> {
  const reader = stream.getReader();
  const inbox = new Inbox<T>();
  const pumping = inbox.fill(reader);
  try {
    for (;;) {
      await scope.race(() => inbox.filled());
      await new Promise<void>((resolve) => {
        scope.clock.soon(resolve);
      });
      const batch = inbox.take();
      if (batch.length > 0) yield batch;
      if (inbox.failure !== undefined) throw inbox.failure.thrown;
      if (batch.length === 0 && inbox.ended) return;
    }
  } finally {
    inbox.close();
    await reader.cancel().catch(() => undefined);
    await pumping;
  }
}

/** Parts that were read and not yet handed on. */
class Inbox<T> {
  failure: { readonly thrown: unknown } | undefined;
  ended = false;
  #parts: T[] = [];
  #onChange: (() => void) | undefined;
  #onRoom: (() => void) | undefined;

  /** Reads until the stream ends or fails; never rejects. */
  async fill(reader: ReadableStreamDefaultReader<T>): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        this.#parts.push(value);
        this.#onChange?.();
        if (this.#parts.length >= MAX_WAITING) await this.#room();
      }
    } catch (thrown) {
      this.failure = { thrown };
    }
    this.ended = true;
    this.#onChange?.();
  }

  /** Resolves once there is something to take or nothing more to come; rejects if reading failed instead. */
  filled(): Promise<void> | undefined {
    if (this.#parts.length > 0 || this.ended) return undefined;
    return new Promise((resolve, reject) => {
      this.#onChange = () => {
        if (this.failure === undefined || this.#parts.length > 0) resolve();
        else reject(this.failure.thrown);
      };
    });
  }

  take(): readonly T[] {
    const parts = this.#parts;
    this.#parts = [];
    this.#onRoom?.();
    return parts;
  }

  close(): void {
    this.#parts = [];
    this.#onRoom?.();
  }

  #room(): Promise<void> {
    return new Promise((resolve) => {
      this.#onRoom = resolve;
    });
  }
}
