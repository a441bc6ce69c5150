/**
 * Interrupts: what happens to a run when the user presses Ctrl-C, or nobody reads its output any more.
 *
 * The first one cancels the run, which then says what became of everything; a second one ends the process at once.
 */
import type { Run } from "@baton/core";
import { EXIT_CODES } from "../exit-code.ts";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Listens as long as a run executes. */
export class Interrupts implements AsyncDisposable {
  readonly #run: Run;
  readonly #restore: () => void;
  #cancelling: Promise<unknown> | undefined;

  /** `restore` puts the terminal in order before the process ends at once. */
  constructor(run: Run, restore: () => void) {
    this.#run = run;
    this.#restore = restore;
    for (const signal of SIGNALS) process.on(signal, this.#interrupt);
    process.stdout.on("error", this.#cancel);
  }

  /** Stops listening; a cancel that was asked for has settled then. */
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
    // A run that ends in the same moment refuses the command, and is over all the same.
    this.#cancelling ??= this.#run.command({ type: "cancel", reason: "interrupted" }).catch(() => undefined);
  };
}
