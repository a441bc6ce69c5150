/**
 * Code locks: no two calls of a sequential tool run at once in one code.
 */
import type { Agent } from "../../definitions/agent.ts";
import type { Tool } from "../../definitions/tool.ts";
import { Semaphore } from "../../lifetimes/semaphore.ts";

/** Returns the lock of each tool that has one; all tools share one if the agent makes its calls one after the other. */
export function toLocks({ parallelToolCalls }: Agent): (tool: Tool) => Semaphore | undefined {
  const locks = new Map<string, Semaphore>();
  return ({ name, concurrency }) => {
    if (concurrency !== "sequential" && parallelToolCalls) return undefined;
    const key = parallelToolCalls ? name : "";
    const lock = locks.get(key) ?? new Semaphore(1);
    locks.set(key, lock);
    return lock;
  };
}
