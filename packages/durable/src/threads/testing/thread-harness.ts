/**
 * Thread harness: a crew whose tools run in threads, for the tests of threads.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import {
  type CallContext,
  type Crew,
  defineCrew,
  Engine,
  type Json,
  type RunEvent,
  scriptModel,
  type Tool,
} from "@baton/core";
import type { EventBodyOf } from "@baton/core/ports";
import { callTool, collect, of, toolContext, toolOf } from "@baton/core/testing";
import { ToolThreads } from "../tool-threads.ts";
import tools from "./tools.ts";

/** The file of the tools. */
export const FILE = join(import.meta.dirname, "tools.ts");
export const HEAP_MB = 48;

/** A crew whose tools run in threads. */
export class ThreadHarness implements AsyncDisposable {
  readonly threads: ToolThreads;
  readonly tools: readonly Tool[];
  readonly crew: Crew;

  constructor(
    threads = new ToolThreads({ heapMb: HEAP_MB }),
    settings: Partial<Crew["settings"]> = {},
    level: "shared" | "thread" | "auto" = "thread",
  ) {
    this.threads = threads;
    this.tools = tools.map((tool) => threads.wrap(tool, { file: FILE }, level));
    const names = tools.map(({ name }) => name);
    this.crew = defineCrew({
      name: "threads",
      agents: [{ id: "a", isTerminal: true, tools: names }],
      tools: this.tools,
      permissions: { "*": "allow" },
      settings,
    });
  }

  /** The results of the tools of one reply, in order, and all events. */
  async call(
    ...names: readonly string[]
  ): Promise<{ ended: readonly EventBodyOf<"call.ended">[]; events: readonly RunEvent[] }> {
    const calls = names.map((tool) => ({ tool, args: { n: 3 } }));
    const model = scriptModel({ a: [{ call: calls }, { say: "Done." }] });
    await using engine = new Engine({ model: () => model });
    const { events } = await collect(engine.start(this.crew, { input: "go", user: "mai" }));
    return { ended: of(events, "call.ended"), events };
  }

  /** One call outside of a run. */
  callWith(name: string, context: Partial<CallContext> = {}): Promise<unknown> {
    return callTool(toolOf(this.tools, name), {}, { ...toolContext()(), ...context });
  }

  /** The id of the thread that serves the next call. */
  async threadId(): Promise<unknown> {
    const { ended } = await this.call("Where");
    return field(ended[0]?.output, "threadId");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.threads[Symbol.asyncDispose]();
  }
}

/** A field of a tool's output. */
export function field(output: Json | undefined, name: string): unknown {
  assert.ok(typeof output === "object" && output !== null && !Array.isArray(output), JSON.stringify(output));
  return Object.entries(output).find(([key]) => key === name)?.[1];
}
