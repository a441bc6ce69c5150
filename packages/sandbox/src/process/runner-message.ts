/**
 * Runner message: what Baton and the program of a sandboxed tool say to each other over descriptor 3. What the program
 * sends is untrusted: it is bounded, and each part is read for itself.
 */
import { createInterface } from "node:readline";
import type { Duplex } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { type CallContext, type Json, ToolError, type ToolErrorKind } from "@baton/core";
import type { LevelJob, Sandbox } from "@baton/core/ports";
import { parseJson, toMessage, toToolFailure } from "@baton/core/util";

/** The call that the program is to make. */
export interface RunTask {
  readonly file: string;
  readonly crew?: readonly string[];
  readonly tool: string;
  readonly args: Json;
  readonly context: Readonly<Record<string, unknown>>;
  readonly entries: readonly (readonly [string, Json])[];
}

/** A message of the program. */
export type FromRunner =
  | { readonly type: "progressed"; readonly value: unknown }
  | { readonly type: "noted"; readonly kind: string; readonly data: unknown }
  | { readonly type: "asked"; readonly question: number; readonly call: string }
  | { readonly type: "done"; readonly output: unknown; readonly state: readonly unknown[] }
  | { readonly type: "failed"; readonly kind: string; readonly message: string; readonly [more: string]: string };

const KINDS: readonly ToolErrorKind[] = [
  "timeout",
  "network",
  "temporary",
  "unavailable",
  "validation",
  "permission",
  "permanent",
  "crash",
];
const KB = 1_024;
const END_MS = 500;

/** Sends the call, obeys what the program asks for, and gives the output. */
export async function talk(channel: Duplex, job: LevelJob): Promise<Json> {
  const { tool, input, context } = job;
  if (job.code.kind !== "run") throw new ToolError("permanent", "the tool has no `run`");
  const { file, crew } = job.code;
  const task = { file, tool, args: input, context: plainOf(context), entries: [...context.state.entries()] };
  channel.on("error", () => undefined);
  channel.write(`${JSON.stringify({ ...task, crew })}\n`);
  for await (const line of linesOf(channel, job.sandbox)) {
    const ended = await hear(parseJson(line), context, (text) => channel.write(text));
    if (ended !== undefined) return ended.output;
  }
  // The end of its process says more, if that is near.
  await setTimeout(END_MS, undefined, { ref: false });
  throw new ToolError("crash", "its process gave no answer");
}

function plainOf(context: CallContext): Readonly<Record<string, unknown>> {
  const { scope, state: _s, documents: _d, progress: _p, note: _n, warn: _w, outputOf: _o, ...plain } = context;
  return { ...plain, ...(Number.isFinite(scope.remainingMs) ? { timeoutMs: scope.remainingMs } : {}) };
}

/** The lines of a channel, as long as all of them together are not too long. */
async function* linesOf(channel: Duplex, { output_kb = KB }: Sandbox): AsyncIterable<string> {
  let bytes = 0;
  channel.on("data", (part: Buffer) => {
    bytes += part.length;
    if (bytes > output_kb * KB) channel.destroy();
  });
  for await (const line of createInterface({ input: channel, crlfDelay: Infinity })) {
    if (bytes > output_kb * KB) break;
    yield line;
  }
  if (bytes > output_kb * KB)
    throw new ToolError("permanent", `its output is more than ${output_kb} KB (\`output_kb\`)`);
}

async function hear(
  message: Json | undefined,
  context: CallContext,
  send: (text: string) => void,
): Promise<{ readonly output: Json } | undefined> {
  const read = (name: string): Json | undefined => fieldOf(message, name);
  switch (read("type")) {
    case "progressed":
      context.progress(read("value") ?? null);
      return undefined;
    case "noted":
      context.note(toText(read("kind")), read("data") ?? null);
      return undefined;
    case "asked":
      send(`${JSON.stringify({ answer: read("question"), ...(await findOutput(toText(read("call")), context)) })}\n`);
      return undefined;
    case "done":
      for (const change of toList(read("state"))) {
        const [key, value] = toList(change);
        if (typeof key === "string" && value !== undefined) context.state.set(key, value);
      }
      return { output: read("output") ?? null };
    case "failed":
      throw toError(read);
    default:
      throw new ToolError("crash", "its process sent something that is not a message");
  }
}

async function findOutput(call: string, context: CallContext): Promise<{ value?: unknown; error?: string }> {
  try {
    return { value: await context.outputOf(call) };
  } catch (error) {
    return { error: toMessage(error) };
  }
}

/** An error of the tool: its own kind, or the one that an equal error has in a thread. */
function toError(read: (name: string) => Json | undefined): ToolError {
  const message = toText(read("message")).slice(0, 2_000);
  const kind = KINDS.find((one) => one === read("kind"));
  if (kind !== undefined) return new ToolError(kind, message);
  const like = Object.assign(new Error(message), { name: toText(read("name")), code: toText(read("code")) });
  const known = toToolFailure(like).kind;
  return new ToolError(known === undefined || known === "cancelled" ? "crash" : known, message);
}

function fieldOf(value: Json | undefined, name: string): Json | undefined {
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value) && Object.hasOwn(value, name);
  return isMap ? new Map(Object.entries(value)).get(name) : undefined;
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function toText(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function toList(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}
