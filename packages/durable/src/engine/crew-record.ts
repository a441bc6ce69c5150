/**
 * Crew record: a crew as it is stored, by its content, so that a run continues with the crew it began with.
 *
 * The text holds all that `defineCrew` is given, sub-crews and the `after` crew included, but code (tools, programs and
 * wrappers of models), which is always the current one. Equal crews have equal texts and hashes, whatever the order of fields.
 */
import {
  BatonError,
  type Agent,
  type AgentDefinition,
  type Crew,
  type CrewDefinition,
  type Effect,
  type Json,
  type Model,
  type Tool,
  ToolError,
  defineCrew,
  defineProgram,
} from "@baton/core";
import type { Behavior, Group, JsonSchema, Parsed, PermissionRule, PlainInput, SignalRoute } from "@baton/core/ports";
import { checkJson, findUnsupported, omitUndefined, toMessage } from "@baton/core/util";
import { createHash } from "node:crypto";

/** The stored part of a tool; `isClient` only if it is true. */
type ToolRecord = Pick<
  Tool,
  "concurrency" | "description" | "effect" | "inputSchema" | "name" | "outputSchema" | "timeoutMs"
> &
  Partial<Pick<Tool, "isClient">>;

/** The stored part of an agent: parsers of schemas are code. */
type StoredAgent = Omit<Agent, "parseInput" | "parseOutput">;

type Entries<T> = readonly (readonly [string, T])[];

/** The stored part of a crew: names from outside are entries, in the order they were written. */
interface CrewRecord extends Pick<
  CrewDefinition,
  "autoRoute" | "description" | "examples" | "model" | "name" | "settings" | "tasks"
> {
  readonly entry: string;
  readonly agents: readonly StoredAgent[];
  readonly tools: readonly ToolRecord[];
  readonly permissions: Entries<PermissionRule>;
  readonly signals: Entries<readonly SignalRoute[]>;
  readonly defaults: Entries<string>;
  readonly behaviors: Entries<Behavior>;
  readonly groups: Entries<Group>;
  /** Names; the programs are code. Absent in what older versions stored, like the two below. */
  readonly programs?: readonly string[];
  readonly subCrews?: Entries<CrewRecord>;
  readonly after?: CrewRecord;
}

/** A stored crew with the code of today, and a sentence for each tool that is not what it was. */
export interface RestoredCrew {
  readonly crew: Crew;
  readonly changes: readonly string[];
}

const PARTS = ["agents", "behaviors", "defaults", "entry", "groups", "permissions", "signals", "tools"];

/** From what may be done freely to what may be done once. */
const EFFECTS: readonly Effect[] = ["read", "idempotent", "irreversible"];

/** Stands for a crew that is not there any more: it has no tools and no programs. */
const ABSENT: Crew = defineCrew({ name: "absent", agents: [{ id: "absent" }] });

/** The crew as text, and the SHA-256 of that in hex. */
export function toCrewRecord(crew: Crew): { readonly hash: string; readonly body: string } {
  const body = toCanonicalText(toRecord(crew));
  return { hash: createHash("sha256").update(body).digest("hex"), body };
}

/** JSON in which the order of fields, which means nothing, is always the same: equal values have equal texts. */
export function toCanonicalText(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  });
}

function toRecord(crew: Crew): CrewRecord {
  // When runs start does not matter to a run.
  const { after, wrapModel: _, interpreter: _interpreter, schedules: _schedules, ...rest } = crew;
  return {
    ...rest,
    entry: crew.entry.id,
    agents: [...crew.agents.values()],
    tools: Array.from(crew.tools.values(), toToolRecord),
    permissions: [...crew.permissions],
    signals: [...crew.signals],
    defaults: [...crew.defaults],
    behaviors: [...crew.behaviors],
    groups: [...crew.groups],
    programs: [...crew.programs.keys()],
    subCrews: Array.from(crew.subCrews, ([name, sub]) => [name, toRecord(sub)]),
    ...(after === undefined ? {} : { after: toRecord(after) }),
  };
}

/** The stored crew with the tools and programs of the current one; without that they can only fail. */
export function restoreCrew(body: string, current: Crew = ABSENT): RestoredCrew {
  try {
    const record: unknown = JSON.parse(body);
    if (isRecord(record)) return restore(record, current);
  } catch (thrown) {
    throw damaged(toMessage(thrown));
  }
  throw damaged("it is not a crew");
}

function restore(record: CrewRecord, current: Crew): RestoredCrew {
  const { permissions, signals, defaults, behaviors, groups, programs = [], subCrews = [], after, ...rest } = record;
  const isNamed = record.agents.every(({ id }) => isText(id)) && record.tools.every(({ name }) => isText(name));
  if (!isNamed) throw new BatonError("damaged", "an agent or a tool has no name");
  const tools = record.tools.map((stored) => restoreTool(stored, current.tools.get(stored.name)));
  const changes = record.tools.flatMap((stored) => findChanges(stored, current.tools.get(stored.name)));
  const subs = subCrews.map(([name, sub]) => {
    const restored = restore(sub, current.subCrews.get(name) ?? ABSENT);
    changes.push(...restored.changes.map((change) => `sub-crew ${name}: ${change}`));
    return [name, restored.crew] as const;
  });
  const crew = defineCrew({
    // What was stored before there was a choice had this one.
    autoRoute: true,
    ...rest,
    agents: rest.agents.map((agent) => restoreAgent(agent, current.agents.get(agent.id))),
    tools,
    permissions: new Map(permissions),
    signals: new Map(signals),
    defaults: new Map(defaults),
    behaviors: new Map(behaviors),
    groups: new Map(groups),
    programs: new Map(programs.map((name) => [name, current.programs.get(name) ?? goneProgram(name)])),
    subCrews: new Map(subs),
    ...omitUndefined({ wrapModel: current.wrapModel, interpreter: current.interpreter }),
    // What it does is another run's business, and so is what has changed there.
    ...(after === undefined ? {} : { after: restore(after, current.after ?? ABSENT).crew }),
  });
  return { crew, changes };
}

/** The stored agent, whose output today's code parses. */
function restoreAgent({ input, output, ...stored }: StoredAgent, now: Agent | undefined): AgentDefinition {
  const schemas = {
    input: input && restoreSchema(input, now?.parseInput),
    output: output && restoreSchema(output, now?.parseOutput),
  };
  return { ...stored, ...omitUndefined(schemas) };
}

/** A stored schema; if its own parser is gone and core does not know all of it, core checks what it knows. */
function restoreSchema(jsonSchema: JsonSchema, parser?: PlainInput["validate"]): JsonSchema | PlainInput {
  if (parser !== undefined) return { jsonSchema, validate: parser };
  if (findUnsupported(jsonSchema)[Symbol.iterator]().next().done === true) return jsonSchema;
  const validate = (value: Json): Parsed<Json> => {
    const issues = checkJson(jsonSchema, value);
    return issues.length === 0 ? { ok: true, value } : { ok: false, issues };
  };
  return { jsonSchema, validate };
}

/** A program that is gone: its agent's turn fails like that of any model. */
function goneProgram(name: string): Model {
  return defineProgram(() => {
    throw new BatonError("model", `there is no program "${name}" any more`);
  });
}

function toToolRecord(tool: Tool): ToolRecord {
  const { name, description, effect, inputSchema, concurrency, timeoutMs, outputSchema, isClient } = tool;
  const client = isClient ? { isClient } : {};
  return {
    name,
    description,
    effect,
    inputSchema,
    concurrency,
    ...omitUndefined({ timeoutMs, outputSchema }),
    ...client,
  };
}

/** The current tool itself wherever it can be: all runs share its permits. */
function restoreTool(stored: ToolRecord, tool: Tool | undefined): Tool {
  if (tool === undefined) return standIn(stored);
  const { effect, outputSchema, isClient = false } = stored;
  // What has become harmless is still treated as it was when the run began; what has become harmful, as it is.
  const isMilder = EFFECTS.indexOf(tool.effect) < EFFECTS.indexOf(effect);
  // The client may already be doing what it was asked for, so it is not done here as well.
  const staysClient = isClient && !tool.isClient;
  if (!isMilder && !staysClient) return tool;
  return Object.freeze<Tool>({
    ...tool,
    ...(isMilder ? { effect } : {}),
    ...(staysClient ? { isClient, ...omitUndefined({ outputSchema }) } : {}),
  });
}

/** Looks like the tool that is gone, and can only fail; the client can still carry its own tool out. */
function standIn(stored: ToolRecord): Tool {
  const gone = () => {
    throw new ToolError("permanent", `tool ${stored.name} is gone`);
  };
  return Object.freeze<Tool>({ isClient: false, ...stored, prepare: () => ({ ok: true, run: gone }) });
}

function findChanges(stored: ToolRecord, tool: Tool | undefined): readonly string[] {
  const { name, effect, inputSchema, isClient = false } = stored;
  if (tool === undefined) return [`tool ${name} is gone`];
  const changes: string[] = [];
  if (toCanonicalText(tool.inputSchema) !== toCanonicalText(inputSchema))
    changes.push(`tool ${name} takes other input now`);
  if (tool.effect !== effect) changes.push(`tool ${name} is ${tool.effect} now and was ${effect}`);
  if (tool.isClient && !isClient) changes.push(`tool ${name} is carried out by the client now and was run here`);
  if (!tool.isClient && isClient) changes.push(`tool ${name} is run here now and was carried out by the client`);
  return changes;
}

/** Checks only the parts: `defineCrew` refuses anything else that is not a crew. */
function isRecord(value: unknown): value is CrewRecord {
  return typeof value === "object" && value !== null && PARTS.every((name) => name in value);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function damaged(what: string): BatonError {
  return new BatonError("damaged", `the stored crew cannot be read: ${what}`);
}
