/**
 * Child tool: an agent or a crew as a model sees it among its tools, and what it is told of a call.
 */
import type { Agent, ChildTool } from "../definitions/agent.ts";
import type { Crew } from "../definitions/definition.ts";
import { BatonError, type Failure, failure } from "../words/error.ts";
import type { CallVia } from "../words/event.ts";
import { toPlainInput } from "../words/schema/json-schema.ts";
import { type Json, omitUndefined } from "../words/json.ts";
import type { UserMessage } from "../words/message.ts";
import { boundOutput } from "../words/output.ts";
import type { JsonSchema } from "../words/schema/schema.ts";
import { lookInto } from "../words/state.ts";
import { defineTool, type Tool } from "../definitions/tool.ts";

/** Calls of one child in one turn, if its tool says nothing. */
const MAX_CALLS = 8;

/** Arguments of an agent that has no `input` of its own. */
const INPUT: JsonSchema = {
  type: "object",
  properties: { input: { type: "string", description: "What it is to do, with all that it must know." } },
  required: ["input"],
  additionalProperties: false,
};

/** The tool that stands for a child; its calls are made in a lane of their own, never by its `run`. */
export function toChildTool(crew: Crew, child: ChildTool): Tool | undefined {
  const agent = findAgent(crew, child);
  const sub = "crew" in child ? crew.subCrews.get(child.crew) : undefined;
  if (agent === undefined && sub === undefined) return undefined;
  const own = sub?.description || agent?.description || agent?.role || `Asks ${child.as}.`;
  const schema = agent?.input ?? INPUT;
  return defineTool<unknown>({
    name: child.as,
    description: child.description ?? own,
    effect: "read",
    ...omitUndefined({ timeoutMs: child.timeoutMs }),
    input: agent?.parseInput === undefined ? toPlainInput(schema) : { jsonSchema: schema, validate: agent.parseInput },
    run: () => {
      throw new BatonError("internal", "a child works in its own lane");
    },
  });
}

/** Says which child carries a call out, and where; undefined if none does. */
export function toVia(call: string, child: ChildTool | undefined): CallVia | undefined {
  if (child === undefined) return undefined;
  return "agent" in child
    ? { agent: child.agent, lane: `${call}/${child.agent}` }
    : { crew: child.crew, lane: `${call}/${child.crew}` };
}

/** The agent that calls children, and how often it has called each in its turn. */
type ChildCalls = Readonly<{
  role: { readonly children: ReadonlyMap<string, ChildTool> };
  counts: Map<string, number>;
}>;

/** Counts a call of an agent or crew; a failure if that is one too many in this turn. */
export function countChild({ role, counts }: ChildCalls, tool: string): Failure | undefined {
  const child = role.children.get(tool);
  if (child === undefined) return undefined;
  const { maxCalls = MAX_CALLS } = child;
  const count = (counts.get(tool) ?? 0) + 1;
  counts.set(tool, count);
  if (count <= maxCalls) return undefined;
  return failure("permanent", `${tool} may be called ${maxCalls} times in one turn (max_calls)`);
}

/** The failure of a call beyond those of one reply that are made. */
export function toTooMany(most: number): Failure {
  const text = `at most ${most} calls of one reply are made (max_calls_per_reply): neither this one nor those after it`;
  return failure("permanent", text);
}

/** The one message that a child is given. */
export async function toChildMessage(crew: Crew, child: ChildTool, args: Json): Promise<UserMessage> {
  const { input, parseInput } = findAgent(crew, child) ?? {};
  const parsed = await parseInput?.(args);
  // A value that JSON does not have is told as the caller wrote it.
  const bounded = parsed?.ok === true ? boundOutput(parsed.value) : undefined;
  const told = bounded?.ok === true && bounded.changed === undefined ? bounded.output : args;
  const text = input === undefined ? lookInto(told, "input") : undefined;
  return { role: "user", content: typeof text === "string" ? text : JSON.stringify(told) };
}

/** The agent itself, or the one that a crew begins with. */
function findAgent(crew: Crew, child: ChildTool): Agent | undefined {
  if ("agent" in child) return crew.agents.get(child.agent);
  const sub = crew.subCrews.get(child.crew);
  return sub?.agents.get(sub.entry.id);
}
