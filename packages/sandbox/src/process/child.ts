/**
 * Child: one program in its sandbox, from its start to its end.
 *
 * It ends with its scope, with its output's limit, and with the limits that only a watch can hold: the memory and CPU of
 * all its processes.
 */
import { spawn } from "node:child_process";
import type { Duplex, Readable, Writable } from "node:stream";
import { ToolError } from "@baton/core";
import type { Sandbox, Scope } from "@baton/core/ports";
import { toMessage } from "@baton/core/util";
import { measureTree } from "./tree-watch.ts";

/** A program to run, its input, and what it is held to. */
export interface ChildPlan {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly sandbox: Sandbox;
  /** Text on its standard input. */
  readonly input: string;
  /** Speaks with it on descriptor 3; the child is ended when this settles. */
  readonly talk?: (channel: Duplex) => Promise<void>;
}

/** The end of a child that no limit has ended. */
export interface ChildEnd {
  /** As shells count: 128 and the number of a signal. */
  readonly code: number;
  readonly output: string;
  /** The end of its standard error. */
  readonly complaint: string;
}

const STOP_MS = 50;
const WATCH_MS = 100;
const MAX_COMPLAINT = 2_000;
const MB = 1_024 * 1_024;
const KB = 1_024;

/** Runs a program; throws if it cannot be started, reaches a limit, or its scope is cancelled. */
export async function runChild({ command, env, sandbox, input, talk }: ChildPlan, scope: Scope): Promise<ChildEnd> {
  const [file = "", ...args] = command;
  const child = spawn(file, args, { env: { ...env }, detached: true, stdio: ["pipe", "pipe", "pipe", "pipe"] });
  const ended = Promise.withResolvers<number>();
  const { pid } = child;
  let failure: Error | undefined;
  let killing: NodeJS.Timeout | undefined;
  let isOver = false;
  const stop = (error: Error | undefined): void => {
    if (killing !== undefined || pid === undefined || isOver) return;
    failure ??= error;
    signal(pid, "SIGTERM");
    killing = setTimeout(() => signal(pid, "SIGKILL"), STOP_MS);
  };
  child.on("error", (error) => ended.reject(new ToolError("permanent", `the sandbox cannot start: ${error.message}`)));
  child.on("close", (code) => ended.resolve(code ?? 128));
  const limit = (name: string) => () => stop(tooLong(name, sandbox));
  const output = collect(child.stdout, sandbox, limit("its output"));
  const complaint = collect(child.stderr, sandbox, limit("its error output"));
  const forget = scope.onCancel(stop);
  const watching = pid === undefined ? undefined : watch(pid, sandbox, stop);
  try {
    send(child.stdin, input);
    const channel = child.stdio[3];
    if (talk !== undefined && isDuplex(channel)) {
      talk(channel).then(
        () => stop(undefined),
        (error: unknown) => stop(error instanceof Error ? error : new ToolError("crash", toMessage(error))),
      );
    } else if (isDuplex(channel)) channel.destroy();
    const code = await ended.promise;
    if (failure !== undefined) throw failure;
    return { code, output: output(), complaint: complaint().slice(-MAX_COMPLAINT) };
  } finally {
    isOver = true;
    forget();
    clearInterval(watching);
    clearTimeout(killing);
  }
}

function tooLong(what: string, { output_kb = KB }: Sandbox): ToolError {
  return new ToolError("permanent", `${what} is more than ${output_kb} KB (\`output_kb\`)`);
}

/** The text of a stream so far; it is no longer read once it is too long. */
function collect(stream: Readable, { output_kb = KB }: Sandbox, onLimit: () => void): () => string {
  const parts: Buffer[] = [];
  let bytes = 0;
  stream.on("error", () => undefined);
  stream.on("data", (part: Buffer) => {
    bytes += part.length;
    if (bytes <= output_kb * KB) parts.push(part);
    else {
      stream.pause();
      onLimit();
      stream.destroy();
    }
  });
  return () => Buffer.concat(parts).toString("utf8");
}

/** A program may end without having read its input. */
function send(stream: Writable, text: string): void {
  stream.on("error", () => undefined);
  stream.end(text);
}

function watch(pid: number, sandbox: Sandbox, stop: (error: Error) => void): NodeJS.Timeout {
  const { memory_mb = 256, cpu_seconds = 10 } = sandbox;
  let looking: Promise<void> | undefined;
  const look = async (): Promise<void> => {
    const { memoryBytes, cpuSeconds } = await measureTree(pid);
    if (memoryBytes > memory_mb * MB) stop(new ToolError("crash", `it used more than ${memory_mb} MB (\`memory_mb\`)`));
    if (cpuSeconds > cpu_seconds) stop(outOfCpu(sandbox));
  };
  return setInterval(() => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
  }, WATCH_MS);
}

/** The failure of a call that computed for too long. */
export function outOfCpu({ cpu_seconds = 10 }: Sandbox): ToolError {
  return new ToolError("timeout", `it used more than ${cpu_seconds} s of CPU (\`cpu_seconds\`)`);
}

/** Ends a group of processes; it may have ended already. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch {
    // There is nothing left to end.
  }
}

function isDuplex(stream: unknown): stream is Duplex {
  return typeof stream === "object" && stream !== null && "write" in stream && "read" in stream;
}
