/**
 * Crew: agents, tools and the routing between them, checked once and frozen.
 *
 * A crew shares nothing with the definition it was made from, but the tools; runs may share a crew.
 * Reads: agent, check, definition, error, event, limits, tool. Read by: every verb.
 */
import type { Agent, AgentDefinition, ModelRef } from "./agent.ts";
import { checkCrew, toPathText } from "./check.ts";
import { entriesOf } from "./definition.ts";
import type { Behavior, CrewDefinition, Group, Named, PermissionRule, SignalRoute, Task } from "./definition.ts";
import { BatonError } from "./error.ts";
import type { Place } from "./event.ts";
import { fillSettings, type Settings } from "./limits.ts";
import type { Tool } from "./tool.ts";

export type { Behavior, CrewDefinition, Group, PermissionRule, SignalRoute, Task } from "./definition.ts";

/** A checked, frozen crew. */
export interface Crew {
  readonly name: string;
  readonly description: string;
  readonly entry: Place;
  /** In the order they were written. */
  readonly agents: ReadonlyMap<string, Agent>;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly model?: ModelRef;
  readonly tasks: readonly Task[];
  readonly permissions: ReadonlyMap<string, PermissionRule>;
  readonly settings: Settings;
  readonly signals: ReadonlyMap<string, readonly SignalRoute[]>;
  readonly defaults: ReadonlyMap<string, string>;
  readonly behaviors: ReadonlyMap<string, Behavior>;
  readonly groups: ReadonlyMap<string, Group>;
}

/** Checks a definition and makes the crew; throws one `invalid` that lists every error. */
export function defineCrew(definition: CrewDefinition): Crew {
  // A signal that leads nowhere falls through at run time, with a warning, in a crew built in code.
  const errors = checkCrew(definition).filter(
    ({ severity, code }) => severity === "error" && code !== "unknown_target",
  );
  if (errors.length > 0) {
    const lines = errors.map(({ path, message, fix }) => `  ${toPathText(path)}: ${message}; ${fix}`);
    throw new BatonError("invalid", [`the crew "${definition.name}" cannot run:`, ...lines].join("\n"));
  }
  const agents = definition.agents.map(toAgent);
  return Object.freeze<Crew>({
    name: definition.name,
    description: definition.description ?? "",
    entry: freezeDeep(toEntry(definition)),
    agents: frozenMap(agents.map((agent) => [agent.id, agent])),
    tools: frozenMap((definition.tools ?? []).map((tool) => [tool.name, tool])),
    ...(definition.model === undefined ? {} : { model: copy(definition.model) }),
    tasks: copy(definition.tasks ?? []),
    permissions: copyNamed(definition.permissions),
    settings: Object.freeze(fillSettings(definition.settings)),
    signals: copyNamed(definition.signals),
    defaults: copyNamed(definition.defaults),
    behaviors: copyNamed(definition.behaviors),
    groups: copyNamed(definition.groups),
  });
}

function toAgent(definition: AgentDefinition): Agent {
  return copy<Agent>({
    ...definition,
    name: definition.name ?? definition.id,
    role: definition.role ?? "",
    description: definition.description ?? "",
    backstory: definition.backstory ?? "",
    toolCalls: definition.toolCalls ?? "native",
    temperature: definition.temperature ?? 0.7,
    tools: definition.tools ?? [],
    handoffTargets: definition.handoffTargets ?? [],
    isTerminal: definition.isTerminal ?? false,
  });
}

function toEntry(definition: CrewDefinition): Place {
  const { entry, agents } = definition;
  const isAgent = entry === undefined || agents.some(({ id }) => id === entry);
  if (!isAgent) return { kind: "group", id: entry };
  const behaviors = new Map(entriesOf(definition.behaviors));
  const isTerminal = ({ id, isTerminal: own }: AgentDefinition) =>
    own === true || behaviors.get(id)?.isTerminal === true;
  const first = agents.find((agent) => !isTerminal(agent)) ?? agents[0];
  return { kind: "agent", id: entry ?? first?.id ?? "" };
}

function copyNamed<T>(named: Named<T> | undefined): ReadonlyMap<string, T> {
  return frozenMap(entriesOf(named).map(([name, value]) => [name, copy(value)]));
}

function copy<T>(value: T): T {
  return freezeDeep(structuredClone(value));
}

function freezeDeep<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const part of Object.values(value)) freezeDeep(part);
  return Object.freeze(value);
}

/** A Map that cannot be changed: `Object.freeze` alone does not hold a Map's entries. */
function frozenMap<T>(entries: readonly (readonly [string, T])[]): ReadonlyMap<string, T> {
  const map = new Map(entries);
  for (const name of ["set", "delete", "clear"]) Object.defineProperty(map, name, { value: refuseChange });
  return Object.freeze(map);
}

function refuseChange(): never {
  throw new BatonError("invalid", "a crew is frozen; define another one");
}
