/**
 * Field check: the fields that a definition in code may have, and every other one that it has.
 *
 * The compiler holds each list equal to the fields of its type.
 */
import type { AgentDefinition, AgentTool, CostLimits, CrewTool, ErrorLimits, ModelRef, ToolOffer } from "./agent.ts";
import {
  type Behavior,
  type CrewDefinition,
  type CrewSchedule,
  entriesOf,
  type Finding,
  type GroupDefinition,
  type SignalRoute,
  type Task,
} from "./definition.ts";
import { DEFAULT_SETTINGS } from "./limits.ts";
import { nearestWithin } from "../words/nearest.ts";
import type { ToolDefinition } from "./tool.ts";

type Defect = Omit<Finding, "severity">;
type Path = Finding["path"];
type Words<Text extends string> = Text extends `${infer Word} ${infer Rest}` ? Word | Words<Rest> : Text;
type Same<A, B> = [A, B] extends [B, A] ? unknown : never;

/** The names in a text, which are exactly the fields of a type. */
const fieldsOf =
  <T>() =>
  <const Text extends string>(text: Text & Same<Words<Text>, keyof T>): readonly string[] =>
    text.split(" ");

const CREW = fieldsOf<CrewDefinition>()(
  "name description agents tools programs wrapModel state subCrews after entry model tasks schedules permissions settings signals defaults behaviors groups autoRoute examples",
);
const AGENT = fieldsOf<AgentDefinition>()(
  "id name role description backstory systemPrompt context model backup toolCalls toolChoice parallelToolCalls maxSteps temperature topP maxTokens reasoning providerOptions promptCache clientTools tools children offers pinnedTools toolSearch input output history audience handoffTargets isTerminal costLimits errorLimits",
);
const GROUP = fieldsOf<GroupDefinition>()(
  "agents map over input maxParallel maxItems mode timeoutMs nextAgent description",
);
const BEHAVIOR = fieldsOf<Behavior>()(
  "waitForSignal autoRoute isTerminal onFailure signalPosition onMissingSignal description",
);
const COSTS = fieldsOf<CostLimits>()(
  "maxTokensPerCall maxTokensPerDay maxCostPerDayUsd alertThreshold blockOnCostExceed inputTokenPricePerMillion outputTokenPricePerMillion",
);
const TOOL = fieldsOf<ToolDefinition<unknown>>()(
  "name description effect timeoutMs tags isolation permission digest input output concurrency run",
);
const MODEL = fieldsOf<ModelRef>()("name url");
const TASK = fieldsOf<Task>()("name description agent");
const SCHEDULE = fieldsOf<CrewSchedule>()("name cron timeZone input session");
const ROUTE = fieldsOf<SignalRoute>()("signal when target returnTo description");
const ERRORS = fieldsOf<ErrorLimits>()("maxConsecutive maxPerDay blockOnErrorExceed");
const CHILD = fieldsOf<AgentTool & CrewTool & ToolOffer>()("name if agent crew as description maxCalls timeoutMs");

/** The parts of a definition, how each is called in a message, and its fields; `*` is any entry, `$` the last name or id. */
const PARTS: readonly (readonly [place: string, label: string, fields: readonly string[]])[] = [
  ["", "crew `$`", CREW],
  ["model", "the model", MODEL],
  ["settings", "`settings`", Object.keys(DEFAULT_SETTINGS)],
  ["tasks.*", "task `$`", TASK],
  ["schedules.*", "schedule `$`", SCHEDULE],
  ["signals.*.*", "the route", ROUTE],
  ["behaviors.*", "behavior `$`", BEHAVIOR],
  ["groups.*", "group `$`", GROUP],
  ["agents.*", "agent `$`", AGENT],
  ["agents.*.model", "the model", MODEL],
  ["agents.*.backup", "the model", MODEL],
  ["agents.*.costLimits", "`costLimits`", COSTS],
  ["agents.*.errorLimits", "`errorLimits`", ERRORS],
  ["agents.*.tools.*", "the tool", CHILD],
];

const MAX_SUGGESTIONS = 100;
const MAX_QUOTED = 100;

/** Finds the fields of a crew that nothing reads. */
export function* findUnknownFields(definition: CrewDefinition): Iterable<Defect> {
  const nearest = nearestWithin(MAX_SUGGESTIONS);
  for (const [place, label, fields] of PARTS) {
    for (const { value, path } of partsAt(definition, place === "" ? [] : place.split("."), [])) {
      const what = label.replace("$", () => nameOf(value, path));
      yield* compare({ value, path, what, fields }, nearest);
    }
  }
}

/** The fields of a tool that nothing reads, each as a sentence. */
export function findUnknownToolFields(definition: Readonly<{ name: string }>): readonly string[] {
  const part = { value: definition, path: [], what: `tool \`${nameOf(definition, [])}\``, fields: TOOL };
  return Array.from(compare(part, nearestWithin(MAX_SUGGESTIONS)), ({ message, fix }) => `${message}; ${fix}`);
}

type Part = Readonly<{ value: unknown; path: Path; what: string; fields: readonly string[] }>;

function* compare({ value, path, what, fields }: Part, nearest: ReturnType<typeof nearestWithin>): Iterable<Defect> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  for (const [name, given] of Object.entries(value)) {
    if (given === undefined || fields.includes(name)) continue;
    const near = nearest(name, fields);
    const fix = near === undefined ? "remove it" : `did you mean \`${near}\`?`;
    const message = `${what} has no field \`${name.slice(0, MAX_QUOTED)}\``;
    yield { code: "unknown_field", path: [...path, name], part: "name", message, fix };
  }
}

function* partsAt(
  from: unknown,
  [name, ...rest]: readonly string[],
  path: Path,
): Iterable<{ value: unknown; path: Path }> {
  if (name === undefined) {
    yield { value: from, path };
    return;
  }
  for (const [key, value] of entriesOf(from)) {
    if (name === "*" || name === key) yield* partsAt(value, rest, [...path, key]);
  }
}

/** The id or name that a part gives itself, or the one it is found by. */
function nameOf(value: unknown, path: Path): string {
  const own = typeof value === "object" && value !== null ? value : {};
  const name = "id" in own ? own.id : "name" in own ? own.name : path.at(-1);
  return String(name).slice(0, MAX_QUOTED);
}
