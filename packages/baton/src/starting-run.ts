/**
 * Starting run: the handle of a run whose start is not on disk yet.
 *
 * Every method waits for the start. If the start is refused, every method rejects with the reason.
 */
import type { CancelOptions, Command, EventsOptions, Json, Receipt, Run, RunEvent, RunResult } from "@baton/core";
import type { Commanded } from "@baton/core/engine";
import type { Configuration } from "@baton/core/ports";

/** A run that begins as soon as it can. */
export class StartingRun implements Run {
  readonly #starting: Promise<Run>;
  #id: string;

  constructor(id: string, starting: Promise<Run>) {
    this.#id = id;
    this.#starting = starting;
    starting.then(
      (run) => {
        this.#id = run.id;
      },
      // Every method rejects with it.
      () => undefined,
    );
  }

  /** A start in a session whose run waits for a message goes on with that run: then the id is that run's. */
  get id(): string {
    return this.#id;
  }

  get result(): Promise<RunResult> {
    return this.#starting.then((run) => run.result);
  }

  async *events(options?: EventsOptions): AsyncGenerator<RunEvent, undefined> {
    yield* (await this.#starting).events(options);
  }

  async *text(): AsyncGenerator<string, undefined> {
    yield* (await this.#starting).text();
  }

  async *partialOutput(): AsyncGenerator<Json, undefined> {
    yield* (await this.#starting).partialOutput();
  }

  async answer(question: string, value: Json): Promise<void> {
    return (await this.#starting).answer(question, value);
  }

  async say(...said: Parameters<Run["say"]>): Promise<void> {
    return (await this.#starting).say(...said);
  }

  async resume(input?: string): Promise<void> {
    return (await this.#starting).resume(input);
  }

  async pause(): Promise<void> {
    return (await this.#starting).pause();
  }

  async cancel(options?: CancelOptions): Promise<Receipt> {
    return (await this.#starting).cancel(options);
  }

  async configure(change: Configuration & { readonly agent?: string }): Promise<void> {
    return (await this.#starting).configure(change);
  }

  async command(command: Command): Promise<Commanded> {
    const { receipt } = await (await this.#starting).command(command);
    return receipt === undefined ? { run: this } : { run: this, receipt };
  }
}

/** Cancels a run when a signal aborts; nothing of it is left once the run has paused or ended. */
export function cancelOnAbort(run: Run, abort: AbortSignal): void {
  // A run that has ended meanwhile needs no cancel.
  const cancel = (): void => {
    run.cancel({ reason: "the work that started it was cancelled" }).catch(() => undefined);
  };
  const detach = () => abort.removeEventListener("abort", cancel);
  if (abort.aborted) cancel();
  else abort.addEventListener("abort", cancel, { once: true });
  run.result.then(detach, detach);
}
