/**
 * Field check: the fields of a crew's definition, and every other one that it has.
 */
import type { AgentDefinition, AgentTool, CostLimits, CrewTool, ErrorLimits, ModelRef, ToolOffer } from "./agent.ts";
import {
  type Behavior,
  type CrewDefinition,
  type CrewSchedule,
  entriesOf,
  type Finding,
  type GroupDefinition,
  type MemberOffer,
  type SignalRoute,
  type Task,
} from "./definition.ts";
import { fieldsOf, findUnknown } from "../words/fields.ts";
import { DEFAULT_SETTINGS } from "./limits.ts";
import { nearestWithin } from "../words/nearest.ts";

type Defect = Omit<Finding, "severity">;
type Path = Finding["path"];

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

/** Finds the fields of a crew that nothing reads. */
export function* findUnknownFields(definition: CrewDefinition): Iterable<Defect> {
  const nearest = nearestWithin(MAX_SUGGESTIONS);
  for (const [place, label, fields] of PARTS) {
    for (const { value, path } of partsAt(definition, place === "" ? [] : place.split("."), [])) {
      const what = label.replace("$", () => nameOf(value, path));
      for (const { name, ...defect } of findUnknown({ value, what, fields }, nearest))
        yield { code: "unknown_field", path: [...path, name], part: "name", ...defect };
    }
  }
}

type Spot = Readonly<{ value: object; path: Path }>;

function* partsAt(from: unknown, [name, ...rest]: readonly string[], path: Path): Iterable<Spot> {
  if (typeof from !== "object" || from === null) return;
  if (name === undefined) {
    if (!Array.isArray(from)) yield { value: from, path };
    return;
  }
  for (const [key, value] of entriesOf(from)) {
    if (name === "*" || name === key) yield* partsAt(value, rest, [...path, key]);
  }
}

/** The id or name that a part gives itself, or the one it is found by. */
function nameOf(value: object, path: Path): string {
  const name = "id" in value ? value.id : "name" in value ? value.name : undefined;
  return String(typeof name === "string" ? name : path.at(-1)).slice(0, MAX_QUOTED);
}
