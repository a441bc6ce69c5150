/**
 * Crew: agents, tools and the routing between them, checked once and frozen.
 *
 * A crew shares nothing with the definition it was made from, but the tools; runs may share a crew.
 */
import { AGENT_DEFAULTS, type Agent, type AgentDefinition } from "./agent.ts";
import { checkDefinition } from "./check.ts";
import { isChild, nameOf } from "./child-check.ts";
import {
  type Crew,
  type CrewDefinition,
  type CrewOrigin,
  entriesOf,
  type Finding,
  type Group,
  type GroupDefinition,
  type Named,
} from "./definition.ts";
import { findUnknownFields, findWrongTypes } from "./field-check.ts";
import { checkSchemas } from "./output-check.ts";
import { BatonError } from "../words/error.ts";
import type { Place } from "../words/event.ts";
import { freezeDeep, omitUndefined } from "../words/json.ts";
import { DEFAULT_SETTINGS } from "./limits.ts";
import { type OutputSchema, toOutputSchema, toParser } from "../words/schema/schema.ts";
import type { Exact, OutputOf, TypedAgent, TypedDefinition, TypedPermissions } from "./typed-crew.ts";

/** Checks a definition and makes the crew; throws one `invalid` that lists every error. */
export function defineCrew<
  const A extends string,
  const D extends TypedAgent<A, T, S>,
  const T extends string = never,
  const G extends string = never,
  const S extends string = never,
>(
  definition: TypedDefinition<A, T, G, S> &
    TypedPermissions<T, A, S, D> & { readonly agents: readonly (D & { readonly id: A } & Exact<D>)[] },
): Crew<OutputOf<D>>;
export function defineCrew(definition: CrewDefinition): Crew<never> {
  checkShape(definition);
  throwErrors(definition, toErrors(findWrongTypes(definition)));
  throwErrors(definition, [
    ...toErrors(findUnknownFields(definition)),
    ...toErrors(checkSchemas(definition)),
    ...checkDefinition(definition).filter(({ severity }) => severity === "error"),
  ]);
  const agents = definition.agents.map(toAgent);
  const behaviors = copyNamed(definition.behaviors);
  const crew: Crew<never> = {
    name: definition.name,
    description: definition.description ?? "",
    entry: freezeDeep(toEntry(agents, behaviors, definition.entry)),
    agents: frozenMap(agents.map((agent) => [agent.id, agent])),
    tools: frozenMap((definition.tools ?? []).map((tool) => [tool.name, tool])),
    ...(definition.model === undefined ? {} : { model: copy(definition.model) }),
    tasks: copy(definition.tasks ?? []),
    schedules: copy(definition.schedules ?? []),
    permissions: copyNamed(definition.permissions),
    ...(definition.policies === undefined ? {} : { policies: copy(definition.policies) }),
    settings: Object.freeze({ ...DEFAULT_SETTINGS, ...omitUndefined(definition.settings ?? {}) }),
    signals: copyNamed(definition.signals),
    defaults: copyNamed(definition.defaults),
    behaviors,
    groups: copyNamed(new Map(Array.from(entriesOf(definition.groups), ([name, group]) => [name, toGroup(group)]))),
    autoRoute: definition.autoRoute === true,
    examples: copy(definition.examples ?? []),
    programs: frozenMap([...entriesOf(definition.programs)]),
    subCrews: frozenMap([...entriesOf(definition.subCrews)]),
    ...omitUndefined({ after: definition.after, wrapModel: definition.wrapModel, interpreter: definition.interpreter }),
  };
  const origin: CrewOrigin = {};
  Error.captureStackTrace(origin, defineCrew);
  return Object.freeze(Object.defineProperty(crew, "~origin", { value: origin }));
}

/**
 * Errors that do not stop a definition in code: a signal that leads nowhere falls through at run time, with a warning,
 * and whether a file can load a tool is known when a run starts.
 */
const LATE: ReadonlySet<string> = new Set(["unknown_target", "thread_in_code"]);

const toErrors = (defects: Iterable<Omit<Finding, "severity">>): readonly Finding[] =>
  Array.from(defects, (defect) => ({ ...defect, severity: "error" }));

/** Throws if one of the errors stops the definition; other checks rely on the types, so those are told first. */
function throwErrors({ name }: CrewDefinition, errors: readonly Finding[]): void {
  if (errors.every(({ code }) => LATE.has(code))) return;
  const lines = errors.map(({ path, message, fix }) => `  ${path.join(".")}: ${message}; ${fix}`);
  const text = [`the crew "${name}" cannot run:`, ...lines].join("\n");
  throw new BatonError("invalid", text, { cause: { findings: errors } });
}

const NO_CREW = "defineCrew takes an object with `name` and `agents`, a list of objects with an `id`";
const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Types do not hold what comes from JavaScript or by `any`. */
function checkShape(value: unknown): void {
  const agents = isObject(value) && "name" in value && value.name !== undefined && "agents" in value && value.agents;
  if (!Array.isArray(agents) || !agents.every(isObject)) throw new BatonError("invalid", NO_CREW);
}

function toGroup({ agents = [], offers: more = [], ...group }: GroupDefinition): Group {
  const offers = [...agents.filter((one) => typeof one !== "string"), ...more];
  const names = agents.map((one) => (typeof one === "string" ? one : one.agent));
  return { agents: names, ...group, ...(offers.length === 0 ? {} : { offers }) };
}

function toAgent(definition: AgentDefinition): Agent {
  const { tools = [], offers: more = [], children: others = [], input, output, ...rest } = definition;
  const names = tools.map(nameOf);
  const offers = [...tools.filter((tool) => typeof tool !== "string" && "if" in tool), ...more];
  const children = [...tools.flatMap((tool) => (isChild(tool) ? { ...tool, as: nameOf(tool) } : [])), ...others];
  const toSchema = (schema: OutputSchema | undefined) => schema && toOutputSchema(schema, rest.id);
  const parsers = { parseInput: toParser(input), parseOutput: toParser(output) };
  const schemas = omitUndefined({ input: toSchema(input), output: toSchema(output), ...parsers });
  const own = { ...AGENT_DEFAULTS, name: rest.id, offers, children, ...omitUndefined(rest), tools: names };
  return freezeDeep({ ...structuredClone(own), ...schemas });
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
