/**
 * Child process: a server or worker of `baton up`, started again whenever it ends before it is stopped.
 *
 * It ends with its parent, however that ends: it stops when its standard input is closed.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Clock } from "@baton/core/ports";

/** How soon a child that has ended is started again. */
const RESTART_MS = 500;
/** How long a child may take to stop. */
const STOP_MS = 10_000;

/** What a child is. */
export interface ChildOptions {
  readonly name: string;
  readonly clock: Clock;
  /** The program and its arguments, for this Node. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Called with each line that it logs. */
  readonly log: (line: string) => void;
  /** Called when it listens, and when it has ended and is started again. */
  readonly tell: (text: string) => void;
}

/** One server or worker. */
export class Child implements AsyncDisposable {
  readonly #options: ChildOptions;
  #process: ChildProcess | undefined;
  #isStopping = false;

  constructor(options: ChildOptions) {
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Resolves once it listens; rejects if it ends before. */
  async start(): Promise<void> {
    const { args, env, name } = this.#options;
    const child = spawn(process.execPath, args, { env, stdio: ["pipe", "pipe", "pipe"] });
    this.#process = child;
    const isListening = new Promise<void>((resolve, reject) => {
      const said: string[] = [];
      for (const pipe of [child.stdout, child.stderr]) {
        createInterface({ input: pipe }).on("line", (line) => {
          if (line.startsWith("listening on ")) resolve();
          if (said.length < 20) said.push(line);
          this.#options.log(`${name}: ${line}`);
        });
      }
      child.once("exit", (code) => reject(new Error(`${name} ended with ${code ?? "a signal"}:\n${said.join("\n")}`)));
    });
    await isListening;
    child.removeAllListeners("exit");
    child.once("exit", () => this.#ended());
    this.#options.tell(`${name} runs, process ${child.pid}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true;
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    const timer = this.#options.clock.after(STOP_MS, () => child.kill("SIGKILL"));
    child.kill("SIGTERM");
    await ended;
    timer.cancel();
  }

  #ended(): void {
    if (this.#isStopping) return;
    const { name, clock, tell } = this.#options;
    tell(`${name} has ended; it is started again`);
    clock.after(RESTART_MS, () => {
      if (!this.#isStopping) this.start().catch(() => this.#ended());
    });
  }
}
