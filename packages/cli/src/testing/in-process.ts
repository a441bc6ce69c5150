/**
 * In process: `baton` run inside the process of a test, because a process for each command takes most of a test's time.
 *
 * Commands run one at a time. Each has its own standard streams, folder and environment; the listeners that it adds to the
 * process are removed afterwards.
 */
import { PassThrough, Readable } from "node:stream";
import { z } from "zod";

/** The exit code and output of a command. */
export interface Ran {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
  readonly env?: { readonly [name: string]: string };
}

const Main = z.object({
  runCommand: z.custom<(args: readonly string[]) => Promise<number>>((value) => typeof value === "function"),
});

/** A command that was not started on a terminal sees these properties as undefined. */
class OutputPipe extends PassThrough {
  readonly #texts: string[] = [];

  constructor() {
    super();
    this.setEncoding("utf8").on("data", (text: string) => this.#texts.push(text));
  }

  /** All that was written. */
  async text(): Promise<string> {
    await new Promise((resolve) => this.write("", resolve));
    return this.#texts.join("");
  }
}

/** The commands of one process. */
class CommandQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs a command after those that were asked for before. */
  run(args: readonly string[], options: RunOptions, env: NodeJS.ProcessEnv): Promise<Ran> {
    const ran = this.#last.then(() => runAlone(args, options, env));
    this.#last = ran.catch(() => undefined);
    return ran;
  }
}

const COMMANDS = new CommandQueue();

/** Runs `baton` to its end, in this process. */
export function runInProcess(args: readonly string[], options: RunOptions, env: NodeJS.ProcessEnv): Promise<Ran> {
  return COMMANDS.run(args, options, env);
}

async function runAlone(
  args: readonly string[],
  { cwd = ".", input = "" }: RunOptions,
  env: NodeJS.ProcessEnv,
): Promise<Ran> {
  const { runCommand } = Main.parse(await import(new URL("../../bin/run-command.js", import.meta.url).href));
  const [stdout, stderr] = [new OutputPipe(), new OutputPipe()];
  const stdin = Readable.from(input.length === 0 ? [] : [Buffer.from(input)]);
  using restored = new DisposableStack();
  for (const [name, value] of Object.entries({ stdout, stderr, stdin, env: { ...env } })) {
    restored.defer(replaceProperty(name, value));
  }
  restored.defer(forgetListeners());
  const before = process.cwd();
  restored.defer(() => process.chdir(before));
  process.chdir(cwd);
  const exitCode = await runCommand(args);
  return { exitCode, stdout: await stdout.text(), stderr: await stderr.text() };
}

/** Replaces a property of the process; gives the way back. */
function replaceProperty(name: string, value: unknown): () => void {
  const own = Object.getOwnPropertyDescriptor(process, name);
  Object.defineProperty(process, name, { value, configurable: true, writable: true });
  return () => {
    if (own !== undefined) Object.defineProperty(process, name, own);
  };
}

/** Gives a function that removes the listeners which are added to the process from now on. */
function forgetListeners(): () => void {
  const listeners: NodeJS.EventEmitter = process;
  const before = new Map(process.eventNames().map((name) => [name, process.rawListeners(name)]));
  return () => {
    for (const name of process.eventNames()) {
      const known = before.get(name) ?? [];
      const added = listeners.rawListeners(name).filter((listener) => !known.includes(listener));
      for (const listener of added.filter(isListener)) listeners.off(name, listener);
    }
  };
}

function isListener(value: unknown): value is (...args: unknown[]) => void {
  return typeof value === "function";
}
