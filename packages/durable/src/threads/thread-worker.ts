/**
 * Thread worker: the program of a worker thread of `ToolThreads`. It imports the tool's file, finds the tool in its
 * default export and carries out one call at a time; all that crosses is JSON.
 */
import { pathToFileURL } from "node:url";
import { type MessagePort, parentPort } from "node:worker_threads";
import { BatonError, type CallContext, type Json, type Tool, ToolError } from "@baton/core";
import { toNote } from "@baton/core/engine";
import { noDocuments, type RunState, Scope, SystemClock } from "@baton/core/ports";
import { boundOutput, toMessage, toStateValue, toToolFailure } from "@baton/core/util";
import type { FromThread, ToolTask, TaskContext, ToThread } from "./tool-thread.ts";

for (const url of process.argv.slice(2)) await import(url);
if (parentPort !== null) serve(parentPort);

/** Answers calls until the thread is ended. */
function serve(port: MessagePort): void {
  const root = Scope.root({ clock: new SystemClock(), name: "thread" });
  let scope: Scope | undefined;
  let asked = new Map<string, ((output: Json | undefined) => void)[]>();
  const answer = (message: FromThread) => port.postMessage(message);
  const fail = (thrown: unknown) => {
    const { kind, message } = toToolFailure(thrown);
    answer({ type: "failed", kind: kind === undefined || kind === "cancelled" ? "crash" : kind, message });
  };
  port.on("message", (message: ToThread) => {
    if (message.type === "abort") {
      // Nothing awaits it: the call ends by itself, or its thread is ended.
      scope?.cancel(new BatonError("cancelled", message.reason)).catch(fail);
      return;
    }
    if (message.type === "output") {
      for (const resolve of asked.get(message.of) ?? []) resolve(message.output);
      asked.delete(message.of);
      return;
    }
    const { task, context } = message;
    const timeoutMs = context.timeoutMs === undefined ? {} : { timeoutMs: context.timeoutMs };
    const own = root.child({ name: context.call, ...timeoutMs });
    scope = own;
    const mine: typeof asked = new Map();
    asked = mine;
    const outputOf = (of: string): Promise<Json | undefined> =>
      new Promise((resolve) => {
        mine.set(of, [...(mine.get(of) ?? []), resolve]);
        answer({ type: "asked", of });
      });
    carryOut(task, { ...context, outputOf, scope: own }, answer).then(answer, fail);
  });
}

const NO_DOCUMENTS = noDocuments("a tool that runs in a thread has no documents; give it isolation: inline");

type Given = TaskContext & Pick<CallContext, "outputOf" | "scope">;

async function carryOut(task: ToolTask, given: Given, tell: (message: FromThread) => void): Promise<FromThread> {
  const tool = await findTool(task);
  const prepared = await tool.prepare(task.args);
  if (!prepared.ok) {
    const problems = prepared.issues.map(({ path, message }) => `${path} ${message}`.trim());
    throw new ToolError("validation", `the arguments do not fit in the thread: ${problems.join("; ")}`);
  }
  const changes = new Map<string, Json>();
  await using scope = given.scope;
  if (scope.reason !== undefined) throw scope.reason;
  tell({ type: "began" });
  const output = await prepared.run(toContext({ ...given, scope }, changes, tell));
  const bounded = boundOutput(output);
  if (!bounded.ok) throw new ToolError("crash", `the tool returned something unusable: ${bounded.why}`);
  // What is too long is cut by the main thread, which knows how long it was.
  const whole = typeof output === "string" ? output : JSON.stringify(output);
  const { changed } = bounded;
  const state = [...changes];
  const done = { type: "done", output: bounded.wholeChars === undefined ? bounded.output : whole, state } as const;
  return changed === undefined ? done : { ...done, changed };
}

/** The main thread has checked the file; it may have changed since then. */
async function findTool({ file, tool: name }: ToolTask): Promise<Tool> {
  const list = await importDefault(file);
  const tool = Array.isArray(list) ? list.filter(isTool).find((one) => one.name === name) : undefined;
  if (tool !== undefined) return tool;
  throw new ToolError("permanent", `${file}: its default export has no tool ${name}`);
}

async function importDefault(file: string): Promise<unknown> {
  try {
    const module: unknown = await import(pathToFileURL(file).href);
    return typeof module === "object" && module !== null && "default" in module ? module.default : undefined;
  } catch (error) {
    throw new ToolError("permanent", `${file}: the file cannot be imported: ${toMessage(error).slice(0, 500)}`);
  }
}

function isTool(value: unknown): value is Tool {
  if (typeof value !== "object" || value === null || !("name" in value)) return false;
  return typeof value.name === "string" && "prepare" in value && typeof value.prepare === "function";
}

function toContext(given: Given, changes: Map<string, Json>, tell: (message: FromThread) => void): CallContext {
  const { state: entries, timeoutMs: _, ...context } = given;
  const values = new Map(entries);
  const state: RunState = {
    get: (key) => (changes.has(key) ? changes : values).get(key),
    entries: () => new Map([...values, ...changes]),
    set(key, value) {
      changes.set(key, toStateValue(key, value));
    },
  };
  const progress = (value: Json): void => {
    const bounded = boundOutput(value);
    if (bounded.ok) tell({ type: "progressed", progress: bounded.output });
  };
  const note = (kind: string, data: Json): void => {
    const { data: checked } = toNote({ kind, data }, context.call, "");
    tell({ type: "noted", kind, data: checked });
  };
  return { ...context, state, documents: NO_DOCUMENTS, progress, note };
}
