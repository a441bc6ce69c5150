/**
 * Child: one program in its sandbox, from its start to its end.
 *
 * It ends with its scope, with its output's limit, and with the limits that only a watch can hold: the memory and CPU of
 * all its processes.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import type { Duplex, Readable, Writable } from "node:stream";
import { ToolError } from "@baton/core";
import type { Sandbox, Scope } from "@baton/core/ports";
import { toMessage } from "@baton/core/util";
import { MOUNTS_FD } from "./mount-check.ts";
import { measureTree } from "./tree-watch.ts";

/** A program to run, its input, and what it is held to. */
export interface ChildPlan {
  readonly command: readonly string[];
  /** Mounts that the sandbox checks before its program starts. */
  readonly list: string;
  /** Descriptors of this process that a child would get too: it gets the null device instead. */
  readonly inherited: readonly number[];
  readonly env: Readonly<Record<string, string>>;
  readonly sandbox: Sandbox;
  /** Text on its standard input. */
  readonly input: string;
  /** Speaks with it on descriptor 3; the child is ended when this settles. */
  readonly talk?: (channel: Duplex) => Promise<void>;
}

/** The end of a child that no limit has ended. */
export interface ChildEnd {
  /** Whether the mounts were as they have to be, and so the program was started. */
  readonly hasStarted: boolean;
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
const CLOSE_ON_EXEC = 0o2_000_000;

/** Runs a program; throws if it cannot be started, reaches a limit, or its scope is cancelled. */
export async function runChild(plan: ChildPlan, scope: Scope): Promise<ChildEnd> {
  const { list, sandbox, input, talk } = plan;
  const child = start(plan);
  const ended = Promise.withResolvers<number>();
  const { pid } = child;
  let failure: Error | undefined;
  let killing: NodeJS.Timeout | undefined;
  let isOver = false;
  let hasStarted = false;
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
    const [channel, mounts] = [child.stdio[3], child.stdio[MOUNTS_FD]];
    if (isDuplex(mounts)) {
      send(mounts, list);
      mounts.once("data", () => {
        hasStarted = true;
      });
    }
    if (talk !== undefined && isDuplex(channel)) {
      talk(channel).then(
        () => stop(undefined),
        (error: unknown) => stop(error instanceof Error ? error : new ToolError("crash", toMessage(error))),
      );
    } else if (isDuplex(channel)) channel.destroy();
    const code = await ended.promise;
    if (failure !== undefined) throw failure;
    return { hasStarted, code, output: output(), complaint: complaint().slice(-MAX_COMPLAINT) };
  } finally {
    isOver = true;
    forget();
    clearInterval(watching);
    clearTimeout(killing);
  }
}

/** Starts the program with pipes as its first descriptors, and with nothing that this process has open. */
function start({
  command,
  env,
  inherited,
}: ChildPlan): ChildProcess & { stdin: Writable; stdout: Readable; stderr: Readable } {
  const [file = "", ...args] = command;
  const nothing = openSync("/dev/null", "r+");
  try {
    const stdio: (number | "pipe" | "ignore")[] = Array.from({ length: MOUNTS_FD + 1 }, () => "pipe");
    for (const fd of inherited) stdio[fd] = nothing;
    const child = spawn(file, args, {
      env: { ...env },
      detached: true,
      stdio: Array.from(stdio, (one) => one ?? "ignore"),
    });
    const { stdin, stdout, stderr } = child;
    if (stdin === null || stdout === null || stderr === null)
      throw new ToolError("permanent", "the sandbox has no pipes");
    return Object.assign(child, { stdin, stdout, stderr });
  } finally {
    closeSync(nothing);
  }
}

/** Lists the descriptors that this process was started with and that its children would get. */
export function listInherited(): readonly number[] {
  const isShared = (fd: string): boolean => {
    try {
      const flags = readFileSync(`/proc/self/fdinfo/${fd}`, "utf8").split("flags:")[1] ?? "";
      return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
    } catch {
      return false;
    }
  };
  return readdirSync("/proc/self/fdinfo")
    .filter((fd) => Number(fd) > MOUNTS_FD && isShared(fd))
    .map(Number);
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
