/**
 * Interrupts: cancels a run when the user presses Ctrl-C, or when the reader of its output closes the pipe.
 *
 * The first signal cancels the run, which then prints its receipt. The second one ends the process immediately.
 */
import type { Run } from "@baton/core";
import { EXIT_CODES } from "../exit-code.ts";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Handles signals while a run executes. */
export class Interrupts implements AsyncDisposable {
  readonly #run: Run;
  readonly #restore: () => void;
  #cancelling: Promise<unknown> | undefined;

  /** `restore` resets the terminal before the second signal ends the process. */
  constructor(run: Run, restore: () => void) {
    this.#run = run;
    this.#restore = restore;
    for (const signal of SIGNALS) process.on(signal, this.#interrupt);
    process.stdout.on("error", this.#cancel);
  }

  /** Stops listening, after a requested cancel has settled. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const signal of SIGNALS) process.off(signal, this.#interrupt);
    process.stdout.off("error", this.#cancel);
    await this.#cancelling;
  }

  readonly #interrupt = (): void => {
    if (this.#cancelling === undefined) return this.#cancel();
    this.#restore();
    process.exit(EXIT_CODES.cancelled);
  };

  readonly #cancel = (): void => {
    // A run that has just ended refuses the command; that is fine.
    this.#cancelling ??= this.#run.command({ type: "cancel", reason: "interrupted" }).catch(() => undefined);
  };
}
