/**
 * Exposed crew: a crew as a tool of an MCP client.
 */
import type { Crew, Json } from "@baton/core";
import { checkJson, omitUndefined } from "@baton/core/util";
import { ID, type MountedCrew, type RunRequest } from "@baton/server/mount";
import { ProtocolError, ProtocolErrorCode, type Tool } from "@modelcontextprotocol/server";

/** A crew that is offered as a tool. */
export interface ExposedCrew {
  readonly name: string;
  readonly served: MountedCrew;
}

type Schema = Readonly<Record<string, Json>>;

const INPUT: Schema = {
  type: "object",
  properties: {
    input: { type: "string", minLength: 1, description: "What the crew is asked to do." },
    session_id: { type: "string", description: "The session of an earlier call, to continue its conversation." },
  },
  required: ["input"],
  additionalProperties: false,
};

/** The crews that a caller is offered, sorted by name. */
export function listExposedCrews(crews: readonly MountedCrew[]): readonly ExposedCrew[] {
  const tools = crews
    .filter(({ expose }) => expose?.visible !== false)
    .map((served) => ({ name: served.expose?.name ?? served.id, served }));
  // Of two with one name the first is offered: a client could not tell them apart.
  const byName = new Map(tools.toReversed().map((tool) => [tool.name, tool]));
  return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Finds a tool; one that the caller may not use does not exist. */
export function findExposedCrew(crews: readonly MountedCrew[], name: string): ExposedCrew {
  const tool = listExposedCrews(crews).find((one) => one.name === name);
  if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${name}`);
  return tool;
}

/** The definition that clients read. */
export function toDefinition({ name, served: { crew, expose } }: ExposedCrew): Tool {
  const outputSchema = toOutputSchema(crew);
  const inputSchema = { ...(expose?.input ?? INPUT), type: "object" } as const;
  return {
    name,
    title: crew.name,
    description: crew.description || `Asks the crew ${crew.name}.`,
    inputSchema: structuredClone(inputSchema),
    annotations: { readOnlyHint: isReadOnly(crew) },
    ...omitUndefined({ outputSchema }),
  };
}

/** The schema of a crew's result: the output of its only terminal agent, if that is an object. */
export function toOutputSchema({ agents, behaviors }: Crew): ({ readonly type: "object" } & Schema) | undefined {
  const terminal = [...agents.values()].filter(({ id, isTerminal }) => isTerminal || behaviors.get(id)?.isTerminal);
  const [only, other] = terminal.length === 0 && agents.size === 1 ? [...agents.values()] : terminal;
  const schema = other === undefined ? only?.output : undefined;
  return schema === undefined || schema["type"] !== "object" ? undefined : { ...schema, type: "object" };
}

function isReadOnly({ agents, tools, subCrews }: Crew): boolean {
  const names = [...agents.values()].flatMap((agent) => agent.tools);
  return (
    names.every((name) => (tools.get(name)?.effect ?? "read") === "read") && [...subCrews.values()].every(isReadOnly)
  );
}

/** The run that a call asks for; throws −32602 with a problem for each field. */
export function toRunRequest(
  { served: { id, expose } }: ExposedCrew,
  args: Readonly<Record<string, Json>>,
): RunRequest {
  const problems = checkJson(expose?.input ?? INPUT, args).map(({ path, message }) => ({ field: path, message }));
  const { input, session_id: session } = args;
  const isOwn = expose?.input !== undefined;
  if (!isOwn && session !== undefined && !ID.safeParse(session).success)
    problems.push({ field: "session_id", message: "is not the id of a session" });
  if (problems.length > 0) throw invalidArguments(problems);
  const text = typeof input === "string" ? input : JSON.stringify(args);
  if (isOwn) return { crew: id, input: text, options: args, field: typeof input === "string" ? "input" : "arguments" };
  return { crew: id, input: text, ...(typeof session === "string" ? { session } : {}) };
}

/** The refusal of arguments, field by field. */
export function invalidArguments(problems: readonly Readonly<{ field: string; message: string }>[]): ProtocolError {
  const text = problems.map(({ field, message }) => `${field} ${message}`.trim()).join("; ");
  return new ProtocolError(ProtocolErrorCode.InvalidParams, text, { problems });
}
