/**
 * Thread tools: finds a tool in what a file exports: a list of tools, a crew, or a list of crews.
 */
import type { Tool } from "@baton/core";
import type { ToolTask } from "./thread-message.ts";

const SUB = "sub:";

/** The tool that a task names; undefined if the export does not have it. */
export function findTool(exported: unknown, { crew, tool }: ToolTask): Tool | undefined {
  if (crew === undefined)
    return toList(exported)
      .filter(isTool)
      .find((one) => one.name === tool);
  const [name, ...steps] = crew;
  const all = Array.isArray(exported) ? toList(exported) : [exported];
  const start = all.find((one) => fieldOf(one, "name") === name);
  const found = steps.reduce(enter, start);
  const held = fieldOf(found, "tools");
  const known: unknown = held instanceof Map ? held.get(tool) : undefined;
  return isTool(known) ? known : undefined;
}

function enter(crew: unknown, step: string): unknown {
  if (!step.startsWith(SUB)) return fieldOf(crew, step);
  const inside = fieldOf(crew, "subCrews");
  return inside instanceof Map ? inside.get(step.slice(SUB.length)) : undefined;
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function isTool(value: unknown): value is Tool {
  return typeof fieldOf(value, "name") === "string" && typeof fieldOf(value, "prepare") === "function";
}

/** Whether a module's export can be called when its thread ends. */
export function isCallback(value: unknown): value is () => unknown {
  return typeof value === "function";
}
