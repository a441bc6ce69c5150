/**
 * Awaited runs: the runs whose next pause or end a client of this server waits for.
 *
 * A server that stops waits for them; those that take too long continue without it, and their clients get a message that says so.
 */
import type { Writable } from "node:stream";
import type { Run, RunResult } from "@baton/core";
import type { Clock } from "@baton/core/ports";

/** All that clients of one server wait for. */
export class AwaitedRuns {
  readonly #leaving = new Set<() => void>();
  #settled: (() => void) | undefined;
  #isLeft = false;

  /** The outcome of a run; undefined if the server stopped waiting for it. */
  outcome(run: Run): Promise<RunResult | undefined> {
    const { promise, resolve } = Promise.withResolvers<RunResult | undefined>();
    this.#add(run, resolve);
    return promise;
  }

  /** A request that starts or continues a run is on its way, until that is disposed of. */
  enter(): Disposable {
    const leave = () => {};
    this.#leaving.add(leave);
    return { [Symbol.dispose]: () => this.#forget(leave) };
  }

  /** A client waits for a run until the response closes, because it has its answer or has disconnected. */
  attend(run: Run, outgoing: Writable): void {
    if (outgoing.destroyed) return;
    const forget = this.#add(run, () => {});
    outgoing.once("close", forget);
  }

  /** `end` is called once, with the outcome if there is one; gives the way to wait no more. */
  #add({ result }: Run, end: (outcome: RunResult | undefined) => void): () => void {
    const leave = () => end(undefined);
    const forget = () => {
      this.#forget(leave);
    };
    if (this.#isLeft) {
      leave();
      return forget;
    }
    this.#leaving.add(leave);
    const settle = (outcome: RunResult | undefined) => {
      if (this.#forget(leave)) end(outcome);
    };
    result.then(settle, () => settle(undefined));
    return forget;
  }

  /** Resolves when no client waits any more, or when the time is over. */
  async settled(clock: Clock, graceMs: number): Promise<void> {
    if (this.#leaving.size === 0 || graceMs <= 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = clock.after(graceMs, resolve);
    this.#settled = resolve;
    await promise;
    timer.cancel();
  }

  /** Stops waiting: all clients that wait, and those that come, get no outcome. */
  leave(): void {
    this.#isLeft = true;
    const leaving = [...this.#leaving];
    this.#leaving.clear();
    for (const leave of leaving) leave();
  }

  #forget(leave: () => void): boolean {
    const isKnown = this.#leaving.delete(leave);
    if (this.#leaving.size === 0) this.#settled?.();
    return isKnown;
  }
}
