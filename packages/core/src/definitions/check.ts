/**
 * Check: what is wrong with a crew before it runs: structure, references and routing, all at once.
 *
 * The tables list what must hold at which place.
 * Errors stop a crew; every finding says where, what and how to fix it.
 */
import { checkChildren, childrenOf, MAX_ITEMS } from "./child-check.ts";
import { type CrewDefinition, entriesOf, type Finding } from "./definition.ts";
import { find, type FieldSpot, quote } from "./place.ts";
import { nearestWithin } from "../words/nearest.ts";
import { checkOutputs } from "./output-check.ts";
import { toProgramName } from "../ports/program.ts";
import { isSignal, toSignalKey } from "../words/signal.ts";
import { STATE_KEY } from "../words/state.ts";
import { RUN_CODE } from "./tool.ts";

type Path = Finding["path"];
type Defect = Omit<Finding, "severity">;
type Test = (value: unknown) => boolean;
/** Range of a number; `above` excludes its bound. */
type Range = Readonly<{ min?: number; above?: number; max?: number; isWhole?: true }>;

const MAX_SUGGESTIONS = 100;
const ID = /^[a-zA-Z0-9_-]{1,128}$/;
const isId: Test = (id) => ID.test(String(id));
const isText: Test = (text) => typeof text === "string" && text.trim() !== "";
const isFlag: Test = (flag) => typeof flag === "boolean";
const isFilled: Test = (list) => Array.isArray(list) && list.length > 0;

const VALUES: readonly (readonly [code: string, place: string, fits: Test, what: string, fix: string])[] = [
  ["no_agents", "agents", isFilled, "is empty", "add an agent"],
  ["invalid_id", "agents.*.id", isId, "is not a valid id", "use at most 128 letters, digits, _ and -"],
  ["invalid_id", "groups|subCrews.@", isId, "is not a valid id", "use at most 128 letters, digits, _ and -"],
  ["invalid_signal", "signals.*.*.signal", isSignal, "is not a valid signal", "write [TEXT], with no brackets inside"],
  ["invalid_value", "agents.*.parallelToolCalls", isFlag, "is neither true nor false", "use true or false"],
  [
    "invalid_value",
    "settings.sharedToolResults|blockOnQuotaExceed",
    isFlag,
    "is neither true nor false",
    "use true or false",
  ],
  ["reserved_tool", "tools.*.name", (name) => name !== RUN_CODE, "is Baton's own tool for code", "rename the tool"],
  ["invalid_value", "examples.*", isText, "is not an input", "write what a person could ask, or remove it"],
];

/** Every number that a crew may give, with its range. */
const NUMBERS: readonly (readonly [range: Range, ...places: readonly string[]])[] = [
  [{ min: 0, max: 2 }, "agents.*.temperature"],
  [{ min: 0, max: 1 }, "agents.*.topP", "agents.*.costLimits.alertThreshold", "settings.costAlertThreshold"],
  [{ min: 1, max: MAX_ITEMS, isWhole: true }, "groups.*.maxItems"],
  [{ min: 4, max: 2_048 }, "settings.codeMemoryMb"],
  [{ min: 0, max: 100 }, "settings.timeoutWarningPct|contextTrimPct"],
  [
    { min: 1, isWhole: true },
    "agents.*.maxTokens|maxSteps",
    "agents.*.tools|children.*.maxCalls",
    "groups.*.maxParallel",
    "agents.*.costLimits.maxTokensPerCall",
    "settings.maxSteps|maxParallelAgents|maxDepth|maxParallelCalls|maxCallsPerReply|maxCodeCalls|modelAttempts|streamBuffer|maxContextTokens|maxTokensPerCall",
  ],
  [
    { min: 0, isWhole: true },
    "agents.*.history",
    "agents.*.costLimits.maxTokensPerDay",
    "agents.*.errorLimits.maxConsecutive|maxPerDay",
    "settings.maxHandoffs|maxRepeatedCalls|maxConsoleChars|maxOutputChars|maxTotalOutputChars|maxStoredRuns|maxTokensPerDay",
    "settings.maxCallsPerMinute|maxCallsPerHour|maxCallsPerDay",
    "settings.maxTokensPerUserPerDay|maxCallsPerUserPerMinute",
    "settings.maxConsecutiveErrors|maxErrorsPerHour|maxErrorsPerDay",
  ],
  [
    { min: 0 },
    "agents.*.costLimits.maxCostPerDayUsd|inputTokenPricePerMillion|outputTokenPricePerMillion",
    "settings.maxCostPerDayUsd|maxCostPerUserPerDayUsd|retryMinMs|retryMaxMs|modelRetryMinMs|modelRetryMaxMs",
  ],
  [
    { above: 0 },
    "groups.*.timeoutMs",
    "agents.*.tools|children.*.timeoutMs",
    "settings.timeoutMs|groupTimeoutMs|toolTimeoutMs|toolSequenceTimeoutMs|modelIdleMs|sseKeepAliveMs|maxInputBytes",
    "settings.codeCpuSeconds|codeTimeoutMs|maxCodeBytes",
  ],
];

/** Words of a closed list, by place. */
const WORDS: readonly (readonly [place: string, what: string, words: readonly string[]])[] = [
  ["permissions.*", "a permission", ["allow", "ask", "ask_operator", "deny"]],
  ["groups.*.mode", "a mode of a group", ["settled", "all", "first"]],
  ["agents.*.toolCalls", "a way to call tools", ["auto", "native", "text", "code"]],
  ["agents.*.audience", "an audience", ["user", "crew"]],
  ["settings.toolIsolation", "an isolation", ["auto", "inline", "shared", "thread", "process"]],
  ["settings.toolTimeoutCovers", "what a tool's time covers", ["call", "attempt"]],
  ["settings.signalPosition", "a place of signals", ["anywhere", "end"]],
  ["behaviors.*.signalPosition", "a place of signals", ["anywhere", "end"]],
  ["settings.onMissingSignal", "a reaction", ["warn", "correct", "ignore"]],
  ["behaviors.*.onMissingSignal", "a reaction", ["warn", "correct", "ignore"]],
  ["settings.promptCache", "a way to cache", ["auto", "long", "off"]],
  ["agents.*.promptCache", "a way to cache", ["auto", "long", "off"]],
  ["agents.*.reasoning", "an amount of reasoning", ["none", "low", "medium", "high"]],
];

const TOOL_CHOICES: readonly string[] = ["auto", "required", "none"];

/** Lists in which a name may occur once, and which part of it is compared. */
const LISTS: readonly (readonly [code: string, list: string, name: string, toKey?: (name: string) => string])[] = [
  ["duplicate_tool", "tools", "*.name"],
  ["duplicate_task", "tasks", "*.name"],
  ["duplicate_schedule", "schedules", "*.name"],
  ["duplicate_signal", "signals.*", "*.signal", (signal) => (isSignal(signal) ? toSignalKey(signal) : signal)],
  ["duplicate_member", "groups.*.agents", "*"],
];

const RULES = "permissions.@";

/** Names that must name something, except one value that is free. */
const REFERENCES: readonly (readonly [kind: keyof typeof UNKNOWN, place: string, free?: string])[] = [
  ["tool", "agents.*.tools.*"],
  ["tool", "agents.*.tools.*.name"],
  ["tool", "agents.*.pinnedTools.*"],
  ["agent", "agents.*.handoffTargets.*"],
  ["tool", RULES, "*"],
  ["agent", "tasks.*.agent"],
  ["entry", "entry"],
  ["agent", "signals.@"],
  ["target", "signals.*.*.target", ""],
  ["agent", "defaults.*"],
  ["agent", "defaults.@"],
  ["agent", "signals.*.*.returnTo"],
  ["agent", "behaviors.@"],
  ["agent", "behaviors.*.onFailure"],
  ["agent", "groups.*.agents.*"],
  ["agent", "groups.*.agents.*.agent"],
  ["agent", "groups.*.nextAgent"],
];

/** The text before and after an unknown name, and the fix if no known name is similar. */
const UNKNOWN = {
  agent: ["there is no agent", "", "name an agent of the crew"],
  tool: ["there is no tool", "", "define it among the crew's tools, or remove it"],
  entry: ["the entry", " is neither an agent nor a group", "name an agent or a group of the crew"],
  target: [
    "the target",
    " is neither an agent nor a group",
    'name an agent, a group or a sub-crew, or "" to end the run',
  ],
} as const;

/** Everything wrong with the structure, references and routing of a crew. */
export function checkDefinition(definition: CrewDefinition): readonly Finding[] {
  const found = [
    ...checkValues(definition),
    ...checkNumbers(definition),
    ...checkWords(definition),
    ...checkNames(definition),
    ...checkReferences(definition),
    ...checkToolChoices(definition),
    ...checkThreads(definition),
    ...checkPrograms(definition),
    ...checkProviderOptions(definition),
    ...checkOutputs(definition),
    ...checkChildren(definition),
    ...checkStateKeys(definition),
  ];
  // Which of two equal signals is followed is settled, and often both lead to the same place.
  return found.map((one) => ({ ...one, severity: one.code === "duplicate_signal" ? "warning" : "error" }));
}

function* checkValues(definition: CrewDefinition): Iterable<Defect> {
  for (const [code, place, fits, what, fix] of VALUES) {
    for (const { value, ...spot } of find(definition, place)) {
      if (fits(value)) continue;
      yield { code, ...spot, message: `${Array.isArray(value) ? "the list" : quote(value)} ${what}`, fix };
    }
  }
}

function* checkNumbers(definition: CrewDefinition): Iterable<Defect> {
  for (const [range, ...places] of NUMBERS) {
    for (const { value, ...spot } of places.flatMap((place) => [...find(definition, place)])) {
      const problem = findProblem(value, range);
      if (problem !== undefined) yield { code: "invalid_value", ...spot, message: problem, fix: toAdvice(range) };
    }
  }
}

function findProblem(value: unknown, { min = -Infinity, above = -Infinity, max, isWhole }: Range): string | undefined {
  if (typeof value !== "number") return `${quote(value)} is not a number`;
  const isInside = value >= min && value > above && value <= (max ?? Number.MAX_VALUE);
  if (!isInside) return `${value} is out of range`;
  return isWhole && !Number.isInteger(value) ? `${value} is not a whole number` : undefined;
}

function toAdvice({ min, above, max, isWhole }: Range): string {
  const kind = isWhole ? "a whole number" : "a number";
  if (above !== undefined) return `use ${kind} above ${above}`;
  return max === undefined ? `use ${kind}, ${min} or more` : `use ${kind} from ${min} to ${max}`;
}

function* checkWords(definition: CrewDefinition): Iterable<Defect> {
  const nearest = nearestWithin(MAX_SUGGESTIONS);
  for (const [place, what, words] of WORDS) {
    for (const { value, ...spot } of find(definition, place)) {
      const word = String(value);
      if (words.includes(word)) continue;
      const near = nearest(word, words);
      const fix = near === undefined ? `use ${words.slice(0, -1).join(", ")} or ${words.at(-1)}` : didYouMean(near);
      yield { code: "invalid_value", ...spot, message: `${quote(word)} is not ${what}`, fix };
    }
  }
}

function* checkNames(definition: CrewDefinition): Iterable<Defect> {
  const ids = ["agents.*.id", "groups.@", "subCrews.@"].flatMap((place) => [...find(definition, place)]);
  yield* findRepeats("duplicate_id", ids, (id) => id.toLowerCase());
  for (const [code, list, name, toKey] of LISTS) {
    for (const { value, path } of find(definition, list)) yield* findRepeats(code, find(value, name, path), toKey);
  }
}

function* findRepeats(code: string, names: Iterable<FieldSpot>, toKey = (name: string) => name): Iterable<Defect> {
  const seen = new Map<string, unknown>();
  for (const { value, path } of names) {
    const key = toKey(String(typeof value === "object" && value !== null && "agent" in value ? value.agent : value));
    const other = seen.get(key) ?? value;
    const message = `${quote(value)} is already used${other === value ? "" : ` as ${quote(other)}`}`;
    if (seen.has(key)) yield { code, path, message, fix: "rename or remove one of the two" };
    else seen.set(key, value);
  }
}

function* checkReferences(definition: CrewDefinition): Iterable<Defect> {
  const namesAt = (place: string) => new Set(Array.from(find(definition, place), ({ value }) => String(value)));
  const [agent, group] = [namesAt("agents.*.id"), namesAt("groups.@")];
  const children = [...childrenOf(definition).values()].flat();
  const hasCode = [...find(definition, "agents.*.toolCalls")].some(({ value }) => value === "code");
  const own = [...children.map(({ name }) => name), ...(hasCode ? [RUN_CODE] : [])];
  const tool = namesAt("tools.*.name").union(new Set(own));
  const [place, crew] = [agent.union(group), namesAt("subCrews.@")];
  const known = { agent, tool, entry: place, target: place.union(crew) };
  const brought = namesAt("agents.*.clientTools.*");
  // If an agent takes every tool of a request, a rule may be for any name.
  const takesAll = [...find(definition, "agents.*.clientTools")].some(({ value }) => value === true);
  const nearest = nearestWithin(MAX_SUGGESTIONS);
  for (const [kind, at, free] of REFERENCES) {
    const [before, after, fix] = UNKNOWN[kind];
    for (const { value, ...spot } of find(definition, at)) {
      const name = String(value);
      // A tool or member with a condition is found by its name.
      if (known[kind].has(name) || name === free || isOffer(value)) continue;
      if (at === RULES && (takesAll || brought.has(name))) continue;
      const other = kind === "tool" ? undefined : crew.has(name) ? "sub-crew" : group.has(name) ? "group" : undefined;
      const near = nearest(name, known[kind]);
      yield {
        code: `unknown_${kind}`,
        ...spot,
        message:
          other === undefined ? `${before} ${quote(name)}${after}` : `${quote(name)} is a ${other}, not an agent`,
        fix: near === undefined ? fix : didYouMean(near),
      };
    }
  }
}

const STATE_PLACEHOLDER = new RegExp(String.raw`\{\{state\.(${STATE_KEY})\}\}`, "g");

/** Beginning of a path into the state. */
const IN_STATE = "state.";

/** Keys of the state that the engine itself sets. */
const OWN_KEYS: readonly string[] = ["options"];

/** A crew that types its state names no other key. */
function* checkStateKeys(definition: CrewDefinition): Iterable<Defect> {
  if (definition.state === undefined) return;
  const maps = [...entriesOf(definition.groups)].flatMap(([name, { map }]) => (map === undefined ? [] : name));
  const known = [...definition.state.keys, ...OWN_KEYS, ...maps];
  const nearest = nearestWithin(MAX_SUGGESTIONS);
  const keysOf = ({ value, path }: FieldSpot): readonly (readonly [string, Path])[] =>
    path.at(-1) === "systemPrompt" || path.at(-1) === "context"
      ? Array.from(String(value).matchAll(STATE_PLACEHOLDER), ([, key = ""]) => [key, path])
      : path.at(-1) === "over" && !String(value).startsWith(IN_STATE)
        ? []
        : [[String(value).replace(IN_STATE, ""), path]];
  const conditions = ["agents.*.tools|offers.*.if", "agents.*.toolSearch.if", "groups.*.agents|offers.*.if"];
  for (const place of ["agents.*.systemPrompt|context", "groups.*.over", ...conditions]) {
    for (const [key, path] of [...find(definition, place)].flatMap(keysOf)) {
      if (known.some((name) => isNamedBy(key, name))) continue;
      const near = nearest(key, known);
      const fix = near === undefined ? "add it to the crew's `state`, or remove it" : didYouMean(near);
      yield { code: "unknown_state", path, message: `there is no state ${quote(key)}`, fix };
    }
  }
}

/** Whether `key` is a name, leads into its value, or as a prefix with a star fits it. */
function isNamedBy(key: string, name: string): boolean {
  return key.endsWith("*") ? name.startsWith(key.slice(0, -1)) : key === name || key.startsWith(`${name}.`);
}

const isOffer = (value: unknown): boolean => typeof value === "object" && value !== null;

/** Fields of a provider's request that the engine fills. */
const OWN_FIELDS: readonly string[] = ["model", "messages", "input", "contents", "system", "tools", "stream"];

function* checkProviderOptions(definition: CrewDefinition): Iterable<Defect> {
  for (const { value, ...spot } of find(definition, "agents.*.providerOptions.*.@")) {
    if (!OWN_FIELDS.includes(String(value))) continue;
    const message = `\`${String(value)}\` of a provider's request is set by Baton`;
    yield { code: "reserved_option", ...spot, message, fix: "remove it" };
  }
}

/** A program is code of the crew. */
function* checkPrograms(definition: CrewDefinition): Iterable<Defect> {
  const known = Array.from(find(definition, "programs.@"), ({ value }) => String(value));
  for (const place of ["model.name", "agents.*.model|backup.name"]) {
    for (const { value, path } of find(definition, place)) {
      const name = toProgramName(String(value));
      if (name === undefined || known.includes(name)) continue;
      const near = nearestWithin(MAX_SUGGESTIONS)(name, known);
      const fix = near === undefined ? "export it from code.ts, or give it in `programs`" : didYouMean(`code/${near}`);
      yield { code: "unknown_program", path, message: `there is no program ${quote(name)}`, fix };
    }
  }
}

/** A thread loads a tool by the name of its file, so a tool that no file brings cannot run there. */
function* checkThreads({ tools = [], settings }: CrewDefinition): Iterable<Defect> {
  for (const [index, { name, isolation, file, isClient }] of tools.entries()) {
    const level = isolation ?? (isClient ? "inline" : (settings?.toolIsolation ?? "auto"));
    if ((level !== "thread" && level !== "shared") || file !== undefined) continue;
    const path = ["tools", index, "isolation"];
    const message = `${quote(name)} cannot run in a thread, because it is`;
    const fix =
      "use `isolation: inline`, or export the tool from a crew's tools.ts, or its crew from a file of its own";
    yield isClient
      ? { code: "thread_of_client", path, message: `${message} carried out by the client`, fix: "remove `isolation`" }
      : { code: "thread_in_code", path, message: `${message} defined in code that no file's name can load`, fix };
  }
}

/** A tool that must be used has to be one of the agent's own. */
function* checkToolChoices(definition: CrewDefinition): Iterable<Defect> {
  const all = new Set(Array.from(find(definition, "tools.*.name"), ({ value }) => value));
  const nearest = nearestWithin(MAX_SUGGESTIONS);
  for (const { value: agent, path: at } of find(definition, "agents.*")) {
    const own = ["tools.*", "tools.*.name", "tools.*.agent|crew", "tools.*.as"].flatMap((place) =>
      Array.from(find(agent, place), ({ value }) => String(value)),
    );
    for (const { value, path } of find(agent, "toolChoice", at)) {
      const choice = String(value);
      if (choice === "required" && own.length === 0) {
        const message = "the agent has no tools, so none can be required";
        yield { code: "invalid_value", path, message, fix: "give it tools, or use auto" };
      }
      if (TOOL_CHOICES.includes(choice) || own.includes(choice)) continue;
      const near = nearest(choice, [...TOOL_CHOICES, ...own]);
      const other = near === undefined ? "use auto, required, none or one of the agent's tools" : didYouMean(near);
      const isForeign = all.has(value);
      yield {
        code: "unknown_tool",
        path,
        message: `${isForeign ? "the agent does not have the tool" : "there is no tool"} ${quote(choice)}`,
        fix: isForeign ? "add it to the agent's `tools`" : other,
      };
    }
  }
}

const didYouMean = (name: string): string => `did you mean ${quote(name)}?`;
