/**
 * Policy check: the policies of a crew, by the tools and agents that it and its sub-crews have.
 */
import type { Crew, CrewDefinition, Json } from "@baton/core";
import type { AgentTool, CrewTool } from "@baton/core/ports";
import { checkPolicies, type PolicyFinding, type PolicyNames } from "@baton/policy";

type Definition = Pick<CrewDefinition, "agents" | "policies" | "subCrews" | "tools">;
/** A tool as agents list it. */
type Listed = string | Readonly<{ name: string }> | AgentTool | CrewTool;

/** Everything wrong with the policies of a crew. */
export function checkRules(definition: Definition): readonly PolicyFinding[] {
  const { policies } = definition;
  return policies === undefined ? [] : checkPolicies(policies, toNames(definition));
}

/** The tool by which an agent finds others. */
const SEARCH = "tool_search";

function toNames({ agents, tools = [], subCrews = {} }: Definition): PolicyNames {
  const crews = isMap(subCrews) ? [...subCrews.values()] : Object.values(subCrews);
  const inside = crews.map((crew) =>
    toNames({ agents: [...crew.agents.values()], tools: [...crew.tools.values()], subCrews: crew.subCrews }),
  );
  const listed = agents.flatMap((agent) => [
    ...(agent.tools ?? []).map(nameOf),
    ...(agent.children ?? []).map(nameOf),
    ...(typeof agent.clientTools === "object" ? agent.clientTools : []),
  ]);
  return {
    tools: new Map<string, Json | undefined>([
      ...inside.flatMap((names) => [...names.tools]),
      ...[SEARCH, ...listed].map((name) => [name, undefined] as const),
      ...tools.map(({ name, inputSchema }) => [name, inputSchema] as const),
    ]),
    agents: [...agents.map(({ id }) => id), ...inside.flatMap((names) => names.agents)],
    takesAnyTool: agents.some(({ clientTools }) => clientTools === true) || inside.some((one) => one.takesAnyTool),
  };
}

function isMap(named: NonNullable<Definition["subCrews"]>): named is ReadonlyMap<string, Crew> {
  return named instanceof Map;
}

function nameOf(tool: Listed): string {
  if (typeof tool === "string") return tool;
  if ("name" in tool) return tool.name;
  return tool.as ?? ("agent" in tool ? tool.agent : tool.crew);
}
