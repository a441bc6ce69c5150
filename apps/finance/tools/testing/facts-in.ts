/**
 * Facts in: the facts of one output of a tool, as a run reads them from its log.
 */
import { type Fact, factsFrom } from "@baton/assistant";
import type { Json, Tool } from "@baton/core";

/** The facts of an output of call 1.1.1. */
export function factsIn(tool: Tool, output: Json): Promise<readonly Fact[]> {
  const calls = [{ call: "1.1.1", tool: tool.name, agent: "", args: {}, ok: true }];
  return factsFrom([tool])({ calls, outputOf: async () => output });
}
