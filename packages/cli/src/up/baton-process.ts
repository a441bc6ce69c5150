/**
 * Baton process: a server or worker of `baton up`.
 *
 * It ends with its parent, however that ends: it stops when its standard input is closed.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { BatonError } from "@baton/core";
import type { Clock } from "@baton/core/ports";
import { STOPS_ON_EOF } from "../serve/stop-signal.ts";
import type { Restartable } from "./cluster-process.ts";

const BATON = fileURLToPath(new URL("../../bin/baton.js", import.meta.url));
/** The time limit of a stop. */
const STOP_MS = 10_000;
/** Number of its first lines that are shown if it does not start. */
const MAX_LINES = 20;

/** The process to start. */
export interface BatonProcessOptions {
  readonly name: string;
  readonly clock: Clock;
  /** The command and its arguments. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Called with each line that it logs. */
  readonly log: (line: string) => void;
}

/** One server or worker. */
export class BatonProcess implements Restartable {
  readonly #options: BatonProcessOptions;
  #process: ChildProcess | undefined;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(options: BatonProcessOptions) {
    this.#options = options;
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  get ended(): Promise<unknown> {
    return this.#ended;
  }

  /** Resolves once it listens; rejects if it ends before. */
  async start(): Promise<void> {
    const { args, env, name, log } = this.#options;
    const child = spawn(process.execPath, [BATON, ...args], {
      env: { ...env, [STOPS_ON_EOF]: "1" },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#process = child;
    this.#ended = once(child, "exit");
    const said: string[] = [];
    const { promise, resolve } = Promise.withResolvers<boolean>();
    for (const pipe of [child.stdout, child.stderr]) {
      createInterface({ input: pipe }).on("line", (line) => {
        if (line.startsWith("listening on ")) resolve(true);
        if (said.length < MAX_LINES) said.push(line);
        log(`${name}: ${line}`);
      });
    }
    const isListening = await Promise.race([promise, this.#ended.then(() => false)]);
    if (!isListening) throw new BatonError("closed", `${name} did not start:\n${said.join("\n")}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#process;
    if (child === undefined) return;
    // A frozen process does not stop by itself.
    const timer = this.#options.clock.after(STOP_MS, () => child.kill("SIGKILL"));
    child.kill("SIGTERM");
    await this.#ended;
    timer.cancel();
  }
}
