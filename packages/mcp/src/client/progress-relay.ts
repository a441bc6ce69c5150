/**
 * Progress relay: progress of a server as progress of a call, at most 10 times a second and always the last.
 */
import type { Json } from "@baton/core";
import type { Progress } from "@modelcontextprotocol/client";

const INTERVAL_MS = 100;

/** Hands progress on. */
export class ProgressRelay {
  readonly #tell: (progress: Json) => void;
  readonly #now: () => number;
  #toldAt = -Infinity;
  #held: Json | undefined;

  constructor(tell: (progress: Json) => void, now: () => number) {
    this.#tell = tell;
    this.#now = now;
  }

  /** Takes what a server said. */
  readonly take = ({ progress, total, message }: Progress): void => {
    const value = {
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message: message.slice(0, 1_000) }),
    };
    this.#held = value;
    if (this.#now() - this.#toldAt >= INTERVAL_MS) this.flush();
  };

  /** Tells what is held back. */
  flush(): void {
    if (this.#held === undefined) return;
    this.#toldAt = this.#now();
    this.#tell(this.#held);
    this.#held = undefined;
  }
}
