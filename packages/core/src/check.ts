/**
 * Check: what is wrong with a crew before it runs: structure, references and routing, all at once.
 *
 * Errors stop a crew; every finding says where, what and how to put it right.
 * Reads: agent, definition, nearest, signal. Read by: crew, crewfile.
 */
import type { AgentDefinition } from "./agent.ts";
import { entriesOf, type CrewDefinition, type Finding, type Group, type SignalRoute } from "./definition.ts";
import { nearestWithin, type nearest } from "./nearest.ts";
import { checkSignal, compileSignals } from "./signal.ts";

type Path = Finding["path"];
type Text = Pick<Finding, "message" | "fix">;

/** The names a definition gives, to look references up in. */
interface Names {
  readonly agents: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  /** Agents and groups. */
  readonly places: ReadonlySet<string>;
  readonly tools: ReadonlySet<string>;
  readonly nearest: typeof nearest;
}

const ID = /^[a-zA-Z0-9_-]{1,128}$/;
const MAX_SUGGESTIONS = 100;
const MAX_QUOTED = 100;
const RULES = ["allow", "ask", "deny"];

/** Everything wrong with the structure, references and routing of a crew. */
export function checkCrew(definition: CrewDefinition): readonly Finding[] {
  const names = namesOf(definition);
  return [
    ...checkIds(definition),
    ...definition.agents.flatMap((agent, index) => [...checkAgent(agent, ["agents", index], names)]),
    ...checkTools(definition, names),
    ...checkTasks(definition, names),
    ...checkSettings(definition),
    ...checkEntry(definition, names),
    ...entriesOf(definition.signals).flatMap(([agent, routes]) => [...checkSignals(agent, routes, names)]),
    ...checkFallbacks(definition, names),
    ...entriesOf(definition.groups).flatMap(([id, group]) => [...checkGroup(group, ["groups", id], names)]),
  ];
}

/** A place in a definition as people read it: `signals.teacher[0].target`. */
export function toPathText(path: Path): string {
  return path.map((part, index) => (typeof part === "number" ? `[${part}]` : index === 0 ? part : `.${part}`)).join("");
}

function namesOf({ agents, groups, tools = [] }: CrewDefinition): Names {
  const agentIds = agents.map(({ id }) => id);
  const groupIds = entriesOf(groups).map(([id]) => id);
  return {
    agents: new Set(agentIds),
    groups: new Set(groupIds),
    places: new Set([...agentIds, ...groupIds]),
    tools: new Set(tools.map(({ name }) => name)),
    nearest: nearestWithin(MAX_SUGGESTIONS),
  };
}

function* checkIds({ agents, groups }: CrewDefinition): Iterable<Finding> {
  if (agents.length === 0) yield error("no_agents", ["agents"], { message: "the crew has no agents", fix: "add one" });
  const places: [string, Path][] = [
    ...agents.map(({ id }, index): [string, Path] => [id, ["agents", index, "id"]]),
    ...entriesOf(groups).map(([id]): [string, Path] => [id, ["groups", id]]),
  ];
  const seen = new Map<string, string>();
  for (const [id, path] of places) {
    if (!ID.test(id)) {
      const fix = "use letters, digits, _ and -, at most 128 of them";
      yield error("invalid_id", path, { message: `${quote(id)} is not an id`, fix });
    }
    const other = seen.get(id.toLowerCase());
    seen.set(id.toLowerCase(), id);
    if (other === undefined) continue;
    const message = `${quote(id)} is there already${other === id ? "" : ` as ${quote(other)}`}`;
    yield error("duplicate_id", path, {
      message,
      fix: "give each agent and group an id that differs in more than case",
    });
  }
}

function* checkAgent(agent: AgentDefinition, path: Path, names: Names): Iterable<Finding> {
  yield* checkNumber(agent.temperature, [...path, "temperature"], { min: 0, max: 2 });
  yield* checkNumber(agent.topP, [...path, "topP"], { min: 0, max: 1 });
  yield* checkNumber(agent.maxTokens, [...path, "maxTokens"], { min: 1 });
  for (const field of ["costLimits", "errorLimits"] as const) {
    const limits: Readonly<Record<string, number | boolean>> = { ...agent[field] };
    for (const [name, value] of Object.entries(limits)) {
      if (typeof value !== "boolean") yield* checkNumber(value, [...path, field, name], { min: 0 });
    }
  }
  for (const [index, tool] of (agent.tools ?? []).entries()) yield* checkTool(tool, [...path, "tools", index], names);
  for (const [index, target] of (agent.handoffTargets ?? []).entries()) {
    yield* checkAgentName(target, [...path, "handoffTargets", index], names);
  }
}

function* checkTools({ tools = [], permissions }: CrewDefinition, names: Names): Iterable<Finding> {
  const seen = new Set<string>();
  for (const [index, { name }] of tools.entries()) {
    if (seen.has(name)) yield duplicate("duplicate_tool", ["tools", index], name);
    seen.add(name);
  }
  for (const [name, rule] of entriesOf(permissions)) {
    const path = ["permissions", name];
    if (name !== "*") yield* ofName(checkTool(name, path, names));
    if (RULES.includes(rule)) continue;
    yield error("invalid_value", path, { message: `${quote(rule)} is no permission`, fix: "use allow, ask or deny" });
  }
}

function* checkTasks({ tasks = [] }: CrewDefinition, names: Names): Iterable<Finding> {
  const seen = new Set<string>();
  for (const [index, { name, agent }] of tasks.entries()) {
    if (seen.has(name)) yield duplicate("duplicate_task", ["tasks", index, "name"], name);
    seen.add(name);
    yield* checkAgentName(agent, ["tasks", index, "agent"], names);
  }
}

function* checkSettings({ settings = {} }: CrewDefinition): Iterable<Finding> {
  for (const [name, value] of Object.entries(settings)) {
    if (name === "language" || name === "blockOnQuotaExceed") continue;
    yield* checkNumber(value, ["settings", name], { min: 0 });
  }
}

function* checkEntry({ entry }: CrewDefinition, names: Names): Iterable<Finding> {
  const { places } = names;
  if (entry === undefined || places.has(entry)) return;
  const message = `the entry ${quote(entry)} is neither an agent nor a group`;
  yield error("unknown_entry", ["entry"], {
    message,
    fix: suggest(entry, places, names) ?? "name an agent or a group of the crew",
  });
}

function* checkSignals(agent: string, routes: readonly SignalRoute[], names: Names): Iterable<Finding> {
  yield* ofName(checkAgentName(agent, ["signals", agent], names));
  const { places } = names;
  const valid: [number, string][] = [];
  for (const [index, { signal, target }] of routes.entries()) {
    const path = ["signals", agent, index];
    const problem = checkSignal(signal);
    if (problem === undefined) valid.push([index, signal]);
    else
      yield error("invalid_signal", [...path, "signal"], {
        message: shorten(problem),
        fix: "write it like [ROUTE_NAME]",
      });
    if (target === "" || places.has(target)) continue;
    const message = `the target ${quote(target)} is neither an agent nor a group`;
    const fix = suggest(target, places, names) ?? 'name an agent or a group of the crew, or "" to end the run';
    yield error("unknown_target", [...path, "target"], { message, fix });
  }
  const matcher = compileSignals(valid.map(([, signal]) => signal));
  for (const [position, [index, signal]] of valid.entries()) {
    if (matcher.find(signal)[0]?.index === position) continue;
    // A warning: which of the two is followed is settled, and often both lead to the same place.
    yield { ...duplicate("duplicate_signal", ["signals", agent, index, "signal"], signal), severity: "warning" };
  }
}

function* checkFallbacks({ defaults, behaviors }: CrewDefinition, names: Names): Iterable<Finding> {
  for (const [agent, target] of entriesOf(defaults)) {
    yield* ofName(checkAgentName(agent, ["defaults", agent], names));
    yield* checkAgentName(target, ["defaults", agent], names);
  }
  for (const [agent] of entriesOf(behaviors)) yield* ofName(checkAgentName(agent, ["behaviors", agent], names));
}

function* checkGroup(group: Group, path: Path, names: Names): Iterable<Finding> {
  const { agents, timeoutMs, nextAgent } = group;
  if (agents.length === 0) {
    yield error("empty_group", [...path, "agents"], { message: "the group has no agents", fix: "add one" });
  }
  const seen = new Set<string>();
  for (const [index, agent] of agents.entries()) {
    if (seen.has(agent)) yield duplicate("duplicate_member", [...path, "agents", index], agent);
    seen.add(agent);
    yield* checkAgentName(agent, [...path, "agents", index], names);
  }
  if (timeoutMs !== undefined && !(Number.isFinite(timeoutMs) && timeoutMs > 0)) {
    yield error("invalid_value", [...path, "timeoutMs"], {
      message: `${timeoutMs} is no timeout`,
      fix: "use a number above 0",
    });
  }
  if (nextAgent !== undefined) yield* checkAgentName(nextAgent, [...path, "nextAgent"], names);
}

function* checkAgentName(name: string, path: Path, names: Names): Iterable<Finding> {
  const { agents, groups } = names;
  if (agents.has(name)) return;
  const message = groups.has(name) ? `${quote(name)} is a group, not an agent` : `there is no agent ${quote(name)}`;
  yield error("unknown_agent", path, { message, fix: suggest(name, agents, names) ?? "name an agent of the crew" });
}

function* checkTool(name: string, path: Path, names: Names): Iterable<Finding> {
  if (names.tools.has(name)) return;
  const fix = suggest(name, names.tools, names) ?? "define it among the crew's tools, or take it out";
  yield error("unknown_tool", path, { message: `there is no tool ${quote(name)}`, fix });
}

function* checkNumber(
  value: number | string | boolean | undefined,
  path: Path,
  range: { min: number; max?: number },
): Iterable<Finding> {
  const { min, max = Infinity } = range;
  if (value === undefined) return;
  if (typeof value === "number" && Number.isFinite(value) && value >= min && value <= max) return;
  const fix = max === Infinity ? `use a number, ${min} or more` : `use a number from ${min} to ${max}`;
  yield error("invalid_value", path, { message: `${String(value)} is out of range`, fix });
}

function* ofName(findings: Iterable<Finding>): Iterable<Finding> {
  for (const finding of findings) yield { ...finding, part: "name" };
}

function suggest(name: string, known: Iterable<string>, names: Names): string | undefined {
  const near = names.nearest(name, known);
  return near === undefined ? undefined : `did you mean ${quote(near)}?`;
}

function duplicate(code: string, path: Path, name: string): Finding {
  return error(code, path, {
    message: `${quote(name)} is there already`,
    fix: "rename one of the two, or take it out",
  });
}

function error(code: string, path: Path, text: Text): Finding {
  return { code, severity: "error", path, ...text };
}

function quote(name: string): string {
  return `\`${shorten(name)}\``;
}

/** So that no name from outside makes a message unreadable. */
function shorten(text: string): string {
  return text.length <= MAX_QUOTED ? text : `${text.slice(0, MAX_QUOTED)}…`;
}
