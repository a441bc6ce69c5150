/**
 * Wasm level: each call is a new instance of QuickJS in a worker: no files, network, environment, processes and timers.
 */
import { open } from "node:fs/promises";
import { BatonError, type Json, ToolError } from "@baton/core";
import type { Level, LevelCode, LevelTool, Scope } from "@baton/core/ports";
import { parseJson } from "@baton/core/util";
import type { GuestEnd, GuestStart } from "../interpreter/guest-message.ts";
import type { GuestThread } from "../interpreter/guest-thread.ts";
import { GuestThreads, type Holder } from "../interpreter/guest-threads.ts";
import { toSeed } from "../interpreter/quickjs-interpreter.ts";

const MAX_CALLS = 16;
const MAX_MODULE_KB = 1_024;
const MAX_CONSOLE_CHARS = 8_000;
const KB = 1_024;
const SETTINGS = { memory: "`memory_mb`", cpu: "`cpu_seconds`", calls: "no tools" };

/** The level `wasm`; calls beyond `maxCalls` at once wait in line. Nothing is loaded before it is used. */
export function wasmLevel({ maxCalls = MAX_CALLS }: { readonly maxCalls?: number } = {}): Level & { close(): void } {
  const threads = new GuestThreads(maxCalls);
  return {
    level: "wasm",
    async missing() {
      try {
        await threads.load();
        return undefined;
      } catch {
        return "the package quickjs-wasi cannot be loaded; npm install @baton/sandbox";
      }
    },
    async check({ code, sandbox }) {
      const end = await request(threads, { ...(await toStart({ code, sandbox }, "check")), at: 0, seed: [1, 2, 3] });
      return "kind" in end ? `\`module\` must be one file without imports: ${end.message}` : undefined;
    },
    async run({ input, context, code, sandbox }, scope) {
      const start = await toStart({ code, sandbox }, "module");
      const at = scope.clock.now();
      const seed = toSeed(`${at} ${context.key}`);
      const end = await request(threads, { ...start, input: JSON.stringify(input), at, seed }, scope);
      return readEnd(end, sandbox.output_kb ?? KB);
    },
    close: () => threads.close(),
  };
}

type Unseeded = Omit<GuestStart, "at" | "seed" | "input">;

async function toStart(
  { code, sandbox }: Pick<LevelTool, "code" | "sandbox">,
  kind: "module" | "check",
): Promise<Unseeded> {
  const { memory_mb: memoryMb = 32, cpu_seconds: cpuSeconds = 5 } = sandbox;
  const limits = { memoryMb, cpuSeconds, maxCalls: 0, maxConsoleChars: MAX_CONSOLE_CHARS, settings: SETTINGS };
  return { type: "start", kind, source: await readModule(code), tools: [], limits };
}

async function readModule(code: LevelCode): Promise<string> {
  if (code.kind !== "module") throw new ToolError("permanent", "`isolation: wasm` needs `module`");
  const file = await open(code.file).catch(() => undefined);
  if (file === undefined) throw new ToolError("permanent", `${code.file} cannot be read`);
  await using _ = file;
  const buffer = Buffer.alloc(MAX_MODULE_KB * KB + 1);
  const { bytesRead } = await file.read(buffer);
  if (bytesRead <= MAX_MODULE_KB * KB) return buffer.toString("utf8", 0, bytesRead);
  throw new ToolError("permanent", `${code.file} is larger than ${MAX_MODULE_KB} KB`);
}

/** Has one instance run to its end; a scope that is cancelled ends the worker. */
async function request(threads: GuestThreads, start: GuestStart, scope?: Scope): Promise<GuestEnd> {
  let thread: GuestThread | undefined;
  const holder: Holder = { yield: () => undefined };
  const forget = scope?.onCancel(() => thread?.terminate());
  try {
    thread = await threads.lease(holder, scope);
    const { end } = await thread.request(start, start.limits);
    if (scope?.reason instanceof BatonError) throw scope.reason;
    return end ?? { kind: "permanent", message: "the module awaits something that never settles", console: "" };
  } finally {
    forget?.();
    threads.release(holder);
  }
}

function readEnd(end: GuestEnd, outputKb: number): Json {
  if ("kind" in end) throw new ToolError(end.kind, end.message);
  if (end.wholeChars !== undefined || Buffer.byteLength(end.result) > outputKb * KB) {
    throw new ToolError("permanent", `its output is more than ${outputKb} KB (\`output_kb\`)`);
  }
  const output = parseJson(end.result);
  if (output === undefined) throw new ToolError("permanent", "its output is nested too deeply");
  return output;
}
