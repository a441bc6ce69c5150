/**
 * Stdio process: a server that is a program, spoken to by its standard input and output.
 *
 * It runs in a group of its own without a shell, and is given only the variables that the crew names. To end it: its
 * input is closed, after 2 s its group gets SIGTERM, after 2 s more SIGKILL.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { isJSONRPCMessage } from "./json-rpc.ts";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { parseJson, toMessage } from "@baton/core/util";
import type { McpServer } from "@baton/crewfile/mcp";
import { killGroup } from "./process-group.ts";
import { LineReader, type ReadLine } from "./line-reader.ts";
import type { ProcessRecords } from "./process-records.ts";
import type { WireRules } from "./wire-rules.ts";

/** Settings of a process. */
export interface ProcessOptions {
  readonly rules: WireRules;
  readonly records: ProcessRecords | undefined;
  /** Told what a person should know, at most once for each kind. */
  readonly warn: (text: string) => void;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const PASSED = ["PATH", "HOME", "LANG", "TMPDIR"] as const;
const STEP_MS = 2_000;
const STDERR_CHARS = 16_384;
const MAX_BAD_LINES = 100;
const MAX_LINE_BYTES = 1_024 * 1_024 * 1_024;

/** The process of one server. */
export class StdioProcess implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport["onmessage"];
  readonly #server: McpServer;
  readonly #options: ProcessOptions;
  readonly #lines: LineReader;
  #child: Child | undefined;
  #ended: Promise<void> | undefined;
  #badLines = 0;
  #exit = "";
  #stderr = "";

  constructor(server: McpServer, options: ProcessOptions) {
    this.#server = server;
    this.#options = options;
    this.#lines = new LineReader(options.rules.maxBytes);
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** The end of what the process wrote for people. */
  get stderr(): string {
    return this.#stderr;
  }

  /** Why it is not running: its exit code and its last words. */
  get reason(): string {
    const last = this.#stderr.trimEnd().split("\n").at(-1)?.trim().slice(0, 500) ?? "";
    return [this.#exit, last].filter((part) => part !== "").join(": ");
  }

  start(): Promise<void> {
    const [program = "", ...words] = this.#server.command ?? [];
    const env = { ...passedVariables(), ...this.#server.env };
    const { folder: cwd = process.cwd() } = this.#server;
    return new Promise((resolve, reject) => {
      const child: Child = spawn(program, words, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
      const ended = Promise.withResolvers<void>();
      this.#child = child;
      this.#ended = ended.promise;
      child.on("error", (error) => {
        this.#exit = toMessage(error);
        ended.resolve();
        reject(error);
      });
      child.on("spawn", () => {
        this.#options.records?.add(child.pid ?? 0);
        resolve();
      });
      child.on("exit", (code, signal) => {
        this.#exit = signal === null ? `it exited with code ${code}` : `it was ended by ${signal}`;
        // What it started does not outlive it.
        killGroup(child.pid, "SIGKILL");
        this.#options.records?.remove(child.pid ?? 0);
      });
      child.on("close", () => {
        ended.resolve();
        this.onclose?.();
      });
      child.stdin.on("error", (error) => this.onerror?.(error));
      child.stderr.on("data", (chunk: Buffer) => {
        this.#stderr = (this.#stderr + chunk.toString("utf8")).slice(-STDERR_CHARS);
      });
      child.stdout.on("data", (chunk: Buffer) => this.#read(chunk));
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#child ?? {};
    if (stdin === undefined || !stdin.writable) throw new Error(`the server is not running (${this.reason})`);
    const text = `${JSON.stringify(this.#options.rules.sent(message))}\n`;
    if (stdin.write(text)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    stdin.once("drain", resolve).once("close", resolve);
    await promise;
  }

  /** Ends the process and what it started; resolves once it has ended. */
  async close(): Promise<void> {
    const child = this.#child;
    const ended = this.#ended;
    if (child === undefined || ended === undefined) return;
    child.stdin.end();
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      if (await endsWithin(ended, STEP_MS)) break;
      killGroup(child.pid, signal);
    }
    // Helpers of the process may hold its pipes after it has gone.
    if (!(await endsWithin(ended, STEP_MS))) for (const pipe of [child.stdout, child.stderr]) pipe.destroy();
    killGroup(child.pid, "SIGKILL");
  }

  #read(chunk: Buffer): void {
    for (const line of this.#lines.read(chunk)) this.#handle(line);
    const { rules } = this.#options;
    const [only, ...others] = rules.pending;
    const { openBytes } = this.#lines;
    // The only request must be the one that the line answers, so nobody has to wait for its end.
    if (openBytes > rules.maxBytes && only !== undefined && others.length === 0) this.#refuse(only, openBytes);
    if (openBytes > MAX_LINE_BYTES) killGroup(this.#child?.pid, "SIGKILL");
  }

  #handle({ text, bytes, isCut }: ReadLine): void {
    if (text.trim() === "") return;
    const { rules } = this.#options;
    if (isCut) {
      const id = rules.pending.find((one) => text.includes(`"id":${JSON.stringify(one)}`));
      for (const one of id === undefined ? rules.pending : [id]) this.#refuse(one, bytes);
      return;
    }
    const message = parseJson(text);
    if (isJSONRPCMessage(message)) {
      this.#badLines = 0;
      const taken = rules.received(message, bytes);
      // The client handles notifications a moment later: an answer must not overtake the progress before it.
      if ("method" in taken) this.onmessage?.(taken);
      else setImmediate(() => this.onmessage?.(taken));
      return;
    }
    if (this.#badLines++ === 0) this.#options.warn(`wrote a line that is not a message: ${text.slice(0, 200)}`);
    if (this.#badLines < MAX_BAD_LINES) return;
    this.#stderr += `\n${MAX_BAD_LINES} lines in a row were no messages`;
    killGroup(this.#child?.pid, "SIGKILL");
  }

  #refuse(id: string | number, bytes: number): void {
    const answer = this.#options.rules.refuse(id, bytes);
    if (answer !== undefined) this.onmessage?.(answer);
  }
}

function passedVariables(): Record<string, string> {
  return Object.fromEntries(
    PASSED.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

async function endsWithin(ended: Promise<void>, delayMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), delayMs);
  const isEnded = await Promise.race([ended.then(() => true), promise]);
  clearTimeout(timer);
  return isEnded;
}
