/**
 * Crew: agents, tools and the routing between them, checked once and frozen.
 *
 * A crew shares nothing with the definition it was made from, but the tools; runs may share a crew.
 */
import { AGENT_DEFAULTS, type Agent, type ModelRef } from "./agent.ts";
import { checkCrew } from "./check.ts";
import { entriesOf } from "./definition.ts";
import type { Behavior, CrewDefinition, Group, Named, PermissionRule, SignalRoute, Task } from "./definition.ts";
import { BatonError } from "./error.ts";
import type { Place } from "./event.ts";
import { freezeDeep, given } from "./json.ts";
import { DEFAULT_SETTINGS, type Settings } from "./limits.ts";
import type { Tool } from "./tool.ts";

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
  readonly examples: readonly string[];
}

/** Checks a definition and makes the crew; throws one `invalid` that lists every error. */
export function defineCrew(definition: CrewDefinition): Crew {
  // A signal that leads nowhere falls through at run time, with a warning, in a crew built in code.
  const errors = checkCrew(definition).filter((one) => one.severity === "error" && one.code !== "unknown_target");
  if (errors.length > 0) {
    const lines = errors.map(({ path, message, fix }) => `  ${path.join(".")}: ${message}; ${fix}`);
    throw new BatonError("invalid", [`the crew "${definition.name}" cannot run:`, ...lines].join("\n"));
  }
  const agents = definition.agents.map((agent) => copy<Agent>({ ...AGENT_DEFAULTS, name: agent.id, ...given(agent) }));
  const behaviors = copyNamed(definition.behaviors);
  return Object.freeze<Crew>({
    name: definition.name,
    description: definition.description ?? "",
    entry: freezeDeep(toEntry(agents, behaviors, definition.entry)),
    agents: frozenMap(agents.map((agent) => [agent.id, agent])),
    tools: frozenMap((definition.tools ?? []).map((tool) => [tool.name, tool])),
    ...(definition.model === undefined ? {} : { model: copy(definition.model) }),
    tasks: copy(definition.tasks ?? []),
    permissions: copyNamed(definition.permissions),
    settings: Object.freeze({ ...DEFAULT_SETTINGS, ...given(definition.settings ?? {}) }),
    signals: copyNamed(definition.signals),
    defaults: copyNamed(definition.defaults),
    behaviors,
    groups: copyNamed(definition.groups),
    examples: copy(definition.examples ?? []),
  });
}

/** Whether a run ends when this agent has answered. */
export function isTerminal({ id, isTerminal: own }: Agent, { behaviors }: Pick<Crew, "behaviors">): boolean {
  return own || behaviors.get(id)?.isTerminal === true;
}

function toEntry(agents: readonly Agent[], behaviors: Crew["behaviors"], entry: string | undefined): Place {
  const first = agents.find((agent) => !isTerminal(agent, { behaviors })) ?? agents[0];
  const id = entry ?? first?.id ?? "";
  return { kind: agents.some((agent) => agent.id === id) ? "agent" : "group", id };
}

function copyNamed<T>(named: Named<T> | undefined): ReadonlyMap<string, T> {
  return frozenMap(Array.from(entriesOf(named), ([name, value]) => [name, copy(value)]));
}

function copy<T>(value: T): T {
  return freezeDeep(structuredClone(value));
}

/** A Map that cannot be changed: `Object.freeze` alone does not hold a Map's entries. */
function frozenMap<T>(entries: readonly (readonly [string, T])[]): ReadonlyMap<string, T> {
  const map = new Map(entries);
  const refuse = (): never => {
    throw new BatonError("invalid", "a crew is frozen; define another one");
  };
  for (const name of ["set", "delete", "clear"]) Object.defineProperty(map, name, { value: refuse });
  return Object.freeze(map);
}
