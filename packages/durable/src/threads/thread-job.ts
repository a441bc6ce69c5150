/**
 * Thread job: one call in a thread, as the main thread sees it.
 */
import { BatonError, type CallContext, type Json, suspend, ToolError } from "@baton/core";
import { ChangedOutput, omitUndefined, toMessage } from "@baton/core/util";
import type { FromThread, TaskContext, ThreadFailure, ToolTask, ToThread, Wanted } from "./thread-message.ts";

/** The result of a call. */
export type JobOutput = Json | ChangedOutput | ReturnType<typeof suspend>;

/** A call under way. */
export class ThreadJob {
  readonly task: ToolTask;
  readonly context: CallContext;
  /** The tool runs: its arguments fit. */
  hasBegun = false;
  /** The thread's event loop has turned since the call was aborted. */
  hasTurned = false;
  readonly #settled = Promise.withResolvers<JobOutput>();

  constructor(task: ToolTask, context: CallContext) {
    this.task = task;
    this.context = context;
  }

  /** Settles with the call. */
  get output(): Promise<JobOutput> {
    return this.#settled.promise;
  }

  fail(error: unknown): void {
    this.#settled.reject(error);
  }

  /** Takes a message of its thread; gives the answer if it asks for something. */
  async hear(message: FromThread & { readonly job?: number }): Promise<ToThread | undefined> {
    const { context } = this;
    switch (message.type) {
      case "turned":
        this.hasTurned = true;
        return undefined;
      case "began":
        this.hasBegun = true;
        return undefined;
      case "progressed":
        context.progress(message.progress);
        return undefined;
      case "noted":
        context.note(message.kind, message.data);
        return undefined;
      case "asked":
        return { type: "answered", question: message.question, ...(await answer(context, message)) };
      case "done": {
        const { output, changed, state } = message;
        for (const [key, value] of state) context.state.set(key, value);
        this.#settled.resolve(changed === undefined ? output : new ChangedOutput(output, changed));
        return undefined;
      }
      case "suspended":
        this.#settled.resolve(suspend(message.options));
        return undefined;
      case "failed":
        this.fail(new ToolError(message.kind, message.message));
        return undefined;
      default:
        return undefined;
    }
  }
}

type Asked = Readonly<{ wanted: Wanted; args: readonly unknown[] }>;

async function answer(
  context: CallContext,
  { wanted, args }: Asked,
): Promise<{ value?: unknown; error?: ThreadFailure }> {
  try {
    const target = wanted === "outputOf" ? context.outputOf : context.documents[wanted];
    return { value: await Reflect.apply(target, context.documents, args) };
  } catch (error) {
    return { error: toThreadFailure(error) };
  }
}

function toThreadFailure(error: unknown): ThreadFailure {
  const code = error instanceof BatonError ? error.code : undefined;
  const kind = error instanceof ToolError ? error.kind : undefined;
  return { message: toMessage(error), ...omitUndefined({ code, kind }) };
}

/** The part of a context that crosses. */
export function toTaskContext(context: CallContext): TaskContext {
  const { scope, state, documents: _d, progress: _p, note: _n, warn: _w, outputOf: _o, calls, ...plain } = context;
  const timeoutMs = Number.isFinite(scope.remainingMs) ? scope.remainingMs : undefined;
  return { ...plain, calls, state: [...state.entries()], ...omitUndefined({ timeoutMs }) };
}
