/**
 * Field check: the fields of a crew's definition, every other one that it has, and values of a wrong type.
 */
import type { AgentDefinition, AgentTool, CostLimits, CrewTool, ErrorLimits, ModelRef, ToolOffer } from "./agent.ts";
import {
  type Behavior,
  type CrewDefinition,
  type CrewSchedule,
  type Finding,
  type GroupDefinition,
  type MemberOffer,
  type SignalRoute,
  type Task,
} from "./definition.ts";
import { fieldsOf, findUnknown } from "../words/fields.ts";
import { DEFAULT_SETTINGS } from "./limits.ts";
import { nearestWithin } from "../words/nearest.ts";
import { find, quote } from "./place.ts";

type Defect = Omit<Finding, "severity">;

const CREW = fieldsOf<CrewDefinition>()(
  "name description agents tools programs wrapModel interpreter state subCrews after entry model tasks schedules permissions policies settings signals defaults behaviors groups autoRoute examples",
);
const AGENT = fieldsOf<AgentDefinition>()(
  "id name role description backstory systemPrompt context model backup toolCalls toolChoice parallelToolCalls maxSteps temperature topP maxTokens reasoning providerOptions promptCache clientTools tools children offers pinnedTools toolSearch skills input output history audience handoffTargets isTerminal costLimits errorLimits",
);
const GROUP = fieldsOf<GroupDefinition>()(
  "agents offers map over input maxParallel maxItems mode timeoutMs nextAgent description",
);
const MEMBER = fieldsOf<MemberOffer>()("agent if");
const BEHAVIOR = fieldsOf<Behavior>()(
  "waitForSignal autoRoute isTerminal onFailure signalPosition onMissingSignal description",
);
const COSTS = fieldsOf<CostLimits>()(
  "maxTokensPerCall maxTokensPerDay maxCostPerDayUsd alertThreshold blockOnCostExceed inputTokenPricePerMillion outputTokenPricePerMillion",
);
const MODEL = fieldsOf<ModelRef>()("name url");
const ROUTE = fieldsOf<SignalRoute>()("signal when target returnTo description");
const TASK = fieldsOf<Task>()("name description agent");
const SCHEDULE = fieldsOf<CrewSchedule>()("name cron timeZone input session");
const ERRORS = fieldsOf<ErrorLimits>()("maxConsecutive maxPerDay blockOnErrorExceed");
const CHILD = fieldsOf<AgentTool & CrewTool & ToolOffer>()("name if agent crew as description maxCalls timeoutMs");

/** The parts of a definition, how each is called in a message, and its fields; `*` is any entry, `$` the last name or id. */
const PARTS: readonly (readonly [place: string, label: string, fields: readonly string[]])[] = [
  ["", "crew `$`", CREW],
  ["model", "the model", MODEL],
  ["settings", "`settings`", Object.keys(DEFAULT_SETTINGS)],
  ["signals.*.*", "the route", ROUTE],
  ["behaviors.*", "behavior `$`", BEHAVIOR],
  ["groups.*", "group `$`", GROUP],
  ["groups.*.agents.*", "the member", MEMBER],
  ["tasks.*", "task `$`", TASK],
  ["schedules.*", "schedule `$`", SCHEDULE],
  ["agents.*", "agent `$`", AGENT],
  ["agents.*.model", "the model", MODEL],
  ["agents.*.backup", "the model", MODEL],
  ["agents.*.costLimits", "`costLimits`", COSTS],
  ["agents.*.errorLimits", "`errorLimits`", ERRORS],
  ["agents.*.tools.*", "the tool", CHILD],
];

const MAX_SUGGESTIONS = 100;
const MAX_QUOTED = 100;

type Test = (value: unknown) => boolean;
/** A test of a value, what a message says of one that fails, and the fix. */
type Kind = readonly [fits: Test, what: string, fix: string];

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
const isText: Test = (value) => typeof value === "string";
const isFlag: Test = (value) => typeof value === "boolean";
const isListOf =
  (fits: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(fits);
const has =
  (type: string, ...names: readonly string[]): Test =>
  (value) =>
    isObject(value) && names.every((name) => typeof Reflect.get(value, name) === type);
const isOneOf =
  (...tests: readonly Test[]): Test =>
  (value) =>
    tests.some((fits) => fits(value));

const TEXT: Kind = [isText, "is not a text", "write a text"];
const FLAG: Kind = [isFlag, "is neither true nor false", "use true or false"];
const LIST: Kind = [Array.isArray, "is not a list", "write a list"];
const OBJECT: Kind = [(value) => isObject(value) && !Array.isArray(value), "is not an object", "write an object"];
const FUNCTION: Kind = [(value) => typeof value === "function", "is not a function", "write a function"];
const ID: Kind = [has("string", "id"), "has no id", "write one, a text"];
const MODEL_NAME: Kind = [has("string", "name"), "is not a model", 'write { name: "provider/model" }'];
const TARGET: Kind = [has("string", "target"), "has no target", 'name one, or write "" for the end'];
const TOOL: Kind = [has("function", "prepare"), "is not a tool", "make it with defineTool"];
const OFFER: Kind = [
  isOneOf(isText, has("string", "name"), has("string", "agent"), has("string", "crew")),
  "is not a tool",
  "write its name, { name, if }, { agent } or { crew }",
];
const MEMBER_NAME: Kind = [isOneOf(isText, has("string", "agent", "if")), "is not a member", "write its id"];
const SEARCHING: Kind = [isOneOf(isFlag, has("string", "if")), "is no condition", "use true, false or { if: KEY }"];
const OF_REQUESTS: Kind = [isOneOf(isFlag, isListOf(isText)), "names no tools", "use true, false or a list of names"];
const SKILLS: Kind = [
  isListOf(has("string", "name", "description")),
  "is not a list of skills",
  "write a list of { name, description }",
];
const SCHEMA: Kind = [isOneOf(isObject, FUNCTION[0]), "is not a schema", "write a Standard Schema or a JSON Schema"];
const JOB: Kind = [
  has("string", "name", "description", "agent"),
  "is not a task",
  "write { name, description, agent }",
];
const TIMES: Kind = [
  has("string", "name", "cron", "timeZone", "input"),
  "is not a schedule",
  "write { name, cron, timeZone, input }",
];
const PROGRAM: Kind = [has("function", "stream"), "is not a program", "make it with defineProgram"];
const WHOLE: Kind = [has("object", "agents"), "is not a crew", "make it with defineCrew"];
const STATE: Kind = [has("object", "keys"), "is not a state", "make it with defineState"];

/** The types that the compiler asks for, where no other check has them. */
const KINDS: readonly (readonly [kind: Kind, ...places: readonly string[]])[] = [
  [TEXT, "name|description|entry", "agents.*.name|role|description|backstory|systemPrompt|context", "defaults.*"],
  [TEXT, "model.url", "agents.*.model|backup.url", "agents.*.tools|children.*.as|description|if", "settings.language"],
  [TEXT, "signals.*.*.description", "behaviors.*.description", "groups.*.map|input|description", "schedules.*.session"],
  [FLAG, "autoRoute", "agents.*.isTerminal", "behaviors.*.waitForSignal|autoRoute|isTerminal"],
  [FLAG, "agents.*.costLimits|errorLimits.blockOnCostExceed|blockOnErrorExceed"],
  [LIST, "tools|tasks|schedules|examples", "agents.*.tools|pinnedTools|handoffTargets", "signals.*", "groups.*.agents"],
  [OBJECT, "settings|signals|defaults|behaviors|groups|permissions|programs|subCrews|interpreter"],
  [OBJECT, "groups|behaviors.*", "agents.*.providerOptions|costLimits|errorLimits"],
  [FUNCTION, "wrapModel"],
  [ID, "agents.*"],
  [MODEL_NAME, "model", "agents.*.model|backup"],
  [TARGET, "signals.*.*"],
  [TOOL, "tools.*"],
  [OFFER, "agents.*.tools.*"],
  [MEMBER_NAME, "groups.*.agents.*"],
  [SEARCHING, "agents.*.toolSearch"],
  [OF_REQUESTS, "agents.*.clientTools"],
  [SKILLS, "agents.*.skills"],
  [SCHEMA, "agents.*.input|output"],
  [JOB, "tasks.*"],
  [TIMES, "schedules.*"],
  [PROGRAM, "programs.*"],
  [WHOLE, "subCrews.*", "after"],
  [STATE, "state"],
];

/** Finds values of a type that their fields do not take, and tells nothing of what is inside one. */
export function* findWrongTypes(definition: CrewDefinition): Iterable<Defect> {
  const told = new Set<string>();
  for (const [[fits, what, fix], ...places] of KINDS) {
    for (const { value, path } of places.flatMap((place) => [...find(definition, place)])) {
      if (fits(value) || told.has(path.slice(0, -1).join("."))) continue;
      told.add(path.join("."));
      yield { code: "wrong_type", path, message: `${describe(value)} ${what}`, fix };
    }
  }
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return isObject(value) ? "an object" : typeof value === "function" ? "a function" : quote(value);
}

/** Finds the fields of a crew that nothing reads. */
export function* findUnknownFields(definition: CrewDefinition): Iterable<Defect> {
  const nearest = nearestWithin(MAX_SUGGESTIONS);
  for (const [place, label, fields] of PARTS) {
    for (const { value, path } of find(definition, place)) {
      if (!isObject(value) || Array.isArray(value)) continue;
      const what = label.replace("$", () => nameOf(value, path));
      for (const { name, ...defect } of findUnknown({ value, what, fields }, nearest))
        yield { code: "unknown_field", path: [...path, name], part: "name", ...defect };
    }
  }
}

/** The id or name that a part gives itself, or the one it is found by. */
function nameOf(value: object, path: Finding["path"]): string {
  const name = "id" in value ? value.id : "name" in value ? value.name : undefined;
  return String(typeof name === "string" ? name : path.at(-1)).slice(0, MAX_QUOTED);
}
