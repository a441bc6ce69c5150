/**
 * Crew fields: crew.yaml as the parts of a definition; agents come from elsewhere.
 */
import type { CrewDefinition } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import {
  SETTINGS,
  type Behavior,
  type GroupDefinition,
  type MemberOffer,
  type PermissionRule,
  type SignalRoute,
  type Task,
  type When,
} from "@baton/core/ports";
import {
  isGiven,
  report,
  readChoice,
  readEntries,
  readItems,
  readJson,
  readText,
  readTextItem,
  type Cursor,
} from "../yaml/cursor.ts";
import { type CrewExposure, readExposeFields } from "./expose-fields.ts";
import { Fields } from "./fields.ts";
import { readName } from "../model-name.ts";
import { readScheduleFields } from "./schedule-fields.ts";
import { readScaled, readSettings } from "./settings-fields.ts";

/** The fields of crew.yaml. Agents and other crews are not read yet: only the places that name them are here. */
export interface CrewFields {
  readonly definition: Omit<CrewDefinition, "agents">;
  readonly agents: readonly Cursor[];
  /** Paths of other crews, by the names they have here. */
  readonly subCrews: ReadonlyMap<string, Cursor>;
  readonly after?: Cursor;
  /** Tools, by their names. */
  readonly tools: ReadonlyMap<string, Cursor>;
  /** Policies, or the path of a file of them. */
  readonly policies?: Cursor;
  /** Paths of folders of skills. */
  readonly skills: readonly Cursor[];
  readonly expose?: CrewExposure;
  /** Agents of other systems by their names. */
  readonly a2a: ReadonlyMap<string, Cursor>;
  /** MCP servers by their names. */
  readonly mcp: ReadonlyMap<string, Cursor>;
}

const VERSION = "1.0";
const RULES: readonly PermissionRule[] = ["allow", "ask", "ask_operator", "deny"];

/** Everything crew.yaml says; `name` is the crew's name if the file has none. */
export function readCrewFields(cursor: Cursor, name: string, providers: readonly string[]): CrewFields {
  const fields = new Fields(cursor);
  checkVersion(fields);
  const routing = fields.fields("routing");
  const model = readName(fields.get("model"), providers);
  const definition = {
    name: fields.text("name") ?? name,
    ...omitUndefined({
      description: fields.text("description"),
      entry: fields.text("entry_point") || undefined,
      model: model === undefined ? undefined : { name: model },
    }),
    tasks: (fields.items("tasks") ?? []).map(readTask),
    schedules: (fields.items("schedules") ?? []).map(readScheduleFields),
    permissions: readEach(fields.entries("permissions"), (rule) => readChoice(rule, RULES)),
    settings: readSettings(fields.get("settings")),
    examples: fields.texts("examples") ?? [],
    ...(routing === undefined ? {} : readRouting(routing)),
  };
  const agents = fields.items("agents") ?? [];
  if (fields.get("agents") === undefined) fields.required("agents", "the ids of the crew's agents");
  const subCrews = fields.entries("sub_crews");
  const after = readAfter(fields.fields("after"));
  const skills = fields.items("skills") ?? [];
  const tools = fields.entries("tools");
  const mcp = fields.entries("mcp");
  const a2a = fields.entries("a2a");
  const exposed = fields.get("expose");
  const expose = exposed && readExposeFields(exposed);
  const policies = fields.get("policies");
  fields.end();
  return { definition, agents, subCrews, skills, tools, mcp, a2a, ...omitUndefined({ after, expose, policies }) };
}

function readAfter(fields: Fields | undefined): Cursor | undefined {
  if (fields === undefined) return undefined;
  fields.required("crew", "the path of a crew");
  fields.end();
  return fields.get("crew");
}

function checkVersion(fields: Fields): void {
  const version = fields.required("version", `"${VERSION}"`);
  const cursor = fields.get("version");
  if (version === undefined || version === VERSION || cursor === undefined) return;
  report(cursor, {
    code: "invalid_version",
    message: `version ${version.slice(0, 60)} is unknown`,
    fix: `write "${VERSION}"`,
  });
}

function readTask(cursor: Cursor): Task {
  const fields = new Fields(cursor);
  const task = {
    name: fields.required("name", "to start it by") ?? "",
    description: fields.text("description") ?? "",
    agent: fields.required("agent", "the id of the agent that does it") ?? "",
  };
  fields.end();
  return task;
}

function readRouting(fields: Fields): Pick<CrewDefinition, "signals" | "defaults" | "behaviors" | "groups"> {
  const routing = {
    signals: readEach(fields.entries("signals"), (routes) => readItems(routes)?.map(readSignal)),
    defaults: readEach(fields.entries("defaults"), (target) => readText(target) || undefined),
    behaviors: readEach(fields.entries("agent_behaviors"), readBehavior),
    groups: readEach(fields.entries("parallel_groups"), readGroup),
  };
  fields.end();
  return routing;
}

function readEach<T>(entries: ReadonlyMap<string, Cursor>, read: (cursor: Cursor) => T | undefined): Map<string, T> {
  const values = new Map<string, T>();
  for (const [name, cursor] of entries) {
    const value = read(cursor);
    if (value !== undefined) values.set(name, value);
  }
  return values;
}

function readSignal(cursor: Cursor): SignalRoute {
  const fields = new Fields(cursor);
  const when = readWhen(fields.get("when"));
  const isByOutput = fields.get("when") !== undefined;
  const signal = isByOutput ? fields.text("signal") : (fields.required("signal", "like [ROUTE_NAME], or `when`") ?? "");
  const route = {
    target: fields.text("target") ?? "",
    ...omitUndefined({
      signal,
      when,
      returnTo: fields.text("return_to") || undefined,
      description: fields.text("description"),
    }),
  };
  fields.end();
  return route;
}

/** Values by the dotted path of the agent's output that they are compared with. */
function readWhen(cursor: Cursor | undefined): When | undefined {
  const entries = cursor === undefined ? undefined : readEntries(cursor);
  if (cursor === undefined || entries === undefined) return undefined;
  if (entries.size === 0) {
    report(cursor, { code: "invalid_route", message: "`when` has no condition", fix: "write `field: value`" });
  }
  return Object.fromEntries([...entries].map(([path, value]) => [path, readJson(value) ?? null]));
}

function readBehavior(cursor: Cursor): Behavior | undefined {
  if (!isGiven(cursor)) return undefined;
  const fields = new Fields(cursor);
  const behavior = omitUndefined({
    waitForSignal: fields.flag("wait_for_signal"),
    autoRoute: fields.flag("auto_route"),
    isTerminal: fields.flag("is_terminal"),
    onFailure: fields.text("on_failure") || undefined,
    signalPosition: fields.choice("signal_position", ["anywhere", "end"]),
    onMissingSignal: fields.choice("on_missing_signal", ["warn", "correct", "ignore"]),
    description: fields.text("description"),
  });
  fields.end();
  return behavior;
}

function readMember(cursor: Cursor): string | MemberOffer {
  if (cursor.value.kind !== "map") return readTextItem(cursor) ?? "";
  const fields = new Fields(cursor);
  const agent = fields.required("agent", "the id of an agent") ?? "";
  const key = fields.required("if", "the value of the run's state that must be true");
  fields.end();
  return key === undefined ? agent : { agent, if: key };
}

function readGroup(cursor: Cursor): GroupDefinition {
  const fields = new Fields(cursor);
  // Crews of the reference engine have it; both of its values mean `settled`.
  fields.flag("wait_for_all");
  const isMap = fields.get("map") !== undefined;
  const group = {
    ...(isMap && fields.get("agents") === undefined ? {} : { agents: fields.items("agents")?.map(readMember) ?? [] }),
    ...omitUndefined({
      map: fields.text("map"),
      over: fields.text("over"),
      input: fields.text("input"),
      maxParallel: fields.number("max_parallel"),
      maxItems: fields.number("max_items"),
      mode: fields.choice("mode", ["settled", "all", "first"]),
      timeoutMs: readScaled(fields, { ...SETTINGS.groupTimeoutMs, yaml: "timeout_seconds" }),
      nextAgent: fields.text("next_agent") || undefined,
      description: fields.text("description"),
    }),
  };
  fields.end();
  return group;
}
