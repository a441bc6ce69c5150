/**
 * Request tool: a tool that the request of a run brings, and which agents are offered it.
 *
 * The client that follows the run carries it out. It comes from outside, so that everything about it is checked before
 * the run begins.
 */
import type { Agent } from "./agent.ts";
import type { Crew } from "./definition.ts";
import { defineTool, SEARCH, type Tool, TOOL_NAME } from "./tool.ts";
import { BatonError } from "../words/error.ts";
import type { RequestTool } from "../words/event.ts";
import { freezeDeep } from "../words/json.ts";
import { toPlainInput } from "../words/schema/json-schema.ts";
import { findSchemaIssues } from "../words/schema/schema-check.ts";
import type { Issue } from "../words/schema/schema.ts";

const MAX_TOOLS = 64;
const MAX_KB = 64;

/** Finds everything that is wrong with the tools of a request to a crew; `path` begins with the tool's index. */
export function checkRequestTools(crew: Crew, tools: readonly RequestTool[]): readonly Issue[] {
  if (tools.length > MAX_TOOLS)
    return [{ path: "", message: `has ${tools.length} tools; at most ${MAX_TOOLS} are taken` }];
  const bytes = new TextEncoder().encode(JSON.stringify(tools)).length;
  if (bytes > MAX_KB * 1_024)
    return [{ path: "", message: `has ${Math.ceil(bytes / 1_024)} KB; at most ${MAX_KB} KB are taken` }];
  const own = new Set(namesOf(crew));
  return tools.flatMap((tool, index) => {
    const isFirst = tools.findIndex(({ name }) => name === tool.name) === index;
    return [...findIssues(tool, { own, isFirst })].map(({ path, message }) => ({ path: `${index}.${path}`, message }));
  });
}

type Known = Readonly<{ own: ReadonlySet<string>; isFirst: boolean }>;

function* findIssues({ name, inputSchema }: RequestTool, { own, isFirst }: Known): Iterable<Issue> {
  const path = "name";
  if (!TOOL_NAME.test(name)) yield { path, message: "must have letters, digits, _ and - only, at most 64" };
  else if (own.has(name)) yield { path, message: `\`${name}\` is a tool of the crew itself; use another name` };
  else if (!isFirst) yield { path, message: `\`${name}\` is there twice` };
  for (const issue of findSchemaIssues(inputSchema))
    yield { path: issue.path === "" ? "inputSchema" : `inputSchema.${issue.path}`, message: issue.message };
  const { type = "object" } = inputSchema;
  if (type !== "object") yield { path: "inputSchema.type", message: "must be object: arguments have names" };
}

/** Names that the tools of a crew and of those inside it have. */
function* namesOf(crew: Crew): Iterable<string> {
  yield SEARCH;
  yield* crew.tools.keys();
  for (const { children } of crew.agents.values()) for (const { as } of children) yield as;
  for (const sub of crew.subCrews.values()) yield* namesOf(sub);
}

/** The tools of a request as a run keeps them; throws `invalid`, with everything that is wrong. */
export function toRequestTools(crew: Crew, tools: readonly RequestTool[] = []): readonly RequestTool[] | undefined {
  if (tools.length === 0) return undefined;
  const issues = checkRequestTools(crew, tools);
  if (issues.length > 0) {
    const text = issues.map(({ path, message }) => `tools${path === "" ? "" : `.${path}`} ${message}`).join("; ");
    throw new BatonError("invalid", text);
  }
  const kept = tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema: { type: "object", ...inputSchema },
  }));
  return freezeDeep(structuredClone(kept));
}

/** The tools of a request that an agent is offered. */
export function toolsFor({ clientTools = false }: Agent, tools: readonly RequestTool[]): readonly RequestTool[] {
  if (typeof clientTools === "boolean") return clientTools ? tools : [];
  return tools.filter(({ name }) => clientTools.includes(name));
}

/** Whether an agent of a crew, or of one inside it, is offered any of these tools. */
export function takesTools({ agents, subCrews }: Crew, tools: readonly RequestTool[]): boolean {
  const takes = [...agents.values()].some((agent) => toolsFor(agent, tools).length > 0);
  return takes || [...subCrews.values()].some((sub) => takesTools(sub, tools));
}

/** The tool as a model and the engine see it. Its effect is the client's business; the engine never does it twice. */
export function toClientTool({ name, description, inputSchema }: RequestTool): Tool {
  return defineTool({
    name,
    description,
    effect: "idempotent",
    input: toPlainInput(inputSchema),
  });
}
