/**
 * Session: a conversation that several runs share, one run at a time.
 *
 * A second run waits its turn, first come first served; beyond 32 waiting it is refused. A paused run does not
 * hold its session. Reads: error, message, scope, semaphore. Read by: live-run, engine.
 */
import { BatonError } from "./error.ts";
import type { Message } from "./message.ts";
import type { Scope } from "./scope.ts";
import { type Release, Semaphore } from "./semaphore.ts";

const MAX_WAITING = 32;

/** One conversation. `P` is what it remembers of a run that waits. */
export class Session<P = unknown> {
  readonly id: string;
  /** What was said in its runs so far. */
  history: readonly Message[] = [];
  /** The run that waits for somebody. */
  paused: P | undefined;
  readonly #turn = new Semaphore(1);

  constructor(id: string) {
    this.id = id;
  }

  /** Nobody runs, and nobody waits to. */
  get isFree(): boolean {
    return this.#turn.free > 0;
  }

  /** Throws where too many wait already. */
  checkRoom(): void {
    if (this.#turn.waiting < MAX_WAITING) return;
    throw new BatonError("busy", `session ${this.id} has ${MAX_WAITING} requests waiting; try again later`);
  }

  /** The right to run; given back when the run pauses or ends. */
  enter(scope: Scope): Promise<Release> | Release {
    return this.#turn.acquire(scope);
  }
}
