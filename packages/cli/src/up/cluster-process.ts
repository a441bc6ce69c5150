/**
 * Cluster process: one process of a cluster, started again whenever it ends before it is stopped.
 */
import type { Clock } from "@baton/core/ports";
import { toMessage } from "@baton/core/util";

/** Delay before a process that has ended is started again. */
const RESTART_MS = 500;

/** A program that can be started more than once. Disposing it stops it. */
export interface Restartable extends AsyncDisposable {
  /** Its process. */
  readonly pid: number;
  /** Resolves when its process has ended, by whatever cause. */
  readonly ended: Promise<unknown>;
  /** Resolves once it can be used. */
  start(): Promise<void>;
}

/** The name and program of a process. */
export interface ClusterProcessOptions {
  readonly name: string;
  readonly program: Restartable;
  readonly clock: Clock;
  /** Called when it runs, and when it has ended and is started again. */
  readonly tell: (text: string) => void;
}

/** One process of a cluster. */
export class ClusterProcess implements AsyncDisposable {
  readonly name: string;
  readonly #options: ClusterProcessOptions;
  #isRunning = false;
  #isStopping = false;
  #wake: (() => void) | undefined;
  #watching: Promise<void> = Promise.resolve();

  constructor(options: ClusterProcessOptions) {
    this.name = options.name;
    this.#options = options;
  }

  get pid(): number {
    return this.#options.program.pid;
  }

  /** It has started and not ended since. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Starts it for the first time. */
  async start(): Promise<void> {
    await this.#options.program.start();
    this.watch();
  }

  /** Starts it again whenever it ends; for a program that runs already. */
  watch(): void {
    this.#begun();
    this.#watching = this.#startAgain();
  }

  /** Stops it; a start that is under way is waited for. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true;
    this.#wake?.();
    await this.#options.program[Symbol.asyncDispose]();
    await this.#watching;
    await this.#options.program[Symbol.asyncDispose]();
  }

  async #startAgain(): Promise<void> {
    const { program, tell } = this.#options;
    for (;;) {
      await program.ended;
      this.#isRunning = false;
      if (this.#isStopping) return;
      tell(`${this.name} has ended; it is started again`);
      await this.#pause();
      if (this.#isStopping) return;
      // If it ends at once, the next round starts it again.
      await program.start().then(
        () => this.#begun(),
        (error: unknown) => tell(toMessage(error)),
      );
    }
  }

  #begun(): void {
    const { program, tell } = this.#options;
    this.#isRunning = true;
    tell(`${this.name} runs, process ${program.pid}`);
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#options.clock.after(RESTART_MS, resolve);
      this.#wake = () => {
        timer.cancel();
        resolve();
      };
    });
  }
}
