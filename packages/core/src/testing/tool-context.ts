/**
 * Tool context: what a tool is given in tests, and a short way to call one.
 *
 * The state is a Map that lives as long as the context, so several calls can share it.
 */
import assert from "node:assert/strict";
import { SystemClock } from "../lifetimes/clock.ts";
import { type Documents, noDocuments } from "../ports/document.ts";
import type { Json } from "../words/json.ts";
import type { Message } from "../words/message.ts";
import { Scope } from "../lifetimes/scope.ts";
import type { CallContext, Tool } from "../definitions/tool.ts";

/** The user's documents, and the outputs of earlier calls, by their ids. */
type ContextOptions = Readonly<{ documents?: Documents; outputs?: ReadonlyMap<string, Json> }>;

/** A context for one run's calls; `call` is the position of the call. */
export function toolContext(
  messages: readonly Message[] = [],
  { documents = noDocuments("this test has no documents"), outputs = new Map() }: ContextOptions = {},
) {
  const values = new Map<string, Json>();
  const scope = Scope.root({ clock: new SystemClock() });
  const state = {
    get: (key: string) => values.get(key),
    entries: () => values.entries(),
    set: (key: string, value: Json) => {
      values.set(key, value);
    },
  };
  return (call = "1.1.1"): CallContext => ({
    key: `run/${call}`,
    scope,
    run: "run",
    call,
    attempt: 1,
    messages,
    state,
    documents,
    calls: Array.from(outputs.keys(), (id) => ({ call: id, tool: "", agent: "", args: {}, ok: true })),
    outputOf: async (id) => outputs.get(id),
    progress: () => {},
    note: () => {},
  });
}

/** The tool of a name. */
export function toolOf(tools: readonly Tool[], name: string): Tool {
  const tool = tools.find((candidate) => candidate.name === name);
  assert.ok(tool, `there is no tool ${name}`);
  return tool;
}

/** Calls a tool with arguments that must fit its schema, and returns its output. */
export async function callTool(tool: Tool, args: Json, context = toolContext()()): Promise<unknown> {
  const prepared = await tool.prepare(args);
  assert.ok(prepared.ok, `the arguments of ${tool.name} do not fit`);
  return prepared.run(context);
}

/** The ways in which arguments do not fit a tool's schema, as paths. */
export async function refusedPaths(tool: Tool, args: Json): Promise<readonly string[]> {
  const prepared = await tool.prepare(args);
  return prepared.ok ? [] : prepared.issues.map(({ path }) => path);
}
