/**
 * Command: the real `baton`, run in this process or as a child process, in its own folder.
 *
 * Nothing of the environment but what is needed to find Node: no keys, no colours, and no node_modules anywhere above
 * the folder.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { type Ran, runInProcess, type RunOptions } from "./in-process.ts";

/** Where the command is. */
export const BATON = join(import.meta.dirname, "..", "..", "bin", "baton.js");
const PATH = [dirname(process.execPath), process.env["PATH"]].join(delimiter);

/** Variables that let a child find Node, and nothing that changes what it does. */
const ENVIRONMENT = { PATH, HOME: tmpdir() } as const;

const HANG_GUARD = { timeout: 60_000, killSignal: "SIGKILL" } as const;

/** A running command with what it has written so far. */
export class Child {
  readonly process: ChildProcessWithoutNullStreams;
  stdout = "";
  stderr = "";
  #seen = 0;

  constructor(command: readonly [string, ...string[]], { cwd = tmpdir(), env = {} }: RunOptions) {
    const [program, ...args] = command;
    this.process = spawn(program, args, { cwd, env: { ...ENVIRONMENT, ...env }, stdio: "pipe", ...HANG_GUARD });
    this.process.stdout.setEncoding("utf8").on("data", (text: string) => (this.stdout += text));
    this.process.stderr.setEncoding("utf8").on("data", (text: string) => (this.stderr += text));
  }

  /** Resolves once the output holds the text, after what was seen before. */
  async sees(text: string): Promise<void> {
    const { stdout } = this.process;
    await new Promise<void>((resolve, reject) => {
      const look = () => {
        const at = this.stdout.indexOf(text, this.#seen);
        if (at === -1) return;
        this.#seen = at + text.length;
        stdout.off("data", look);
        resolve();
      };
      stdout.on("data", look);
      this.process.once("close", () => reject(new Error(`ended without "${text}": ${this.stdout}${this.stderr}`)));
      look();
    });
  }

  async ended(): Promise<Ran> {
    const { exitCode, signalCode } = this.process;
    if (exitCode === null && signalCode === null) await once(this.process, "close");
    const { stdout, stderr } = this;
    return { exitCode: this.process.exitCode, stdout, stderr };
  }
}

/** Starts `baton` with these arguments. */
export function startBaton(args: readonly string[], options: RunOptions = {}): Child {
  return new Child([process.execPath, BATON, ...args], options);
}

/** Starts `baton` on its own terminal, with util-linux's `script`. */
export function startOnTerminal(args: readonly string[], options: RunOptions = {}): Child {
  const words = [process.execPath, BATON, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  const command = `stty cols 60 rows 24; exec ${words.join(" ")}`;
  const env = { TERM: "xterm-256color", SHELL: "/bin/sh", ...options.env };
  return new Child(["script", "-qefc", command, "/dev/null"], { ...options, env });
}

/** Whether there is a `script` that takes a command. */
export async function hasTerminals(): Promise<boolean> {
  const child = new Child(["sh", "-c", "script -qefc true /dev/null"], {});
  child.process.stdin.end();
  return (await child.ended()).exitCode === 0;
}

/** Runs `baton` to its end, in this process. */
export function baton(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return runInProcess(args, options, { ...ENVIRONMENT, ...options.env });
}

/** Runs `baton` to its end, as a child process. */
export async function spawnBaton(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const child = startBaton(args, options);
  child.process.stdin.end(options.input ?? "");
  return child.ended();
}

/** Does something in a folder with these files, and takes the folder away. */
export async function inFolder(
  files: { readonly [path: string]: string },
  work: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "baton-cli-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The text with every duration and count of tokens replaced. */
export function withoutNumbers(text: string): string {
  return text.replaceAll(/\d+ ms|\d+\.\d s/g, "N ms").replaceAll(/\d+ tokens in, \d+ out/g, "N tokens");
}
