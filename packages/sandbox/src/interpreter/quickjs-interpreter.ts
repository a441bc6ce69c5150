/**
 * QuickJS interpreter: core's port for code, in workers of this process.
 *
 * Code whose worker was given away runs again over the results that it was handed, which brings it to the same place.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Code, CodeEnd, CodeResult, CodeStep, Interpreter, RunningCode, Scope } from "@baton/core/ports";
import { parseJson } from "@baton/core/util";
import type { GuestEnd, GuestLimits, GuestSettle, GuestStart, GuestStep } from "./guest-message.ts";
import type { GuestThread } from "./guest-thread.ts";
import { GuestThreads, type Holder } from "./guest-threads.ts";

const SETTINGS = { memory: "code_memory_mb", cpu: "code_cpu_seconds", calls: "max_code_calls" };

/** Number of codes that have a worker at once, if nothing else is said. */
const MAX_CODE = 16;

/** An interpreter, and how to end its workers. */
export type QuickjsInterpreter = Interpreter & Readonly<{ close: () => void }>;

/** Opens an interpreter; `maxCode` codes have a worker at once, others wait in line. */
export async function openInterpreter({
  maxCode = MAX_CODE,
}: { readonly maxCode?: number } = {}): Promise<QuickjsInterpreter> {
  const threads = new GuestThreads(maxCode);
  const { hash } = await threads.load();
  return {
    engine: `quickjs-wasi ${await readVersion()} ${hash}`,
    start: (code) => new QuickjsCode(threads, code),
    close: () => threads.close(),
  };
}

/** One code. */
class QuickjsCode implements RunningCode, Holder {
  readonly #threads: GuestThreads;
  readonly #limits: GuestLimits;
  readonly #start: GuestStart;
  readonly #handed: GuestSettle[] = [];
  #thread: GuestThread | undefined;
  #isWorking = false;

  constructor(threads: GuestThreads, { text, tools, limits, at, position }: Code) {
    this.#threads = threads;
    this.#limits = { ...limits, settings: SETTINGS };
    const seed = toSeed(`${at} ${position}`);
    this.#start = { type: "start", kind: "code", source: text, tools, limits: this.#limits, at, seed };
  }

  async step(scope: Scope, result?: CodeResult): Promise<CodeStep> {
    const message = result === undefined ? this.#start : toSettle(result);
    this.#isWorking = true;
    const forget = scope.onCancel(() => this.#stop());
    try {
      const thread = this.#thread ?? (await this.#recall(scope, message));
      const step = await thread.request(message, this.#limits);
      if (scope.reason !== undefined) throw scope.reason;
      if (message.type === "settle") this.#handed.push(message);
      return toStep(step);
    } finally {
      this.#isWorking = false;
      forget();
      this.#threads.rest();
    }
  }

  /** Gets a worker, and brings the code to where it was. */
  async #recall(scope: Scope, next: GuestStart | GuestSettle): Promise<GuestThread> {
    const thread = await this.#threads.lease(this, scope);
    this.#thread = thread;
    const before = next.type === "start" ? [] : [this.#start, ...this.#handed];
    for (const message of before) await thread.request(message, this.#limits);
    return thread;
  }

  yield(): GuestThread | undefined {
    if (this.#isWorking) return undefined;
    const thread = this.#thread;
    this.#thread = undefined;
    return thread;
  }

  close(): void {
    if (this.#isWorking) this.#stop();
    this.#thread = undefined;
    this.#threads.release(this);
  }

  /** Code that is running can be stopped only with its worker. */
  #stop(): void {
    this.#thread?.terminate();
  }
}

function toSettle(result: CodeResult): GuestSettle {
  const { call, at } = result;
  if ("error" in result) return { type: "settle", call, kind: result.error.kind, text: result.error.message, at };
  return { type: "settle", call, kind: "", text: JSON.stringify(result.output), at };
}

function toStep({ calls, end }: GuestStep): CodeStep {
  const made = calls.map(({ args, ...call }) => ({ ...call, args: parseJson(args) ?? args }));
  return end === undefined ? { calls: made } : { calls: made, end: toEnd(end) };
}

function toEnd(end: GuestEnd): CodeEnd {
  const said = end.console === "" ? {} : { console: end.console };
  if ("kind" in end) return { ...said, error: { kind: end.kind, message: end.message } };
  if (end.wholeChars !== undefined) return { ...said, result: end.result, wholeChars: end.wholeChars };
  const result = parseJson(end.result);
  if (result !== undefined) return { ...said, result };
  return { ...said, error: { kind: "permanent", message: "the result of the code is nested too deeply" } };
}

/** Whole numbers from a text: the seed of random numbers. */
export function toSeed(text: string): readonly number[] {
  const bytes = createHash("sha256").update(text).digest();
  return [0, 4, 8].map((at) => bytes.readInt32LE(at));
}

async function readVersion(): Promise<string> {
  const file = fileURLToPath(import.meta.resolve("quickjs-wasi/package.json"));
  const parsed: unknown = JSON.parse(await readFile(file, "utf8"));
  return typeof parsed === "object" && parsed !== null && "version" in parsed ? String(parsed.version) : "";
}
