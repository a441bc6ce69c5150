/**
 * Task: one piece of work that a scope waits for, and what became of it.
 *
 * A task settles once: with its work, or by being abandoned; what the work does after that goes nowhere.
 * Reads: event. Read by: scope.
 */
import type { Receipt } from "./event.ts";

type Fate = "running" | "finished" | "stopped" | "abandoned";

/** Work that has begun. */
export class Task {
  #fate: Fate = "running";
  readonly #abandon: () => void;
  #settled: (() => void) | undefined;

  /** `abandon` is called where nobody waits for the work any more. */
  constructor(abandon: () => void) {
    this.#abandon = abandon;
  }

  get fate(): Fate {
    return this.#fate;
  }

  get running(): boolean {
    return this.#fate === "running";
  }

  /** The work is over; false where that comes too late. */
  settle(fate: "finished" | "stopped" | "abandoned"): boolean {
    if (this.#fate !== "running") return false;
    this.#fate = fate;
    this.#settled?.();
    return true;
  }

  abandon(): void {
    if (this.settle("abandoned")) this.#abandon();
  }

  /** Resolves once the work has settled or was abandoned; only asked for on a cancel. */
  settled(): Promise<void> {
    if (!this.running) return Promise.resolve();
    return new Promise((resolve) => {
      const before = this.#settled;
      this.#settled = () => {
        before?.();
        resolve();
      };
    });
  }
}

/** What became of each, by the name of the scope whose tasks they are. */
export function toReceipt(
  works: readonly { readonly scope: { readonly name: string }; readonly tasks: readonly Task[] }[],
): Receipt {
  const receipt = { stopped: new Array<string>(), finished: new Array<string>(), abandoned: new Array<string>() };
  for (const { scope, tasks } of works) {
    const fates = tasks.map((task) => task.fate);
    if (fates.includes("abandoned")) receipt.abandoned.push(scope.name);
    else if (fates.length > 0 && fates.every((fate) => fate === "finished")) receipt.finished.push(scope.name);
    else receipt.stopped.push(scope.name);
  }
  return receipt;
}
